"""Stored shift reports made by hand, so that a test can add up and compare what it has written itself."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from cardroom.core.dates import utc_text
from cardroom.floor.models import Shift
from cardroom.reports.models import ShiftReport
from cardroom.reports.sections.registry import sections_added
from cardroom.reports.sections.section import Span
from cardroom.reports.shift.figures import sums_added
from cardroom.reports.stored.figure_types import SHAPE
from cardroom.reports.stored.store import content_hash
from cardroom.rooms.gaming_day import gaming_day_bounds
from tests.cast import Cast

HOUR = datetime.timedelta(hours=1)
#: Hours after the gaming day has begun at which a shift of that name opens and closes.
HOURS = {"Day": (0, 8), "Swing": (8, 16), "Graveyard": (16, 24)}


def shift_at(cast: Cast, day: datetime.date, name: str = "Swing", *, is_open: bool = False) -> Shift:
    """A shift of a gaming day, closed unless it is to be open, in which nothing was recorded."""
    begins_at = gaming_day_bounds(cast.room, day)[0]
    opens, closes = (begins_at + each * HOUR for each in HOURS[name])
    manager = cast.people["shift_manager"]
    ended: dict[str, Any] = {} if is_open else {"closed_at": closes, "closed_by": manager}
    return Shift.objects.create(
        room=cast.room, gaming_day=day, name=name, opened_at=opens, opened_by=manager, **ended
    )


def report_at(
    cast: Cast,
    day: datetime.date,
    name: str = "Swing",
    *,
    drop: int = 0,
    jackpot: int = 0,
    tips: int = 0,
    uncovered: int = 0,
    rounds: int = 0,
    seconds: int = 0,
    boxes: Sequence[tuple[int, int] | None] = (),
) -> ShiftReport:
    """The report of a shift that came to so many cents; of each box what was expected and counted, None while it is not."""
    shift = shift_at(cast, day, name)
    assert shift.closed_at is not None
    sums = sums_added([])
    sums |= {"drop_expected_cents": drop, "jackpot_expected_cents": jackpot, "tips_cents": tips}  # type: ignore[typeddict-item]
    sums |= {"uncovered_cents": uncovered, "rounds_settled": rounds}  # type: ignore[typeddict-item]
    table: dict[str, Any] = {**sums, "table": cast.table.pk, "number": 7, "banked_by": "players"}
    figures = {
        "shape": SHAPE,
        "subject": {
            "room": cast.room.pk,
            "room_name": cast.room.name,
            "time_zone": cast.room.time_zone,
            "shift": shift.pk,
            "shift_name": name,
            "gaming_day": day.isoformat(),
            "opened_at": utc_text(shift.opened_at),
            "opened_by": "",
            "closed_at": utc_text(shift.closed_at),
            "closed_by": "",
        },
        "tables": [table],
        "total": sums,
        **{key: [] for key in ("differences", "over_limit", "games", "corrections", "later")},
    }
    sections: Any = sections_added([], Span(is_month=False, hours=()))
    dealer = cast.people["dealer"]
    of_tips = {"won_cents": tips, "handed_cents": 0, "worked_seconds": seconds}
    sections["tips"]["dealers"] = [
        {
            "shift": shift.pk,
            "staff": dealer.pk,
            "name": str(dealer),
            **of_tips,
            "share_cents": tips,
            "why_not": "",
        }
    ]
    sections["tips"]["downs"] = [
        {
            "table": 7,
            "name": str(dealer),
            "begins_at": utc_text(shift.opened_at),
            "ends_at": utc_text(shift.closed_at),
            **of_tips,
        }
    ]
    counted = [each for each in boxes if each is not None]
    sections["count"]["waiting"] = len(boxes) - len(counted)
    sections["count"]["drop"]["shifts"] = [
        {
            "shift": shift.pk,
            "shift_name": str(shift),
            "boxes": len(boxes),
            "counted": len(counted),
            "dropped_cents": None,
            "change_cents": 0,
            "without_box_cents": 0,
            "expected_cents": sum(expected for expected, _ in counted),
            "counted_cents": sum(held for _, held in counted),
        }
    ]
    sections["count"]["drop"]["boxes"] = [
        {
            "box": number,
            "box_name": f"Box {number}",
            "table": 7,
            "shift_name": str(shift),
            "dropped_at": utc_text(shift.closed_at),
            "counted_by": [],
            "expected_cents": each[0],
            "counted_cents": each[1],
            "status": "",
            "owner": "",
            "text": "",
        }
        for number, each in enumerate(boxes, start=1)
        if each is not None
    ]
    report = ShiftReport(
        room=cast.room,
        shift=shift,
        made_at=shift.closed_at,
        figures=figures,
        sections=sections,
        heads=[],
        inputs_hash="",
    )
    report.content_hash = content_hash(report)
    report.save()
    return report
