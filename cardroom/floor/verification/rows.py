"""Verifies rows against the newest digest of each in the journal, both ways.

The journal is read once, chain by chain, and the newest digest of each row is kept in a scratch database on disk, so that
a journal of any length takes the same memory. Then each table is read once in order of its ids beside it. What one row
was in two chains (a box that a room's command hangs at a table) is as the later entry says: a command's instant lies after
the last ones of its room and table (`cardroom.floor.execution.clock`).
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.db.models import Model, QuerySet

from cardroom.core.row_digests import DELETED, digests_of_table, digests_read, is_digested, policy_of

from ..models import JournalEntry

#: So many entries are read, and so many digests written, together.
_AT_ONCE: Final = 2000

_TABLE: Final = """
    CREATE TABLE newest (
        name TEXT NOT NULL, id INTEGER NOT NULL, digest TEXT NOT NULL,
        at TEXT NOT NULL, entry INTEGER NOT NULL, chain TEXT NOT NULL, seq INTEGER NOT NULL,
        PRIMARY KEY (name, id)
    ) WITHOUT ROWID
"""
_KEEP: Final = """
    INSERT INTO newest VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET digest = excluded.digest, at = excluded.at, entry = excluded.entry,
        chain = excluded.chain, seq = excluded.seq
    WHERE excluded.chain = newest.chain OR (excluded.at, excluded.entry) > (newest.at, newest.entry)
