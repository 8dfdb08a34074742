"""`python -m tests.traceability [PYTEST ARGUMENT…]`: run the marked tests, write the pages, say what is missing.

`python -m tests.traceability --check` runs nothing: it collects the marks and says which rows of the pages are not what
`docs/clauses` and the marks would make of them, or name tests that did not pass. Exit status 1 then.

Exit status 0 when every provision on which money or play depends has a test that passed, every other one a test or a
plan, and every place that is named exists; 1 otherwise, each problem on a line of its own; 2 when the tests could not
be run at all. The pages are written in the first two cases.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from tests.traceability.catalogue import ROOT, RULEBOOKS, catalogue
from tests.traceability.page import page, stale_rows
from tests.traceability.verdicts import Outcomes, verdicts_of

PAGES = ROOT / "docs" / "traceability"
TITLES = {
    "california": "California: every clause, where it is kept, what proves it",
    "designated_player": "Designated player: every clause, where it is kept, what proves it",
    "massachusetts": "Massachusetts: every clause, where it is kept, what proves it",
    "south_dakota": "South Dakota: every clause, where it is kept, what proves it",
    "shuffle_master": "Shuffle Master: every clause, where it is kept, what proves it",
}
#: Exit statuses of pytest after which its report is whole: all passed, or some failed.
_RAN = (0, 1)


def main(arguments: list[str]) -> int:
    """Run, write and judge; `arguments` go to pytest."""
    if arguments == ["--check"]:
        return check()
    report = run_marked_tests(arguments)
    if report is None:
        print("The marked tests could not be run: see pytest's own words above.", file=sys.stderr)
        return 2
    verdicts = verdicts_of(catalogue().values(), report)
    for rulebook in RULEBOOKS:
        own = [verdict for verdict in verdicts if verdict.provision.rulebook == rulebook]
        (PAGES / f"{rulebook}.md").write_text(page(TITLES[rulebook], own), encoding="utf-8")
        states = Counter(verdict.state for verdict in own)
        print(
            f"{rulebook:18} {len(own):3} provisions: "
            + ", ".join(f"{n} {state}" for state, n in states.items())
        )
    problems = [problem for verdict in verdicts for problem in verdict.problems]
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def check() -> int:
    """Compare the pages with what they would be, but for how the tests came out; 0 when they are up to date."""
    report = run_marked_tests(["--collect-only"], quiet=True)
    if report is None:
        print("The marked tests could not be collected: see pytest's own words above.", file=sys.stderr)
        return 2
    verdicts = verdicts_of(catalogue().values(), report)
    stale = []
    for rulebook in RULEBOOKS:
        own = [verdict for verdict in verdicts if verdict.provision.rulebook == rulebook]
        path = PAGES / f"{rulebook}.md"
        rows = stale_rows(path.read_text(encoding="utf-8"), page(TITLES[rulebook], own))
        stale += [f"{path.relative_to(ROOT)}: {row}" for row in rows]
    for row in stale:
        print(row, file=sys.stderr)
    print(
        f"{len(stale)} rows are out of date: run make clauses" if stale else "docs/traceability is up to date"
    )
    return 1 if stale else 0


def run_marked_tests(arguments: list[str], *, quiet: bool = False) -> Mapping[str, Outcomes] | None:
    """Run every test that carries a clause, on SQLite, and return its report; None when pytest broke off.

    `quiet` shows what pytest says only when it broke off.
    """
    environ = {name: value for name, value in os.environ.items() if name != "CARDROOM_DATABASE_URL"}
    with tempfile.TemporaryDirectory(prefix="clauses-") as folder:
        path = Path(folder) / "report.json"
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-m",
            "clause",
            f"--clauses-report={path}",
            *arguments,
        ]
        out = subprocess.PIPE if quiet else None
        ran = subprocess.run(command, cwd=ROOT, env=environ, check=False, stdout=out, text=True)
        if ran.returncode not in _RAN:
            print(ran.stdout or "", end="", file=sys.stderr)
            return None
        report: Mapping[str, Outcomes] = json.loads(path.read_text(encoding="utf-8"))
        return report


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
