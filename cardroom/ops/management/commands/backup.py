"""`manage.py backup FILE`: back up all rows of the site into one verified file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils import timezone

from cardroom.ops.backup.archive import backup_made
from cardroom.ops.backup.copying import CopyFailed, CopyRefused
from cardroom.ops.backup.proving import NotIntact, sqlite_url, verified_at
from cardroom.ops.backup.summary import tally_lines


class Command(BaseCommand):
    help = (
        "Writes a snapshot of the whole database into a new file, without blocking writers; compares the copy "
        "with the database and verifies its journal. The file holds people's names and password hashes: keep it as safe as "
        "the database. Ends with status 1 when the journal does not hold; the file is written even so."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write; an existing one is refused")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        progress = self.stdout.write if options["verbosity"] > 1 else lambda text: None
        broken = ""
        try:
            with backup_made(file, timezone.now(), progress) as (database, manifest):
                try:
                    self.stdout.write(f"verify: {verified_at(sqlite_url(database))}")
                except NotIntact as breaks:
                    broken = str(breaks)
        except (CopyRefused, CopyFailed) as fault:
            raise CommandError(str(fault)) from None
        except (OSError, DatabaseError) as fault:
            raise CommandError(f"No backup was written: {fault}") from None
        for line in tally_lines(manifest["tables"]):
            self.stdout.write(line)
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes, of {manifest['made_at']}")
        if broken:
            raise CommandError(f"The backup is the site as it is, but the journal does not hold:\n{broken}")
