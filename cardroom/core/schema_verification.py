"""Verifies the database schema: tables, constraints, indexes, triggers and views, compared with what the models declare.

Triggers and constraints are what keeps facts facts, and whoever owns the database can take them away, change rows and
put something like them back. So the same database makes the schema from the models once more, in a scratch that is thrown
away (on SQLite a database in memory, on PostgreSQL temporary tables in a transaction that is rolled back), and both
are compared as the database itself words them. What PostgreSQL keeps outside a schema and switches triggers off by is
read beside it: `session_replication_role` of server, databases and roles, and the triggers that enforce foreign keys.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.db import connection, connections, transaction
from django.db.models import Model

from cardroom.config.databases import SQLITE_OPTIONS, opened

from .sql_views import Dialect, registered_views
from .triggers import declared

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

#: What each object of a schema is, in the database's own words, by kind, table and name.
Schema = Mapping[tuple[str, str, str], str]

_SCRATCH: Final = "scratch_schema"

_OF_SQLITE: Final = "SELECT type, tbl_name, name, sql FROM sqlite_master WHERE sql IS NOT NULL"

#: Of one schema of PostgreSQL, named by a placeholder that is filled with an expression of our own.
_OF_POSTGRESQL: Final = (
    """
    SELECT 'column', relname, attname,
           format_type(atttypid, atttypmod) || CASE WHEN attnotnull THEN ' not null' ELSE '' END || attidentity::text
           || coalesce(' default ' || pg_get_expr(adbin, adrelid), '')
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = {schema} AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
    """,
    """
    SELECT 'constraint', relname, conname,
           pg_get_constraintdef(pg_constraint.oid) || CASE WHEN convalidated THEN '' ELSE ' not valid' END
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid WHERE relnamespace = {schema} AND contype <> 't'
    """,
    """
    SELECT 'index', tables.relname, indexes.relname, pg_get_indexdef(indexrelid)
    FROM pg_index JOIN pg_class AS indexes ON indexes.oid = indexrelid JOIN pg_class AS tables ON tables.oid = indrelid
    WHERE tables.relnamespace = {schema}
    """,
    """
    SELECT 'trigger', relname, tgname,
           pg_get_triggerdef(pg_trigger.oid)
           || CASE tgenabled WHEN 'O' THEN '' WHEN 'D' THEN ' disabled' WHEN 'R' THEN ' fires on a replica alone'
              ELSE ' fires on a replica too' END
           || ' ' || prosrc
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE relnamespace = {schema} AND NOT tgisinternal
    """,
    """
    SELECT 'view', relname, relname, pg_get_viewdef(oid)
    FROM pg_class WHERE relnamespace = {schema} AND relkind IN ('v', 'm')
    """,
    """
    SELECT 'rule', relname, rulename, pg_get_ruledef(pg_rewrite.oid)
    FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class WHERE relnamespace = {schema} AND rulename <> '_RETURN'
    """,
)
#: Where `session_replication_role = replica` is set, by which no trigger fires: in words, for who verifies and for all others.
_REPLICAS: Final = """
    SELECT 'this session, by ' || source FROM pg_settings
    WHERE name = 'session_replication_role' AND 'replica' IN (setting, reset_val)
    UNION ALL
    SELECT concat_ws(', ', 'database ' || datname, 'role ' || rolname)
    FROM pg_db_role_setting LEFT JOIN pg_database ON pg_database.oid = setdatabase
    LEFT JOIN pg_roles ON pg_roles.oid = setrole
    WHERE 'session_replication_role=replica' = ANY (setconfig)
          AND (setdatabase = 0 OR datname = current_database())
    UNION ALL
    SELECT 'function ' || proname FROM pg_proc WHERE 'session_replication_role=replica' = ANY (proconfig)
    ORDER BY 1
"""
#: Foreign keys hold by triggers of PostgreSQL's own, which `DISABLE TRIGGER ALL` switches off.
_FOREIGN_KEYS_OFF: Final = """
    SELECT DISTINCT tables.relname, conname
    FROM pg_trigger JOIN pg_class AS tables ON tables.oid = tgrelid JOIN pg_constraint ON pg_constraint.oid = tgconstraint
    WHERE tables.relnamespace = current_schema()::regnamespace AND tgisinternal AND tgenabled <> 'O'
    ORDER BY 1, 2
"""
#: What parts the text of a table on SQLite: brackets and commas, none of which count inside quotes.
_MARKS: Final = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[(),]""")
#: `('drop'::character varying)::text` and `(ARRAY['drop'::character varying, …])::text[]`, each without its cast.
_VALUE_AS_TEXT: Final = re.compile(r"\(('(?:[^']|'')*'::character varying)\)::text\b(?!\[)")
_LIST_AS_TEXT: Final = re.compile(r"\((ARRAY\[(?:'(?:[^']|'')*'|[^\]'])*\])\)::text\[\]")
_PREFIX: Final = re.compile(r"\b(?:pg_temp(?:_\d+)?|public)\.")


