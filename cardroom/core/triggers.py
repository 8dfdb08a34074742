"""Database triggers that refuse to change or remove rows: the second guard behind every append-only table.

A model declares what its table refuses, beside its columns and constraints:

    class Offer(models.Model):
        guards = append_only()

    class Round(models.Model):
        guards = (
            Guard("UPDATE", "a settled round never changes", when="OLD.state = 'settled'"),
            Guard("DELETE", "a round is never deleted"),
        )

`install` makes the triggers of an app's models; it runs after each `migrate` and replaces those that are there, so that a
guard that was changed, or that SQLite lost when Django built a table anew, is in force again. A refused statement raises
`django.db.IntegrityError` with the message on both databases.

A trap: SQLite's REPLACE removes rows without firing DELETE triggers unless the connection has
`PRAGMA recursive_triggers = ON`.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connections, transaction

if TYPE_CHECKING:
    from django.apps import AppConfig
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.models import Model

PREFIX = "refuse_"
_LONGEST_NAME = 63  # PostgreSQL cuts longer identifiers off without an error


class Trigger(NamedTuple):
    """A trigger's name, and the SQL that makes and removes it: run it without parameters (`%` stays `%`)."""

    name: str
    create_sql: str
    drop_sql: str


def refuse(
    table: str,
    *,
    events: Sequence[str] = ("UPDATE", "DELETE"),
    when: str | None = None,
    message: str,
    truncate: bool = True,
    vendor: str,
) -> list[Trigger]:
    """Return the triggers by which `table` refuses `events` on rows where `when` holds (without it, on all).

    `when` is an SQL condition on OLD (for UPDATE and INSERT on NEW too or alone) that both databases read alike, or
    that the caller words by `vendor` ("sqlite" or "postgresql"). It looks at the row alone: PostgreSQL takes no
    subquery there. `truncate` guards the whole table against TRUNCATE,
    regardless of `when`; SQLite has no such statement. `message` says what is refused and what to do instead.

    One table takes one condition an event: trigger names are `refuse_<event>_<table>`.
    Raises ValueError for another vendor or event, and for a name that is too long for PostgreSQL.
    """
    if vendor not in _WRITERS:
        raise ValueError(f"triggers are written for {' and '.join(_WRITERS)}, not for {vendor!r}")
    if unknown := set(events) - {"INSERT", "UPDATE", "DELETE"}:
        raise ValueError(f"a trigger refuses INSERT, UPDATE or DELETE, not {', '.join(sorted(unknown))}")
    triggers = [_WRITERS[vendor](table, event, when, message) for event in events]
    if truncate and vendor == "postgresql":
        triggers.append(_on_postgresql(table, "TRUNCATE", None, message))
    for trigger in triggers:
        if len(trigger.name) > _LONGEST_NAME:
            raise ValueError(f"trigger name {trigger.name!r} is longer than {_LONGEST_NAME} characters")
    return triggers


def changed(*columns: str, vendor: str) -> str:
    """Return the condition that an UPDATE gives one of `columns` another value; NULL counts as a value."""
    differs = "IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM"
    return "(" + " OR ".join(f'OLD."{column}" {differs} NEW."{column}"' for column in columns) + ")"


@dataclasses.dataclass(frozen=True)
class Guard:
    """What the table of a model refuses: one `event` (UPDATE, DELETE or INSERT), on rows where `when` holds.

    `when` is an SQL condition on OLD and NEW, or a function that words it for a vendor. `message` says what is refused
    and what to do instead; the name of the table is put before it. To refuse DELETE is to refuse TRUNCATE too.
    """

    event: str
    message: str
    when: str | Callable[[str], str] | None = None

    def triggers(self, table: str, vendor: str) -> list[Trigger]:
        """Return the triggers of `table` for `vendor` ("sqlite" or "postgresql")."""
        return refuse(
            table,
            events=(self.event,),
            when=self.when(vendor) if callable(self.when) else self.when,
            message=f"{table}: {self.message}",
            truncate=self.event == "DELETE",
            vendor=vendor,
        )


#: The message of a refused change or deletion, where the table gives none of its own.
CORRECTED_BY_NEW_FACTS = "facts are append-only; a correction is a new command"


def append_only(message: str = CORRECTED_BY_NEW_FACTS) -> tuple[Guard, ...]:
    """Return the guards of a table whose rows never change and never go."""
    return Guard("UPDATE", message), Guard("DELETE", message)


def declared(models: Iterable[type[Model]], vendor: str) -> list[Trigger]:
    """Return the triggers that the guards of `models` ask for."""
    return [
        trigger
        for model in models
        for guard in getattr(model, "guards", ())
        for trigger in guard.triggers(model._meta.db_table, vendor)
    ]


