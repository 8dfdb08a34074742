"""Cuts `verify` into pieces that workers do side by side, and does one of them.

Every entry of the journal is in one piece, by room and day (UTC); so are the rows that it names. Every round and report is
in one, by ids. What is small, or one whole, is a piece of its own: schema, histories, counts. The last range of ids is open,
and what is written to the journal after the plan is read when the pieces are put together
(`cardroom.reports.verification.merging`), so that nothing lies between two pieces.
"""

from __future__ import annotations

import dataclasses
import datetime
import json
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, NotRequired, TypedDict

from django.db import DatabaseError
from django.db.models import Count, Max, Model, Q
from django.db.models.functions import TruncHour

from cardroom.config.databases import snapshot
from cardroom.core.canonical import canonical_bytes
from cardroom.core.dates import day_text, time_text
from cardroom.floor.journal import Head, chain_name
from cardroom.floor.models import JournalEntry, Round, Table
from cardroom.floor.verification.id_sets import IdSet
from cardroom.floor.verification.rows import NewestDigest
from cardroom.floor.verification.segments import Segment, SegmentsRead, segments_rows, segments_walk
from cardroom.rooms.models import Room

from ..models import PeriodReport, ShiftReport
from .verify import (
    Check,
    Checked,
    breaks_counted,
    checkpoints_verify,
    counts_verify,
    exports_verify,
    filed_documents_verify,
    histories_held,
    movements_verify,
    names_held,
    period_reports_verify,
    readable,
    reports_verify,
    rounds_again,
    runs_verify,
    schema_held,
    slips_verify,
    tips_verify,
)

#: A day of a room with more entries is cut between two hours: a piece is to take some seconds.
MOST_ENTRIES: Final = 20_000
#: Breaks that a piece keeps in full; all of them are counted.
MOST_BREAKS: Final = 500
JOURNAL: Final = "journal"
#: Checks that are one piece each, and what pages call them.
WHOLE: Final[dict[str, tuple[str, Check]]] = {
    "schema": ("tables, triggers and views", schema_held),
    "histories": ("histories of people and settings", histories_held),
    "names": ("names of players", names_held),
    "background-reports": ("background reports", runs_verify),
    "counts": ("counts of the drop", counts_verify),
    "slips": ("slips of trays and buy-ins", slips_verify),
    "meters": ("movements of meters", movements_verify),
    "documents": ("documents of filings", filed_documents_verify),
    "tips": ("sheets of tips", tips_verify),
    "checkpoints": ("signed checkpoints", checkpoints_verify),
    "exports": ("exported gaming days", exports_verify),
}


@dataclasses.dataclass(frozen=True)
class Ranged:
    """A check that is cut by ids, so many rows a piece."""

    about: str
    model: type[Model]
    check: Callable[[Checked, Q], Iterator[str]]
    rows: int


RANGED: Final[dict[str, Ranged]] = {
    "rounds": Ranged("rounds", Round, rounds_again, 5_000),
    "shift-reports": Ranged("shift reports", ShiftReport, reports_verify, 60),
    "period-reports": Ranged("daily and monthly reports", PeriodReport, period_reports_verify, 30),
}


class Piece(TypedDict):
    """The arguments of a piece: which check, and of what.

    `about` names it on pages. `room` is the id of the room whose entries they are, None where it is of the whole site.
    `segments` are `[chain, after, until]` of the journal; ids lie behind `after` and up to `until`, None: open.
    """

    check: str
    about: str
    room: int | None
    segments: NotRequired[list[list[Any]]]
    after: NotRequired[int | None]
    until: NotRequired[int | None]


class PieceResult(TypedDict):
    """What a piece has found: breaks in words (the first ones), how many, and what was looked at, by fields of `Checked`.

    `ends` are `[chain, seq, hash, seq, hash]` of each segment: the entry before it and its last one, null where that could
    not be read. `rows_read` says whether all rows that the entries name were compared.
    """

    breaks: list[str]
    broken: int
    counts: dict[str, int]
    ends: list[list[Any]]
    rows_read: bool


@dataclasses.dataclass
class Scratch:
    """What one piece of the journal leaves to the merging of all."""

    named: dict[str, IdSet] = dataclasses.field(default_factory=dict)
    open: list[NewestDigest] = dataclasses.field(default_factory=list)

    def data(self) -> bytes:
        """Return it as it is stored."""
        named = {table: ids.to_json() for table, ids in self.named.items()}
        return zlib.compress(canonical_bytes({"named": named, "open": [list(said) for said in self.open]}))

    @classmethod
    def read(cls, data: bytes) -> Scratch:
        """Read what `data` has returned."""
        stored = json.loads(zlib.decompress(data))
        named = {table: IdSet.from_json(ids) for table, ids in stored["named"].items()}
        return cls(named, [NewestDigest(*said) for said in stored["open"]])


def pieces_planned() -> list[Piece]:
    """Cut the whole of `verify` into pieces, in the order in which they are to be done: what takes longest first."""
    with snapshot():
        pieces = [*_journal_pieces()]
        for check, ranged in RANGED.items():
            pieces += _ranges(check, ranged)
    return pieces + [Piece(check=check, about=about, room=None) for check, (about, _) in WHOLE.items()]


def _ranges(check: str, ranged: Ranged) -> Iterator[Piece]:
    """Ranges of ids that leave out none: the first and the last one are open."""
    after: int | None = None
    while True:
        behind = ranged.model._default_manager.order_by("pk").values_list("pk", flat=True)
        if after is not None:
            behind = behind.filter(pk__gt=after)
        until: int | None = next(iter(behind[ranged.rows - 1 : ranged.rows]), None)
        first = "the first" if after is None else f"id {after + 1:,}"
        last = "the last" if until is None else f"id {until:,}"
        about = f"{ranged.about}, {first} to {last}"
        yield Piece(check=check, about=about, room=None, after=after, until=until)
        if until is None:
            return
        after = until


