"""One run, on the database that the environment names; its figures go as JSON into the file `--told`.

The room plays one whole day by `cardroom.simulation`, and that day is copied into later ones until as many rounds are
stored as are asked for. What is timed is about the last day's shifts, which are as long at every size.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import django

from tests.bench.measure import ROOT

from . import ROUNDS_PER_HOUR, TABLES


def main() -> None:
    """Build the room, measure at each size, tell."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, nargs="+", required=True)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--told", type=Path, required=True)
    parser.add_argument("--through", default="")
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.settings"
    django.setup()
    day, played = _played(given.tables)
    from cardroom.floor.models import Round
    from tests.bench.copies import database_settled

    took: dict[str, Any] = {"tables": given.tables, **played, "sizes": []}
    for rounds in sorted(given.rounds):
        before, began = Round.objects.count(), time.perf_counter()
        stored = day.copy_until(rounds, _say)
        database_settled()
        seconds = time.perf_counter() - began
        _say(f"times the reports with {stored:,} rounds stored")
        copied = {"copied": stored - before, "copied_seconds": seconds}
        took["sizes"].append({"rounds": stored, **copied, **_timed(given.through)})
        given.told.write_text(json.dumps(took), encoding="utf-8")


def _played(tables: int) -> tuple[Any, dict[str, Any]]:
    """Simulate one day; return it, its rounds, the seconds of the clock and of the processor, and the bytes it took."""
    from cardroom.floor.models import JournalEntry, Round, Transfer
    from tests.bench.copies import day_played

    before = _size()
    began, used = time.perf_counter(), time.process_time()
    day = day_played(tables, ROUNDS_PER_HOUR, _say)
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    rounds = Round.objects.count()
    return day, {
        "played": rounds,
        "seconds": seconds,
        "processor": processor,
        "bytes": _size() - before,
        "transfers": Transfer.objects.count(),
        "entries": JournalEntry.objects.count(),
    }


def _timed(through: str) -> dict[str, Any]:
    """The figures of `tests.bench.reports.timed`, started by the words of `through`."""
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as directory:
        told = Path(directory) / "figures.json"
        command = [
            *shlex.split(through),
            sys.executable,
            "-m",
            "tests.bench.reports.timed",
            "--told",
            str(told),
        ]
        subprocess.run(command, cwd=ROOT, check=True)
        figures: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
    return figures


def _size() -> int:
    """The bytes that the database takes, indexes included."""
    from django.db import connection

    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
            size: int = cursor.fetchone()[0]
            return size
        pages, empty, page = (
            cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - empty) * page)


def _say(what: str) -> None:
    print(f"  {time.process_time():6.1f} s  {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
