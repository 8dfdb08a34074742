"""A table or a room whose row is locked, and what a command writes there: rows, journal, version."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Iterable
from typing import Any

from django.db import models
from django.utils import timezone

from cardroom.core.row_digests import Noted, noted_give_back, noted_take, rows_create
from cardroom.people.models import Role, Staff
from cardroom.people.rights import roles_of
from cardroom.rooms.models import Room

from .errors import WhyNot
from .journal import entries_write, entry_next, journal_append, roles_kept
from .models import JournalEntry, Offer, Procedure, Round, Table, Transfer, Turn
from .reads.table_state import TableState, read_table


@dataclasses.dataclass
class RoomTransaction:
    """A room whose row is locked, and the person who acts. Made by a room's command, and where play is simulated.

    `clock` is what a command asks for the time once more, after it has waited.
    """

    room: Room
    actor: Staff
    now: datetime.datetime
    clock: Callable[[], datetime.datetime] = timezone.now

    @classmethod
    def at_instant(cls, room: Room, actor: Staff, now: datetime.datetime) -> RoomTransaction:
        """The same at an instant that is told, at which the clock stands: where play is simulated."""
        return cls(room=room, actor=actor, now=now, clock=lambda: now)

    def journal(self, command: str, data: dict[str, Any] | None = None, reason: str = "") -> None:
        """Write one entry into the room's own chain."""
        journal_append(
            holder=self.room, actor=self.actor, at=self.now, command=command, data=data, reason=reason
        )


@dataclasses.dataclass
class TableTransaction:
    """A table whose row is locked, and the person who acts. Made by a table's command, and where play is simulated.

    `roles` are the roles of the actor where they have been read. Rows that were given to `save` and `add`, the journal and
    the table's row are written at once, or, where it `collects`, together: before the table is read again, and at the end
    (`written`); the rows, without the journal, also before a reading reads more of them (`read_late`). A command that reads
    rows or the journal itself calls `written` first.

    It serves one command after the other in the same transaction, where no other transaction writes at the table or its
    room. A command is followed by a fresh look at the table, unless it hands on how the table stands now (`keep`).
    """

    table: Table
    actor: Staff
    now: datetime.datetime
    roles: frozenset[Role] | None = None
    collects: bool = False
    _changed: dict[type[models.Model], dict[int, models.Model]] = dataclasses.field(
        default_factory=dict, init=False
    )
    _added: dict[type[models.Model], list[models.Model]] = dataclasses.field(default_factory=dict, init=False)
    _entries: list[JournalEntry] = dataclasses.field(default_factory=list, init=False)
    _columns: set[str] = dataclasses.field(default_factory=set, init=False)
    _noted: Noted = dataclasses.field(default_factory=dict, init=False)
    _seen: TableState | None = dataclasses.field(default=None, init=False)

    @property
    def room(self) -> Room:
        return self.table.room

    def state(self) -> TableState:
        """Read the table as it stands now, under the lock; what was kept for this look is not read again."""
        seen, self._seen = self._seen, None
        if seen is not None:
            return seen if seen.now == self.now else seen.at_time(self.now)
        self.written()
        return read_table(self.table, self.now, write_first=self._write_rows)

    def keep(self, state: TableState) -> None:
        """Keep `reading`, which is how the table stands, for the next look; what is written from here on drops it.

        Where the rotation goes by the clock the next command looks anew.
        """
        self._seen = None if state.profile.needs_play else state

    def ask(self, check: Callable[[TableState], WhyNot | None]) -> tuple[TableState, WhyNot | None]:
        """Ask a command's check, and keep what it has read for the command's own first look."""
        state = self.look()
        return state, check(state)

    def look(self) -> TableState:
        """Read the table before the command does, whose own first look is then this one."""
        self._seen = state = self.state()
        return state

    def write(self, **columns: Any) -> None:
        """Write columns of the table's row that are no settings, so that they leave no row in its history."""
        self._seen = None
        for column, value in columns.items():
            setattr(self.table, column, value)
        self._columns.update(columns)
        self._done()

    def move_on(self) -> None:
        """Count the table's version up by one, which every screen of it must know of."""
        self.table.version += 1
        self._columns.add("version")
        self._done()

    def journal(self, command: str, data: dict[str, Any] | None = None, reason: str = "") -> None:
        """Write one entry into the table's chain."""
        self._seen = None
        if self.roles is None:
            self.roles = roles_of(self.actor, self.room)
        self._entries.append(
            entry_next(
                holder=self.table,
                actor=self.actor,
                roles=roles_kept(self.roles),
                at=self.now,
                command=command,
                data=data,
                reason=reason,
            )
        )
        self._done()

    def save(self, row: Round | Turn) -> None:
        """Write a round or turn, whole, that was read here and changed: once, however often it was changed since.

        So the journal's digest of it is of the object; of a row that is saved in part all columns are read back.
        """
        self._seen = None
        self._changed.setdefault(type(row), {})[row.pk] = row
        self._done()

    def create(self, row: Round | Turn) -> None:
        """Insert a round or turn, after the one before it is saved: one at most is open at a table."""
        self._save_changed(type(row))
        row.save(force_insert=True)
        self._done()

    def _save_changed(self, model: type[models.Model]) -> None:
        for row in self._changed.pop(model, {}).values():
            row.save(force_update=True)

    def add(self, rows: Iterable[Transfer | Offer | Procedure]) -> None:
        """Insert facts; what they point to is saved."""
        self._seen = None
        for row in rows:
            self._added.setdefault(type(row), []).append(row)
        self._done()

    def _done(self) -> None:
        if self.collects:
            self._noted |= noted_take()  # another place may act before this one's entries are written
        else:
            self.written()

    def _write_rows(self) -> None:
        if not self._changed and not self._added:
            return
        for model in list(self._changed):
            self._save_changed(model)
        added, self._added = self._added, {}
        for rows in added.values():
            rows_create(rows)
        self._noted |= noted_take()

    def written(self) -> None:
        """Write what has been collected so far."""
        self._write_rows()
        entries_write(self.table, self._entries, self._columns, self._noted)
        if not self._entries:
            noted_give_back(self._noted)  # the next entry covers them; without one, the command is refused
        self._entries, self._columns, self._noted = [], set(), {}
