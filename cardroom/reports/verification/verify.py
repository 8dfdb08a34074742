"""Verifies what is stored: chains walked, every report's figures added up again, counts and slips too, tips shared anew."""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Q

from cardroom.config.checkpoint_key import public_keys_read
from cardroom.config.databases import snapshot
from cardroom.config.replica import REPLICA, primary, reading_alias
from cardroom.core.history_verification import histories_verify
from cardroom.core.schema_verification import schema_verify
from cardroom.drop.models import CountSheet
from cardroom.drop.verification import sheets_verify
from cardroom.filings.verification import documents_verify
from cardroom.floor.commands.jobs import CANCEL_COMMAND, TRY_AGAIN_COMMAND
from cardroom.floor.execution.locks import locked
from cardroom.floor.journal import NO_HOLDER, Break, Head, chain_breaks, chain_name
from cardroom.floor.models import JournalEntry, MeterMovement, Round, Table, TraySlip
from cardroom.floor.verification.meters import meters_verify
from cardroom.floor.verification.rows import RowsChecked, Since, rows_verify
from cardroom.floor.verification.tray import trays_verify
from cardroom.jobs.models import Job
from cardroom.people.names import names_verify
from cardroom.rooms.models import Room
from cardroom.tips.models import PoolSheet
from cardroom.tips.verification import pools_verify

from ..background.lifecycle import BACKGROUND_REPORT, END_COMMANDS, run_hash
from ..checkpoints.against import Kept, against_breaks, last_breaks, own_breaks
from ..exports.audit import record_breaks
from ..models import Checkpoint, DayExport, PeriodReport, ShiftReport, SignedCheckpoint
from ..periods.making import figures_again
from ..shift.inputs import inputs_read
from ..shift.making import figures_of
from ..stored.figure_types import Difference
from .settled_again import rounds_charged_again, rounds_settled_again

#: What of a table is no figure: it may be renumbered, and who banked there follows from its figures.
_NOT_ADDED_UP = ("number", "banked_by")
#: No round is longer, and no clock was set back by more, than what a checkpoint is reached back by.
_ROUND_AND_CLOCK = datetime.timedelta(hours=24)
#: So many reports are read from the database together.
_REPORTS_AT_ONCE = 50


def _silent(what: str, done: int, of: int) -> None:
    """Nobody wants to know how far it has come."""


@dataclasses.dataclass
class Checked:
    """What was looked at so far, and how many breaks were found.

    With `since` only what was written since that checkpoint is looked at: entries, rows and rounds. `heads` and `last`
    are where this proof has ended, for the next one. `on_progress` is called with what is being looked at, how much of it
    is done, and of how much (0: unknown).
    """

    chains: int = 0
    entries: int = 0
    rounds: int = 0
    reports: int = 0
    period_reports: int = 0
    sheets: int = 0
    slips: int = 0
    movements: int = 0
    pools: int = 0
    rows: int = 0
    runs: int = 0
    checkpoints: int = 0
    exports: int = 0
    breaks: int = 0
    since: Checkpoint | None = None
    heads: list[Head] = dataclasses.field(default_factory=list)
    last: dict[str, int] = dataclasses.field(default_factory=dict)
    on_progress: Callable[[str, int, int], None] = _silent

    @property
    def counts(self) -> dict[str, int]:
        """How many of each kind were looked at, and how many breaks were found, by the fields of this."""
        return {name: count for name, count in vars(self).items() if type(count) is int}


Check = Callable[[Checked], Iterator[str]]


def readable(check: Check, checked: Checked) -> Iterator[str]:
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


def head_read(text: str) -> Head:
    """Read a head as a printout carries it, `table:7:120:` and the hash; ValueError says what is wrong with it."""
    kind, _, rest = text.strip().partition(":")
    holder, _, rest = rest.partition(":")
    seq, _, hash_ = rest.partition(":")
    if kind not in ("table", "room") or not holder.isdecimal() or not seq.isdecimal() or int(seq) < 1:
        raise ValueError(f"{text!r} is no head of a journal; it looks like table:7:120:<64 hex digits>")
    if len(hash_) != 64 or set(hash_) - set("0123456789abcdef"):
        raise ValueError(f"the hash of {text!r} is not 64 hex digits")
    return Head(f"{kind}:{holder}", int(seq), hash_)


