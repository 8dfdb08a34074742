"""What the commands about exports take: a room, and gaming days."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from django.core.management.base import CommandParser

from cardroom.rooms.command_line import days_given, room_given
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
    room = room_given(options["room"])
    if options["first"] is None:
        return room, FIRST_DAY, LAST_DAY
    return room, *days_given(options["first"], options["last"] or options["first"])
