"""Puts the pieces of a verification together to one answer, and reads what was written to the journal after they were planned.

Everything is read in one snapshot. Where one segment of a chain ends, the next has to begin. Of a row that a piece left open
the newest digest of all pieces counts, and every row has to be named by one of them.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain as one_after_another
from typing import Final, NamedTuple, cast

from django.db.models import Model, QuerySet

from cardroom.config.databases import snapshot
from cardroom.core.row_digests import policy_of
from cardroom.floor.journal import DIFFERS, NO_HOLDER, NOT_REACHED, Break, Head, chain_breaks, chain_name
from cardroom.floor.models import JournalEntry
from cardroom.floor.verification.id_sets import IdSet
from cardroom.floor.verification.rows import (
    NewestDigest,
    RowBreak,
    digested_models,
    digests_from,
    row_breaks,
    uncovered_table,
    unknown_row,
    unreadable_row,
)
from cardroom.floor.verification.segments import Segment, SegmentsRead, rows_now, segments_rows
from cardroom.jobs.models import Job

from ..models import PieceScratch
from .pieces import JOURNAL, MOST_BREAKS, Piece, PieceResult, Scratch
from .verify import Checked, breaks_counted, heads_noted, holders, readable

#: A row: its table and its id.
_Row = tuple[str, int]
#: Stands for a room where the entries are those that were written after the plan.
_TAIL: Final = -1


class Line(NamedTuple):
    """A break in words, and the id of the room whose piece has found it; None: it was found in no room's alone."""

    text: str
    room: int | None


class Done(NamedTuple):
    """A piece that has finished."""

    job: int
    piece: Piece
    result: PieceResult

    @property
    def group(self) -> int:
        """The room whose entries it has; 0: of chains that belong to none."""
        return self.piece["room"] or 0

    @property
    def segments(self) -> list[Segment]:
        """Its entries of the journal."""
        return [Segment(*each) for each in self.piece.get("segments", [])]


@dataclasses.dataclass
class Merged:
    """The whole answer: breaks, the first ones in full, and what was looked at (`breaks` of `checked` counts all)."""

    checked: Checked = dataclasses.field(default_factory=Checked)
    lines: list[Line] = dataclasses.field(default_factory=list)

    def add(self, lines: Iterable[Line], broken: int | None = None) -> None:
        """Take breaks in; `broken` is how many they stand for."""
        new = list(lines)
        self.checked.breaks += len(new) if broken is None else broken
        self.lines += new[: max(0, MOST_BREAKS - len(self.lines))]


def done_of(piece: Job) -> Done:
    """Return a piece that has finished."""
    return Done(piece.pk, cast("Piece", piece.arguments), cast("PieceResult", piece.result))


def scratch_stored(done: Done) -> Scratch:
    """Return what a piece of the journal has left for this step."""
    return Scratch.read(bytes(PieceScratch.objects.get(piece=done.job).data))


def merged(pieces: Sequence[Done], scratch_of: Callable[[Done], Scratch] = scratch_stored) -> Merged:
    """Return what all pieces have found, and what none of them can find by itself."""
    whole = Merged()
    for each in pieces:
        result = each.result
        whole.add((Line(text, each.piece["room"]) for text in result["breaks"]), result["broken"])
        for name, count in result["counts"].items():
            if name not in ("breaks", "chains", "rows"):
                setattr(whole.checked, name, getattr(whole.checked, name) + count)
    of_journal = [each for each in pieces if each.piece["check"] == JOURNAL]
    merging = _Merging(of_journal, scratch_of)
    with snapshot():
        for check in (merging.chains, merging.rows):
            checked = Checked()
            lines = [Line(text, merging.room_of.get(text)) for text in readable(check, checked)]
            whole.add(lines)
            whole.checked.chains += checked.chains
            whole.checked.entries += checked.entries
            whole.checked.rows += checked.rows
            whole.checked.heads += checked.heads
            whole.checked.last |= checked.last
    return whole


