"""Worlds that many tests begin with: built once by the services, and put back row by row for the tests after.

Opening a room takes some forty commands. Their rows are the same for every test, so that they are noted when a world is
built for the first time in a process, and written again by plain INSERTs afterwards: the triggers of the database and
its constraints see them as any other rows. A world is kept for a minute of the clock that the test sees, so that what
it holds happened just now, or for as long as its tests allow; a test that sets the clock has its own built.
"""

from __future__ import annotations

import dataclasses
import datetime
import pickle
from collections.abc import Callable
from typing import Any, TypeVar

from django.apps import apps
from django.db import connection, transaction
from django.utils import timezone

World = TypeVar("World")

FRESH = datetime.timedelta(minutes=1)


@dataclasses.dataclass(frozen=True)
class _Kept:
    """A world as it was built at `at`: the rows of each table with their columns, and its objects."""

    at: datetime.datetime
    rows: dict[str, tuple[list[str], list[tuple[Any, ...]]]]
    objects: bytes


_kept: dict[tuple[str, str], _Kept] = {}


def kept(build: Callable[[], World], *, fresh: datetime.timedelta = FRESH) -> World:
    """Return what `build` makes in an empty house, with its rows in the database; built anew when older than `fresh`.

    `build` is a function of a module, or a class: its name stands for what it makes.
    """
    if _written(_tables()):
        return build()  # somebody is there already, whose rows it might go by
    name = (build.__module__, build.__qualname__)
    found = _kept.get(name)
    if found is None or not datetime.timedelta() <= timezone.now() - found.at < fresh:
        at = timezone.now()
        world = build()
        _kept[name] = _Kept(at, {table: _rows(table) for table in _written(_tables())}, pickle.dumps(world))
        return world
    _put_back(found)
    return pickle.loads(found.objects)  # its own bytes, of this process


def _tables() -> list[str]:
    """The tables of the house's models, less those that a migrated database has rows in."""
    models = apps.get_models(include_auto_created=True)
    return sorted(
        {model._meta.db_table for model in models if model._meta.managed}
        - {"django_content_type", "auth_permission"}
    )


def _written(tables: list[str]) -> list[str]:
    """Those of the tables that hold any row; one query."""
    name = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + ", ".join(f"EXISTS (SELECT 1 FROM {name(table)})" for table in tables))
        return [table for table, holds in zip(tables, cursor.fetchone(), strict=True) if holds]


def _rows(table: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # our own table
        return [column[0] for column in cursor.description], [
            tuple(_plain(value) for value in row) for row in cursor.fetchall()
        ]


def _plain(value: Any) -> Any:
    """A value as the database takes it: SQLite's driver reads instants as such and writes text."""
    if connection.vendor != "sqlite":
        return value
    if isinstance(value, datetime.datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value


def _put_back(world: _Kept) -> None:
    name = connection.ops.quote_name
    with transaction.atomic(), connection.cursor() as cursor:
        for table, (columns, rows) in world.rows.items():
            into = f"{name(table)} ({', '.join(map(name, columns))})"
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", rows)  # our own table
