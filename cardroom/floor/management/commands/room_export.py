"""`manage.py room_export`: a room's set-up as a file that people read."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.floor.room_file import written_room
from cardroom.rooms.models import Room


class Command(BaseCommand):
    help = (
        "Writes a room's settings, tables, and the fee schedules, games and levies that are in force or to come as TOML. "
        "`room_import` sets up a room from it."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="the room's short name")

    def handle(self, *args: Any, **options: Any) -> None:
        room = Room.objects.filter(code=options["code"]).first()
        if room is None:
            known = ", ".join(Room.objects.values_list("code", flat=True)) or "none at all"
            raise CommandError(f"There is no room {options['code']!r}; there are {known}.")
        self.stdout.write(written_room(room), ending="")