def journal_verify(checked: Checked, printed: Iterable[Head] = ()) -> Iterator[str]:
    """Walk the chain of every room and table against the heads noted on stored reports and checkpoints; yield each break.

    `printed` are further heads, from paper. A chain whose table or room is gone, and one of which only a report, a
    checkpoint or a printed head knows, are breaks too.
    """
    since = _since_heads(checked.since)
    waiting = JournalEntry.objects.count() - sum(head.seq for head in since.values())
    noted: defaultdict[str, list[Head]] = defaultdict(list)
    yield from breaks_counted(checked, heads_noted(noted))
    for head in printed:
        noted[head.chain].append(head)
    known: set[str] = set()

    def walked(entries: int) -> None:
        checked.entries += entries
        checked.on_progress("entries of the journal", checked.entries, waiting)

    for holder in holders():
        known.add(chain_name(holder))
        checked.chains += 1
        yield from breaks_counted(
            checked, _walked(holder, noted[chain_name(holder)], since.get(chain_name(holder)), walked)
        )
        checked.heads.append(Head(chain_name(holder), holder.chain_seq, holder.chain_hash))
    chains = JournalEntry.objects.order_by("chain").values_list("chain", flat=True).distinct()
    unknown = sorted({*chains, *noted} - known)
    yield from breaks_counted(checked, (Break(chain, 0, NO_HOLDER) for chain in unknown))


def _since_heads(since: Checkpoint | None) -> dict[str, Head]:
    """Behind which entry each chain is walked: where the last run has ended, or what was signed last, whichever is earlier."""
    if since is None:
        return {}
    heads = {head.chain: head for head in since.chain_heads}
    for room in Room.objects.order_by("pk"):
        signed = SignedCheckpoint.objects.filter(room=room).first()
        for head in [] if signed is None else signed.signed.heads:
            if head.chain in heads and head.seq < heads[head.chain].seq:
                heads[head.chain] = head
    return heads


def heads_noted(heads: defaultdict[str, list[Head]]) -> Iterator[str]:
    """Put the heads that stored reports and checkpoints note into `heads`, by their chains; yield what cannot be so."""
    for model in (ShiftReport, PeriodReport, Checkpoint):
        for pk in model._default_manager.order_by("pk").values_list("pk", flat=True):
            try:
                row = model._default_manager.only("heads").get(pk=pk)
                found = row.chain_heads
            except (ValueError, TypeError, LookupError) as error:
                yield f"{model._meta.verbose_name} {pk}: the heads noted on it cannot be read: {error!r}"
                continue
            for head in found:
                heads[head.chain].append(head)
            if isinstance(row, Checkpoint) and row.entries != sum(head.seq for head in found):
                yield f"{row}: its heads are those of another number of entries"


def _walked(
    holder: Room | Table, noted: list[Head], since: Head | None, on_progress: Callable[[int], None]
) -> list[Break]:
    """Walk a chain while the floor goes on; what looks broken is walked again with the floor held still.

    An entry written between the reading of the head and that of the last entry looks like a break and is none.
    """
    if not (breaks := list(chain_breaks(holder, noted, since=since, on_progress=on_progress))):
        return breaks
    if reading_alias() == REPLICA:  # nothing is locked there
        with snapshot():
            still = type(holder)._default_manager.get(pk=holder.pk)
            return list(chain_breaks(still, noted, since=since))
    with locked(type(holder), holder.pk) as still:
        return list(chain_breaks(still, noted, since=since))


