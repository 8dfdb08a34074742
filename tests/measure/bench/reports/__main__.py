"""`make bench-reports`: time the reports with few and with many rounds stored, write docs/measured/benchmarks-reports.md.

python -m tests.measure.bench.reports [--kept DIRECTORY [--build | --as-built]] [--rounds N N …] [--only
sqlite|postgresql] [--tables N]
    [--through "nice -n -5"]

Rooms that were built in `--kept` are timed again as they are; what is missing there is built first, or left out.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.measure.bench.measure import ROOT
from tests.servers.postgres import Postgres

from . import TABLES
from .page import page
from .rooms import Rooms


def main() -> None:
    """Measure on SQLite and on PostgreSQL, print the page and write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.bench.reports")
    parser.add_argument(
        "--rounds", type=int, nargs="+", default=[100_000, 1_000_000], help="stored, a room for each"
    )
    parser.add_argument("--tables", type=int, default=TABLES, help=f"of a room (default {TABLES})")
    parser.add_argument("--only", choices=("sqlite", "postgresql"), help="one database alone")
    parser.add_argument("--kept", type=Path, help="directory in which the rooms stay, to be timed again")
    parser.add_argument("--build", action="store_true", help="build the rooms in --kept and time nothing")
    parser.add_argument("--as-built", action="store_true", help="time what is in --kept and build nothing")
    parser.add_argument(
        "--through", default="", help="command before that of each timing, such as 'taskset -c 1'"
    )
    given = parser.parse_args()
    if given.build and not given.kept:
        parser.error("--build needs --kept: rooms that nobody keeps are built for nothing")
    taken: dict[str, dict[str, Any]] = {}
    with contextlib.ExitStack() as ends:
        kept = given.kept or Path(ends.enter_context(tempfile.TemporaryDirectory(prefix="cardroom-bench-")))
        kept = kept.resolve()
        if given.only != "postgresql":
            _measure("SQLite", Rooms(kept / "sqlite", None), given, taken)
        if given.only != "sqlite":
            data = kept / "postgresql" / "data" if given.kept else None
            server = ends.enter_context(Postgres(data))
            _measure("PostgreSQL", Rooms(kept / "postgresql", server), given, taken)
    if taken:
        print(page(taken))


def _measure(
    database: str, rooms: Rooms, given: argparse.Namespace, taken: dict[str, dict[str, Any]]
) -> None:
    """Build and time each size on one database. The page is written after each: it does not depend on what is to come."""
    for rounds in sorted(given.rounds):
        print(f"bench-reports: {database}, {rounds:,} rounds", file=sys.stderr, flush=True)
        if not given.as_built:
            rooms.build(rounds, given.tables)
        elif not rooms.is_built(rounds):
            continue
        if given.build:
            continue
        built = rooms.built(rounds)
        sizes = taken.get(database, {}).get("sizes", [])
        taken[database] = built | {"sizes": [*sizes, built | rooms.timed(rounds, given.through)]}
        (ROOT / "docs" / "measured" / "benchmarks-reports.md").write_text(page(taken), encoding="utf-8")


if __name__ == "__main__":
    main()
