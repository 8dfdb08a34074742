"""Computes hours of the gaming day on the room's clock.

An hour is a whole hour of UTC under the local time at which it began, so that none is lost or doubled on the nights
when clocks change: the hour that comes twice in autumn has two names, the one that is left out in spring has none.
"""

from __future__ import annotations

import datetime
import functools

from cardroom.core.dates import day_text
from cardroom.rooms.gaming_day import gaming_day, gaming_day_bounds
from cardroom.rooms.models import Room

_HOUR = datetime.timedelta(hours=1)
_DAY = datetime.timedelta(days=1)

AGAIN = " again"


def hour_name(room: Room, instant: datetime.datetime) -> str:
    """Return the hour in which `instant` lies: "9 PM"; "1 AM again" after clocks were set back."""
    began = instant.astimezone(datetime.UTC).replace(minute=0, second=0, microsecond=0).astimezone(room.zone)
    return f"{began.hour % 12 or 12} {began:%p}" + (AGAIN if began.fold else "")


def hour_of_shift(room: Room, day: datetime.date, instant: datetime.datetime) -> str:
    """Return the hour of an instant in a shift of gaming day `day`: past the end of that day with the date (ruling 60)."""
    if gaming_day(room, instant) == day:
        return hour_name(room, instant)
    return f"{hour_name(room, instant)}, {day_text(instant.astimezone(room.zone).date())}"


def hours_of(room: Room, first: datetime.date, last: datetime.date) -> list[str]:
    """Return the names of all hours of the gaming days `first` to `last`, in the order in which a day has them."""
    found: dict[str, tuple[int, int]] = {}
    begins = room.gaming_day_starts.hour * 60
    day = first
    while day <= last:
        since, until = gaming_day_bounds(room, day)
        at = since.replace(minute=0, second=0, microsecond=0)
        while at < until:
            local = at.astimezone(room.zone)
            # By the clock: 1 AM comes before 1 AM again, and both before 2 AM, on any day.
            place = (local.hour * 60 + local.minute - begins) % (24 * 60), local.fold
            found.setdefault(hour_name(room, at), place)
            at += _HOUR
        day += _DAY
    return sorted(found, key=lambda name: found[name])


def all_hours(room: Room) -> tuple[str, ...]:
    """Return the names of all hours that a gaming day of the room can have, by the clock changes of the year 2026."""
    return _all_hours(room.time_zone, room.gaming_day_starts)


@functools.lru_cache(maxsize=100)
def _all_hours(time_zone: str, gaming_day_starts: datetime.time) -> tuple[str, ...]:
    room = Room(time_zone=time_zone, gaming_day_starts=gaming_day_starts)
    return tuple(hours_of(room, datetime.date(2026, 1, 1), datetime.date(2026, 12, 31)))