def rows_held(checked: Checked) -> Iterator[str]:
    """Compare every row that commands write with its newest digest in the journal; yield what differs."""
    counted = RowsChecked(
        on_read=lambda read: checked.on_progress("entries read for the digests of rows", read, 0),
        on_progress=lambda rows: checked.on_progress("rows", rows, 0),
    )
    since = None
    if checked.since is not None:
        seqs = {chain: head.seq for chain, head in _since_heads(checked.since).items()}
        since = Since(seqs, checked.since.last)
    with snapshot():  # else a row that is written meanwhile would have no entry
        yield from breaks_counted(checked, rows_verify(counted, since=since))
    checked.rows, checked.last = counted.rows, {**({} if since is None else since.last), **counted.last}


def breaks_counted(checked: Checked, found: Iterable[object]) -> Iterator[str]:
    """Count breaks as they are found, and yield each in words."""
    for what in found:
        checked.breaks += 1
        yield str(what)


def schema_held(checked: Checked) -> Iterator[str]:
    """Compare tables, constraints, triggers and views with what the models declare; yield what differs."""
    with primary():  # what is compared is made anew by the database
        found = list(schema_verify())
    yield from breaks_counted(checked, found)


def histories_held(checked: Checked) -> Iterator[str]:
    """Compare every row that has a history with it; yield what differs."""
    with snapshot():
        found = list(histories_verify())
    yield from breaks_counted(checked, found)


def names_held(checked: Checked) -> Iterator[str]:
    """Compare every name of a player with its digest, which chain and history hold; yield what differs."""
    with snapshot():
        yield from breaks_counted(checked, names_verify())


def rounds_again(checked: Checked, among: Q | None = None) -> Iterator[str]:
    """Settle and charge every round again, or those of a condition; yield what comes out otherwise."""
    rounds = Round.objects.filter(among or Q())
    if checked.since is not None:
        # By their ids too: rounds of older days may have been brought in since.
        last = checked.since.last.get(Round._meta.db_table, 0)
        rounds = rounds.filter(Q(opened_at__gte=checked.since.made_at - _ROUND_AND_CLOCK) | Q(pk__gt=last))
    with snapshot():
        of = rounds.count()
        checked.rounds = rounds.filter(ended_at__isnull=False).count()
        yield from breaks_counted(
            checked,
            rounds_settled_again(rounds, lambda done: checked.on_progress("rounds settled again", done, of)),
        )
        yield from breaks_counted(
            checked,
            rounds_charged_again(rounds, lambda done: checked.on_progress("rounds charged again", done, of)),
        )


def reports_verify(checked: Checked, among: Q | None = None) -> Iterator[str]:
    """Add the figures of every stored report up again, or of those of a condition; yield what differs.

    A superseded report shows what was known when it was made. A report that says itself that its figures do not tie
    out is a break as well.
    """
    reports = ShiftReport.objects.filter(among or Q())
    of = reports.count()
    current = dict(ShiftReport.objects.order_by("revision").values_list("shift", "pk"))
    for report in reports.select_related("shift__room").order_by("pk").iterator(chunk_size=_REPORTS_AT_ONCE):
        checked.reports += 1
        checked.on_progress("shift reports added up again", checked.reports, of)
        if current.get(report.shift_id, report.pk) == report.pk:
            found = (f"{report} (shift {report.shift_id}): {what}" for what in _report_breaks(report))
            yield from breaks_counted(checked, found)


def period_reports_verify(checked: Checked, among: Q | None = None) -> Iterator[str]:
    """Add the figures of every stored report of a period up again from the reports that it rests on; yield what differs.

    As with the reports of shifts, a superseded one is not. `among` is a condition of those that are looked at.
    """
    reports = PeriodReport.objects.filter(among or Q()).select_related("room")
    for period_report in reports.order_by("pk").iterator(chunk_size=5):
        checked.period_reports += 1
        if not period_report.is_superseded:
            yield from breaks_counted(
                checked, (f"{period_report}: {what}" for what in _period_report_breaks(period_report))
            )


def runs_verify(checked: Checked) -> Iterator[str]:
    """Compare every background report and verification with the hash in the entry of its end; yield what differs.

    Workers write the row of a job on their way, so that no digest covers it.
    """
    with snapshot():
        yield from breaks_counted(checked, list(_run_breaks(checked)))


