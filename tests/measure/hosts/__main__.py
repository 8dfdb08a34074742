"""`make hosts`: cut, kill, fill and set back what the site runs on, write docs/measured/hosts.md.

    python -m tests.measure.hosts [--only WORDS …]

Runs as root on Linux. Exit status 0 when nothing was lost, doubled, half written or left undone by the site as it is, and each
control has failed in its way. With `--only`, faults whose name holds one of the words are made, and no page is written.
"""

from __future__ import annotations

import argparse
import signal
import sys
from typing import Any

from cardroom.config.environment import PROJECT_DIR

from .faults import FAULTS
from .network import CannotSeparate
from .page import came_out, page
from .run import Kind, run

KINDS = (
    Kind("as it is"),
    Kind(
        "clients that send again under a new key",
        keeps_key=False,
        commands=8,
        has_to="doubled",
        faults=("cut: PostgreSQL and its standby",),
    ),
    Kind(
        "commits that do not wait for the standby",
        synchronous=False,
        has_to="lost",
        faults=("cut from its standby, then killed: PostgreSQL, the standby promoted",),
    ),
    Kind(
        "without time limits on connections",
        settings="tests.measure.hosts.unguarded",
        has_to="unanswered",
        faults=("cut: both webs and PostgreSQL, for a minute",),
    ),
)


def main() -> int:
    """Make every run, print the page and write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.hosts")
    parser.add_argument("--only", nargs="+", default=[], help="words of the names of faults")
    given = parser.parse_args()
    # What is ended leaves no namespace and no file system behind.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    taken: list[dict[str, Any]] = []
    for kind in KINDS:
        faults = [
            fault
            for fault in FAULTS
            if fault.name in (kind.faults or (fault.name,))
            and (not given.only or any(word in fault.name for word in given.only))
        ]
        if faults:
            try:
                taken += run(kind, faults)
            except CannotSeparate as fault:
                print(fault, file=sys.stderr)
                return 2
        if not given.only:
            # After each run: what has come out does not depend on what is to come.
            text = page(taken, {each.name: each.has_to for each in KINDS})
            (PROJECT_DIR / "docs" / "measured" / "hosts.md").write_text(text, encoding="utf-8")
    has_to = {each.name: each.has_to for each in KINDS}
    return 0 if all(came_out(row, has_to[row["kind"]]) for row in taken) else 1


if __name__ == "__main__":
    sys.exit(main())