class _Merging:
    """The pieces of the journal put together; `chains` is asked before `rows`."""

    def __init__(self, pieces: Sequence[Done], scratch_of: Callable[[Done], Scratch]) -> None:
        self._pieces = pieces
        self._scratch_of = scratch_of
        #: Of each chain, the last entry that a piece has read; None where it could not.
        self._last: dict[str, Head | None] = {}
        self._until: dict[str, int] = {}
        self._room_of_chain: dict[str, int | None] = {}
        #: The room of a break that is found here, by its words.
        self.room_of: dict[str, int | None] = {}
        for each in pieces:
            for segment in each.segments:
                self._until[segment.chain] = segment.until
                self._room_of_chain[segment.chain] = each.piece["room"]

    def chains(self, checked: Checked) -> Iterator[str]:
        """Follow each chain from piece to piece and behind the last one, to its head; compare heads noted elsewhere."""
        yield from breaks_counted(checked, self._chain_breaks(checked))

    def _chain_breaks(self, checked: Checked) -> Iterator[str]:
        for each in self._pieces:
            for chain, seq, hash_, last_seq, last_hash in each.result["ends"]:
                before = self._last.get(chain, Head(chain, 0, ""))
                if before is not None and before != Head(chain, seq, hash_):
                    yield f"{chain}: entry {seq} was changed while the pieces of this run were done"
                self._last[chain] = None if last_seq is None else Head(chain, last_seq, last_hash)
        noted: defaultdict[str, list[Head]] = defaultdict(list)
        yield from heads_noted(noted)
        known: set[str] = set()

        def walked(entries: int) -> None:
            checked.entries += entries

        for holder in holders():
            chain = chain_name(holder)
            known.add(chain)
            checked.chains += 1
            last = self._last.get(chain, Head(chain, 0, ""))
            if last is not None:  # else it was said where it cannot be read
                for found in chain_breaks(holder, since=last, on_progress=walked):
                    yield self._line(found)
            checked.heads.append(Head(chain, holder.chain_seq, holder.chain_hash))
        for chain in sorted(known & noted.keys()):
            yield from map(self._line, _head_breaks(chain, noted[chain]))
        chains = JournalEntry.objects.order_by("chain").values_list("chain", flat=True).distinct()
        for chain in sorted({*chains, *noted} - known):
            yield str(Break(chain, 0, NO_HOLDER))

    def _line(self, found: Break) -> str:
        self.room_of[line := str(found)] = self._room_of_chain.get(found.chain)
        return line

    def rows(self, checked: Checked) -> Iterator[str]:
        """Judge the rows that pieces left open by the newest digest of all, and find those that no entry names."""
        for found, said in self._row_breaks(checked):
            checked.breaks += 1
            if said is not None:
                self.room_of[str(found)] = self._room_of_chain.get(said.chain)
            yield str(found)

    def _row_breaks(self, checked: Checked) -> Iterator[tuple[RowBreak, NewestDigest | None]]:
        tail = SegmentsRead()
        segments_rows(self._tail(), tail)
        named, opened = dict(tail.named), {(said.table, said.id) for said in tail.open}
        for scratch in self._scratches():
            for table, ids in scratch.named.items():
                named.setdefault(table, IdSet()).update(ids)
            opened |= {(said.table, said.id) for said in scratch.open}
        if not all(each.result["rows_read"] for each in self._pieces):
            return  # a piece has said so: what its entries name is not known
        models = {model._meta.db_table: model for model in digested_models()}
        said_of: dict[str, list[NewestDigest]] = defaultdict(list)
        for said in self._newest(opened, tail):
            said_of[said.table].append(said)
        for table, model in models.items():
            yield from _of_table(model, said_of[table], named.get(table, IdSet()), checked)
        for table in sorted(named.keys() - models.keys()):
            yield uncovered_table(table), None

    def _tail(self) -> list[QuerySet[JournalEntry]]:
        """What was written after the plan."""
        behind = [
            JournalEntry.objects.filter(chain=chain, seq__gt=until) for chain, until in self._until.items()
        ]
        return [*behind, JournalEntry.objects.exclude(chain__in=self._until)]

    def _scratches(self) -> Iterator[Scratch]:
        """What each piece has left, one after another: all of it together would be much."""
        yield from map(self._scratch_of, self._pieces)

    def _newest(self, opened: set[_Row], tail: SegmentsRead) -> Iterator[NewestDigest]:
        """Yield the newest digest of rows that some piece left open, unless the piece that has it found that the row holds.

        Pieces of a room follow one another in time. A row that entries of several rooms name, or that was named after the
        plan too, is looked up in the last piece of each.
        """
        if not opened:
            return
        last: dict[_Row, dict[int, int]] = defaultdict(dict)
        left: dict[tuple[_Row, int], NewestDigest] = {}
        for number, scratch in one_after_another(
            enumerate(self._scratches()), [(_TAIL, Scratch(tail.named, tail.open))]
        ):
            group = _TAIL if number == _TAIL else self._pieces[number].group
            for table, pk in opened:
                if table in scratch.named and pk in scratch.named[table]:
                    last[table, pk][group] = number
            left |= {((said.table, said.id), number): said for said in scratch.open}
        again: dict[tuple[int, ...], set[_Row]] = defaultdict(set)
        for row in sorted(opened):
            numbers = tuple(sorted(last[row].values()))
            if len(numbers) > 1:
                again[numbers].add(row)
            elif (row, numbers[0]) in left:
                yield left[row, numbers[0]]
        for numbers, rows in again.items():
            yield from self._read_again(numbers, rows)

    def _read_again(self, numbers: Iterable[int], rows: set[_Row]) -> Iterator[NewestDigest]:
        entries = [
            segment.entries()
            for number in numbers
            if number != _TAIL
            for segment in self._pieces[number].segments
        ]
        newest = digests_from([*entries, *(self._tail() if _TAIL in numbers else ())])
        for table in sorted({table for table, _ in rows}):
            yield from (said for said in newest.newest_of(table) if (table, said.id) in rows)
        newest.close()