def _run_breaks(checked: Checked) -> Iterator[str]:
    def entries_by(key: str, command: str) -> dict[int, JournalEntry]:
        entries = JournalEntry.objects.filter(command=command).order_by("pk")
        return {entry.data[key]: entry for entry in entries.iterator()}

    again, cancelled = entries_by("job", TRY_AGAIN_COMMAND), entries_by("job", CANCEL_COMMAND)
    for kind, end_command in END_COMMANDS.items():
        ends, words = entries_by(kind, end_command), kind.replace("_", " ")
        for run in Job.objects.filter(kind=kind).order_by("pk").iterator(chunk_size=20):
            checked.runs += kind == BACKGROUND_REPORT
            end, called = ends.pop(run.pk, None), f"{words} {run.pk}"
            called_back = again.get(run.pk), cancelled.get(run.pk)
            if end is not None and not any(_is_later(entry, end) for entry in called_back):
                if not run.has_ended or run_hash(run) != end.data["content_hash"]:
                    yield f"{called}: it does not say what it said when it ended: its hash differs"
            elif run.state == Job.State.CANCELLED:
                if run.pk not in cancelled:
                    yield f"{called}: was cancelled, and the journal has no entry about that"
            elif run.has_ended:
                yield f"{called}: has ended, and the journal has no entry about that"
        for missing in ends:
            yield f"{words} {missing}: is named in the journal, but there is none"


def _is_later(entry: JournalEntry | None, than: JournalEntry) -> bool:
    return entry is not None and entry.pk > than.pk


def counts_verify(checked: Checked) -> Iterator[str]:
    """Add up every count sheet, and compare every counted box with its sheets; yield each that differs."""
    checked.sheets = CountSheet.objects.count()
    yield from breaks_counted(checked, sheets_verify())


def slips_verify(checked: Checked) -> Iterator[str]:
    """Add up every slip of a tray, and compare every buy-in with its transfer; yield each that differs."""
    checked.slips = TraySlip.objects.count()
    yield from breaks_counted(checked, trays_verify())


def movements_verify(checked: Checked) -> Iterator[str]:
    """Compare every movement of a meter with the one before it and its round; yield each that differs."""
    checked.movements = MeterMovement.objects.count()
    yield from breaks_counted(checked, meters_verify())


def filed_documents_verify(checked: Checked) -> Iterator[str]:
    """Hash the documents of filings again; yield each that is another than the one that was signed."""
    yield from breaks_counted(checked, documents_verify())


def tips_verify(checked: Checked) -> Iterator[str]:
    """Add up every closed pool sheet, and make it again from the facts; yield each that differs."""
    checked.pools = PoolSheet.objects.count()
    yield from breaks_counted(checked, pools_verify())


def checkpoints_verify(checked: Checked) -> Iterator[str]:
    """Check the database's own signed checkpoints and time stamps against signatures and journal; yield what differs."""
    checked.checkpoints = SignedCheckpoint.objects.count()
    with snapshot():
        found = list(own_breaks(public_keys_read(settings.CHECKPOINT_KEY_FILE)))
    yield from breaks_counted(checked, found)


def exports_verify(checked: Checked) -> Iterator[str]:
    """Compare the record of exported gaming days with the journal; yield what differs. `audit_exports` reads the files."""
    checked.exports = DayExport.objects.count()
    with snapshot():
        found = list(record_breaks())
    yield from breaks_counted(checked, found)


def last_signed_verify(checked: Checked) -> Iterator[str]:
    """Check the last signed checkpoint of each room against its signature and the journal; yield what differs."""
    checked.checkpoints = SignedCheckpoint.objects.values("room").distinct().order_by().count()
    yield from breaks_counted(checked, last_breaks(public_keys_read(settings.CHECKPOINT_KEY_FILE)))


