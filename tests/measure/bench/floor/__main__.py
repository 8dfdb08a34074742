"""`make bench-floor`: time the board and its live pages on both databases, write docs/measured/benchmarks-floor.md.

python -m tests.measure.bench.floor [--rounds N] [--seconds S] [--boards B]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from cardroom.config.broker import private_socket
from cardroom.ops.supervisor.valkey import Valkey
from tests.measure.bench.measure import ROOT
from tests.servers.sites import DATABASES, database_address, site_environ

from .page import page


def main() -> None:
    """Measure on SQLite and on PostgreSQL, print the page and write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.bench.floor")
    parser.add_argument("--rounds", type=int, default=1_000_000, help="that the room has behind it")
    parser.add_argument("--seconds", type=float, default=60, help="for which the room is watched")
    parser.add_argument("--boards", type=int, default=20, help="that look on")
    given = parser.parse_args()
    words = [f"--{name}={value}" for name, value in vars(given).items()]
    taken: dict[str, dict[str, Any]] = {}
    for name, database in DATABASES.items():
        with database_address(name) as url:
            taken[database] = _run(words, url)
        _write(taken)
    print(page(taken))


def _write(taken: dict[str, dict[str, Any]]) -> None:
    """Write the page with what has been taken so far: what is there does not depend on what is to come."""
    (ROOT / "docs" / "measured" / "benchmarks-floor.md").write_text(page(taken), encoding="utf-8")


def _run(words: list[str], database: str | None) -> dict[str, Any]:
    """Measure on one database, in a process and a state directory of its own."""
    print(f"bench-floor: {database or 'sqlite'}", file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as state:
        environ = site_environ(Path(state), database)
        with Valkey(private_socket(Path(state))):
            for command in (
                ["manage.py", "migrate", "--verbosity", "0"],
                ["-m", "tests.measure.bench.floor.run", *words],
            ):
                done = subprocess.run(
                    [sys.executable, *command],
                    cwd=ROOT,
                    env=environ,
                    stdout=subprocess.PIPE,
                    text=True,
                    check=True,
                )
    taken: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return taken


if __name__ == "__main__":
    main()
