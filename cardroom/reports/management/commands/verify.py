"""`manage.py verify`: prove the journal and the stored reports."""

from __future__ import annotations

import contextlib
import datetime
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError, OperationalError, connection, connections, transaction
from django.utils import timezone

from cardroom.config.checkpoint_key import PUBLIC_KEY
from cardroom.config.databases import format_database
from cardroom.config.replica import REPLICA, NotLevel, has_replica, read_from_replica
from cardroom.core.dates import utc_text
from cardroom.core.reading import PATIENTLY, level_words
from cardroom.floor.journal import Head
from cardroom.floor.models import JournalEntry
from cardroom.jobs.lifecycle import job_run, piece_run
from cardroom.jobs.pieces import piece_counts
from cardroom.reports.checkpoints.against import kept_read
from cardroom.reports.models import Checkpoint, SignedCheckpoint
from cardroom.reports.verification.merging import printed_breaks
from cardroom.reports.verification.runs import PIECE, result_of, verification_ask
from cardroom.reports.verification.verify import (
    Check,
    Checked,
    checkpoint_make,
    checkpoints_verify,
    counts_verify,
    exports_verify,
    filed_documents_verify,
    head_read,
    histories_held,
    journal_verify,
    kept_checkpoints_verify,
    last_signed_verify,
    movements_verify,
    names_held,
    period_reports_verify,
    readable,
    reports_verify,
    rounds_again,
    rows_held,
    runs_verify,
    schema_held,
    slips_verify,
    tips_verify,
)
from cardroom.rooms.models import Room

#: Progress is said this often (seconds).
_TICK = 2.0
#: What a run since a checkpoint looks at beside the journal.
_SINCE_CHECKPOINT: Final = (
    last_signed_verify,
    schema_held,
    rows_held,
    histories_held,
    names_held,
    rounds_again,
)
#: What a whole run looks at beside the journal.
_WHOLE: Final = (
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
    exports_verify,
)
#: Seconds between two looks at the pieces that others are at.
_WAIT: Final = 0.5


def _key_read(text: str) -> str:
    if not PUBLIC_KEY.fullmatch(text):
        raise ValueError(f"{text!r} is no public key: 64 hex digits, as manage.py checkpoint_key prints them")
    return text


def _check_replica(*, in_pieces: bool) -> None:
    if in_pieces:
        raise CommandError("Give one of --pieces and --replica: pieces are read from the database.")
    if not has_replica():
        raise CommandError("There is no standby: CARDROOM_REPLICA_URL is not set.")


def _last_checkpoint(*, in_pieces: bool) -> Checkpoint:
    if in_pieces:
        raise CommandError("Give one of --pieces and --since-checkpoint: a quick run needs no pieces.")
    last = Checkpoint.objects.first()
    if last is None:
        raise CommandError("There is no checkpoint yet. Run verify --checkpoint once.")
    return last


def _not_proved(since: Checkpoint) -> str:
    """What a run since a checkpoint has not looked at, in words."""
    signed = [
        f"number {last.number} of {room}, signed {utc_text(last.made_at)}"
        if (last := SignedCheckpoint.objects.filter(room=room).first())
        else f"none of {room}"
        for room in Room.objects.order_by("pk")
    ]
    return (
        f"Proved: the signed checkpoints ({'; '.join(signed)}), every entry after them and after the run of "
        f"{utc_text(since.made_at)}, and the rows and rounds that were written since.\n"
        "Not proved: entries before them, rows and rounds that were changed without an entry since they were last proved, "
        "stored reports, counts, tips, slips and meters. A whole run looks at them: manage.py verify."
    )


