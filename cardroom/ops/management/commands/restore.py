"""`manage.py restore FILE`: fill an empty database from a backup, and verify it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connections

from cardroom.config.databases import format_database
from cardroom.ops.backup.archive import backup_restore
from cardroom.ops.backup.copying import CopyFailed, CopyRefused
from cardroom.ops.backup.summary import tally_lines
from cardroom.ops.supervisor.programs import StepFailed, manage


class Command(BaseCommand):
    help = (
        "Fills the database of CARDROOM_DATABASE_URL, which must be empty, from a file that `manage.py backup` wrote, "
        "on SQLite or PostgreSQL alike; compares it with the backup's manifest and verifies the journal."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file that `manage.py backup` wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        self.stdout.write(f"Restoring into the {format_database(connections['default'])}.")
        progress = self.stdout.write if options["verbosity"] > 1 else lambda text: None
        try:
            manifest = backup_restore(file, connections["default"], progress)
        except (CopyRefused, CopyFailed) as fault:
            raise CommandError(str(fault)) from None
        except (OSError, DatabaseError) as fault:
            raise CommandError(f"Nothing was restored: {fault}") from None
        for line in tally_lines(manifest["tables"]):
            self.stdout.write(line)
        self.stdout.write(f"Restored as of {manifest['made_at']}: rows, sums and values as the backup says.")
        try:
            self.stdout.write(f"verify: {manage('verify').strip().splitlines()[-1]}")
        except StepFailed as breaks:
            raise CommandError(
                f"All that was backed up is here, but its journal does not hold:\n{breaks}"
            ) from None
