"""Hash chain of the journal: how an entry is written, what its hash covers, and how a chain is walked.

An entry keeps the digests of the rows that were written since the entry before (`rows`; `cardroom.core.row_digests`), so that a
row is covered by the chain (`cardroom.floor.verification.rows`).

The hash of an entry is SHA-256 over the canonical JSON (sorted keys, no blanks, UTF-8) of all its facts and the hash of
the entry before it, which is stored there and nowhere else. The head of a chain is on the row of its table or room, which
every writer has locked, and is printed on each shift report, so that an edit, a deletion, a reordering or a cut-off tail
shows.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import hashlib
import threading
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from typing import Any, Final

from django.db import connection

from cardroom.core.canonical import canonical_bytes
from cardroom.core.dates import utc_exact
from cardroom.core.row_digests import pending_digests, pop_pending
from cardroom.people.models import Role, Staff
from cardroom.people.rights import roles_of
from cardroom.rooms.models import Room

from .models import JournalEntry, Table

CHUNK = 2000
#: What the hash of an entry covers beside the hash before it: by its name there, the column.
_COVERED: Final = {
    "chain": "chain",
    "seq": "seq",
    "room": "room_id",
    "table": "table_id",
    "at": "at",
    "actor": "actor_id",
    "actor_name": "actor_name",
    "roles": "roles",
    "command": "command",
    "data": "data",
    "reason": "reason",
    "rows": "rows",
}


def entry_hash(entry: JournalEntry, previous: str) -> str:
    """Return the hex SHA-256 that `entry` must carry, computed from its columns and the hash before it ("": none)."""
    return hashlib.sha256(_covered_bytes(_covered_values(entry), previous)).hexdigest()


def entry_text(entry: JournalEntry, previous: str) -> str:
    """Return the canonical JSON that the hash of `entry` is taken of."""
    return _covered_bytes(_covered_values(entry), previous).decode()


def _covered_values(entry: JournalEntry) -> list[Any]:
    return [getattr(entry, column) for column in _COVERED.values()]


def _covered_bytes(values: Iterable[Any], previous: str) -> bytes:
    """The canonical JSON of an entry whose `_COVERED` columns have these values."""
    facts = dict(zip(_COVERED, values, strict=True))
    facts["at"] = utc_exact(facts["at"])
    return canonical_bytes({**facts, "previous": previous})


def journal_append(
    *,
    holder: Table | Room,
    actor: Staff,
    at: datetime.datetime,
    command: str,
    data: dict[str, Any] | None = None,
    reason: str = "",
    roles: Collection[Role] | None = None,
) -> JournalEntry:
    """Append one entry to the chain of `holder`, whose row the caller has locked in this transaction.

    It covers the rows that were written since the entry before. The head of the chain and the version, as `holder` has it now, are
    written to its row together. `roles` are those of `actor` in the room, if they were
    read.
    """
    [entry] = journal_append_all(
        holder=holder, actor=actor, at=at, entries=[(command, data or {}, reason)], roles=roles
    )
    return entry


def journal_append_all(
    *,
    holder: Table | Room,
    actor: Staff,
    at: datetime.datetime,
    entries: Iterable[tuple[str, dict[str, Any], str]],
    roles: Collection[Role] | None = None,
) -> list[JournalEntry]:
    """Append several entries at once, in the same way: each a command, its data and its reason. The first covers the rows."""
    if not connection.in_atomic_block:
        raise RuntimeError("the journal is written inside the transaction of the command that it records")
    room, table = (holder.room, holder) if isinstance(holder, Table) else (holder, None)
    held = ",".join(sorted(roles_of(actor, room) if roles is None else roles))
    appended: list[JournalEntry] = []
    for command, data, reason in entries:
        entry = JournalEntry(
            room_id=room.pk,
            table_id=None if table is None else table.pk,
            chain=chain_name(holder),
            seq=holder.chain_seq + 1,
            at=at,
            actor_id=actor.pk,
            actor_name=str(actor),
            roles=held,
            command=command,
            data=data,
            reason=reason,
            rows={} if appended else pending_digests(pop_pending()),
        )
        entry.hash = entry_hash(entry, holder.chain_hash)
        holder.chain_seq, holder.chain_hash = entry.seq, entry.hash
        appended.append(entry)
    if not appended:
        return []
    if _kept.entries is not None:
        _kept.entries += appended
        _kept.holders[chain_name(holder)] = holder
        return appended
    if len(appended) == 1:
        appended[0].save(force_insert=True)
    else:
        JournalEntry._base_manager.bulk_create(appended)
    _head_written(holder)
    return appended


def _head_written(holder: Table | Room) -> None:
    """Write the head of a chain, and the version, to the row of its table or room.

    Not save(): they are no settings, and must leave no row in the history of settings.
    """
    type(holder)._default_manager.filter(pk=holder.pk).update(
        chain_seq=holder.chain_seq, chain_hash=holder.chain_hash, version=holder.version
    )


class _Kept(threading.local):
    """The entries that the transaction of this thread writes together at the end, and whose heads they move; None: each by itself."""

    entries: list[JournalEntry] | None = None
    holders: dict[str, Table | Room]


_kept = _Kept()


@contextlib.contextmanager
def entries_written_together() -> Iterator[None]:
    """Write the entries of the block at its end, in their order, and each head once: for a command that does what others do by hand.

    Nothing inside may read the journal, nor the row of a place that acts: their heads are in its object meanwhile. Inside another
    such block, as where play is simulated, it is that block's end.
    """
    if _kept.entries is not None:
        yield
        return
    _kept.entries, _kept.holders = [], {}
    try:
        yield
        JournalEntry._base_manager.bulk_create(_kept.entries)
        for holder in _kept.holders.values():
            _head_written(holder)
    finally:
        _kept.entries = None


def chain_name(holder: Table | Room) -> str:
    """Return the name of the chain of a table or room."""
    return f"table:{holder.pk}" if isinstance(holder, Table) else f"room:{holder.pk}"


@dataclasses.dataclass(frozen=True)
class Head:
    """The last entry of a chain as a person noted it: how many entries there were, and the last one's hash."""

    chain: str
    seq: int
    hash: str


