"""Statements as PostgreSQL counts them (pg_stat_statements, `track = all`): what clients send, and what triggers run for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

import psycopg

from tests.servers.postgres import Postgres

#: What a server counts with.
SETTINGS = {
    "shared_preload_libraries": "pg_stat_statements",
    "pg_stat_statements.track": "all",
    "pg_stat_statements.max": "10000",
}
#: Kinds of statements, each with the words for it.
KINDS = {
    "read": "rows read",
    "written": "rows written",
    "control": "begin, commit, savepoint, timeouts",
    "foreign keys": "foreign keys checked by PostgreSQL, one of a row and key",
    "triggers": "other statements of triggers",
}
#: How PostgreSQL words a check (ri_triggers.c), the constant 1 replaced by a parameter.
_KEY_CHECK = re.compile(r'SELECT \S+ FROM ONLY "\w+"\."\w+" x .* FOR KEY SHARE OF x$', re.DOTALL)
_COUNT = """
    SELECT query, toplevel, calls, total_exec_time
    FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid
    WHERE datname = 'cardroom'
"""


class Statements(NamedTuple):
    """How often statements of each kind were carried out, and the milliseconds that they took in PostgreSQL.

    `clients` are those that clients sent, by their text. Checks of foreign keys are not told apart by
    the table that they lead to: PostgreSQL 18 counts all of them as one statement.
    """

    calls: Counter[str]
    milliseconds: Counter[str]
    clients: Counter[str]


class Counting:
    """What a server has counted since the last time that it was asked."""

    def __init__(self, server: Postgres) -> None:
        self._connection: psycopg.Connection = server.connect()
        self._connection.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")

    def of(self, act: Callable[[], object]) -> Statements:
        """Carry out `act` and return the statements of the site's database meanwhile."""
        self._connection.execute("SELECT pg_stat_statements_reset()")
        act()
        calls: Counter[str] = Counter()
        milliseconds: Counter[str] = Counter()
        clients: Counter[str] = Counter()
        for query, toplevel, times, took in self._connection.execute(_COUNT):
            kind = kind_of(query, toplevel=toplevel)
            calls[kind] += times
            milliseconds[kind] += took
            if toplevel and kind != "foreign keys":
                clients[query] += times
        return Statements(calls, milliseconds, clients)

    def close(self) -> None:
        """Hang up."""
        self._connection.close()


def kind_of(query: str, *, toplevel: bool) -> str:
    """Return the kind of a statement; `toplevel` is false of what a trigger runs in the midst of another statement.

    Django's foreign keys are checked as a transaction commits, in the midst of none.
    """
    if _KEY_CHECK.match(query):
        return "foreign keys"
    if not toplevel:
        return "triggers"
    words = query.split(None, 1)[0].upper()
    if words == "SELECT":
        return "control" if "set_config" in query else "read"
    return "written" if words in ("INSERT", "UPDATE", "DELETE") else "control"