def _journal_ended_at() -> str:
    """Return the instant of the last entry, in words. Raises CommandError for a database in which there is nothing to prove."""
    try:
        ended_at = JournalEntry.objects.order_by("-pk").values_list("at", flat=True).first()
    except DatabaseError as error:
        raise CommandError(
            f"This is no database of the site, or its journal cannot be read: {error}"
        ) from None
    if ended_at is None:
        raise CommandError(
            "The journal is empty: this database was never used, or is not the one that you mean. Nothing was proved."
        )
    return utc_text(ended_at.replace(microsecond=0))


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
        parser.add_argument(
            "--pieces",
            action="store_true",
            help="have the whole run done in pieces by the workers and by this process, as a job that goes on after whatever "
            "breaks it off; progress is said on stderr",
        )
        parser.add_argument(
            "--replica",
            action="store_true",
            help="read from the standby (CARDROOM_REPLICA_URL), once it has all that was written until now; the schema is "
            "compared on the database itself",
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
        if options["replica"]:
            _check_replica(in_pieces=options["pieces"])
        else:
            self.stdout.write(f"Verifying the {format_database(connection)}.")
        if options["since_checkpoint"]:
            checked.since = _last_checkpoint(in_pieces=options["pieces"])
        from_outside: list[Check] = [partial(kept_checkpoints_verify, kept=kept, keys=keys)] if kept else []
        if options["pieces"]:
            begun_at = self._in_pieces(checked)
            journal, checks = printed_breaks(checked, printed), from_outside
        else:
            of_database: tuple[Check, ...] = _SINCE_CHECKPOINT if checked.since else _WHOLE
            journal, checks = journal_verify(checked, printed), [*from_outside, *of_database]
        with self._read_from(replica=options["replica"]):
            ended_at = _journal_ended_at()
            for found in chain(journal, *(readable(check, checked) for check in checks)):
                self._break(found)
        unsure = (
            ""
            if printed or kept
            else "; without --head or --against nothing says whether there were later ones"
        )
        self.stdout.write(f"The journal's last entry is of {ended_at}{unsure}.")
        self._sums(checked, len(kept))
        if checked.since is not None:
            self.stdout.write(_not_proved(checked.since))
        if checked.breaks:
            sys.exit(1)
        if options["checkpoint"] or checked.since is not None:
            made = checkpoint_make(checked, begun_at)
            self.stdout.write(f"Stored: checkpoint {made.pk} at entry {made.entries}.")

    @contextlib.contextmanager
    def _read_from(self, *, replica: bool) -> Iterator[None]:
        """Read from the database inside the block, or from the standby, and say so."""
        if not replica:
            yield
            return
        try:
            with read_from_replica(PATIENTLY) as level:
                self.stdout.write(
                    f"Verifying the standby, {format_database(connections[REPLICA])}. {level_words(level)}"
                )
                yield
        except (NotLevel, OperationalError) as fault:
            raise CommandError(f"The standby was not verified, or not to its end: {fault}") from None

    def _break(self, found: str) -> None:
        self.stdout.write(f"BREAK  {found}")
        self.stdout.flush()

    def _in_pieces(self, checked: Checked) -> datetime.datetime:
        """Have the whole run done in pieces, by workers and by this process; take in what came of it, return when it began."""
        room = Room.objects.order_by("pk").first()
        if room is None:
            raise CommandError("There is no room yet, and nothing to verify.")
        with transaction.atomic():
            job = verification_ask(room, timezone.now(), None, "command")
        self.stdout.write(f"Job {job.pk}: broken off, the same command goes on with it.")
        while not job.has_ended:
            if not (piece_run([PIECE]) or job_run(job.pk)):
                time.sleep(_WAIT)
            job.refresh_from_db()
            counts = piece_counts(job)
            failed = f", {counts.failed} failed" if counts.failed else ""
            self._show_progress(f"pieces{failed}", counts.done, counts.pieces)
        result = result_of(job)
        if result is None:
            raise CommandError(f"{job.error} Run the same again, or have job {job.pk} tried again.")
        for text, _ in result["breaks"]:
            self._break(text)
        if (more := result["broken"] - len(result["breaks"])) > 0:
            self.stdout.write(f"BREAK  {more} more, which are not listed")
        for name, count in result["counts"].items():
            setattr(checked, name, count)
        checked.heads = [Head(**head) for head in result["heads"]]
        checked.last = result["last"]
        return job.asked_at

    def _sums(self, checked: Checked, kept: int) -> None:
        counted = (
            f", {checked.period_reports} reports of days and months too" if checked.period_reports else ""
        )
        counted += f", {checked.runs} background reports compared with the journal" if checked.runs else ""
        counted += f", {checked.sheets} count sheets added up" if checked.sheets else ""
        counted += f", {checked.slips} slips of trays added up" if checked.slips else ""
        counted += f", {checked.movements} movements of meters followed" if checked.movements else ""
        counted += f", {checked.checkpoints} signed checkpoints followed" if checked.checkpoints else ""
        counted += (
            f", {checked.exports} exported gaming days compared with the journal" if checked.exports else ""
        )
        counted += f", the database compared with {kept} checkpoints from outside" if kept else ""
        counted += f", {checked.pools} sheets of tips made again" if checked.pools else ""
        self.stdout.write(
            f"{checked.chains} chains with {checked.entries} entries walked, {checked.rows} rows compared with them, {checked.rounds} rounds settled and charged again, "
            f"{checked.reports} shift reports added up again{counted}: "
            + (f"{checked.breaks} breaks." if checked.breaks else "all holds."),
        )

    def _show_progress(self, what: str, done: int, of: int) -> None:
        if (now := time.monotonic()) - self._shown_at >= _TICK:
            self._shown_at = now
            self.stderr.write(f"{done:,} of {of:,} {what}" if of else f"{done:,} {what}")
