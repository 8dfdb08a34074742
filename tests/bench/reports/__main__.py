"""`make bench-reports`: time the reports with few and with many rounds stored, write docs/benchmarks-reports.md.

python -m tests.bench.reports [--rounds N N …] [--only sqlite|postgresql] [--tables N] [--through "nice -n -5"]
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import psycopg

from cardroom.environment import VARIABLES
from tests.bench.measure import ROOT
from tests.servers.postgres import Postgres

from . import TABLES
from .page import page


def main() -> None:
    """Measure on SQLite and on PostgreSQL, print the page and write it."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.reports")
    parser.add_argument(
        "--rounds", type=int, nargs="+", default=[100_000, 1_000_000], help="stored, one after the other"
    )
    parser.add_argument("--tables", type=int, default=TABLES, help=f"of the room (default {TABLES})")
    parser.add_argument("--only", choices=("sqlite", "postgresql"), help="one database alone")
    parser.add_argument(
        "--through", default="", help="command before that of each timing, such as 'taskset -c 1'"
    )
    given = parser.parse_args()
    words = ["--tables", str(given.tables), "--through", given.through, "--rounds", *map(str, given.rounds)]
    taken: dict[str, dict[str, Any]] = {}
    if given.only != "postgresql":
        taken["SQLite"] = _run(words, None)
        _write(taken)
    if given.only != "sqlite":
        with Postgres() as server:
            with psycopg.connect(
                host=str(server.directory), user="cardroom", dbname="postgres", autocommit=True
            ) as admin:
                admin.execute("CREATE DATABASE cardroom")
            taken["PostgreSQL"] = _run(words, server.url)
        _write(taken)
    print(page(taken))


def _write(taken: dict[str, dict[str, Any]]) -> None:
    """Write the page with what has been taken so far: what is there does not hang on what is to come."""
    (ROOT / "docs" / "benchmarks-reports.md").write_text(page(taken), encoding="utf-8")


def _run(words: list[str], database: str | None) -> dict[str, Any]:
    """Measure on one database, in a process and a state directory of its own."""
    print(f"bench-reports: {'sqlite' if database is None else 'postgresql'}", file=sys.stderr, flush=True)
    environ = {name: value for name, value in os.environ.items() if name not in VARIABLES}
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as state:
        environ |= {"CARDROOM_STATE_DIR": state, "CARDROOM_SECRET_KEY": secrets.token_urlsafe(64)}
        if database is not None:
            environ["CARDROOM_DATABASE_URL"] = database
        told = Path(state) / "figures.json"
        for command in (
            ["manage.py", "migrate", "--verbosity", "0"],
            ["-m", "tests.bench.reports.run", "--told", str(told), *words],
        ):
            subprocess.run([sys.executable, *command], cwd=ROOT, env=environ, check=True)
        taken: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
    return taken


if __name__ == "__main__":
    main()
