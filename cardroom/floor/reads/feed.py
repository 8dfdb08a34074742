"""The journal of a room as a feed: all chains, of the room and each table, read on from a position without gaps.

Entries of different tables are committed in any order, whatever their ids and instants are. A chain alone has an order: its
numbers are given under the lock of its table or room, so that an entry is there once a later one is. A position says therefore how
far *each* chain was read, and what comes after it can be left out by no commit, however late it is:

    5~0.532.9f86d081~7.1234.60303ae2      room 5: its own chain to entry 532, table 7's to entry 1234

with the first letters of the hash of the entry there. Where that entry has another hash by now, or is gone, the database was put
back to an earlier time since: the reader is told, and skips nothing unseen.
"""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import re
from collections.abc import Collection, Iterator
from typing import Annotated, Any, Final, TypedDict

from django.db.models import Q

from cardroom.core.dates import utc_exact
from cardroom.core.json_types import Instant
from cardroom.rooms.models import Room

from ..errors import BadInput, FloorError
from ..journal import chain_name
from ..models import JournalEntry, Table

#: Letters of a hash in a position: enough to tell two histories apart, for a proof there are the hashes themselves.
MARK_LENGTH: Final = 8
#: A position in place of one that was read: the end, for whoever wants nothing of before.
LATEST: Final = "latest"
_PART = re.compile(rf"(0|[1-9][0-9]{{0,17}})\.([1-9][0-9]{{0,9}})\.([0-9a-f]{{{MARK_LENGTH}}})")
_ROOM = re.compile(r"[1-9][0-9]{0,17}")
#: The longest position that is read: one of some 300 tables.
MOST_OF_POSITION: Final = 8000


class PositionGone(FloorError):
    """The journal is not the one that a position was read from (410)."""

    status = 410


class ChainHead(TypedDict):
    """The last entry of a chain as it is now."""

    chain: Annotated[str, "room:5, or table:7."]
    seq: Annotated[int, "How many entries it has."]
    hash: str


class FeedEntry(TypedDict):
    """An entry of the journal, with everything that its hash covers."""

    chain: Annotated[str, "room:5, or table:7; with `seq` it names the entry for good."]
    seq: int
    room: int
    table: int | None
    at: Annotated[Instant, "With microseconds, as the hash covers it."]
    actor: int
    actor_name: Annotated[str, "The person or program that gave the command."]
    roles: Annotated[str, "Their roles at that moment, separated by commas."]
    command: Annotated[str, "The kind of entry."]
    data: Annotated[
        dict[str, Any], "Players are player:12 here; `GET rooms/{room_id}/players` has their names."
    ]
    reason: str
    rows: Annotated[dict[str, Any], "Digests of the rows that it wrote."]
    previous: Annotated[str, "The hash of the entry before it; empty for the first."]
    hash: Annotated[str, "SHA-256 of the canonical JSON of all of this but itself (docs/programs.md)."]


@dataclasses.dataclass(frozen=True)
class Place:
    """How far a chain was read: to the entry of this number, whose hash begins so. Number 0: nothing yet."""

    seq: int = 0
    mark: str = ""


#: A position as it is read: of each chain, by the id of its table (0: the room's own), how far.
Position = dict[int, Place]


class EntryPlace(TypedDict):
    """An entry by its kind and place alone."""

    kind: str
    chain: str
    seq: int
    table: int | None


@dataclasses.dataclass(frozen=True)
class FeedPage:
    """Entries after a position, and the position after them. `more`: others were there already."""

    entries: list[FeedEntry]
    position: str
    more: bool
    heads: list[ChainHead]


def feed_read(room: Room, after: str | None, limit: int) -> FeedPage:
    """Return the entries of a room's chains after a position, at most `limit`, those of a chain in its order.

    Between chains the order is that of their instants, as far as they were there. Raises BadInput (400) for what is no position of
    this room, and PositionGone.
    """
    heads = _heads(room)
    read = (
        {table: Place(seq, hash_[:MARK_LENGTH]) for table, (seq, hash_) in heads.items()}
        if after == LATEST
        else position_read(room, after)
    )
    marks = _marks(room, read)
    _check_there(room, read, marks)
    found = _entries(room, read, heads, limit + 1)
    more, found = len(found) > limit, found[:limit]
    for entry in found:
        marks[entry.table_id or 0, entry.seq] = entry.hash
    rows = []
    for entry in found:
        table = entry.table_id or 0
        rows.append(_row(entry, marks.get((table, entry.seq - 1), "")))
        read[table] = Place(entry.seq, entry.hash[:MARK_LENGTH])
    ends: list[ChainHead] = [
        {"chain": _chain(room, table), "seq": seq, "hash": hash_} for table, (seq, hash_) in heads.items()
    ]
    return FeedPage(rows, position_text(room, read), more, ends)


def feed_between(room: Room, after: str, until: str, kinds: Collection[str]) -> list[EntryPlace]:
    """Return where the entries are from one position (excluded) to a later one, of these kinds, or of all where there are none.

    The same at any time: what a chain has between two of its numbers never changes. Raises BadInput (400).
    """
    begin, end = position_read(room, after), position_read(room, until)
    chains: list[Iterator[tuple[Any, int, int, str]]] = []
    for table, place in end.items():
        entries = JournalEntry.objects.filter(
            chain=_chain(room, table), seq__gt=begin.get(table, Place()).seq, seq__lte=place.seq
        )
        if kinds:
            entries = entries.filter(command__in=kinds)
        places = entries.order_by("seq").values_list("at", "seq", "command")
        chains.append(iter([(at, table, seq, command) for at, seq, command in places]))
    return [
        {"kind": command, "chain": _chain(room, table), "seq": seq, "table": table or None}
        for _, table, seq, command in heapq.merge(*chains)
    ]