def _journal_pieces() -> Iterator[Piece]:
    """Each chain cut between hours, so that a piece holds a room's day or less; chains of no room are one piece."""
    room_of = {chain_name(room): room for room in Room.objects.order_by("pk")}
    room_of |= {
        chain_name(table): table.room for table in Table.objects.select_related("room").order_by("pk")
    }
    ends = dict(JournalEntry.objects.order_by("chain").values_list("chain").annotate(last=Max("seq")))
    chains_of: dict[Room | None, list[str]] = {}
    for chain in ends:
        chains_of.setdefault(room_of.get(chain), []).append(chain)
    hours = _hours()
    for room, chains in chains_of.items():
        about = "entries of no room" if room is None else f"entries and rows of {room}"
        after: dict[str, int | None] = dict.fromkeys(chains)
        for title, until in _cuts(chains, hours, ends):
            segments = [
                [chain, after[chain], seq]
                for chain, seq in until.items()
                if after[chain] is None or seq > (after[chain] or 0)
            ]
            after.update(until)
            yield Piece(
                check=JOURNAL,
                about=f"{about}, {title}",
                room=None if room is None else room.pk,
                segments=segments,
            )


#: Of an hour: how many entries each chain got, and its last one.
_Hours = dict[datetime.datetime, dict[str, tuple[int, int]]]


def _hours() -> _Hours:
    """Count the entries of each hour by chain. Where an instant cannot be read there are no hours, and nothing is cut."""
    found: _Hours = {}
    hour = TruncHour("at", tzinfo=datetime.UTC)
    counted = JournalEntry.objects.order_by().annotate(hour=hour).values_list("hour", "chain")
    try:
        for at, chain, entries, last in counted.annotate(entries=Count("pk"), last=Max("seq")):
            found.setdefault(at, {})[chain] = (entries, last)
    except (ValueError, TypeError, DatabaseError):
        return {}
    return found


def _cuts(chains: Iterable[str], hours: _Hours, ends: dict[str, int]) -> Iterator[tuple[str, dict[str, int]]]:
    """Yield days, or parts of days, each with the last entry of every chain that got any until then.

    A chain whose instants go back keeps its order: where it was cut before, it is not cut again.
    """
    until: dict[str, int] = {}
    mine = sorted(at for at in hours if any(chain in hours[at] for chain in chains))
    entries, begun = 0, None
    for at in mine:
        of_hour = {chain: hours[at][chain] for chain in chains if chain in hours[at]}
        more = sum(count for count, _ in of_hour.values())
        if begun is not None and (at.date() != begun.date() or entries + more > MOST_ENTRIES):
            yield _day_text(begun), dict(until)
            entries, begun = 0, None
        begun = begun or at
        entries += more
        for chain, (_, last) in of_hour.items():
            until[chain] = max(last, until.get(chain, last))
    yield "all" if begun is None else _day_text(begun), {chain: ends[chain] for chain in chains}


def _day_text(begun: datetime.datetime) -> str:
    hour = f" from {time_text(begun, datetime.UTC)}" if begun.hour else ""
    return f"{day_text(begun.date())}{hour} UTC"


def piece_done(piece: Piece) -> tuple[PieceResult, Scratch | None]:
    """Do a piece. Nothing is written."""
    checked = Checked()
    if piece["check"] == JOURNAL:
        segments = [Segment(*each) for each in piece["segments"]]
        read = SegmentsRead()
        lines = [*readable(_named(partial(_walked, segments, read), "journal"), checked)]
        broken = checked.breaks
        lines += readable(_named(partial(_rows, segments, read), "rows"), checked)
        checked.entries = read.entries
        result = _result(checked, lines)
        result["ends"] = [_end(each.before, each.last) for each in read.ends]
        result["rows_read"] = checked.breaks == broken
        return result, Scratch(read.named, read.open)
    if (ranged := RANGED.get(piece["check"])) is not None:
        among = Q()
        if piece["after"] is not None:
            among &= Q(pk__gt=piece["after"])
        if piece["until"] is not None:
            among &= Q(pk__lte=piece["until"])
        check = _named(_among(ranged, among), ranged.check.__name__)
    else:
        _, check = WHOLE[piece["check"]]
    return _result(checked, readable(check, checked)), None


def _among(ranged: Ranged, among: Q) -> Check:
    return lambda checked: ranged.check(checked, among)


def _named(check: Any, name: str) -> Check:
    """Return a check that is called what it is a part of."""
    check.__name__ = name
    return check  # type: ignore[no-any-return]


def _walked(segments: list[Segment], read: SegmentsRead, checked: Checked) -> Iterator[str]:
    known = {chain_name(holder) for model in (Room, Table) for holder in model._default_manager.all()}
    with snapshot():
        segments_walk((segment for segment in segments if segment.chain in known), read)
    yield from breaks_counted(checked, read.breaks)


def _rows(segments: list[Segment], read: SegmentsRead, checked: Checked) -> Iterator[str]:
    with snapshot():
        segments_rows((segment.entries() for segment in segments), read)
    yield from ()


def _end(before: Head, last: Head | None) -> list[Any]:
    return [before.chain, before.seq, before.hash, *((None, None) if last is None else (last.seq, last.hash))]


def _result(checked: Checked, found: Iterable[str]) -> PieceResult:
    lines = list(found)
    return PieceResult(
        breaks=lines[:MOST_BREAKS],
        broken=len(lines),
        counts=checked.counts,
        ends=[],
        rows_read=True,
    )