def kept_checkpoints_verify(checked: Checked, kept: Sequence[Kept], keys: Collection[str]) -> Iterator[str]:
    """Compare the database with checkpoints that were kept outside it; yield what differs.

    `keys` are public keys to believe beside those that the site lists.
    """
    known = {*public_keys_read(settings.CHECKPOINT_KEY_FILE), *keys}
    with snapshot():
        found = list(against_breaks(kept, known))
    yield from breaks_counted(checked, found)


def _report_breaks(report: ShiftReport) -> Iterator[str]:
    try:
        # Nothing is written: on SQLite, where reports are being read one after another, a transaction that asked for
        # the right to write would be refused as soon as another connection had written since.
        with snapshot(), transaction.atomic(using=reading_alias()):
            now = figures_of(report.shift, inputs_read(report.shift))
    except (DatabaseError, ValueError, KeyError) as error:
        yield f"its rounds cannot be added up any more: {error}"
        return
    stored = report.typed_figures
    before = {table["table"]: table for table in stored["tables"]}
    for table in now["tables"]:
        # A table that the room set up later has no part in this shift, and is compared with nothing.
        was = before.pop(table["table"], None) or _blank(table)
        yield from _differing(f"table {table['number']}", was, table)
    for gone in before.values():
        yield f"table {gone['number']} is on the report, but the room has no such table"
    yield from _differing("total", stored["total"], now["total"])
    for name in ("differences", "over_limit"):
        if _named(stored[name]) != _named(now[name]):
            yield f"{name} were {len(stored[name])} and are {len(now[name])}"
    for difference in now["differences"]:
        yield _untied(difference)


def _period_report_breaks(period_report: PeriodReport) -> Iterator[str]:
    stored = period_report.typed_figures
    now = figures_again(period_report)
    hashes = {part["report"]: part["content_hash"] for part in now["parts"]}
    for part in stored["parts"]:
        if hashes.get(part["report"]) != part["content_hash"]:
            shift = f"{part['gaming_day']} {part['shift_name']}"
            yield f"the report of {shift} on which it rests is gone, or says something else"
    before = {table["table"]: table for table in stored["tables"]}
    for table in now["tables"]:
        was = before.get(table["table"]) or _blank(table)
        yield from _differing(f"table {table['number']}", was, table)
    yield from _differing("total", stored["total"], now["total"])
    for difference in (now if now["differences"] else stored)["differences"]:
        yield _untied(difference)


def _untied(difference: Difference) -> str:
    ways = ", ".join(f"{way} {cents}" for way, cents in difference["ways"].items())
    rounds = ", ".join(f"{ref['gaming_day']}/{ref['number']}" for ref in difference["rounds"]) or "none alone"
    shift = f"{difference['shift_name']}, " if "shift_name" in difference else ""
    return (
        f"{shift}table {difference['number']} {difference['figure']} does not tie out: {ways}; "
        f"rounds at fault: {rounds}"
    )


def _differing(where: str, was: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for figure in now:
        if figure not in _NOT_ADDED_UP and was.get(figure) != now[figure]:
            yield f"{where} {figure}: the report says {was.get(figure)}, the database {now[figure]}"


def _blank(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table like `table` at which nothing happened."""
    return {
        figure: value if figure in ("table", *_NOT_ADDED_UP) else _nothing_of(value)
        for figure, value in table.items()
    }


def _nothing_of(value: Any) -> Any:
    if isinstance(value, dict):
        return dict.fromkeys(value, 0)
    return [] if isinstance(value, list) else 0


def _named(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows without what may be renamed."""
    return [{key: row[key] for key in row if key != "number"} for row in rows]


def holders() -> Iterator[Room | Table]:
    """Yield every room and table: who has a chain of the journal."""
    yield from Room.objects.order_by("pk")
    yield from Table.objects.order_by("pk")


def checkpoint_make(checked: Checked, begun_at: datetime.datetime) -> Checkpoint:
    """Store where a proof has ended that began at an instant and found no break."""
    return Checkpoint.objects.create(
        made_at=begun_at,
        entries=sum(head.seq for head in checked.heads),
        heads=[dataclasses.asdict(head) for head in checked.heads],
        last=checked.last,
    )
