"""Runs make's targets and ends with one screen that says how each went, whatever each brings.

`python -m tests.stages clauses-fresh then types test-postgres -- test-outside`: the groups between the dashes run side
by side, the targets of a group one after another, and what stands after `then` begins when all before it is done. What a
target of the last group prints is shown as it comes; of the others, which are short, when it is done.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

#: pytest's closing line, such as "=== 3 failed, 900 passed in 61.20s ===".
_CLOSING = re.compile(r"^=+ (.*\b(?:passed|failed|errors?|no tests ran)\b.*) in [0-9.]+s.*=+$")

#: One writes at a time, so that what a target printed stays in one piece.
_printing = threading.Lock()


@dataclass(frozen=True)
class Stage:
    """How a target went: whether it passed, in how many seconds, and pytest's word on it where it has one."""

    target: str
    passed: bool
    seconds: float
    word: str


def run(target: str, *, at_once: bool) -> Stage:
    """Run one target; show what it prints as it comes, or all of it in the end."""
    _show(f"\n=== make {target}\n" if at_once else "")
    began, word, kept = time.monotonic(), "", []
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
            if at_once:
                _show(line)
            else:
                kept.append(line)
            if closing := _CLOSING.match(line.rstrip()):
                word = closing[1]
    if not at_once:
        _show(f"\n=== make {target}\n{''.join(kept)}")
    return Stage(target, child.returncode == 0, time.monotonic() - began, word)


def _show(text: str) -> None:
    with _printing:
        print(text, end="", flush=True)


def parted(words: list[str], at: str) -> list[list[str]]:
    """Split words at each that is `at`."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == at:
            parts.append([])
        else:
            parts[-1].append(word)
    return [part for part in parts if part]


def main(words: list[str]) -> int:
    """Run the groups of targets and print the summary; return 0 if all passed, else 1."""
    blocks = [parted(block, "--") for block in parted(words, "then")]

    def stages_of(group: list[str]) -> list[Stage]:
        return [run(target, at_once=group is blocks[-1][-1]) for target in group]

    began, stages = time.monotonic(), []
    for groups in blocks:
        with ThreadPoolExecutor(max_workers=len(groups)) as pool:
            stages += [stage for group in pool.map(stages_of, groups) for stage in group]
    print("\n=== summary")
    for stage in stages:
        print(
            f"{'passed' if stage.passed else 'FAILED':8}{stage.target:16}{stage.seconds:7.1f} s  {stage.word}"
        )
    print(f"{'in all':24}{time.monotonic() - began:7.1f} s")
    failed = [stage.target for stage in stages if not stage.passed]
    print(f"\n{', '.join(failed)} failed" if failed else f"\nall {len(stages)} stages passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
