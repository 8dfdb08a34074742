"""Instants (UTC) formatted for pages: in the room's time zone, and how long ago."""

from __future__ import annotations

import datetime

from cardroom.core.dates import moment_text, seconds_text, time_text
from cardroom.rooms.models import Room


def clock_of(room: Room, instant: datetime.datetime) -> str:
    """The time of day in the room: "9:14 PM"."""
    return time_text(instant, room.zone)


def seconds_of(room: Room, instant: datetime.datetime) -> str:
    """The time of day in the room to the second: "9:14:05 PM"."""
    return seconds_text(instant, room.zone)


def moment_of(room: Room, instant: datetime.datetime) -> str:
    """Day and time in the room, with the zone's own abbreviation: "Sat Nov 21, 2026, 9:14:05 PM PST"."""
    return moment_text(instant, room.zone)


def age_of(then: datetime.datetime, now: datetime.datetime) -> str:
    """How long ago `then` was, in the largest unit that says something: "just now", "4 min", "2 h 10 min", "3 days"."""
    minutes = max(0, int((now - then).total_seconds()) // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{minutes} min ago"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes} min ago" if minutes else f"{hours} h ago"
    days = hours // 24
    return f"{days} day{'s' if days > 1 else ''} ago"
