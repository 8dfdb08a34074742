"""`manage.py verify`: prove the journal and the stored reports."""

from __future__ import annotations

import sys
from itertools import chain
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from cardroom.reports.verification import (
    Checked,
    counts_verify,
    head_read,
    histories_held,
    journal_verify,
    movements_verify,
    reports_verify,
    roll_ups_verify,
    round_digests_verify,
    rounds_again,
    rows_held,
    runs_verify,
    schema_held,
    slips_verify,
    tips_verify,
)


class Command(BaseCommand):
    help = (
        "Walks every chain of the journal from its first entry, with the heads noted on stored reports, "
        "holds the schema against what the models declare, every row that acts have written against its digest there, "
        "and people and settings against their histories, settles and charges every round again, "
        "holds the documents of every round against their digests there, adds up the figures of every stored report "
        "again, of shifts, days and months, and holds every report, count, weighing, slip of a tray, buy-in, movement of a meter, hand-in and closed sheet of tips "
        "against what the journal says of it. "
        "Prints every break; ends with status 1 on one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--head",
            action="append",
            default=[],
            metavar="table:7:120:HASH",
            help="a head of a journal as a printout carries it, held against the chain; may be given again",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            printed = [head_read(text) for text in options["head"]]
        except ValueError as error:
            raise CommandError(str(error)) from None
        checked = Checked()
        checks = (
            schema_held,
            rows_held,
            histories_held,
            round_digests_verify,
            rounds_again,
            reports_verify,
            roll_ups_verify,
            runs_verify,
            counts_verify,
            slips_verify,
            movements_verify,
            tips_verify,
        )
        breaks = chain.from_iterable(check(checked) for check in checks)
        for found in chain(journal_verify(checked, printed), breaks):
            self.stdout.write(f"BREAK  {found}")
        counted = f", {checked.roll_ups} reports of days and months too" if checked.roll_ups else ""
        counted += (
            f", {checked.runs} reports of the background held against the journal" if checked.runs else ""
        )
        counted += f", {checked.sheets} count sheets held against their seals" if checked.sheets else ""
        counted += f", {checked.slips} slips of trays held against the journal" if checked.slips else ""
        counted += f", {checked.movements} movements of meters followed" if checked.movements else ""
        counted += f", {checked.pools} sheets of tips made again" if checked.pools else ""
        self.stdout.write(
            f"{checked.chains} chains with {checked.entries} entries walked, {checked.rows} rows held against them, {checked.rounds} rounds settled and charged again, "
            f"{checked.reports} shift reports added up again{counted}: "
            + (f"{checked.breaks} breaks." if checked.breaks else "all holds."),
        )
        if checked.breaks:
            sys.exit(1)
