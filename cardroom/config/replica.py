"""Reads reports from a standby of the database (CARDROOM_REPLICA_URL), and never an outdated one.

The standby is a second entry of DATABASES. `read_from_replica` alone (`cardroom.core.reading`) has queries sent there, by a database router, and only
once the standby has replayed everything that was written before the question. A write in that block is refused, and so is
one of a row that was read there; the server and the connection refuse it as well.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import time
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, Final

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

#: The alias of the standby.
REPLICA: Final = "replica"
#: Seconds between two looks at how far the standby is.
_LOOK: Final = 0.05

_reading: ContextVar[bool] = ContextVar("reading_from_replica", default=False)


class ReplicaWritten(RuntimeError):
    """Something would be written while reports are read from the standby, or of a row that was read there."""


class NotLevel(Exception):
    """The standby may not be read from; the message says why, in words for a report."""


def has_replica() -> bool:
    """Tell whether the site has a standby to read from."""
    return bool(settings.HAS_REPLICA)


def reading_alias() -> str:
    """Return the alias that is read from now."""
    return REPLICA if _reading.get() else DEFAULT_DB_ALIAS


def reading_connection() -> BaseDatabaseWrapper:
    """Return the connection that is read from now, for SQL that no model sends."""
    return connections[reading_alias()]


class ReplicaRouter:
    """Sends reads to the standby inside `read_from_replica`, everything else to the database, and writes nowhere else."""

    def db_for_read(self, model: type[models.Model], **hints: Any) -> str | None:
        if _reading.get():
            return REPLICA
        return DEFAULT_DB_ALIAS if _came_from_replica(hints.get("instance")) else None

    def db_for_write(self, model: type[models.Model], **hints: Any) -> str | None:
        if _reading.get():
            raise ReplicaWritten(
                f"{model._meta.label} would be written while reports are read from the standby"
            )
        if _came_from_replica(hints.get("instance")):
            raise ReplicaWritten(
                f"a row of {model._meta.label} that was read from the standby would be written"
            )
        return None

    def allow_relation(self, one: models.Model, other: models.Model, **hints: Any) -> bool | None:
        if not (_came_from_replica(one) or _came_from_replica(other)):
            return None
        return _reading.get()

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool | None:
        return False if db == REPLICA else None


def _came_from_replica(instance: models.Model | None) -> bool:
    return instance is not None and instance._state.db == REPLICA


@contextlib.contextmanager
def primary() -> Iterator[None]:
    """Send queries of the block to the database itself, inside a block that reads from the standby."""
    token = _reading.set(False)
    try:
        yield
    finally:
        _reading.reset(token)


@contextlib.contextmanager
def read_from_replica(seconds: float) -> Iterator[Level]:
    """Read from the standby inside the block, once it has replayed all that is written now. Raises NotLevel, DatabaseError.

    It is waited for so many seconds.
    """
    asked_at = time.monotonic()
    position = position_of(connections[DEFAULT_DB_ALIAS])
    while True:
        level = level_of(connections[REPLICA], position)
        if level.is_reached:
            break
        if time.monotonic() - asked_at >= seconds:
            raise NotLevel(f"the standby is {level.behind_bytes:,} bytes behind it")
        time.sleep(_LOOK)
    token = _reading.set(True)
    try:
        yield level
    finally:
        _reading.reset(token)


@dataclasses.dataclass(frozen=True)
class Position:
    """Where the database is: which cluster, on which timeline, up to which byte of its write-ahead log."""

    system: int
    timeline: int
    byte: int


@dataclasses.dataclass(frozen=True)
class Level:
    """How far the standby was when it was looked at: bytes behind, and when its last transaction was committed (UTC)."""

    behind_bytes: int
    last_at: datetime.datetime | None
    looked_at: datetime.datetime

    @property
    def is_reached(self) -> bool:
        return self.behind_bytes <= 0


def position_of(connection: BaseDatabaseWrapper) -> Position:
    """Return where the database has written to; everything committed lies before it. Raises NotLevel for a standby."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_is_in_recovery()")
        if cursor.fetchone()[0]:
            raise NotLevel("the database is a standby itself")
        # Inserted, and not flushed: with synchronous_commit off a commit is told before it is.
        cursor.execute(
            """
            SELECT system_identifier, ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int,
                   pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0'),
                   current_setting('wal_block_size')::int, pg_size_bytes(current_setting('wal_segment_size'))
            FROM pg_control_system()
            """
        )
        system, timeline, byte, page, segment = cursor.fetchone()
    return Position(system, timeline, _without_header(int(byte), page, segment))


def _without_header(byte: int, page: int, segment: int) -> int:
    """A position behind the header of an empty page, which no record ends at, is that of the page's first byte."""
    header = 40 if byte % segment < page else 24
    return byte - header if byte % page == header else byte


def level_of(connection: BaseDatabaseWrapper, position: Position) -> Level:
    """Return how far a standby is behind a position. Raises NotLevel for what is none of this database."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            SELECT (SELECT system_identifier FROM pg_control_system()), (SELECT timeline_id FROM pg_control_checkpoint()),
                   pg_is_in_recovery(), pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), pg_last_xact_replay_timestamp(), now()
            """
        )
        system, timeline, in_recovery, byte, last_at, now = cursor.fetchone()
    if system != position.system:
        raise NotLevel("the standby is one of another database")
    if not in_recovery or byte is None:
        raise NotLevel("the standby is none: it takes writes of its own")
    if timeline != position.timeline:
        # It may hold what the database lost as it was promoted; a restartpoint later it follows, or never.
        raise NotLevel("the standby does not follow the database yet, which was promoted")
    return Level(position.byte - int(byte), last_at, now)


def replica_faults() -> Iterator[str]:
    """Yield why the standby is not one of the database, in words; nothing where it is. Raises DatabaseError."""
    if not has_replica():
        return
    try:
        level_of(connections[REPLICA], position_of(connections[DEFAULT_DB_ALIAS]))
    except NotLevel as fault:
        yield str(fault)
    with connections[REPLICA].cursor() as cursor:
        cursor.execute("SHOW default_transaction_read_only")
        if cursor.fetchone()[0] != "on":
            yield "a pooler before the standby drops the option that makes connections read-only"
