"""`manage.py verify`: prove the journal and the stored reports."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, connection
from django.utils import timezone

from cardroom.config.checkpoint_key import PUBLIC_KEY
from cardroom.config.databases import format_database
from cardroom.reports.checkpoints.against import kept_read
from cardroom.reports.models import Checkpoint
from cardroom.reports.verification.verify import (
    Checked,
    checkpoint_make,
    checkpoints_verify,
    counts_verify,
    filed_documents_verify,
    head_read,
    histories_held,
    journal_verify,
    kept_checkpoints_verify,
    movements_verify,
    names_held,
    period_reports_verify,
    reports_verify,
    rounds_again,
    rows_held,
    runs_verify,
    schema_held,
    slips_verify,
    tips_verify,
)

#: Progress is said this often (seconds).
_TICK = 2.0
#: What a run since a checkpoint looks at beside the journal.
_SINCE_CHECKPOINT = (schema_held, rows_held, histories_held, names_held, rounds_again)


def _readable(check: Callable[[Checked], Iterator[str]], checked: Checked) -> Iterator[str]:
    """Yield what a check finds; what it cannot read, a column that is gone or a value, is a break, not the end of the run."""
    name = getattr(check, "__name__", "checkpoints from outside")
    try:
        yield from check(checked)
    except DatabaseError as error:
        checked.breaks += 1
        yield f"{name}: the database cannot be read as the models declare it: {error}"
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        checked.breaks += 1
        yield f"{name}: a stored value is not of the kind that it must be, and the check ended there: {error!r}"


def _key_read(text: str) -> str:
    if not PUBLIC_KEY.fullmatch(text):
        raise ValueError(f"{text!r} is no public key: 64 hex digits, as manage.py checkpoint_key prints them")
    return text


class Command(BaseCommand):
    _shown_at = 0.0
    help = (
        "Walks every chain of the journal from its first entry, with the heads noted on stored reports, "
        "compares the schema with what the models declare, every row that commands have written with its digest there, "
        "and people and settings with their histories, names of players with their digests, settles and charges every round again, "
        "adds up the figures of every stored report again, of shifts, days and months, every count, slip of a tray, buy-in, "
        "movement of a meter and closed sheet of tips, and compares background reports with what the journal says of them. "
        "Prints every break; ends with status 1 on one."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--head",
            action="append",
            default=[],
            metavar="table:7:120:HASH",
            help="a head of a journal as printed on a report, to compare with the chain; may be given again",
        )
        parser.add_argument(
            "--against",
            action="append",
            default=[],
            metavar="FILE",
            help="a signed checkpoint that was kept outside the database, or a directory of them; may be given again",
        )
        parser.add_argument(
            "--key",
            action="append",
            default=[],
            metavar="PUBLIC-KEY",
            help="a public key to believe beside those listed at the site: 64 hex digits; may be given again",
        )
        parser.add_argument(
            "--checkpoint",
            action="store_true",
            help="store where this run has ended, if nothing is broken, for --since-checkpoint",
        )
        parser.add_argument(
            "--since-checkpoint",
            action="store_true",
            help="look at what was written since the last checkpoint alone (entries, rows, rounds; histories and schema "
            "whole, stored reports not), and store the next one",
        )
        parser.add_argument("--progress", action="store_true", help="say on stderr how far it has come")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            printed = [head_read(text) for text in options["head"]]
            kept = kept_read(Path(path) for path in options["against"])
            keys = [_key_read(text) for text in options["key"]]
        except (ValueError, OSError) as error:
            raise CommandError(str(error)) from None
        checked = Checked()
        if options["progress"]:
            checked.on_progress = self._show_progress
        begun_at = timezone.now()
        self.stdout.write(f"Verifying the {format_database(connection)}.")
        if options["since_checkpoint"]:
            checked.since = Checkpoint.objects.first()
            if checked.since is None:
                raise CommandError("There is no checkpoint yet. Run verify --checkpoint once.")
        checks: tuple[Callable[[Checked], Iterator[str]], ...] = (
            _SINCE_CHECKPOINT
            if checked.since
            else (
                schema_held,
                rows_held,
                histories_held,
                names_held,
                rounds_again,
                reports_verify,
                period_reports_verify,
                runs_verify,
                counts_verify,
                slips_verify,
                movements_verify,
                filed_documents_verify,
                tips_verify,
                checkpoints_verify,
            )
        )
        if kept:
            checks = (partial(kept_checkpoints_verify, kept=kept, keys=keys), *checks)
        breaks = chain.from_iterable(_readable(check, checked) for check in checks)
        for found in chain(journal_verify(checked, printed), breaks):
            self.stdout.write(f"BREAK  {found}")
            self.stdout.flush()
        counted = (
            f", {checked.period_reports} reports of days and months too" if checked.period_reports else ""
        )
        counted += f", {checked.runs} background reports compared with the journal" if checked.runs else ""
        counted += f", {checked.sheets} count sheets added up" if checked.sheets else ""
        counted += f", {checked.slips} slips of trays added up" if checked.slips else ""
        counted += f", {checked.movements} movements of meters followed" if checked.movements else ""
        counted += f", {checked.checkpoints} signed checkpoints followed" if checked.checkpoints else ""
        counted += f", the database compared with {len(kept)} checkpoints from outside" if kept else ""
        counted += f", {checked.pools} sheets of tips made again" if checked.pools else ""
        self.stdout.write(
            f"{checked.chains} chains with {checked.entries} entries walked, {checked.rows} rows compared with them, {checked.rounds} rounds settled and charged again, "
            f"{checked.reports} shift reports added up again{counted}: "
            + (f"{checked.breaks} breaks." if checked.breaks else "all holds."),
        )
        if checked.breaks:
            sys.exit(1)
        if options["checkpoint"] or checked.since is not None:
            made = checkpoint_make(checked, begun_at)
            self.stdout.write(f"Stored: checkpoint {made.pk} at entry {made.entries}.")

    def _show_progress(self, what: str, done: int, of: int) -> None:
        if (now := time.monotonic()) - self._shown_at >= _TICK:
            self._shown_at = now
            self.stderr.write(f"{done:,} of {of:,} {what}" if of else f"{done:,} {what}")
