"""Days and instants as text: as staff read them ("Sat Nov 21, 2026", "9:14 PM"), and for machines (ISO 8601 in UTC)."""

from __future__ import annotations

import datetime
from typing import overload


@overload
def utc_text(instant: datetime.datetime) -> str: ...
@overload
def utc_text(instant: datetime.datetime | None) -> str | None: ...
def utc_text(instant: datetime.datetime | None) -> str | None:
    """Return "2026-11-21T17:14:05Z", with parts of a second where there are any; None for None."""
    return None if instant is None else instant.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")


def utc_exact(instant: datetime.datetime) -> str:
    """Return "2026-11-21T17:14:05.000000+00:00": always of one length, as digests and journals hold it."""
    return instant.astimezone(datetime.UTC).isoformat(timespec="microseconds")


def day_text(day: datetime.date) -> str:
    """Return "Sat Nov 21, 2026"."""
    return f"{day:%a %b} {day.day}, {day.year}"


def clock_text(time: datetime.time) -> str:
    """Return "9:14 PM"."""
    return f"{time.hour % 12 or 12}:{time:%M %p}"


def time_text(instant: datetime.datetime, zone: datetime.tzinfo) -> str:
    """Return "9:14 PM", on the clock of `zone`."""
    return clock_text(instant.astimezone(zone).time())


def seconds_text(instant: datetime.datetime, zone: datetime.tzinfo) -> str:
    """Return "9:14:05 PM", on the clock of `zone`."""
    local = instant.astimezone(zone)
    return f"{local.hour % 12 or 12}:{local:%M:%S %p}"


def minute_text(instant: datetime.datetime, zone: datetime.tzinfo) -> str:
    """Return "Sat Nov 21, 2026, 9:14 PM PST"."""
    local = instant.astimezone(zone)
    return f"{day_text(local.date())}, {time_text(instant, zone)} {local:%Z}"


def moment_text(instant: datetime.datetime, zone: datetime.tzinfo) -> str:
    """Return "Sat Nov 21, 2026, 9:14:05 PM PST"."""
    local = instant.astimezone(zone)
    return f"{day_text(local.date())}, {seconds_text(instant, zone)} {local:%Z}"
