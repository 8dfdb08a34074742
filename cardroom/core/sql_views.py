"""Read-only SQL views of the facts, for auditors and reporting tools. docs/sql.md describes them.

An app declares its views in a module `sql_views`, beside the tables that they read, and registers them in `ready()`. They
are dropped before a `migrate` that changes anything and made anew after it: SQLite refuses to rename a table while a view
reads it, and PostgreSQL refuses to change a column that one reads. Who was granted a view on PostgreSQL has it again then
(`view_grants.py`).

PostgreSQL gives instants in UTC and in the time of the room; SQLite, which has no time zones, in UTC alone.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

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


_registered: defaultdict[str, list[View]] = defaultdict(list)


def register_views(app_label: str, *views: View) -> None:
    """Let `migrate` make these views once all tables are there."""
    _registered[app_label] = list(views)


def registered_views() -> list[View]:
    """Return every registered view."""
    return [view for views in _registered.values() for view in views]


def drop_views(app_config: AppConfig, using: str, **kwargs: Any) -> None:
    """Drop the views of an app, and note who may read them: a receiver of `pre_migrate`. Without a migration to run, none."""
    if kwargs.get("plan") != []:
        with transaction.atomic(using=using):
            _drop(app_config, connections[using])


def make_views(app_config: AppConfig, using: str, **kwargs: Any) -> None:
    """Make the views of an app anew, with the grants that they had: a receiver of `post_migrate`.

    While any app with views lacks tables it makes none.
    """
    connection = connections[using]
    with transaction.atomic(using=using), connection.cursor() as cursor:
        _drop(app_config, connection)
        views = _registered[app_config.label]
        tables = {
            model._meta.db_table for label in _registered for model in apps.get_app_config(label).get_models()
        }
        if not views or not tables <= set(connection.introspection.table_names()):
            return
        dialect = Dialect(connection.vendor)
        for view in views:
            cursor.execute(f"CREATE VIEW {connection.ops.quote_name(view.name)} AS {view.select(dialect)}")
        view_grants.give_again(connection, {view.name for view in views})


def _drop(app_config: AppConfig, connection: BaseDatabaseWrapper) -> None:
    views = [view.name for view in _registered[app_config.label]]
    view_grants.note(connection, views)
    with connection.cursor() as cursor:
        for name in views:
            cursor.execute(f"DROP VIEW IF EXISTS {connection.ops.quote_name(name)}")
