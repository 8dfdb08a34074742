"""Retention of records: each room's years, 7 at least (4 CCR 12312(a)). Nothing that is a fact is ever deleted.

Every entry of a journal holds the hash of the one before it, and reports and counts are proven from the rows that they
were made of: to take old rows out would break what proves the newer ones. To keep longer than asked is lawful.
"""

from __future__ import annotations

import datetime

from cardroom.floor.models import JournalEntry, Round
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room


def kept_until(room: Room, day: datetime.date) -> datetime.date:
    """Return the first day on which records of the gaming day `day` need no longer be kept."""
    return _years_later(day, room.retention_years)


def kept_since(room: Room, now: datetime.datetime) -> datetime.date:
    """Return the oldest gaming day whose records must still be kept at `now`: those before it need not be."""
    today = gaming_day(room, now)
    day = _years_later(today, -room.retention_years)
    # On March 1 the records of a February 29 are over too.
    return day if kept_until(room, day) > today else day + datetime.timedelta(days=1)


def why_not_purge(room: Room, before: datetime.date, now: datetime.datetime) -> str | None:
    """Return None when all records from before the day `before` are old enough, else a sentence that says when they are."""
    oldest = kept_since(room, now)
    if before <= oldest:
        return None
    free = kept_until(room, before - datetime.timedelta(days=1))
    return (
        f"{room} keeps its records for {room.retention_years} years: those of {before - datetime.timedelta(days=1)} "
        f"must be kept until {free}. Today nothing from {oldest} on may go."
    )


def stored_before(room: Room, before: datetime.date) -> dict[str, int]:
    """Return how many rows of a room are older than the gaming day `before`: what a purge would be about."""
    midnight = datetime.datetime.combine(before, datetime.time(), datetime.UTC)
    return {
        "rounds": Round.objects.filter(room=room, gaming_day__lt=before).count(),
        "entries of the journal": JournalEntry.objects.filter(room=room, at__lt=midnight).count(),
    }


def _years_later(day: datetime.date, years: int) -> datetime.date:
    """The same day so many years on; February 29 becomes March 1 where there is none."""
    try:
        return day.replace(year=day.year + years)
    except ValueError:
        return datetime.date(day.year + years, 3, 1)
