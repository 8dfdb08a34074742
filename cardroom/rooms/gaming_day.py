"""Converts instants to gaming days and back."""

from __future__ import annotations

import datetime

from .models import Room

#: The first and last day that may be queried or filed, with a margin for dates computed from them.
FIRST_DAY, LAST_DAY = datetime.date(2000, 1, 1), datetime.date(2999, 12, 31)


def gaming_day(room: Room, instant: datetime.datetime) -> datetime.date:
    """Return the gaming day of `room` in which `instant` lies.

    A gaming day runs from the room's `gaming_day_starts` on the local clock to the same clock time of the next
    date, so it is 23 or 25 hours long when the clocks change. `instant` must be aware; any zone will do.

    Raises ValueError for a naive instant, whose gaming day would be a guess.
    """
    if instant.tzinfo is None:
        raise ValueError("a gaming day needs an aware instant (UTC); got a naive one")
    local = instant.astimezone(room.zone)
    # Compare with the UTC instant at which the day began, not with the wall clock: when the start lies in the hour
    # that is repeated in autumn, the second passage of that hour still belongs to the day that began in the first.
    begins = datetime.datetime.combine(local.date(), room.gaming_day_starts, tzinfo=room.zone)
    if instant.astimezone(datetime.UTC) >= begins.astimezone(datetime.UTC):
        return local.date()
    return local.date() - datetime.timedelta(days=1)


def gaming_day_bounds(room: Room, day: datetime.date) -> tuple[datetime.datetime, datetime.datetime]:
    """Return the UTC instants at which gaming day `day` of `room` begins (included) and ends (excluded)."""
    first, last = (
        datetime.datetime.combine(date, room.gaming_day_starts, tzinfo=room.zone).astimezone(datetime.UTC)
        for date in (day, day + datetime.timedelta(days=1))
    )
    return first, last


def why_no_day(day: datetime.date) -> str:
    """Return why `day` may not be queried or filed; empty if it may."""
    return "" if FIRST_DAY <= day <= LAST_DAY else f"Give a day between {FIRST_DAY} and {LAST_DAY}."
