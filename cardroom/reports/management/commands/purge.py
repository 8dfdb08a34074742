"""`manage.py purge`: what may go, and what may not; the application deletes no record."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from cardroom.reports.retention import stored_before, why_not_purge
from cardroom.rooms.command_line import day_given, room_given
from cardroom.rooms.models import Room


class Command(BaseCommand):
    help = (
        "Refuses to purge records that must still be kept, with the day from which they need not be, and counts what is "
        "older. Nothing is deleted in any case: each record is part of the chains that prove the later ones."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--before", required=True, metavar="2019-11-21", help="a gaming day: records older than it"
        )
        parser.add_argument("--room", default="", metavar="CODE", help="one room alone; else every room")

    def handle(self, *args: Any, **options: Any) -> None:
        before = day_given(options["before"])
        rooms = [room_given(options["room"])] if options["room"] else list(Room.objects.all())
        if not rooms:
            raise CommandError("There is no room.")
        now = timezone.now()
        if refused := [why for room in rooms if (why := why_not_purge(room, before, now))]:
            raise CommandError("Refused, nothing was deleted. " + " ".join(refused))
        for room in rooms:
            counted = ", ".join(f"{count} {what}" for what, count in stored_before(room, before).items())
            self.stdout.write(f"{room}: {counted} from before {before} need no longer be kept.")
        self.stdout.write(
            "Nothing was deleted: the journal's chains, the reports and the counts are proven from these rows "
            "(manage.py verify), and to keep them is lawful."
        )
