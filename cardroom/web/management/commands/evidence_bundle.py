"""`manage.py evidence_bundle`: write a bundle of some gaming days for an inspector."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from cardroom.floor.models import Table
from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may
from cardroom.rooms.command_line import days_given, room_given

from ...inspection.archive import Asked, archive_write


class Command(BaseCommand):
    help = (
        "Writes a bundle for an inspector into one ZIP archive: what tables of a room played in some gaming days, as documents "
        "and as records that prove them, and the page that checks it in a browser, without this site and without a network. That "
        "it was drawn is an entry of the room's journal."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("code", help="the room's short name")
        parser.add_argument("first", help="first gaming day, as 2026-11-01")
        parser.add_argument("last", help="last gaming day, included")
        parser.add_argument("directory", type=Path, help="directory to write into, which must be there")
        parser.add_argument(
            "--by", required=True, help="user name of who draws it: of compliance, or an inspector"
        )
        parser.add_argument("--table", type=int, help="number of one table; left out: all of them")

    def handle(self, *args: Any, **options: Any) -> None:
        room, directory = room_given(options["code"]), options["directory"]
        first, last = days_given(options["first"], options["last"])
        tables = list(Table.objects.filter(room=room).order_by("number"))
        if options["table"] is not None:
            numbers = ", ".join(str(table.number) for table in tables)
            tables = [table for table in tables if table.number == options["table"]]
            if not tables:
                raise CommandError(f"{room} has no table {options['table']}; it has {numbers}.")
        staff = Staff.objects.filter(username=options["by"]).first()
        why = (
            f"Nobody is called {options['by']!r}."
            if staff is None
            else why_not_may(staff, Right.VERIFY, room)
        )
        if staff is None or why is not None:
            raise CommandError(str(why))
        asked = Asked(room, first, last, tables, staff, timezone.now())
        path = directory / asked.file_name
        try:
            with path.open("xb") as file:
                archive_write(asked, file)
        except OSError as fault:
            raise CommandError(str(fault)) from None
        self.stdout.write(
            f"{path}: take check_evidence.html out of it, open that in a browser, and choose the archive there."
        )
