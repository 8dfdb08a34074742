"""`manage.py simulate`: generate weeks of realistic play in a demo room."""

from __future__ import annotations

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from django.utils import timezone

from cardroom.demo.furnish import CODE, DemoRefused
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.stored.selectors import reports_due
from cardroom.rooms.models import Room

from ...past import charges, evenings
from ...progress import ProgressLine
from ...simulation.charges import RAKED_RULEBOOK, RULEBOOK, Charge
from ...simulation.month import ALL_HOURS, USUAL_HOURS, SimulationRefused, Wanted, simulate
from ...simulation.rooms import PAST, goes_on, simulated_room

_LIMITS = {"days": (1, 400), "tables": (1, 60), "rounds_per_hour": (1, 120)}


class Command(BaseCommand):
    requires_system_checks: tuple[str, ...] = ()  # they import every page, and a start is waited for
    help = (
        "Fill a demo room with days of realistic play that end before the gaming day of now: shifts, tables, players, "
        "offers of the bank, rounds by the real engine, fees, drop boxes and their counts, and some mistakes. The same "
        "seed gives the same play. Each day is one transaction."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--days", type=int, default=30, help="gaming days, up to yesterday's (default 30)"
        )
        parser.add_argument("--tables", type=int, default=12, help="tables that play (default 12)")
        parser.add_argument("--seed", type=int, default=1, help="whole number; another one gives other play")
        parser.add_argument(
            "--room", metavar="CODE",
            help="code of the room; one that is not there yet is made with the demo's people. "
            f"Default: {CODE} before its first shift, then {PAST}. Named, {CODE} goes on at its own tables after its last day",
        )  # fmt: skip
        parser.add_argument(
            "--jurisdiction",
            choices=(RULEBOOK, RAKED_RULEBOOK),
            default=RULEBOOK,
            help="of a room that is made: whose rules it plays by (default california; the other takes a house rake)",
        )
        parser.add_argument(
            "--rounds-per-hour", type=int, default=34, help="of a table with players enough (default 34)"
        )
        parser.add_argument("--always-open", action="store_true", help="let every table play all day")
        parser.add_argument("--reports", action="store_true", help="make the shifts' reports at the end")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = _wanted(options)
        now = timezone.now()
        line, rounds = ProgressLine(self.stderr), 0
        try:
            room = simulated_room(options["room"], options["jurisdiction"])
            charged: list[Charge] = []
            if goes_on(room):
                wanted, charged = evenings(wanted.days, wanted.seed), charges(room)
            for progress in simulate(room, wanted, now, charged):
                rounds = progress.rounds
                line.show(progress)
        except (SimulationRefused, DemoRefused) as refused:
            raise CommandError(str(refused)) from None
        except OperationalError as error:
            if "locked" not in str(error):
                raise
            raise CommandError(
                "Somebody else is writing to this database, and SQLite lets one write at a time. Stop the site while "
                f"days are simulated, and ask again: {rounds:,} rounds were played; every day that was ended is there, "
                "the one under way is not."
            ) from None
        line.clear()
        self.stdout.write(
            f"{room}: {wanted.days} days at {wanted.tables} tables, {rounds:,} rounds in {line.seconds:.0f} s "
            f"({rounds / line.seconds:,.0f} a second)."
        )
        if options["reports"]:
            self._make_reports(room, now)

    def _make_reports(self, room: Room, now: Any) -> None:
        made = 0
        for shift_id in reports_due(now):
            report = shift_report_make(shift_id)
            made += report.room_id == room.pk
        self.stdout.write(f"{made} shift reports were made.")


def _wanted(options: dict[str, Any]) -> Wanted:
    for name, (least, most) in _LIMITS.items():
        if not least <= options[name] <= most:
            raise CommandError(f"--{name.replace('_', '-')} is from {least} to {most}, not {options[name]}.")
    return Wanted(
        days=options["days"],
        tables=options["tables"],
        seed=options["seed"],
        rounds_per_hour=options["rounds_per_hour"],
        open_tenths=ALL_HOURS if options["always_open"] else USUAL_HOURS,
    )
