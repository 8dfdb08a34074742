"""What an operator built on our SQL views in PostgreSQL, and the refusal of a `migrate` that would have to take it away.

PostgreSQL drops no view that others read. So a view of ours that something reads is kept while `migrate` runs, and replaced
in its place once the tables are changed (`sql_views.py`). That is possible where the columns that it has stay as they are,
in their order, and new ones come after them, and where no column of a table that it reads is changed. Elsewhere `migrate`
is refused before anything is changed.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.core.management.base import CommandError
from django.db import connections

from .schema_verification import scratch_of_postgresql
from .sql_views import dependents, registered_views

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper

_DOCS: Final = "docs/sql.md#views-of-your-own"
#: The columns of each table and view of a schema, in their order, with their types.
_COLUMNS: Final = """
    SELECT relname, attname, format_type(atttypid, atttypmod)
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = {schema} AND relkind IN ('r', 'p', 'v') AND attnum > 0 AND NOT attisdropped
    ORDER BY relname, attnum
"""
#: The columns of tables that a view reads.
_READ: Final = """
    SELECT DISTINCT tables.relname, attname
    FROM pg_rewrite JOIN pg_depend ON classid = 'pg_rewrite'::regclass AND objid = pg_rewrite.oid
    JOIN pg_class AS tables ON refclassid = 'pg_class'::regclass AND refobjid = tables.oid AND tables.oid <> ev_class
    JOIN pg_attribute ON attrelid = tables.oid AND attnum = refobjsubid
    WHERE ev_class = to_regclass(%s) AND tables.relnamespace = current_schema()::regnamespace
    ORDER BY 1, 2
"""


class _Column(NamedTuple):
    name: str
    type: str


_Columns = Mapping[str, list[_Column]]


def refuse_migrate(using: str, **kwargs: Any) -> None:
    """Refuse `migrate` where something reads a view of ours that cannot be replaced in its place: a receiver of `pre_migrate`.

    Raises CommandError, which names each view, what reads it, and what to do.
    """
    connection = connections[using]
    if connection.vendor != "postgresql":
        return
    read_by = dependents(connection, {view.name for view in registered_views()})
    if not read_by:
        return
    now = _columns(connection, "current_schema()::regnamespace")
    stopped = {view: why for view in read_by if (why := _why_not_replace(connection, view, now, _declared()))}
    if not stopped:
        return
    lines = [f"{_listed(read_by[view])} reads the view {view}, and {why}." for view, why in stopped.items()]
    theirs = sorted({name for view in stopped for name in read_by[view]})
    raise CommandError(
        "\n".join(lines) + "\nSo migrate was not begun, and nothing has changed. Keep how "
        f"{_listed(theirs)} is made (pg_dump --schema-only has it, with its grants), drop it, migrate, and make it again ({_DOCS})."
    )


def _why_not_replace(connection: BaseDatabaseWrapper, view: str, now: _Columns, then: _Columns) -> str | None:
    """Why a view cannot be replaced in its place by what this version declares; None where it can."""
    if other := _first_other(now[view], then[view]):
        column, after = other
        return f"its column {column} {f'becomes {after}' if after else 'goes'}"
    with connection.cursor() as cursor:
        cursor.execute(_READ, [connection.ops.quote_name(view)])
        for table, name in cursor.fetchall():
            types = {each.name: each.type for each in then.get(table, [])}
            [before] = [each for each in now[table] if each.name == name]
            if types.get(name) != before.type:
                what = f"becomes {types[name]}" if name in types else "goes"
                return f"column {name} ({before.type}) of table {table}, which it is made of, {what}"
    return None


def _first_other(now: list[_Column], then: list[_Column]) -> tuple[str, str] | None:
    """The first column of a view that is another in a later version, and what it is there; "" where it has none there."""
    for place, column in enumerate(now):
        after = then[place] if place < len(then) else None
        if column != after:
            return f"{column.name} ({column.type})", f"{after.name} ({after.type})" if after else ""
    return None


def _columns(connection: BaseDatabaseWrapper, schema: str) -> _Columns:
    found: defaultdict[str, list[_Column]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_COLUMNS.format(schema=schema))
        for relation, name, kind in cursor.fetchall():
            found[relation].append(_Column(name, kind))
    return found


# The models do not change while a process runs, and `pre_migrate` is sent for each app.
@functools.cache
def _declared() -> _Columns:
    """The columns of every table and view as this version declares them."""
    with scratch_of_postgresql() as scratch:
        return _columns(scratch, "pg_my_temp_schema()")


def _listed(names: Collection[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
