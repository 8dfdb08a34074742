"""`manage.py export_files`: print the addresses of the newest whole files of a kind, for DuckDB, pandas and others."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.reports.exports.command_line import add_days, days_read
from cardroom.reports.exports.making import the_store
from cardroom.reports.exports.manifest import NotWhole, days_in, newest
from cardroom.reports.exports.schema import BY_NAME
from cardroom.reports.exports.store import StoreRefused


class Command(BaseCommand):
    help = "Prints where the newest whole version of a file is, one line a gaming day of a room."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", choices=sorted(BY_NAME), help="which file of each day")
        add_days(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        room, first, last = days_read(options)
        try:
            store = the_store()
            for day in days_in(store, room.code):
                if first <= day <= last and (manifest := newest(store, room.code, day)) is not None:
                    self.stdout.write(f"{store}/{manifest.folder}/{manifest.files[options['file']].file}")
        except (StoreRefused, NotWhole) as error:
            raise CommandError(str(error)) from None
