"""`manage.py company_figures`: the company's sums over its cells, as text or JSON."""

from __future__ import annotations

import dataclasses
import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.company.command_line import the_company
from cardroom.company.figures import Figures, by_cell, company_figures
from cardroom.company.months import months_read
from cardroom.reports.summary.key_figures import format_hours
from games.money import dollars


class Command(BaseCommand):
    help = (
        "Adds up what the cells of the company have exported in some months: drop, rounds an hour, exceptions, fees by game, "
        "time at the bank by provider. What is not in it is named; the status is then 1."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("first", help="first month, such as 2026-11")
        parser.add_argument("last", nargs="?", help="last month; the first where there is none")
        parser.add_argument("--json", action="store_true", help="write JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            first, last = months_read(options["first"], options["last"])
        except ValueError as fault:
            raise CommandError(str(fault)) from None
        found = company_figures(the_company(), first, last)
        if options["json"]:
            document = {
                "company": found.company,
                "first": first.isoformat(),
                "last": last.isoformat(),
                "months": [
                    {
                        **{
                            name: str(getattr(each, name))
                            for name in ("cell", "room", "month", "first", "last")
                        },
                        **_plain(each.figures),
                    }
                    for each in found.months
                ],
                "total": _plain(found.total),
                "left_out": found.faults,
            }
            self.stdout.write(json.dumps(document, indent=1, ensure_ascii=False))
        else:
            for each in found.months:
                self._one(
                    f"{each.cell}, {each.room}, {each.month} ({each.first} to {each.last})", each.figures
                )
            for name, figures in by_cell(found.months).items():
                self._one(f"{name}, all together", figures)
            self._one(found.company, found.total)
        for left_out in found.faults:
            self.stderr.write(f"LEFT OUT  {left_out}")
        if found.faults:
            sys.exit(1)

    def _one(self, named: str, figures: Figures) -> None:
        self.stdout.write(named)
        self.stdout.write(
            f"  {figures.days} gaming days, {figures.rounds:,} rounds, {figures.rounds_an_hour or 'none'} an hour, "
            f"drop {dollars(figures.drop_cents)}, jackpot {dollars(figures.jackpot_cents)}"
        )
        for game, cents in sorted(figures.games.items()):
            self.stdout.write(f"  fees of {game}: {dollars(cents)}")
        for kind, count in sorted(figures.exceptions.items()):
            self.stdout.write(f"  {kind}: {count} ({dollars(figures.exception_cents[kind])})")
        for name, seconds in figures.bank_seconds.items():
            self.stdout.write(f"  at the bank, {name}: {format_hours(seconds)}")


def _plain(figures: Figures) -> dict[str, Any]:
    """Figures as JSON: cents and seconds, and rounds an hour with a tenth."""
    names = (field.name for field in dataclasses.fields(figures) if not field.name.endswith("_us"))
    return {
        **{name: getattr(figures, name) for name in names},
        "games": {game: cents for game, cents in figures.games.items() if cents},
        "table_seconds": figures.table_seconds,
        "rounds_an_hour": figures.rounds_an_hour,
        "bank_seconds": figures.bank_seconds,
    }
