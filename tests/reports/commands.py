"""What tests of reports do with the cast."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

from cardroom.core.triggers import triggers_lifted
from cardroom.drop.commands.counts import count_enter
from cardroom.drop.models import DropBox
from cardroom.floor.commands.boxes import boxes_drop
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.models import Shift
from cardroom.people.models import Role
from cardroom.reports.models import ShiftReport
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.stored.figure_types import TableFigures
from tests.cast import Cast


def open_shift(cast: Cast) -> Shift:
    return Shift.objects.get(room=cast.room, closed_at__isnull=True)


def close_shift(cast: Cast) -> Shift:
    """Close the open shift."""
    shift = open_shift(cast)
    cast.send_room(shift_close, confirmed=True, shift_id=shift.pk)
    shift.refresh_from_db()
    return shift


def report(cast: Cast) -> ShiftReport:
    """Close the open shift and make its report."""
    return shift_report_make(close_shift(cast).pk)


def of_table(made: ShiftReport, number: int = 7) -> TableFigures:
    """The figures of one table."""
    (found,) = [table for table in made.typed_figures["tables"] if table["number"] == number]
    return found


@contextmanager
def as_superuser() -> Iterator[Any]:
    """A cursor of somebody who may take the triggers away: what the report and the journal must show."""
    with triggers_lifted(connection), connection.cursor() as cursor:
        yield cursor


def drop_and_count(cast: Cast, box: DropBox, cents: int) -> None:
    """Take a box off its table, and let two people count `cents` in it, in chips of 50 cents."""
    assert cents % 50 == 0
    if "count_2" not in cast.people:
        cast.hire("count_2", Role.COUNT)
    cast.send_room(boxes_drop, "count", boxes=[box.pk], witness=cast.people["count_2"])
    pieces = [{"kind": "chip", "cents": 50, "pieces": cents // 50}]
    for who in ("count", "count_2"):
        answer = cast.send_room(count_enter, who, box_id=box.pk, pieces=pieces)
    assert answer["stands"]
