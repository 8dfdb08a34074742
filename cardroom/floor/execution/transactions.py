"""The context of a running command (`TableTransaction`, `RoomTransaction`): the locked row, journal, version and settings.

Rows are written by Django's own means, and by `rows_create`, `row_update` and `rows_update` (columns, many rows)
(`cardroom.core.row_digests`), before the entry of the journal that covers them.
"""

from __future__ import annotations

import abc
import contextlib
import dataclasses
import datetime
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.utils import timezone

from cardroom.core.row_digests import row_update
from cardroom.people.models import Role, Staff
from cardroom.rooms.models import Room

from ..journal import journal_append, journal_append_all
from ..models import Table
from ..notify import room_changed, table_changed
from ..reads.table_state import TableState, read_table


@dataclasses.dataclass(kw_only=True)
class Transaction(abc.ABC):
    """A place whose row is locked, and the person who acts there at an instant.

    `roles` are the roles of the actor where they have been read.
    """

    actor: Staff
    now: datetime.datetime
    roles: frozenset[Role] | None = None

    @property
    @abc.abstractmethod
    def holder(self) -> Table | Room:
        """The row that is locked, whose chain the entries go into."""

    @abc.abstractmethod
    def look(self) -> Any:
        """What the check of a command is asked about."""

    @abc.abstractmethod
    def tell(self) -> None:
        """Tell those who look on that the place has changed, once this is committed."""

    def write(self, **columns: Any) -> None:
        """Write columns of the place's row that are no settings, so that they leave no row in its history."""
        row_update(self.holder, **columns)

    @contextlib.contextmanager
    def moving_on(self) -> Iterator[None]:
        """Count the version of the place up, which every screen of it must know of: the first entry inside writes it with the head."""
        before = self.holder.chain_seq
        self.holder.version += 1
        yield
        if self.holder.chain_seq == before:  # there was nothing to record
            self.write(version=self.holder.version)
        self.tell()

    def journal(self, command: str, data: dict[str, Any] | None = None, reason: str = "") -> None:
        """Write one entry into the chain of the place: it covers the rows that were written since the one before."""
        journal_append(
            holder=self.holder,
            actor=self.actor,
            roles=self.roles,
            at=self.now,
            command=command,
            data=data,
            reason=reason,
        )

    def journal_all(self, entries: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Write several entries, of a command that does what others do by hand; the first covers the rows that were written."""
        journal_append_all(
            holder=self.holder,
            actor=self.actor,
            roles=self.roles,
            at=self.now,
            entries=[(command, data, "") for command, data in entries],
        )


@dataclasses.dataclass(kw_only=True)
class RoomTransaction(Transaction):
    """A room whose row is locked. `clock` is what a command asks for the time once more, after it has waited."""

    room: Room
    clock: Callable[[], datetime.datetime] = timezone.now

    @classmethod
    def at_instant(cls, room: Room, actor: Staff, now: datetime.datetime) -> RoomTransaction:
        """The same at a given instant instead of the clock's: where play is simulated."""
        return cls(room=room, actor=actor, now=now, clock=lambda: now)

    @property
    def holder(self) -> Room:
        return self.room

    def look(self) -> Room:
        return self.room

    def tell(self) -> None:
        room_changed(self.room)


@dataclasses.dataclass(kw_only=True)
class TableTransaction(Transaction):
    """A table whose row is locked.

    `seen` is the table as the checks have read it, for the command's own first look; `left` is the table as the command has left
    it, where that is known without reading it again, for the command that comes next in the same transaction.
    """

    table: Table
    seen: TableState | None = None
    left: TableState | None = None

    @property
    def holder(self) -> Table:
        return self.table

    @property
    def room(self) -> Room:
        return self.table.room

    def state(self) -> TableState:
        """Read the current state of the table under the lock; the first call returns what the checks have read."""
        seen, self.seen = self.seen, None
        return seen or read_table(self.table, self.now)

    def look(self) -> TableState:
        """Read the table before the command does, whose own first look is then this one."""
        self.seen = self.state()
        return self.seen

    def tell(self) -> None:
        table_changed(self.table)

    def write(self, **columns: Any) -> None:
        self.seen = None
        super().write(**columns)

    def journal(self, command: str, data: dict[str, Any] | None = None, reason: str = "") -> None:
        self.seen = None
        super().journal(command, data, reason)
