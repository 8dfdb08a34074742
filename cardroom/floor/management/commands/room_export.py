"""`manage.py room_export`: a room's set-up as a file that people read."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from cardroom.floor.room_file import written_room
from cardroom.rooms.command_line import room_given


class Command(BaseCommand):
    help = (
        "Writes a room's settings, tables, and the fee schedules, games and levies that are in force or to come as TOML. "
        "`room_import` sets up a room from it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="the room's short name")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(written_room(room_given(options["code"])), ending="")
