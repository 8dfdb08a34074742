"""`manage.py audit_exports`: compare exported gaming days with the database, file by file and row by row."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from cardroom.config.databases import format_database
from cardroom.reports.exports.audit import store_breaks
from cardroom.reports.exports.command_line import add_days, days_read
from cardroom.reports.exports.making import the_store
from cardroom.reports.exports.store import StoreRefused


class Command(BaseCommand):
    help = (
        "Reads every version of every exported gaming day of a room back from CARDROOM_EXPORT_URL, compares manifests and "
        "SHA-256 with the database, and the newest version with the rows. Prints every break; ends with status 1 on one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_days(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        room, first, last = days_read(options)
        breaks = days = 0
        try:
            store = the_store()
            self.stdout.write(f"Auditing {store} against the {format_database(connection)}.")
            for day, found in store_breaks(store, room, first, last):
                days += 1
                breaks += len(found)
                for what in found:
                    self.stdout.write(f"BREAK  {room.code} {day}: {what}")
        except StoreRefused as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"{days} gaming days of {room}: " + (f"{breaks} breaks." if breaks else "all holds.")
        )
        if breaks:
            sys.exit(1)
