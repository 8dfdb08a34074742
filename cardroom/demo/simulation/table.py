"""A table at which commands are carried out at instants that are told, many of them in one transaction."""

from __future__ import annotations

import datetime
from typing import Any

from cardroom.floor.execution import TableCommand
from cardroom.floor.models import Table
from cardroom.floor.reads.table_state import TableState
from cardroom.floor.transactions import TableTransaction
from cardroom.people.models import Role, Staff
from cardroom.people.rights import roles_of

#: By this attribute of a row simple_history dates what changes in it.
HISTORY_DATE = "_history_date"


class PlayedTable:
    """A table of a room, row-locked. Between two `written` no other transaction writes at the table or its room."""

    def __init__(self, table: Table, actor: Staff, now: datetime.datetime) -> None:
        self.table = table
        self._at = TableTransaction(table=table, actor=actor, now=now, collects=True)
        self._roles: dict[int, frozenset[Role]] = {}

    def by(self, actor: Staff, now: datetime.datetime) -> TableTransaction:
        """Let `actor` command at `now` next."""
        if actor.pk not in self._roles:
            self._roles[actor.pk] = roles_of(actor, self.table.room)
        self._at.actor, self._at.now, self._at.roles = actor, now, self._roles[actor.pk]
        return self._at

    def give(
        self, command: TableCommand[...], actor: Staff, now: datetime.datetime, /, **arguments: Any
    ) -> dict[str, Any]:
        """Let `actor` carry out a command at `now`, checked as on a real floor."""
        return command.carry_out(self.by(actor, now), **arguments)

    def state(self, now: datetime.datetime) -> TableState:
        """The table's state at `now`."""
        self._at.now = now
        state = self._at.state()
        self._at.keep(state)
        return state

    def written(self) -> None:
        """Write what the commands have left to be written together: transfers, journal and row of the table."""
        self._at.written()
