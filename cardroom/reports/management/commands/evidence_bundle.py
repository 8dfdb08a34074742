"""`manage.py evidence_bundle`: write journal, checkpoints and reports of some gaming days for an inspector."""

from __future__ import annotations

import datetime
import shutil
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.reports.checkpoints.bundle import CHECKER, SUFFIX, bundle_lines
from cardroom.rooms.models import Room


class Command(BaseCommand):
    help = (
        "Writes the journal entries, signed checkpoints and reports of some gaming days of a room into one file, and beside "
        "it the page that checks it in a browser, without this site and without a network."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="the room's short name")
        parser.add_argument("first", type=datetime.date.fromisoformat, help="first gaming day, as 2026-11-01")
        parser.add_argument("last", type=datetime.date.fromisoformat, help="last gaming day, included")
        parser.add_argument("directory", type=Path, help="directory to write into, which must be there")

    def handle(self, *args: Any, **options: Any) -> None:
        first, last, directory = options["first"], options["last"], options["directory"]
        room = Room.objects.filter(code=options["code"]).first()
        if room is None:
            known = ", ".join(Room.objects.values_list("code", flat=True)) or "none at all"
            raise CommandError(f"There is no room {options['code']!r}; there are {known}.")
        if last < first:
            raise CommandError(f"The last day, {last}, lies before the first, {first}.")
        path = directory / f"{room.code}-{first}-{last}{SUFFIX}"
        try:
            with path.open("x", encoding="utf-8", newline="") as file:
                file.writelines(bundle_lines(room, first, last))
            shutil.copyfile(CHECKER, directory / CHECKER.name)
        except OSError as fault:
            raise CommandError(str(fault)) from None
        self.stdout.write(f"{path}: open {CHECKER.name} in a browser and choose it there.")
