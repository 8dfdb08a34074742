"""`manage.py load_demo`: create the demo room with staff, players, games and tables."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.demo.furnish import DemoRefused, demo_load
from cardroom.demo.progress import ProgressLine


class Command(BaseCommand):
    requires_system_checks: tuple[str, ...] = ()  # they import every page, and a start is waited for
    help = (
        "Loads the demo room with its people, tables and a few rounds, and prints its sign-ins. "
        "Existing rows are not changed; a shift is opened if none is open."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--force", action="store_true", help="load it even though the database holds another room"
        )
        parser.add_argument(
            "--past",
            type=int,
            default=0,
            metavar="DAYS",
            help="gaming days of simulated play before the evening of a room that is new (default 0)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 <= options["past"] <= 400:
            raise CommandError(f"--past is from 0 to 400, not {options['past']}.")
        line = ProgressLine(self.stderr)
        try:
            demo = demo_load(
                settings.STATE_DIR, force=options["force"], past_days=options["past"], tell=line.show
            )
        except DemoRefused as refused:
            raise CommandError(str(refused)) from None
        line.clear()
        for sentence in demo.news:
            self.stdout.write(sentence)
        self.stdout.write(f"{demo.room}: sign in with any of these names and the password {demo.password}")
        self.stdout.write(f"They sign at each other's tablets with user name or badge and the PIN {demo.pin}")
        for username, name, role in demo.sign_ins:
            self.stdout.write(f"  {username:<12} {name:<16} {role}")
