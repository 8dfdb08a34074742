"""DATABASES entries: the default database, and further aliases that a command opens."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend

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


def database_settings(database: Database) -> dict[str, Any]:
    """Return an entry of the DATABASES setting."""
    options = SQLITE_OPTIONS if database.engine == "sqlite3" else database.options or {}
    return {
        "ENGINE": f"django.db.backends.{database.engine}",
        "NAME": database.name,
        "USER": database.user,
        "PASSWORD": database.password,
        "HOST": database.host,
        "PORT": database.port or "",
        "OPTIONS": dict(options),
        "CONN_HEALTH_CHECKS": True,
    }


def format_database(opened_to: BaseDatabaseWrapper) -> str:
    """Say which database a connection is to: its kind, name and server, never user or password."""
    settings = opened_to.settings_dict
    if opened_to.vendor == "sqlite":
        return f"SQLite file {settings['NAME']}"
    server = settings["HOST"] or "this machine"
    port = f":{settings['PORT']}" if settings["PORT"] else ""
    return f"{opened_to.display_name} database {settings['NAME']!r} at {server}{port}"


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


@contextlib.contextmanager
def snapshot() -> Iterator[None]:
    """Read the default database from one consistent snapshot inside the block, without blocking writers.

    Inside an open transaction the block joins that transaction.
    """
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
    with transaction.atomic(), connection.cursor() as cursor:
        # READ COMMITTED would let each query see later commits: two sums of one report could differ.
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
