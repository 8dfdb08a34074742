"""`manage.py room_import`: a new room from a file that `room_export` wrote, or people did."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.floor.room_file import RoomFileRefused, room_set_up
from cardroom.people.models import Staff


class Command(BaseCommand):
    help = "Sets up a new room from a TOML file: settings, fee schedules, games, levies and tables; all of it or nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file")
        parser.add_argument(
            "--by", required=True, help="user name of the person in whose name all is filed and set"
        )
        parser.add_argument("--dry-run", action="store_true", help="check the file and write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        by = Staff.objects.filter(username=options["by"], is_active=True).first()
        if by is None:
            raise CommandError(
                f"Nobody signs in as {options['by']!r}. `manage.py createsuperuser` makes the first person."
            )
        try:
            made = room_set_up(file.read_bytes(), file=file.name, by=by, dry_run=options["dry_run"])
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except RoomFileRefused as refused:
            raise CommandError(f"{refused}\nNothing was written.") from None
        done = "would be set up; nothing was written" if options["dry_run"] else "is set up"
        self.stdout.write(f"{made}: {done}.")
