"""`flush` of the test run, which Django calls after each test that commits: deletes the rows that the test left."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import connections

from tests.databases import rows_deleted


class Command(BaseCommand):
    """Delete every row of the site's models, and leave what `migrate` wrote."""

    help = __doc__ or ""
    #: What Django's tests give to its own `flush`.
    stealth_options = ("interactive", "reset_sequences", "allow_cascade", "inhibit_post_migrate")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--database", default="default")

    def handle(self, *args: Any, **options: Any) -> None:
        rows_deleted(connections[options["database"]])
