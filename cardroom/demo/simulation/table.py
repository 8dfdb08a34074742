"""A table whose commands are run at given instants instead of the clock's, many of them in one transaction."""

from __future__ import annotations

import datetime
from typing import Any

from cardroom.floor.commands.points import board_show, decisions_record
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    later_bets_place,
    round_deal,
    round_finish,
    round_settle,
)
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.models import Table
from cardroom.floor.reads.table_state import TableState, read_table
from cardroom.people.models import Role, Staff
from cardroom.people.rights import roles_of

#: By this attribute of a row simple_history dates what changes in it.
HISTORY_DATE = "_history_date"
#: Commands that change the round in play and nothing else that was read of the table. Reading it again before the next one
#: takes a third of the time of a simulation; some others say how they leave the table (`TableTransaction.left`).
_OF_THE_ROUND = (bets_place, bets_close, round_deal, board_show, decisions_record, later_bets_place)


class PlayedTable:
    """A table of a room, row-locked, at which nobody else writes meanwhile."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._roles: dict[int, frozenset[Role]] = {}
        self._seen: TableState | None = None

    def by(self, actor: Staff, now: datetime.datetime) -> TableTransaction:
        """Let `actor` command at `now` next."""
        if actor.pk not in self._roles:
            self._roles[actor.pk] = roles_of(actor, self.table.room)
        seen, self._seen = self.state(now), None
        return TableTransaction(
            table=self.table, actor=actor, now=now, roles=self._roles[actor.pk], seen=seen
        )

    def give(
        self, command: TableCommand[...], actor: Staff, now: datetime.datetime, /, **arguments: Any
    ) -> dict[str, Any]:
        """Let `actor` carry out a command at `now`, checked as on a real floor."""
        tx = self.by(actor, now)
        seen = tx.seen
        answer = command.carry_out(tx, **arguments)
        if seen is not None and not seen.profile.needs_play:
            self._seen = _known_after(command, seen) or tx.left
        return answer

    def state(self, now: datetime.datetime) -> TableState:
        """The table's state at `now`; it is read again where a command may have changed it since."""
        if self._seen is None or self._seen.profile.needs_play:  # the rotation goes by the clock
            self._seen = read_table(self.table, now)
        elif self._seen.now != now:
            self._seen = self._seen.at_time(now)
        return self._seen


def _known_after(command: TableCommand[...], seen: TableState) -> TableState | None:
    """The state after a command that was given in the state `seen`, where it changes the round in play alone; else None."""
    if command in _OF_THE_ROUND:
        return seen.replace_round(seen.live)
    if command in (round_settle, round_finish) and seen.live is not None and not seen.live.exhausted:
        return seen.replace_round(None)
    return None