"""


class RowBreak(NamedTuple):
    """A row that is not what the journal says of it, and how; `id` 0 stands for the whole table."""

    model: str
    id: int
    what: str

    def __str__(self) -> str:
        return f"{self.model} {self.id}: {self.what}" if self.id else f"{self.model}: {self.what}"


@dataclasses.dataclass
class RowsChecked:
    """How many rows were compared with the journal, and the last id of each table.

    `on_read` is called with how many entries were read for their digests, `on_progress` with how many rows were compared.
    """

    rows: int = 0
    last: dict[str, int] = dataclasses.field(default_factory=dict)
    on_read: Callable[[int], None] = lambda _: None
    on_progress: Callable[[int], None] = lambda _: None


@dataclasses.dataclass(frozen=True)
class Since:
    """Where an earlier proof has ended: the last entry of each chain, and the last id of each table."""

    seqs: Mapping[str, int]
    last: Mapping[str, int]


class NewestDigest(NamedTuple):
    """A digest of a row and the entry that says it; `at` is its instant, in UTC, as text that sorts."""

    table: str
    id: int
    digest: str
    at: str
    entry: int
    chain: str
    seq: int

    @property
    def said_by(self) -> str:
        """The entry in words: "table:26 #9017"."""
        return f"{self.chain} #{self.seq}"


class NewestDigests:
    """The newest digest of each row that the journal names."""

    def __init__(self) -> None:
        # An empty name: a file without a name, which SQLite writes when the cache is full, and which goes with it.
        self._kept = sqlite3.connect("")
        self._kept.execute("PRAGMA cache_size = -65536")
        self._kept.execute(_TABLE)
        self._rows: list[tuple[Any, ...]] = []

    def add(self, entry: int, chain: str, seq: int, at: Any, rows: dict[str, dict[str, str]]) -> None:
        """Take in what one entry says; entries of one chain come in their order."""
        when = at.isoformat(timespec="microseconds")
        for table, of_table in rows.items():
            self._rows += [
                (table, int(pk), digest, when, entry, chain, seq)
                for pk, digest in of_table.items()
                if pk.isdecimal()  # else the entry was tampered with, which its hash shows
            ]
        if len(self._rows) >= _AT_ONCE:
            self._write()

    def _write(self) -> None:
        self._kept.executemany(_KEEP, self._rows)
        self._rows.clear()

    def tables(self) -> list[str]:
        """Return the tables of which there are digests."""
        self._write()
        return [name for (name,) in self._kept.execute("SELECT DISTINCT name FROM newest ORDER BY name")]

    def newest_of(self, table: str) -> Iterator[NewestDigest]:
        """Yield the newest digest of each row of a table with its entry, in order of their ids."""
        self._write()
        query = "SELECT name, id, digest, at, entry, chain, seq FROM newest WHERE name = ? ORDER BY id"
        yield from (NewestDigest(*row) for row in self._kept.execute(query, [table]))

    def close(self) -> None:
        """Give the scratch database up."""
        self._kept.close()


def digested_models() -> list[type[Model]]:
    """Return every model whose rows are covered by the journal, of all apps, by its table."""
    models = [model for model in apps.get_models() if model._meta.managed and is_digested(model)]
    return sorted(models, key=lambda model: model._meta.db_table)


def newest_digests(
    since: Since | None = None, on_read: Callable[[int], None] = lambda _: None
) -> NewestDigests:
    """Read the newest digest of each row from the whole journal, or from what was written to it `since`."""
    return digests_from(_entries(since), on_read)


def digests_from(
    entries_of: Iterable[QuerySet[JournalEntry]], on_read: Callable[[int], None] = lambda _: None
) -> NewestDigests:
    """Read the newest digest of each row that some entries name. All those of a chain are in one query, or in order."""
    newest, read = NewestDigests(), 0
    for some in entries_of:
        entries = some.order_by("chain", "seq").values_list("pk", "chain", "seq", "at", "rows")
        for entry in entries.iterator(chunk_size=_AT_ONCE):
            read += 1
            if entry[-1]:
                newest.add(*entry)
            if read % _AT_ONCE == 0:
                on_read(read)
    return newest


def _entries(since: Since | None) -> Iterator[QuerySet[JournalEntry]]:
    if since is None:
        yield JournalEntry.objects.all()
        return
    for chain, seq in since.seqs.items():
        yield JournalEntry.objects.filter(chain=chain, seq__gt=seq)
    yield JournalEntry.objects.exclude(chain__in=since.seqs)


def rows_verify(
    checked: RowsChecked | None = None,
    models: Iterable[type[Model]] | None = None,
    since: Since | None = None,
) -> Iterator[RowBreak]:
    """Yield every row that is not what the journal says, that it knows nothing of, or that is gone.

    Asked inside one snapshot of the database. `models` are those to look at: without them, all. With `since` only rows that
    were written since are looked at: those that newer entries name, and those with newer ids.
    """
    checked = checked or RowsChecked()
    with contextlib.closing(newest_digests(since, checked.on_read)) as newest:
        covered = digested_models()
        for model in covered if models is None else models:
            try:
                yield from table_breaks(model, newest, checked, since)
            except (ValueError, TypeError, json.JSONDecodeError) as error:
                yield unreadable_row(model._meta.label, error)
        if models is None:
            for table in sorted(set(newest.tables()) - {model._meta.db_table for model in covered}):
                yield uncovered_table(table)


def table_breaks(
    model: type[Model], newest: NewestDigests, checked: RowsChecked, since: Since | None = None
) -> Iterator[RowBreak]:
    """Go through the rows of a table and the digests of its rows side by side."""
    name, may_be_unknown = model._meta.label, bool(policy_of(model).may_predate_journal)
    known = newest.newest_of(model._meta.db_table)
    expected = next(known, None)
    if since is None:
        rows = digests_of_table(model)
    else:
        told_of = (said.id for said in newest.newest_of(model._meta.db_table))
        rows = _rows_since(model, since.last.get(model._meta.db_table, 0), told_of)
    for pk, digest in rows:
        checked.rows += 1
        checked.last[model._meta.db_table] = pk
        if checked.rows % _AT_ONCE == 0:
            checked.on_progress(checked.rows)
        while expected is not None and expected.id < pk:
            yield from row_breaks(name, expected, None)
            expected = next(known, None)
        if expected is None or expected.id != pk:
            if not may_be_unknown:
                yield unknown_row(name, pk)
            continue
        yield from row_breaks(name, expected, (digest,))
        expected = next(known, None)
    while expected is not None:
        yield from row_breaks(name, expected, None)
        expected = next(known, None)


def unknown_row(model: str, pk: int) -> RowBreak:
    """Return the break of a row that no entry names."""
    return RowBreak(model, pk, "the journal has no entry about it: no command wrote this row")


def unreadable_row(model: str, error: Exception) -> RowBreak:
    """Return the break of a table of which a row cannot be read."""
    return RowBreak(model, 0, f"a row of it cannot be read: {error}")


def uncovered_table(table: str) -> RowBreak:
    """Return the break of a table that entries name and that no model has whose rows they cover."""
    return RowBreak(table, 0, "is named in the journal, and no table of this name is covered by it")


def row_breaks(model: str, said: NewestDigest, found: tuple[str | None] | None) -> Iterator[RowBreak]:
    """Compare a row with what the journal says of it; yield one break at most.

    `found` is the digest of the row as it is, in a tuple; None where there is no such row.
    """
    if found is None:
        if said.digest != DELETED:
            yield RowBreak(model, said.id, f"entry {said.said_by} names it, and it is gone")
    elif said.digest == DELETED:
        yield RowBreak(model, said.id, f"entry {said.said_by} says that it was deleted, and it is there")
    elif said.digest != found[0]:
        yield RowBreak(model, said.id, f"is not what entry {said.said_by} says: a column of it was changed")


def _rows_since(model: type[Model], last: int, named: Iterable[int]) -> Iterator[tuple[int, str | None]]:
    """Yield id and digest of the rows up to the id `last` that the journal names, and of all after it, in order."""
    early = [pk for pk in named if pk <= last]
    for start in range(0, len(early), _AT_ONCE // 4):
        yield from sorted(digests_read(model, early[start : start + _AT_ONCE // 4]))
    yield from digests_of_table(model, after=last)
