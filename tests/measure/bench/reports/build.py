"""Brings the database that the environment names to so many rounds; what it took goes as JSON into the file `--out`.

The room plays one whole day by `cardroom.demo.simulation`, and that day is copied into later ones until as many rounds are
stored as are asked for. A database that has some of it already is built on with; `--out` is then read first.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import django

from . import ROUNDS_PER_HOUR


def main() -> None:
    """Build the room, tell after each of its days."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, required=True)
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    from cardroom.floor.models import Round
    from tests.measure.bench.copies import database_settled, day_played

    if given.out.exists():
        figures = json.loads(given.out.read_text(encoding="utf-8"))
        day = day_played(figures["tables"], ROUNDS_PER_HOUR, _say)
    else:
        day, figures = _played(given.tables)
        _write(given.out, figures)
    while (stored := Round.objects.count()) < given.rounds:
        began, used = time.perf_counter(), time.process_time()
        copied = day.copy_until(stored + 1, _say) - stored
        figures["copied"] += copied
        figures["copied_seconds"] += time.perf_counter() - began
        figures["copied_processor"] += time.process_time() - used
        _write(given.out, figures)
    if figures["rounds"] != stored:
        database_settled()
        _write(given.out, figures | {"rounds": stored, "built": f"{datetime.now(UTC):%Y-%m-%d}"})


def _played(tables: int) -> tuple[Any, dict[str, Any]]:
    """Simulate one day; return it, its rounds, the seconds of the clock and of the processor, and the bytes it took."""
    from cardroom.floor.models import JournalEntry, Round, Transfer
    from tests.measure.bench.copies import day_played

    if Round.objects.exists():
        raise SystemExit("This room was cut off as its first day ended: remove it, and build it anew.")
    before = _size()
    began, used = time.perf_counter(), time.process_time()
    day = day_played(tables, ROUNDS_PER_HOUR, _say)
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    return day, {
        "tables": tables,
        "played": Round.objects.count(),
        "seconds": seconds,
        "processor": processor,
        "bytes": _size() - before,
        "transfers": Transfer.objects.count(),
        "entries": JournalEntry.objects.count(),
        **dict.fromkeys(("copied", "copied_seconds", "copied_processor", "rounds"), 0),
    }


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


def _write(out: Path, figures: dict[str, Any]) -> None:
    out.write_text(json.dumps(figures), encoding="utf-8")


def _say(what: str) -> None:
    print(f"  {time.process_time():6.1f} s  {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