def position_read(room: Room, text: str | None) -> Position:
    """Read a position; None is the beginning. Raises BadInput (400) `bad_position`, `position_of_other_room`."""
    if text is None:
        return {}
    of, *parts = text.split("~")
    found = [_PART.fullmatch(part) for part in parts]
    read = {int(part[1]): Place(int(part[2]), part[3]) for part in found if part is not None}
    if not _ROOM.fullmatch(of) or len(read) != len(parts):
        raise BadInput(
            "bad_position",
            "This is no position: send one as `position` of the answer before had it, 'latest' to begin at the end, or none to begin "
            "at the first entry.",
            path="after",
            status=400,
        )
    if int(of) != room.pk:
        raise BadInput(
            "position_of_other_room",
            f"This is a position in the journal of room {of}, and this is room {room.pk}. Each room is read by itself.",
            path="after",
            status=400,
        )
    return read


def position_text(room: Room, read: Position) -> str:
    """Write a position as `position_read` reads it."""
    places = (f"~{table}.{place.seq}.{place.mark}" for table, place in sorted(read.items()) if place.seq)
    return f"{room.pk}{''.join(places)}"


def _heads(room: Room) -> dict[int, tuple[int, str]]:
    """The number and hash of the last entry of each chain, by table: whatever is committed later is after these."""
    [own] = Room.objects.filter(pk=room.pk).values_list("chain_seq", "chain_hash")
    tables = Table.objects.filter(room=room).order_by("pk").values_list("pk", "chain_seq", "chain_hash")
    return {0: own, **{pk: (seq, hash_) for pk, seq, hash_ in tables}}


def _marks(room: Room, read: Position) -> dict[tuple[int, int], str]:
    """The hashes of the entries to which a position has read, by table and number."""
    wanted = Q(pk__in=[])
    for table, place in read.items():
        if place.seq:
            wanted |= Q(chain=_chain(room, table), seq=place.seq)
    entries = JournalEntry.objects.filter(wanted, room=room).order_by()
    return {(table or 0, seq): hash_ for table, seq, hash_ in entries.values_list("table", "seq", "hash")}


def _check_there(room: Room, read: Position, marks: dict[tuple[int, int], str]) -> None:
    for table, place in read.items():
        if place.seq and marks.get((table, place.seq), "")[:MARK_LENGTH] != place.mark:
            chain = _chain(room, table)
            raise PositionGone(
                "position_gone",
                f"The journal here is not the one that this position was read from: entry {place.seq} of {chain} is not there, or "
                "is another one. The database was probably restored to an earlier time. Keep what you have read, ask the room what "
                "was restored, and read again from the beginning (without `after`): the hashes tell where the two part.",
                path="after",
                extra={"chain": chain, "seq": place.seq},
            )


def _entries(room: Room, read: Position, heads: dict[int, tuple[int, str]], most: int) -> list[JournalEntry]:
    """The first `most` entries after a position, chains merged by their instants: each chain stays in its own order."""
    ahead = {table: read.get(table, Place()).seq for table, (head, _) in heads.items()}
    ahead = {table: since for table, since in ahead.items() if since < heads[table][0]}
    # Twice what each has to give where they are as busy as each other: few are asked a second time.
    piece = 2 * most // max(len(ahead), 1) + 1
    keys = [_keys(room, table, since, heads[table][0], piece) for table, since in ahead.items()]
    # A clock that was set back: the entries after it come when those before it have come, in the order of the chain.
    first = [key[3] for key in itertools.islice(heapq.merge(*keys), most)]
    by_pk = JournalEntry.objects.order_by().in_bulk(first)
    return [by_pk[pk] for pk in first]


def _keys(room: Room, table: int, since: int, head: int, piece: int) -> Iterator[tuple[Any, int, int, int]]:
    """The instant, table, number and id of each entry of a chain after `since`, in its order.

    It is read on in pieces, each twice as long as the one before, only when all of the ones before was taken: a page reads some
    times what it shows, and not as much of every table.
    """
    chain = JournalEntry.objects.filter(chain=_chain(room, table), seq__lte=head).order_by("seq")
    found = 1  # none: of a journal that was cut off below its head
    while since < head and found:
        found = 0
        for at, seq, pk in chain.filter(seq__gt=since).values_list("at", "seq", "pk")[:piece]:
            yield at, table, seq, pk
            since, found = seq, found + 1
        piece *= 2


def _chain(room: Room, table: int) -> str:
    return f"table:{table}" if table else chain_name(room)


def _row(entry: JournalEntry, previous: str) -> FeedEntry:
    return {
        "chain": entry.chain,
        "seq": entry.seq,
        "room": entry.room_id,
        "table": entry.table_id,
        "at": utc_exact(entry.at),
        "actor": entry.actor_id,
        "actor_name": entry.actor_name,
        "roles": entry.roles,
        "command": entry.command,
        "data": entry.data,
        "reason": entry.reason,
        "rows": entry.rows,
        "previous": previous,
        "hash": entry.hash,
    }
