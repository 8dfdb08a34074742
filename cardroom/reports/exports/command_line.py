"""What the commands about exports take: a room, and gaming days."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandError, CommandParser

from cardroom.rooms.gaming_day import FIRST_DAY, LAST_DAY
from cardroom.rooms.models import Room


def add_days(parser: CommandParser) -> None:
    """Let a command take a room and, if it is about some days alone, the first and the last."""
    parser.add_argument("room", help="code of the room")
    parser.add_argument(
        "first", nargs="?", help="first gaming day, such as 2026-11-20; all where there is none"
    )
    parser.add_argument("last", nargs="?", help="last gaming day; the first where there is none")


def days_read(options: Mapping[str, Any]) -> tuple[Room, datetime.date, datetime.date]:
    """Return the room and the days that a command was given. Raises CommandError."""
    room = Room.objects.filter(code=options["room"]).first()
    if room is None:
        known = ", ".join(Room.objects.order_by("code").values_list("code", flat=True)) or "none"
        raise CommandError(f"There is no room {options['room']!r}. Rooms of this site: {known}.")
    if options["first"] is None:
        return room, FIRST_DAY, LAST_DAY
    first = _day(options["first"])
    last = first if options["last"] is None else _day(options["last"])
    if last < first:
        raise CommandError(f"{last} is before {first}. Give the first gaming day, then the last.")
    return room, first, last


def _day(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise CommandError(f"{text!r} is no gaming day: write it as 2026-11-20.") from None
