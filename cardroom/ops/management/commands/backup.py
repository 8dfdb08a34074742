"""`manage.py backup FILE`: back up a site on SQLite into one verified file."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection

from cardroom.config.databases import format_database
from cardroom.ops.backup.copying import CopyRefused
from cardroom.ops.backup.online import sqlite_backup
from cardroom.ops.backup.proving import NotIntact, sqlite_url, verified_at


class Command(BaseCommand):
    help = (
        "Of a site on SQLite: writes its database as it is at one moment into a new file, without blocking writers, and "
        "verifies the journal there. The file is itself such a database, and holds people's names and password hashes: "
        "keep it as safe. Ends with status 1 when the journal does not hold; the file is written even so. PostgreSQL is "
        "backed up by its own means (docs/deployment.md)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write; an existing one is refused")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"].absolute()
        if connection.vendor != "sqlite":
            raise CommandError(
                f"Nothing was written: the {format_database(connection)} is backed up by PostgreSQL's own means, while "
                "play goes on. docs/deployment.md#backups sets up base backups and the WAL archive."
            )
        broken = ""
        try:
            with sqlite_backup(connection, file) as copy:
                try:
                    self.stdout.write(f"verify: {verified_at(sqlite_url(copy))}")
                except NotIntact as breaks:
                    broken = str(breaks)
        except CopyRefused as refusal:
            raise CommandError(str(refusal)) from None
        except (OSError, DatabaseError, sqlite3.Error) as fault:
            raise CommandError(f"No backup was written: {fault}") from None
        self.stdout.write(f"{file}: {file.stat().st_size:,} bytes")
        if broken:
            raise CommandError(f"The backup is the site as it is, but the journal does not hold:\n{broken}")
