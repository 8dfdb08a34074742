"""Databases in Django's words: the one of the settings, and further ones that a command opens beside it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend

from cardroom.config.environment import Database

#: How the house runs on SQLite.
SQLITE_OPTIONS: Mapping[str, Any] = {
    # A transaction takes the write lock when it begins: with DEFERRED, two that read first and write later
    # fail at once with "database is locked", whatever the timeout.
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    # Without recursive_triggers, REPLACE would remove append-only rows behind the back of their DELETE triggers.
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


@contextlib.contextmanager
def opened(alias: str, settings: Mapping[str, Any]) -> Iterator[BaseDatabaseWrapper]:
    """Open a further database under an alias, in this thread, and close it after the block."""
    whole = {**connections.settings["default"], **settings}
    connections[alias] = load_backend(whole["ENGINE"]).DatabaseWrapper(whole, alias)
    try:
        yield connections[alias]
    finally:
        connections[alias].close()
        del connections[alias]


def settings_for_reading() -> dict[str, Any]:
    """Return settings that open the house's own database a second time, for a long look that holds nobody up."""
    own = connections.settings["default"]
    options = {name: value for name, value in own["OPTIONS"].items() if name != "pool"}
    if own["ENGINE"].endswith("sqlite3"):
        options["transaction_mode"] = "DEFERRED"  # IMMEDIATE would keep every writer out
    return {"OPTIONS": options}


@contextlib.contextmanager
def snapshot() -> Iterator[None]:
    """Read the house's own database, inside the block, as it stood at one instant; nobody who writes is held up by it.

    Inside a transaction that is open already the block is a part of that one.
    """
    if connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    own: Any = connections["default"]
    if own.vendor == "sqlite":
        usual = own.transaction_mode
        own.transaction_mode = "DEFERRED"  # IMMEDIATE would keep every writer out
        try:
            with transaction.atomic():
                yield
        finally:
            own.transaction_mode = usual
        return
    with transaction.atomic(), connection.cursor() as cursor:
        # Without it, each query would see what was committed until then: two sums of one report could differ.
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
