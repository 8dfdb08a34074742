"""Days and times in the one form in which staff read them: "Sat Nov 21, 2026", "9:14 PM"."""

from __future__ import annotations

import datetime


def day_text(day: datetime.date) -> str:
    """Return "Sat Nov 21, 2026"."""
    return f"{day:%a %b} {day.day}, {day.year}"


def time_text(instant: datetime.datetime, zone: datetime.tzinfo) -> str:
    """Return "9:14 PM", on the clock of `zone`."""
    local = instant.astimezone(zone)
    return f"{local.hour % 12 or 12}:{local:%M %p}"


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
