"""Commands at a table that end something at another table of the room: both are locked, in order of their ids.

Each of the two has the entry of its own part in its own chain, and both move on at one instant, the later one.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, ParamSpec

from ..errors import Busy
from ..execution.clock import command_time, journal_clock_step
from ..execution.locks import Undone, lock_row, locked
from ..execution.transactions import TableTransaction
from ..models import Table
from .expiry import PermittedCommand

P = ParamSpec("P")


class TwoTablesCommand(PermittedCommand[P]):
    """A command at a table that may end something at another one, whose row is locked first where its id is the lower one."""

    def table_left(self, pk: int, kwargs: dict[str, Any]) -> int | None:
        """The other table at which something ends; None where there is none."""
        raise NotImplementedError

    @contextlib.contextmanager
    def locked_place(self, pk: int, kwargs: dict[str, Any]) -> Iterator[Any]:
        left = self.table_left(pk, kwargs)
        if left is None or left > pk:
            with super().locked_place(pk, kwargs) as holder:
                yield holder
            return
        with locked(Table, left):
            yield lock_row(Table, pk, *self.related)


def table_locked(pk: int) -> Table:
    """Lock and return the other table, with what is read with its row."""
    return lock_row(Table, pk, *TwoTablesCommand.related)


@contextlib.contextmanager
def moving_on_at(tx: TableTransaction, table: Table) -> Iterator[TableTransaction]:
    """Work at the other table, which is locked: at the instant of `tx`, which is the later one of the two from then on."""
    moment = command_time(table, tx.now)
    tx.now = moment.now
    other = TableTransaction(table=table, actor=tx.actor, now=tx.now, roles=tx.roles)
    journal_clock_step(other, table, moment)
    with other.moving_on():
        yield other


def moved_meanwhile() -> Busy:
    """What to raise where what ends at the other table has moved on while this waited for its row."""
    return Undone(
        "busy", "Somebody else was working here at the same moment. Nothing was changed; try again."
    )