def install(app_config: AppConfig, using: str, **kwargs: Any) -> None:
    """Make the triggers of an app's models, replacing those that are there: a receiver of `post_migrate`."""
    connection = connections[using]
    tables = set(connection.introspection.table_names())
    models = [model for model in app_config.get_models() if model._meta.db_table in tables]
    replace(connection, declared(models, connection.vendor))


def replace(connection: BaseDatabaseWrapper, triggers: Iterable[Trigger]) -> None:
    """Drop each of the triggers if it exists, and create it."""
    with transaction.atomic(using=connection.alias):
        _run(connection, [sql for trigger in triggers for sql in (trigger.drop_sql, trigger.create_sql)])


class CurrentTrigger(NamedTuple):
    """A trigger in force, and the SQL that lifts it for a while and restores it unchanged."""

    name: str
    table: str
    lift_sql: str
    restore_sql: str


def current_triggers(connection: BaseDatabaseWrapper) -> list[CurrentTrigger]:
    """Return the refusing triggers in force now, by name, read from the database's own catalogue."""
    with connection.cursor() as cursor:
        cursor.execute(_CATALOGUES[connection.vendor])
        return [CurrentTrigger(*row) for row in cursor.fetchall() if row[0].startswith(PREFIX)]


@contextlib.contextmanager
def triggers_lifted(connection: BaseDatabaseWrapper, tables: Collection[str] | None = None) -> Iterator[None]:
    """Take the refusing triggers of these tables, or of all, away and put the same ones back: for tests alone."""
    current = current_triggers(connection)
    triggers = [trigger for trigger in current if tables is None or trigger.table in tables]
    _run(connection, [trigger.lift_sql for trigger in triggers])
    try:
        yield
    finally:
        _run(connection, [trigger.restore_sql for trigger in triggers])


def _run(connection: BaseDatabaseWrapper, queries: list[str]) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A table whose deferred foreign keys are still to be checked in this transaction cannot be altered.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        for query in queries:
            cursor.execute(query)


def _on_sqlite(table: str, event: str, when: str | None, message: str) -> Trigger:
    name = _name(table, event)
    condition = f" WHEN {when}" if when else ""
    create = (
        f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" FOR EACH ROW{condition} '
        f"BEGIN SELECT RAISE(ABORT, {_literal(message)}); END"
    )
    return Trigger(name, create, f'DROP TRIGGER IF EXISTS "{name}"')


def _on_postgresql(table: str, event: str, when: str | None, message: str) -> Trigger:
    name = _name(table, event)
    # MESSAGE instead of a format string: a format would read every % of the message. The error class of
    # integrity violations makes Django raise IntegrityError, as it does for SQLite's RAISE(ABORT).
    body = f"BEGIN RAISE EXCEPTION USING MESSAGE = {_literal(message)}, ERRCODE = '23000'; END"
    each = "STATEMENT" if event == "TRUNCATE" else "ROW"
    condition = f" WHEN ({when})" if when else ""
    create = (
        f'CREATE OR REPLACE FUNCTION "{name}"() RETURNS trigger LANGUAGE plpgsql AS {_literal(body)}; '
        f'CREATE TRIGGER "{name}" BEFORE {event} ON "{table}" FOR EACH {each}{condition} '
        f'EXECUTE FUNCTION "{name}"()'
    )
    drop = f'DROP TRIGGER IF EXISTS "{name}" ON "{table}"; DROP FUNCTION IF EXISTS "{name}"()'
    return Trigger(name, create, drop)


_WRITERS: dict[str, Callable[[str, str, str | None, str], Trigger]] = {
    "sqlite": _on_sqlite,
    "postgresql": _on_postgresql,
}

# SQLite cannot disable a trigger, but keeps its text. PostgreSQL can, and must: it writes a trigger's text
# anew from what it has parsed, not quite the same each time.
_CATALOGUES = {
    "sqlite": """
        SELECT name, tbl_name, 'DROP TRIGGER "' || name || '"', sql
        FROM sqlite_master WHERE type = 'trigger' ORDER BY name
    """,
    "postgresql": """
        SELECT tgname,
               relname,
               format('ALTER TABLE %I DISABLE TRIGGER %I', relname, tgname),
               format('ALTER TABLE %I ENABLE TRIGGER %I', relname, tgname)
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE NOT tgisinternal AND tgenabled <> 'D' AND pg_table_is_visible(tgrelid) ORDER BY tgname
    """,
}


def _name(table: str, event: str) -> str:
    return f"{PREFIX}{event.lower()}_{table}"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
