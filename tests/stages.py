"""Runs make's targets one after another, whatever each brings, and ends with one screen that says how each went."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from dataclasses import dataclass

#: pytest's closing line, such as "=== 3 failed, 900 passed in 61.20s ===".
_CLOSING = re.compile(r"^=+ (.*\b(?:passed|failed|errors?|no tests ran)\b.*) in [0-9.]+s.*=+$")


@dataclass(frozen=True)
class Stage:
    """How a target went: whether it passed, in how many seconds, and pytest's word on it where it has one."""

    target: str
    passed: bool
    seconds: float
    word: str


def run(target: str) -> Stage:
    """Run one target, showing what it prints as it comes."""
    print(f"\n=== make {target}", flush=True)
    began, word = time.monotonic(), ""
    with subprocess.Popen(
        ["make", "--no-print-directory", target],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            print(line, end="", flush=True)
            if closing := _CLOSING.match(line.rstrip()):
                word = closing[1]
    return Stage(target, child.returncode == 0, time.monotonic() - began, word)


def main(targets: list[str]) -> int:
    """Run the targets and print the summary; return 0 if all passed, else 1."""
    stages = [run(target) for target in targets]
    print("\n=== summary")
    for stage in stages:
        print(
            f"{'passed' if stage.passed else 'FAILED':8}{stage.target:16}{stage.seconds:7.1f} s  {stage.word}"
        )
    failed = [stage.target for stage in stages if not stage.passed]
    print(f"\n{', '.join(failed)} failed" if failed else f"\nall {len(stages)} stages passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
