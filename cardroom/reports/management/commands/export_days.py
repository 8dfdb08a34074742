"""`manage.py export_days`: write closed gaming days as Parquet now, in this process."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.reports.exports.command_line import add_days, days_read
from cardroom.reports.exports.making import NotExported, export_make
from cardroom.reports.exports.manifest import NotWhole
from cardroom.reports.exports.store import StoreRefused
from cardroom.reports.models import DayExport, PeriodReport


class Command(BaseCommand):
    help = (
        "Writes closed gaming days of a room as Parquet to CARDROOM_EXPORT_URL: those that are not exported yet, and with "
        "--again every one, as a further version. A day that cannot be written is named with what to do; the others are "
        "written all the same, and the status is 1."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_days(parser)
        parser.add_argument("--again", action="store_true", help="write days again that are exported already")

    def handle(self, *args: Any, **options: Any) -> None:
        room, first, last = days_read(options)
        reports = PeriodReport.objects.filter(
            room=room, kind=PeriodReport.Kind.DAY, first__range=(first, last), restatement__isnull=True
        )
        failed = written = 0
        for report in reports.select_related("room").order_by("first"):
            before = DayExport.objects.filter(room=room, gaming_day=report.first).first()
            try:
                made = export_make(report, again=options["again"])
            except (NotExported, NotWhole, StoreRefused) as error:
                failed += 1
                self.stderr.write(f"{report.first}: {error}")
                continue
            if made != before:
                written += 1
                self.stdout.write(f"{made.gaming_day}: version {made.version}, manifest {made.manifest_hash}")
        self.stdout.write(f"{written} gaming days of {room} written, {failed} could not be.")
        if failed:
            raise CommandError("Not every day could be written: see above.")
