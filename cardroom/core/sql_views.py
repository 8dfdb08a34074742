"""Read-only SQL views of the facts, for auditors and reporting tools. docs/sql.md describes them.

An app declares its views in a module `sql_views`, beside the tables that they read, and registers them in `ready()`. They
are dropped before a `migrate` that changes anything and made anew after it: SQLite refuses to rename a table while a view
reads it, and PostgreSQL refuses to change a column that one reads. Who was granted a view on PostgreSQL has it again then
(`view_grants.py`). A view that something else on PostgreSQL reads, as a view of an operator's own does, is kept meanwhile, and
replaced in its place (`view_dependents.py`).

PostgreSQL gives instants in UTC and in the time of the room; SQLite, which has no time zones, in UTC alone.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any, Final

from django.apps import apps
from django.db import connections, transaction

from . import view_grants

if TYPE_CHECKING:
    from django.apps import AppConfig
    from django.db.backends.base.base import BaseDatabaseWrapper


@dataclasses.dataclass(frozen=True)
class Dialect:
    """The few expressions that the two databases word differently; `vendor` is "sqlite" or "postgresql"."""

    vendor: str

    def instant(self, column: str, name: str, room: str = "room") -> str:
        """The instant in a column as `NAME_utc`, and as `NAME_local` by the clock of the room in row `room`."""
        if self.vendor == "postgresql":
            return f"{column} AS {name}_utc, ({column} AT TIME ZONE {room}.time_zone) AS {name}_local"
        return f"{column} AS {name}_utc"

    def dollars(self, cents: str) -> str:
        """Cents as dollars, with two places after the point."""
        return f"ROUND(({cents}) / 100.0, 2)"

    def elements(self, array: str, name: str) -> str:
        """The elements of the JSON array in column `array`, as rows called `name`; `field` reads them."""
        if self.vendor == "postgresql":
            return f"jsonb_array_elements({array}) AS {name}(value)"
        return f"json_each({array}) AS {name}"

    def field(self, name: str, key: str) -> str:
        """The value under `key` of an element called `name`, null where it has none; a number is to be cast."""
        if self.vendor == "postgresql":
            return f"({name}.value ->> '{key}')"
        return f"json_extract({name}.value, '$.{key}')"

    def staff(self, person: str) -> str:
        """The name of the member of staff whose row is named `person`, as pages show it."""
        return f"COALESCE(NULLIF({person}.display_name, ''), {person}.username)"


@dataclasses.dataclass(frozen=True)
class View:
    """A view: its name, and the SELECT that it stands for in a dialect."""

    name: str
    select: Callable[[Dialect], str]


#: Whatever depends on a view or on its type of rows, but for the view's own parts.
_DEPENDENTS: Final = """
    WITH view AS (
        SELECT oid, relname, reltype FROM pg_class
        WHERE relkind = 'v' AND relnamespace = current_schema()::regnamespace AND relname = ANY(%s)
    )
    SELECT DISTINCT view.relname::text,
           COALESCE(reader.oid::regclass::text, pg_describe_object(classid, objid, objsubid))
    FROM view JOIN pg_depend
        ON (refclassid = 'pg_class'::regclass AND refobjid = view.oid)
        OR (refclassid = 'pg_type'::regclass AND refobjid IN (
            view.reltype, (SELECT typarray FROM pg_type WHERE pg_type.oid = view.reltype)))
    LEFT JOIN pg_rewrite ON classid = 'pg_rewrite'::regclass AND pg_rewrite.oid = objid
    LEFT JOIN pg_class AS reader ON reader.oid = ev_class
    WHERE deptype = 'n' AND ev_class IS DISTINCT FROM view.oid
    ORDER BY 1, 2
"""

_registered: defaultdict[str, list[View]] = defaultdict(list)


def register_views(app_label: str, *views: View) -> None:
    """Let `migrate` make these views once all tables are there."""
    _registered[app_label] = list(views)


def registered_views() -> list[View]:
    """Return every registered view."""
    return [view for views in _registered.values() for view in views]


def drop_views(app_config: AppConfig, using: str, **kwargs: Any) -> None:
    """Drop the views of an app that nothing reads, and note who may read them: a receiver of `pre_migrate`.

    Without a migration to run, none.
    """
    if kwargs.get("plan") != []:
        with transaction.atomic(using=using):
            _drop(app_config, connections[using])


def make_views(app_config: AppConfig, using: str, **kwargs: Any) -> None:
    """Make the views of an app anew, with the grants that they had: a receiver of `post_migrate`.

    Those that something reads are replaced in their place. While any app with views lacks tables it makes none.
    """
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        kept = _drop(app_config, connection)
        views = _registered[app_config.label]
        tables = {
            model._meta.db_table for label in _registered for model in apps.get_app_config(label).get_models()
        }
        if not views or not tables <= set(connection.introspection.table_names()):
            return
        dialect = Dialect(connection.vendor)
        for view in views:
            create = "CREATE OR REPLACE VIEW" if view.name in kept else "CREATE VIEW"
            cursor.execute(f"{create} {connection.ops.quote_name(view.name)} AS {view.select(dialect)}")
        view_grants.give_again(connection, {view.name for view in views})


def dependents(connection: BaseDatabaseWrapper, views: Collection[str]) -> dict[str, list[str]]:
    """What else in the database is made of `views`, by view: views and materialized views of others, functions and the like.

    A view that nothing is made of is left out. SQLite keeps no such record.
    """
    if connection.vendor != "postgresql":
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_DEPENDENTS, [list(views)])
        found: defaultdict[str, list[str]] = defaultdict(list)
        for view, dependent in cursor.fetchall():
            found[view].append(dependent)
        return dict(found)


def _drop(app_config: AppConfig, connection: BaseDatabaseWrapper) -> Collection[str]:
    """Drop the views of an app but for those that something reads, which are returned."""
    views = {view.name for view in _registered[app_config.label]}
    kept = dependents(connection, views).keys()
    view_grants.note(connection, views - kept)
    with connection.cursor() as cursor:
        for name in sorted(views - kept):
            cursor.execute(f"DROP VIEW IF EXISTS {connection.ops.quote_name(name)}")
    return kept
