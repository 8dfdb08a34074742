"""Detects a shift that is open past the end of its gaming day (ruling 60): when, into which days, and what is said of it."""

from __future__ import annotations

import datetime

from cardroom.core.dates import minute_text
from cardroom.rooms.gaming_day import gaming_day, gaming_day_bounds
from cardroom.rooms.models import Room

from ..models import Shift

_DAY = datetime.timedelta(days=1)
_HOUR = datetime.timedelta(hours=1)


def day_end(shift: Shift) -> datetime.datetime:
    """Return the instant at which the gaming day of a shift ends, UTC."""
    return gaming_day_bounds(shift.room, shift.gaming_day)[1]


def days_run_into(shift: Shift, until: datetime.datetime) -> list[datetime.date]:
    """Return the gaming days after its own in which a shift was open, up to `until`, excluded."""
    last = gaming_day(shift.room, until - datetime.timedelta(microseconds=1))
    return [shift.gaming_day + _DAY * number for number in range(1, (last - shift.gaming_day).days + 1)]


def day_of_play(shift: Shift | None, room: Room, now: datetime.datetime) -> datetime.date:
    """Return the gaming day that a round begun now would be of: the open shift's, however long it is open, or today's."""
    return gaming_day(room, now) if shift is None else shift.gaming_day


def shift_past_day(room: Room, now: datetime.datetime) -> Shift | None:
    """Return the open shift of a room, if its gaming day has ended."""
    shift = Shift.objects.filter(room=room, closed_at__isnull=True).select_related("room").first()
    return shift if shift is not None and day_end(shift) <= now else None


def past_day_text(shift: Shift, now: datetime.datetime) -> str:
    """Say that a shift is still open, and what to do: the same for an hour, and then another."""
    ended = day_end(shift)
    return (
        f"{shift} is still open, in hour {(now - ended) // _HOUR + 1} past the end of its gaming day "
        f"({minute_text(ended, shift.room.zone)}). Close it, and open the next."
    )
