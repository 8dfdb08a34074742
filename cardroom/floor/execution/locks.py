"""Row locks (`select_for_update`) of commands: the order of locking, and the retry when PostgreSQL refuses or undoes.

**Strength.** Rows are locked `FOR NO KEY UPDATE` (`select_for_update(no_key=True)`). Nothing ever changes the key of a
room or table, and a plain `FOR UPDATE` would conflict with the `FOR KEY SHARE` by which PostgreSQL checks foreign keys,
here as a transaction commits: a fact written under a table's lock would then wait for whoever has locked the room.

**Order.** A command locks the row of its own place first: a table, or a room. Further rows come after it, always in this
order:

1. the room; of a command whose entry goes into the journals of several rooms, all of them by id,
2. tables of the room, by id (`lock_tables`: closing a shift; putting boxes on tables and pulling them; a push; a command that
   begins a down, or brings a player, locks the table too that the dealer or player leaves for it),
3. versions of a filing (fee schedules, games), by number and version,
4. rows of one person (a player, a member of the staff), by id,
5. entries of the waiting list, by id,
6. progressive meters, by id,
7. the counter of a room's tray slips: the last row that a command at a table locks.

A command at a table never locks its room; one that needs the room's row and a table's is a command on the room.

**When it fails.** A row that stays locked for two seconds is `Busy`. Where PostgreSQL ended a deadlock or refused to
serialize (SQLSTATE 40P01, 40001), everything of the transaction is undone: `run_again` runs the whole of it once more
after a moment, and answers `Busy` when that fails too.
"""

from __future__ import annotations

import contextlib
import functools
import logging
from collections.abc import Callable, Collection, Iterator
from time import sleep
from typing import Any, ParamSpec, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import OperationalError, connection, models, transaction

from cardroom.core.row_digests import rows_gathered
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..errors import Busy, NotFound
from ..models import Table

logger = logging.getLogger(__name__)

LOCK_WAIT_MS = 2000

#: How long a transaction may keep its locks without a word to PostgreSQL: its machine may have lost the network, of which no
#: packet tells, and TCP by itself would wait for hours. It is ended then, and undone.
SILENCE_MS = 15_000

#: A lock that is given up is free for anybody until its waiter has woken: run again at once, a command could take it back
#: and meet the same deadlock.
PAUSE_SECONDS = 0.05

#: SQLSTATEs of a transaction that was undone whole because of others, and may be run again as it is.
DEADLOCK, NOT_SERIALIZABLE = "40P01", "40001"
_LOCK_NOT_AVAILABLE = "55P03"

M = TypeVar("M", bound=models.Model)
P = ParamSpec("P")
R = TypeVar("R")


class Undone(Busy):
    """The database undid the transaction because of another one (a deadlock, no serial order). It may be run again."""


@contextlib.contextmanager
def locked(model: type[M], pk: int, *related: str) -> Iterator[M]:
    """Open a transaction and lock one row, waiting at most two seconds for it; rows `related` to it are read with it.

    The order of locks is in the docstring of this module. Raises NotFound when there is no such row, Busy when somebody
    else keeps it locked, and Undone (a Busy too) when the database undid the transaction for another one's sake.
    """
    with _short_wait():
        try:
            with transaction.atomic(), rows_gathered():
                yield lock_row(model, pk, *related)
        except OperationalError as error:
            if (refused := _refusal_of(error)) is not None:
                raise refused from error
            raise


def lock_row(model: type[M], pk: int, *related: str) -> M:
    """Lock and return one row. Refuses to run outside a transaction, where the lock would be gone at once.

    Rows `related` to it are read by a second query, after the lock: PostgreSQL reads the locked row anew once the lock is
    granted, and rows joined to it as they stood before the wait.
    """
    if not connection.in_atomic_block:
        raise RuntimeError(f"a lock on {model.__name__} outside a transaction would protect nothing")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT set_config('lock_timeout', '{LOCK_WAIT_MS}', true), "
                f"set_config('idle_in_transaction_session_timeout', '{SILENCE_MS}', true)"
            )
    rows = model._default_manager.all()
    locking = rows.select_for_update(no_key=True)
    try:
        if not related:
            return locking.get(pk=pk)
        locking.values_list("pk").get(pk=pk)
        return rows.select_related(*related).get(pk=pk)
    except ObjectDoesNotExist as error:
        raise no_such(model, pk) from error


def no_such(model: type[models.Model], pk: int) -> NotFound:
    """Return the refusal for a row that is not there, and alike for one of a room where the person has no role."""
    return NotFound(
        "not_found", Phrase("There is no {verbose_name} {pk}.", verbose_name=model._meta.verbose_name, pk=pk)
    )


def lock_tables(room: Room, ids: Collection[int] | None = None) -> list[Table]:
    """Lock and return the tables of a room whose own row is locked, or those of `ids` alone, in order of their ids."""
    tables = Table.objects.select_for_update(no_key=True).filter(room=room)
    return list((tables if ids is None else tables.filter(pk__in=ids)).order_by("id"))


def run_again(transact: Callable[P, R]) -> Callable[P, R]:
    """Let a function that is one whole transaction be run once more when the database undid it (`Undone`).

    The second run begins after `PAUSE_SECONDS`, so that the other transaction gets what it waited for. Undone a second
    time, it is answered as `Busy`. Inside a transaction of the caller's it is run once: what is undone there is
    more than this function knows.
    """

    @functools.wraps(transact)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        if connection.in_atomic_block:
            return transact(*args, **kwargs)
        try:
            return transact(*args, **kwargs)
        except Undone as undone:
            logger.warning(
                "the database undid %s, which is run again: %s", transact.__name__, undone.__cause__
            )
            sleep(PAUSE_SECONDS)
            return transact(*args, **kwargs)

    return run


def _refusal_of(error: OperationalError) -> Busy | None:
    """Return what an error of the database means for a command: it may be tried again, or (None) it is a fault."""
    cause = error.__cause__
    sqlstate = getattr(cause, "sqlstate", None)
    if sqlstate in (DEADLOCK, NOT_SERIALIZABLE):
        return Undone(
            "busy", "Somebody else was working here at the same moment. Nothing was changed; try again."
        )
    if sqlstate == _LOCK_NOT_AVAILABLE or _is_lock_of_sqlite(cause):
        return Busy(
            "busy",
            Phrase("Somebody else is working at this table right now. Nothing was changed; try again."),
        )
    return None


def _is_lock_of_sqlite(cause: Any) -> bool:
    return getattr(cause, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))


@contextlib.contextmanager
def _short_wait() -> Iterator[None]:
    """On SQLite, wait at most two seconds for the one write lock (IMMEDIATE takes it as the transaction begins)."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        before = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {LOCK_WAIT_MS}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA busy_timeout = {before}")