def printed_breaks(checked: Checked, printed: Iterable[Head]) -> Iterator[str]:
    """Compare heads from paper with the entries that are there, after a run in pieces; yield what differs."""
    heads: defaultdict[str, list[Head]] = defaultdict(list)
    for head in printed:
        heads[head.chain].append(head)
    known = {chain_name(holder) for holder in holders()}
    for chain, noted in sorted(heads.items()):
        gone = Break(chain, 0, NO_HOLDER)
        yield from breaks_counted(checked, _head_breaks(chain, noted) if chain in known else (gone,))


def _head_breaks(chain: str, noted: Iterable[Head]) -> Iterator[Break]:
    """Compare heads that were noted with the entries that are there."""
    wanted: defaultdict[int, set[str]] = defaultdict(set)
    for head in noted:
        if head.seq > 0:
            wanted[head.seq].add(head.hash)
    hashes: Mapping[int, str] = {}
    seqs = sorted(wanted)
    for start in range(0, len(seqs), MOST_BREAKS):
        some = JournalEntry.objects.filter(chain=chain, seq__in=seqs[start : start + MOST_BREAKS])
        hashes = {**hashes, **dict(some.values_list("seq", "hash"))}
    for seq in seqs:
        if seq not in hashes:
            yield Break(chain, seq, NOT_REACHED)
        elif wanted[seq] - {hashes[seq]}:
            yield Break(chain, seq, DIFFERS)


def _of_table(
    model: type[Model], said_of: Sequence[NewestDigest], named: IdSet, checked: Checked
) -> Iterator[tuple[RowBreak, NewestDigest | None]]:
    """Judge rows of a table by what the journal says of them, and go through all its ids for one that it does not name."""
    name, may_be_unknown = model._meta.label, bool(policy_of(model).may_predate_journal)
    for said in said_of:
        try:
            now = rows_now(model, [said.id])
        except (ValueError, TypeError, LookupError) as error:
            yield unreadable_row(name, error), said
            continue
        found = (now[said.id],) if said.id in now else None
        yield from ((broken, said) for broken in row_breaks(name, said, found))
    for pk in model._base_manager.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=10_000):
        checked.rows += 1
        checked.last[model._meta.db_table] = pk
        if not may_be_unknown and pk not in named:
            yield unknown_row(name, pk), None
