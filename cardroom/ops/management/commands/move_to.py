"""`manage.py move_to URL`: copy all rows of the site into another database, and verify the copy."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError

from cardroom.config.databases import database_settings, format_database, opened, settings_for_reading
from cardroom.config.values import BadValue, database
from cardroom.floor.models import JournalEntry
from cardroom.ops.backup.copying import CopyFailed, CopyRefused, site_copy
from cardroom.ops.backup.proving import NotIntact, verified_at
from cardroom.ops.backup.summary import tally_lines


class Command(BaseCommand):
    help = (
        "Copies every row into an empty database under the same ids, in one transaction, compares both sides table "
        "by table, and verifies the journal there. The source is not changed. Stop the site first: rows that are "
        "written during the copy are left behind."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "url",
            help="postgresql://user:password@host:port/name, in the form of CARDROOM_DATABASE_URL; - reads it from "
            "standard input, where no other user of the machine sees the password",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        url = sys.stdin.readline().strip() if options["url"] == "-" else options["url"]
        try:
            target_settings = database_settings(database(url))
        except BadValue as refusal:
            raise CommandError(f"The address {refusal}") from None
        progress = self.stdout.write if options["verbosity"] > 1 else lambda text: None
        try:
            with (
                opened("source", settings_for_reading()) as source,
                opened("target", target_settings) as target,
            ):
                self.stdout.write(
                    f"Copying the {format_database(source)} into the {format_database(target)}."
                )
                tallies = site_copy(source, target, progress)
        except (CopyRefused, CopyFailed) as fault:
            raise CommandError(str(fault)) from None
        except DatabaseError as fault:
            raise CommandError(f"The databases could not be reached or written: {fault}") from None
        for line in tally_lines(tallies):
            self.stdout.write(line)
        self.stdout.write("Rows, sums of cents and every value are the same on both sides.")
        try:
            if tallies[JournalEntry._meta.db_table]["rows"]:
                self.stdout.write(f"verify there: {verified_at(url)}")
        except NotIntact as breaks:
            raise CommandError(
                f"The copy equals the source, but its journal does not hold:\n{breaks}\n"
                "Run manage.py verify on the source: what is broken there came along."
            ) from None
        if target_settings["ENGINE"].endswith("postgresql"):
            self.stdout.write(
                "The tables are the owner's alone yet. Grant the site's role its rights, with the address that was given here: "
                "CARDROOM_DATABASE_URL=… manage.py grant_site_role ROLE"
            )
            self.stdout.write("Then set CARDROOM_DATABASE_URL to that role's address, and start the site.")
        else:
            self.stdout.write("Set CARDROOM_DATABASE_URL to the new address and start the site.")
