"""Verifies a part of the journal by itself: some entries of some chains, and the rows that these entries name.

A segment is a run of entries of one chain. `segments_read` walks each from the entry before it, and compares each row that
one of its entries names with the newest digest *in these segments*. A row that is as it says holds; of any other a later
entry may say something else, so it stays `open` until all segments of the journal were read
(`cardroom.reports.verification.merging`).
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from django.db.models import Model, QuerySet

from cardroom.core.row_digests import digests_read

from ..journal import Break, Head, chain_walk
from ..models import JournalEntry
from .id_sets import IdSet
from .rows import NewestDigest, digested_models, digests_from, row_breaks

#: So many rows are read together.
_ROWS_AT_ONCE: Final = 500


class Segment(NamedTuple):
    """The entries of a chain behind the number `after` up to `until`; None: from the very first, whatever its number."""

    chain: str
    after: int | None
    until: int

    def entries(self) -> QuerySet[JournalEntry]:
        """The entries."""
        entries = JournalEntry.objects.filter(chain=self.chain, seq__lte=self.until)
        return entries if self.after is None else entries.filter(seq__gt=self.after)

    def begin(self) -> Head:
        """Return the last entry before the segment, as it is stored."""
        before = JournalEntry.objects.filter(chain=self.chain, seq__gt=0, seq__lte=self.after or 0)
        last = before.order_by("-seq").values_list("seq", "hash").first()
        return Head(self.chain, 0, "") if last is None else Head(self.chain, *last)


class Ends(NamedTuple):
    """Between which two entries a segment lies: the one before its first, and its last. `last` is None where it was not read."""

    before: Head
    last: Head | None


@dataclasses.dataclass
class SegmentsRead:
    """What came of it: breaks of chains, the ends of each segment, ids that entries name by table, rows that stay open."""

    breaks: list[Break] = dataclasses.field(default_factory=list)
    ends: list[Ends] = dataclasses.field(default_factory=list)
    entries: int = 0
    named: dict[str, IdSet] = dataclasses.field(default_factory=dict)
    open: list[NewestDigest] = dataclasses.field(default_factory=list)

    def walked(self, entries: int) -> None:
        """Count entries."""
        self.entries += entries


def segments_walk(segments: Iterable[Segment], read: SegmentsRead) -> None:
    """Walk the chain of each segment."""
    for segment in segments:
        before = segment.begin()
        walk = chain_walk(before, segment.until, on_progress=read.walked)
        last: Head | None = None
        while True:
            try:
                read.breaks.append(next(walk))
            except StopIteration as ended:
                last = ended.value
                break
        read.ends.append(Ends(before, last))


def segments_rows(entries_of: Iterable[QuerySet[JournalEntry]], read: SegmentsRead) -> None:
    """Compare each row that one of these entries names with its newest digest there; inside one snapshot."""
    models = {model._meta.db_table: model for model in digested_models()}
    with contextlib.closing(digests_from(entries_of)) as newest:
        for table in newest.tables():
            named = read.named.setdefault(table, IdSet())
            said_of = list(newest.newest_of(table))
            for said in said_of:
                named.add(said.id)
            if (model := models.get(table)) is not None:
                read.open += _open(model, said_of)


def rows_now(model: type[Model], ids: Sequence[int]) -> Mapping[int, str | None]:
    """Return the digests of the rows of these ids that there are."""
    found: dict[int, str | None] = {}
    for start in range(0, len(ids), _ROWS_AT_ONCE):
        found.update(digests_read(model, ids[start : start + _ROWS_AT_ONCE]))
    return found


def _open(model: type[Model], some: Sequence[NewestDigest]) -> Iterator[NewestDigest]:
    try:
        now = rows_now(model, [said.id for said in some])
    except (ValueError, TypeError, LookupError):
        # One of them cannot be read. Each is looked at alone when all was read, and said then.
        yield from some
        return
    for said in some:
        found = (now[said.id],) if said.id in now else None
        if any(row_breaks("", said, found)):
            yield said
