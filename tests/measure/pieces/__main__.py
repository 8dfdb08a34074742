"""`make pieces`: verify a simulated room by one process and in pieces, write docs/measured/verify-pieces.md.

    python -m tests.measure.pieces [--days 2] [--tables 6]

PostgreSQL, broker and workers run on this machine, which has no more processors for four workers than for two.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import psycopg

from cardroom.config.environment import PROJECT_DIR
from cardroom.ops.supervisor.processes import start_child, stop_children
from cardroom.ops.supervisor.valkey import Valkey
from tests.measure.conditions import ran_on, written_by
from tests.servers.sites import database_address, python, site_environ

PAGE: Final = PROJECT_DIR / "docs" / "measured" / "verify-pieces.md"
WORKERS: Final = (1, 2, 4)
_MOST_SECONDS: Final = 1800
_ASK: Final = (
    "from django.db import transaction; from django.utils import timezone; from cardroom.rooms.models import Room; "
    "from cardroom.reports.verification.runs import verification_ask\n"
    "with transaction.atomic(): verification_ask(Room.objects.earliest('pk'), timezone.now(), None, 'command')"
)
_ENDED: Final = """
    SELECT extract(epoch FROM whole.ended_at - whole.asked_at), count(*), max(extract(epoch FROM piece.ended_at - piece.claimed_at)),
           extract(epoch FROM whole.ended_at - whole.claimed_at), whole.result ->> 'broken', whole.error
    FROM jobs_job whole JOIN jobs_job piece ON piece.part_of_id = whole.id
    WHERE whole.id = (SELECT max(id) FROM jobs_job WHERE kind = 'verification') AND whole.ended_at IS NOT NULL GROUP BY whole.id
"""


class Run(NamedTuple):
    """One run: what it was, seconds by the clock and of the processor in Python, and what is to be said beside it."""

    what: str
    clock: float
    processor: float
    beside: str


def main(arguments: list[str]) -> int:
    """Play, measure, write the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.measure.pieces")
    parser.add_argument("--days", type=int, default=2)
    parser.add_argument("--tables", type=int, default=6)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, database_address("postgresql") as database:
        state = Path(folder)
        with Valkey(state / "valkey.sock") as valkey:
            environ = {**site_environ(state, database), "CARDROOM_REDIS_URL": valkey.url}
            _manage(environ, "migrate", "-v0")
            played = ["--days", str(given.days), "--tables", str(given.tables), "--seed", "1", "--reports"]
            _manage(environ, "simulate", *played)
            load = os.getloadavg()[0]
            alone, _ = _timed(environ, "starting, without anything to do", "check")
            first, said = _timed(environ, "one process, the first time", "verify")
            again, _ = _timed(environ, "one process, again", "verify", "--checkpoint")
            pieces = [_in_pieces(environ, str(database), count, state) for count in WORKERS]
            later = ["--room", "later", "--days", "1", "--tables", "4", "--seed", "2", "--reports"]
            _manage(environ, "simulate", *later)
            since, proved = _timed(environ, "`--since-checkpoint`, after a day of 4 tables more", "verify", "--since-checkpoint")  # fmt: skip
            since = since._replace(beside=next(line for line in proved.splitlines() if "chains" in line))
            runs, sums = [alone, first, again, *pieces, since], said.splitlines()[-1]
    PAGE.write_text(page(runs, sums, f"{given.days} days of {given.tables} tables", load))
    print(PAGE.read_text())
    return 0


def _timed(environ: Mapping[str, str], what: str, *command: str) -> tuple[Run, str]:
    """Run a command of the site in a process of its own; return its times, and what it said."""
    before, begun = _children_seconds(), time.monotonic()
    said = _manage(environ, *command)
    return Run(what, time.monotonic() - begun, _children_seconds() - before, ""), said


def _in_pieces(environ: Mapping[str, str], database: str, workers: int, state: Path) -> Run:
    """Verify in pieces on so many worker processes, which are ready before it is asked for."""
    log = state / f"worker-{workers}.log"
    command = [sys.executable, "-m", "celery", "--app", "cardroom", "worker", "--concurrency", str(workers), "--without-mingle"]  # fmt: skip
    with log.open("wb") as out:
        worker = start_child(command, environ=environ, directory=PROJECT_DIR, output=out.fileno())
    try:
        _wait(lambda: b"ready." in log.read_bytes(), log)
        time.sleep(3)  # what a worker does as it starts
        before = _tree_seconds(worker.pid)
        _manage(environ, "shell", "-v0", "-c", _ASK)
        with psycopg.connect(database, autocommit=True) as connection:
            _wait(lambda: connection.execute(_ENDED).fetchone() is not None, log)
            row = connection.execute(_ENDED).fetchone()
        assert row is not None
        clock, pieces, longest, merging, broken, error = row
        if broken != "0":
            raise RuntimeError(f"the run in pieces came to {broken} breaks: {error}")
        beside = f"{pieces} pieces, the longest {longest:.1f} s, put together in {merging:.1f} s"
        what = f"in pieces, {workers} worker{'s' if workers > 1 else ''}"
        return Run(what, float(clock), _tree_seconds(worker.pid) - before, beside)
    finally:
        stop_children([worker])


def page(runs: list[Run], sums: str, played: str, load: float) -> str:
    """Return the page of docs/measured."""
    lines = [
        "# `verify` in pieces, on one, two and four workers",
        "",
        written_by("pieces", "tests/measure/pieces"),
        "",
        f"- Machine: {ran_on(load=load, when='it began')}.",
        f"- Database: PostgreSQL on the same machine, `manage.py simulate`: {played}. {sums}",
        "- Server, broker and workers share these processors, and PostgreSQL works for each worker: four workers on two",
        "  processors show that nothing is lost by more of them, not what four processors would do.",
        "",
        "| run | clock, s | processor in Python, s | |",
        "|---|---:|---:|---|",
        *(f"| {run.what} | {run.clock:.1f} | {run.processor:.1f} | {run.beside} |" for run in runs),
    ]
    return "\n".join(lines) + "\n"


def _manage(environ: Mapping[str, str], *command: str) -> str:
    return python(environ, "manage.py", *command).strip()


def _children_seconds() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _tree_seconds(pid: int) -> float:
    """Seconds of the processor that a process and its children have taken (Linux)."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    stat = re.sub(r"\(.*\)", "", Path(f"/proc/{pid}/stat").read_text()).split()
    own = (int(stat[12]) + int(stat[13])) / os.sysconf("SC_CLK_TCK")
    return own + sum(_tree_seconds(int(child)) for child in children)


def _wait(true: object, log: Path) -> None:
    assert callable(true)
    until = time.monotonic() + _MOST_SECONDS
    while not true():
        if time.monotonic() > until:
            raise RuntimeError(log.read_text())
        time.sleep(0.1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
