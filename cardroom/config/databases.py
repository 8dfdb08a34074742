"""DATABASES entries: the default database, and further aliases that a command opens."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import InternalError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend

from cardroom.config.replica import reading_connection
from cardroom.config.values import Database

#: Connection options on SQLite.
SQLITE_OPTIONS: Mapping[str, Any] = {
    # A transaction takes the write lock when it begins: with DEFERRED, two that read first and write later
    # fail at once with "database is locked", whatever the timeout.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # Without recursive_triggers, REPLACE would delete append-only rows without firing their DELETE triggers.
    "init_command": "PRAGMA journal_mode = WAL; PRAGMA recursive_triggers = ON;",
}

#: Connection options on PostgreSQL, by which a server that is cut off is noticed: no packet of it says so, and TCP by itself
#: would try to reach it for a quarter of an hour. Of a server that takes long to answer the machine answers at once, so
#: that no long query is ended. Seconds, but for `tcp_user_timeout` (milliseconds; Linux).
NETWORK_OPTIONS: Mapping[str, Any] = {
    "connect_timeout": 3,  # for each server of the address
    "tcp_user_timeout": 5000,  # of what was sent and not received by the other machine
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
}
#: Of a write that a standby, or a server that is set so, refuses: read_only_sql_transaction.
READ_ONLY_SQLSTATE = "25006"
#: Seconds that `probe` waits for a connection to each server, and for each answer. The driver takes no less.
PROBE_SECONDS = 2


def database_settings(database: Database) -> dict[str, Any]:
    """Return an entry of the DATABASES setting."""
    options = (
        SQLITE_OPTIONS if database.engine == "sqlite3" else {**NETWORK_OPTIONS, **(database.options or {})}
    )
    return {
        "ENGINE": f"django.db.backends.{database.engine}",
        "NAME": database.name,
        "USER": database.user,
        "PASSWORD": database.password,
        "HOST": database.host,
        "PORT": database.port,
        "OPTIONS": dict(options),
        "CONN_HEALTH_CHECKS": True,
    }


def replica_settings(database: Database) -> dict[str, Any]:
    """Return the entry of DATABASES of a standby: read-only, without a pool, and given up soon where it does not answer."""
    settings = database_settings(database)
    waits = (database.options or {}).get("connect_timeout", str(PROBE_SECONDS))
    options = {**settings["OPTIONS"], "connect_timeout": waits}
    # For every transaction of a connection: a standby that was promoted would take writes.
    settings["OPTIONS"] = {**options, "options": "-c default_transaction_read_only=on"}
    return settings


def format_database(opened_to: BaseDatabaseWrapper) -> str:
    """Say which database a connection is to: its kind, name and server, never user or password."""
    settings = opened_to.settings_dict
    if opened_to.vendor == "sqlite":
        return f"SQLite file {settings['NAME']}"
    hosts, ports = (settings["HOST"] or "this machine").split(","), settings["PORT"].split(",")
    servers = (f"{host}:{port}" if port else host for host, port in itertools.zip_longest(hosts, ports))
    return f"{opened_to.display_name} database {settings['NAME']!r} at {' or '.join(servers)}"


@contextlib.contextmanager
def opened(alias: str, settings: Mapping[str, Any]) -> Iterator[BaseDatabaseWrapper]:
    """Register a further database under an alias, in this thread; close and remove it after the block."""
    whole = {**connections.settings["default"], **settings}
    connections[alias] = load_backend(whole["ENGINE"]).DatabaseWrapper(whole, alias)
    try:
        yield connections[alias]
    finally:
        connections[alias].close()
        del connections[alias]


def settings_for_reading() -> dict[str, Any]:
    """Return settings for a second connection to the default database, for long reads that block no writer."""
    own = connections.settings["default"]
    options = {name: value for name, value in own["OPTIONS"].items() if name != "pool"}
    if own["ENGINE"].endswith("sqlite3"):
        options["transaction_mode"] = "DEFERRED"  # IMMEDIATE would block every writer
    return {"OPTIONS": options}


def leave_read_only_servers(connection: BaseDatabaseWrapper, **kwargs: Any) -> None:
    """Have a connection closed when a write is refused because its server is a standby, or has become read-only.

    Called when a connection is made (`connection_created`). A pool would give it out again; a new one goes to the server
    that takes writes, where the address names several.
    """
    if connection.vendor == "postgresql" and _close_if_read_only not in connection.execute_wrappers:
        connection.execute_wrappers.append(_close_if_read_only)


def _close_if_read_only(execute: Any, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    try:
        return execute(sql, params, many, context)
    except InternalError as fault:
        if getattr(fault.__cause__, "sqlstate", "") == READ_ONLY_SQLSTATE:
            context["connection"].connection.close()
        raise


@contextlib.contextmanager
def probe() -> Iterator[BaseDatabaseWrapper]:
    """Open a connection that says within seconds whether the database answers; raises DatabaseError.

    Those of the pool may be to a server that does not answer any more, and would be waited for. On SQLite, which is a file,
    it is the default connection.
    """
    if connection.vendor == "sqlite":
        yield connection
        return
    settings = settings_for_reading()
    settings["OPTIONS"]["connect_timeout"] = PROBE_SECONDS
    with opened("probe", settings) as probing, transaction.atomic(using="probe"):
        with probing.cursor() as cursor:
            # For this transaction alone: a pooler gives the connection to others after it.
            cursor.execute(f"SET LOCAL statement_timeout = {PROBE_SECONDS * 1000}")
        yield probing


@contextlib.contextmanager
def snapshot() -> Iterator[None]:
    """Read the database, or the standby that is read from, from one consistent snapshot, without blocking writers.

    Inside an open transaction the block joins that transaction.
    """
    connection = reading_connection()
    if connection.in_atomic_block:
        yield
        return
    if connection.vendor == "sqlite":
        # Begun by hand: `atomic` begins as OPTIONS says, and IMMEDIATE would block every writer.
        transaction.set_autocommit(False)
        try:
            with connection.cursor() as cursor:
                cursor.execute("BEGIN DEFERRED")
            with transaction.atomic(savepoint=False):
                yield
        finally:
            transaction.rollback()
            transaction.set_autocommit(True)
        return
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        # READ COMMITTED would let each query see later commits: two sums of one report could differ.
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
