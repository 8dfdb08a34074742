"""One run, on the database that the environment names; its figures go as JSON into the file `--told`.

The room plays one whole day by `cardroom.simulation`, and that day is copied into earlier ones until as many rounds are
stored as are asked for. What is timed is about the last day's shifts, the same at every size.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import django

from . import ROUNDS_PER_HOUR, TABLES

#: How often each report is made; the first time warms caches up and does not count.
TIMES = 4


def main() -> None:
    """Build the room, measure at each size, tell."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, nargs="+", required=True)
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--told", type=Path, required=True)
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.settings"
    django.setup()
    from .copies import copy_until

    took: dict[str, Any] = {"tables": given.tables, **_played(given.tables), "sizes": []}
    for rounds in sorted(given.rounds):
        stored = copy_until(rounds, _say)
        _say(f"times the reports with {stored:,} rounds stored")
        took["sizes"].append({"rounds": stored, **_timed()})
        given.told.write_text(json.dumps(took), encoding="utf-8")


def _played(tables: int) -> dict[str, Any]:
    """Simulate one day; return its rounds, the seconds of the clock and of the processor, and the bytes it took."""
    from django.utils import timezone

    from cardroom.floor.models import JournalEntry, Round, Transfer
    from cardroom.simulation.month import Wanted, simulate
    from cardroom.simulation.rooms import simulated_room

    room = simulated_room()
    before = _size()
    began, used = time.perf_counter(), time.process_time()
    wanted = Wanted(days=1, tables=tables, seed=1, rounds_per_hour=ROUNDS_PER_HOUR, always_open=True)
    for progress in simulate(room, wanted, timezone.now()):
        _say(f"{progress.rounds:,} rounds played")
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    rounds = Round.objects.count()
    return {
        "played": rounds,
        "seconds": seconds,
        "processor": processor,
        "bytes": _size() - before,
        "transfers": Transfer.objects.count(),
        "entries": JournalEntry.objects.count(),
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


def _timed() -> dict[str, Any]:
    """Seconds for every report of the catalogue and for the shift report, and rounds a second computed again."""
    from django.utils import timezone

    from cardroom.floor.models import Round, Shift
    from cardroom.people.models import Role, Staff
    from cardroom.reports.catalogue import REPORTS
    from cardroom.reports.reading import inputs_read
    from cardroom.reports.recomputing import compute_again
    from cardroom.reports.services import figures_of

    shift = (
        Shift.objects.select_related("room", "opened_by", "closed_by")
        .filter(name="Swing")
        .latest("opened_at")
    )
    now = timezone.now()
    reader = Staff.objects.filter(employments__room=shift.room, employments__role=Role.COMPLIANCE).first()
    assert reader is not None  # the room's people were made with it
    reports = {}
    for name, report in REPORTS.items():
        reports[name] = {
            "by_shift": report.by_shift,
            "seconds": _times(functools.partial(_made, report, shift, reader, now)),
        }
        _say(f"{name}: {reports[name]['seconds'][-1]:.2f} s")
    shifts = list(Shift.objects.filter(gaming_day=shift.gaming_day).values_list("pk", flat=True))
    began = time.perf_counter()
    again = compute_again(Round.objects.all(), shifts)
    return {
        "reports": reports,
        "shift_rounds": Round.objects.filter(shift=shift).count(),
        "shift_report": _times(lambda: figures_of(shift, inputs_read(shift))),
        "computed": again.rounds,
        "computed_seconds": time.perf_counter() - began,
    }


def _made(report: Any, shift: Any, reader: Any, now: datetime.datetime) -> object:
    """The paper of a report about one shift, or about its whole day where it cannot be narrowed to it."""
    from cardroom.reports.asking import asked_of

    day = shift.gaming_day
    of_what = {"shift": shift.pk} if report.by_shift else {"first": day, "last": day}
    return report.make(asked_of(report, shift.room, reader, now, **of_what))


def _times(job: Callable[[], object]) -> list[float]:
    seconds = []
    for _ in range(TIMES):
        began = time.perf_counter()
        job()
        seconds.append(time.perf_counter() - began)
    return seconds[1:]


def _say(what: str) -> None:
    print(f"  {time.process_time():6.1f} s  {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