@dataclasses.dataclass(frozen=True)
class Break:
    """A place where a chain does not hold, and how."""

    chain: str
    seq: int
    what: str

    def __str__(self) -> str:
        return f"{self.chain}: entry {self.seq} {self.what}"


#: What is said of a chain that somebody has noted or written to, and of an entry whose hash was noted elsewhere.
NO_HOLDER: Final = "belongs to no room or table that there is"
DIFFERS: Final = "differs from the head noted on a report, a checkpoint or a printout"
NOT_REACHED: Final = (
    "is named as a head by a report, a checkpoint or a printout, but the chain does not reach it"
)


def chain_breaks(
    holder: Table | Room,
    noted: list[Head] | None = None,
    *,
    since: Head | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Iterator[Break]:
    """Walk the chain of `holder` from its first entry and yield every place where it does not hold.

    `noted` are heads printed elsewhere (on shift reports and printouts): an entry of that number must still carry
    that hash. One chain may have several of one number. `since` is where an earlier walk has ended: the entry there must
    still carry its hash, and the walk goes on after it. `on_progress` is called with how many entries were walked since it was
    told last.
    """
    chain = chain_name(holder)
    since = since or Head(chain, 0, "")
    wanted = _heads_behind(since.seq, [head for head in noted or [] if head.chain == chain])
    end = yield from chain_walk(since, wanted=wanted, on_progress=on_progress)
    if end is None:
        return
    if (holder.chain_seq, holder.chain_hash) != (end.seq, end.hash):
        yield Break(
            chain, end.seq, f"the chain ends at entry {end.seq}, but its head is at entry {holder.chain_seq}"
        )
    for missing in sorted(wanted):
        yield Break(chain, missing, NOT_REACHED)


def chain_walk(
    since: Head,
    until: int | None = None,
    *,
    wanted: dict[int, set[str]] | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Generator[Break, None, Head | None]:
    """Walk a chain from behind an entry to its end, or to the entry `until`; yield each break, return the last entry.

    `wanted` are hashes noted of entries, by their numbers; those that were met are taken out. None is returned where an
    entry could not be read, and the walk has ended there.
    """
    chain, seq, previous = since.chain, since.seq, since.hash
    wanted = {} if wanted is None else wanted
    entries = JournalEntry.objects.filter(chain=chain, seq__gt=seq)
    if until is not None:
        entries = entries.filter(seq__lte=until)
    if seq and not JournalEntry.objects.filter(chain=chain, seq=seq, hash=previous).exists():
        yield Break(chain, seq, "is gone or differs from what it was when the chain was last verified")
    walked = 0
    # Values alone: no object is made of each entry.
    rows = entries.order_by("seq").values_list("seq", "hash", *_COVERED.values())
    try:
        for walked, (now, hash_, *values) in enumerate(rows.iterator(chunk_size=CHUNK), start=1):
            if walked % CHUNK == 0:
                on_progress(CHUNK)
            if now != seq + 1:
                yield Break(chain, now, f"entries {seq + 1} to {now - 1} are missing")
            if hash_ != hashlib.sha256(_covered_bytes(values, previous)).hexdigest():
                yield Break(chain, now, "does not follow from the entry before it: one of them was changed")
            if wanted.pop(now, set()) - {hash_}:
                yield Break(chain, now, DIFFERS)
            previous, seq = hash_, now
    except (ValueError, TypeError) as error:
        yield Break(chain, seq + 1, f"or one after it cannot be read, and none of them was walked: {error}")
        return None
    on_progress(walked % CHUNK)
    return Head(chain, seq, previous)


def _heads_behind(seq: int, heads: list[Head]) -> dict[int, set[str]]:
    """The hashes of noted heads by their numbers, behind an entry."""
    wanted: dict[int, set[str]] = {}
    for head in heads:
        if head.seq > seq:
            wanted.setdefault(head.seq, set()).add(head.hash)
    return wanted
