"""Holding stored rows against the journal's entries about them, both ways: each row has its entry, each entry its row.

A kind of row says by which commands the journal tells of it, and what an entry says of it. The chain itself is proved
elsewhere (`cardroom.floor.journal`); what follows from it is proved here, so that a row which was changed, put in or taken
out past the database's triggers shows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.db.models import Model, QuerySet

from cardroom.config.databases import snapshot

from .models import JournalEntry


@dataclasses.dataclass(frozen=True)
class Recorded:
    """One kind of row that the journal tells of.

    `commands` are the commands of its entries and `key` names, in an entry's data, the row's id. `says` gives, by a name of the
    data, what the row says of it; names that an entry lacks are not compared. `reason` reads what the entry keeps as its
    reason, where the row has one.
    """

    name: str
    rows: Callable[[], QuerySet[Any]]
    commands: tuple[str, ...]
    key: str
    text: Mapping[str, Callable[[Any], Any]]
    reason: Callable[[Any], str] | None = None


def recorded_verify(kind: Recorded) -> list[str]:
    """Return every row of a kind that is not what the journal says of it, and every entry whose row is gone."""
    with snapshot():  # else a row that is written meanwhile would have no entry
        return list(_breaks(kind))


def _breaks(kind: Recorded) -> Iterator[str]:
    entries = {
        entry.data[kind.key]: entry
        for entry in JournalEntry.objects.filter(command__in=kind.commands).order_by("pk").iterator()
        if kind.key in entry.data
    }
    for row in kind.rows().order_by("pk").iterator(chunk_size=500):
        entry = entries.pop(row.pk, None)
        if entry is None:
            yield f"{kind.name} {row.pk}: the journal has no entry about it"
            continue
        for name in _differing(kind, row, entry):
            yield f"{kind.name} {row.pk}: {name} is not what the journal says"
    for missing in sorted(entries):
        yield f"{kind.name} {missing}: stands in the journal, but there is none"


def _differing(kind: Recorded, row: Model, entry: JournalEntry) -> list[str]:
    """Return the names of what `row` and its entry say differently."""
    found = [name for name, of in kind.text.items() if name in entry.data and of(row) != entry.data[name]]
    if entry.room_id != getattr(row, "room_id", entry.room_id):
        found.append("room")
    if entry.table_id not in (None, getattr(row, "table_id", entry.table_id)):
        found.append("table")
    if kind.reason is not None and kind.reason(row) != entry.reason:
        found.append("reason")
    return found