def schema_verify() -> Iterator[str]:
    """Yield every table, column, constraint, index, trigger and view that is not as the models declare it."""
    if connection.vendor == "sqlite":
        found, expected = _sqlite(connection), _expected_of_sqlite()
    else:
        found, expected = (
            _postgresql(connection, "current_schema()::regnamespace::oid"),
            _expected_of_postgresql(),
        )
    tables = {model._meta.db_table for model in _models() if model.__module__.startswith("cardroom.")}
    tables |= {view.name for view in registered_views()}
    for key in sorted(found.keys() | expected.keys()):
        kind, table, name = key
        if table not in tables and kind not in ("trigger", "rule"):
            continue  # of a package, whose migrations go their own way, or of somebody else in the same database
        named = f"{kind} {name} of {table}" if name != table else f"{kind} {name}"
        if key not in found:
            yield f"{named}: is declared, and the database has none"
        elif key not in expected:
            yield f"{named}: no model declares it"
        elif found[key] != expected[key]:
            yield f"{named}: is not as declared: {found[key]} instead of {expected[key]}"
    if connection.vendor == "postgresql":
        yield from _switched_off(connection, tables)


def _switched_off(database: BaseDatabaseWrapper, tables: Collection[str]) -> Iterator[str]:
    """Yield what keeps triggers from firing that are there as declared."""
    with database.cursor() as cursor:
        cursor.execute(_REPLICAS)
        for (where,) in cursor.fetchall():
            yield f"session_replication_role is replica for {where}: no trigger refuses anything there, and no foreign key holds"
        cursor.execute(_FOREIGN_KEYS_OFF)
        for table, name in cursor.fetchall():
            if table in tables:
                yield f"constraint {name} of {table}: its triggers are disabled, so that it holds nothing"


def _models() -> list[type[Model]]:
    return [model for model in apps.get_models() if model._meta.managed]


def _made(scratch: BaseDatabaseWrapper, functions_in: str = "") -> None:
    """Make tables, triggers and views of the models."""
    with scratch.schema_editor(atomic=False) as editor:
        for model in _models():
            editor.create_model(model)
    dialect = Dialect(scratch.vendor)
    with scratch.cursor() as cursor:
        for trigger in declared(_models(), scratch.vendor):
            # PostgreSQL finds a function in the schema of temporary tables only by its qualified name.
            sql = trigger.create_sql
            for word in ("REPLACE FUNCTION ", "EXECUTE FUNCTION "):
                sql = sql.replace(f'{word}"{trigger.name}"', f'{word}{functions_in}"{trigger.name}"')
            cursor.execute(sql)
        for view in registered_views():
            cursor.execute(f"CREATE VIEW {scratch.ops.quote_name(view.name)} AS {view.select(dialect)}")


def _sqlite(database: BaseDatabaseWrapper) -> Schema:
    with database.cursor() as cursor:
        cursor.execute(_OF_SQLITE)
        # The columns of a table may be in another order: a migration adds them at the end.
        return {
            (kind, table, name): ", ".join(sorted(_parts(sql))) if kind == "table" else sql
            for kind, table, name, sql in cursor.fetchall()
        }


def _parts(sql: str) -> list[str]:
    """The columns and constraints of a table's text, each whole: a list of values inside one of them is not taken apart."""
    head, _, inside = sql.partition("(")
    parts, begin, depth = [head], 0, 0
    for found in _MARKS.finditer(inside):
        depth += {"(": 1, ")": -1}.get(found[0], 0)
        if (found[0] == "," and depth == 0) or depth < 0:
            parts.append(inside[begin : found.start()].strip())
            begin = found.end()
    return [*parts, inside[begin:].strip()]


# The models do not change while a process runs, and PostgreSQL takes more than a second to make their tables: a worker that
# verifies again and again makes them once.
@functools.cache
def _expected_of_sqlite() -> Schema:
    settings: dict[str, Any] = {"NAME": ":memory:", "OPTIONS": dict(SQLITE_OPTIONS)}
    with opened(_SCRATCH, settings) as scratch:
        scratch.disable_constraint_checking()
        _made(connections[_SCRATCH])
        return _sqlite(scratch)


@functools.cache
def _expected_of_postgresql() -> Schema:
    with scratch_of_postgresql() as scratch:
        return _postgresql(scratch, "pg_my_temp_schema()")


@contextlib.contextmanager
def scratch_of_postgresql() -> Iterator[BaseDatabaseWrapper]:
    """Tables, triggers and views of the models in the schema of temporary tables (`pg_my_temp_schema()`), inside the block."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL search_path = pg_temp")
        _made(connection, "pg_temp.")
        yield connection
        transaction.set_rollback(True)


def _postgresql(database: BaseDatabaseWrapper, schema: str) -> Schema:
    found: dict[tuple[str, str, str], str] = {}
    with database.cursor() as cursor:
        for query in _OF_POSTGRESQL:
            cursor.execute(query.format(schema=schema))
            for kind, table, name, words in cursor.fetchall():
                found[kind, table, name] = _worded(words)
    return found


def _worded(words: str) -> str:
    """Words of PostgreSQL in one form: read again from its own words (`pg_dump`), a list of texts is cast value by value."""
    return _LIST_AS_TEXT.sub(r"\1", _VALUE_AS_TEXT.sub(r"\1", _PREFIX.sub("", words)))
