"""Worlds that many tests begin with: built once by the services, and put back row by row for the tests after.

Opening a room takes some forty commands. Their rows are the same for every test, so that they are noted when a world is
built for the first time in a process, and written again by plain INSERTs afterwards: the triggers of the database and
its constraints see them as any other rows.

A world serves for a minute of the clock that the test sees, so that what it holds happened just now, or for as long as
its tests allow, and never in another gaming day than its own. On the suite's clock (`tests.clock`) it is built in the
seconds before noon, where every test begins, and so serves the whole run; a few that were built on clocks of their own
are kept beside it.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import pickle
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any, TypeVar

import time_machine
from django.db import connection, transaction
from django.utils import timezone

from tests.clock import DAY_BEGINS, NOON, ZONE
from tests.databases import written

World = TypeVar("World")

FRESH = datetime.timedelta(minutes=1)
#: How long before noon a world is built that is to serve tests that begin at noon.
_BEFORE = datetime.timedelta(seconds=20)


@dataclasses.dataclass(frozen=True)
class _Kept:
    """A world as it was built from `at` to `done`: the rows of each table with their columns, and its objects."""

    at: datetime.datetime
    done: datetime.datetime
    rows: dict[str, tuple[list[str], list[tuple[Any, ...]]]]
    objects: bytes

    def serves(self, now: datetime.datetime, fresh: datetime.timedelta) -> bool:
        """Tell whether a test may begin with it now: nothing in it lies ahead, as it might where one world builds on another."""
        return self.done <= now < self.at + fresh and _day(now) == _day(self.at)


_kept: defaultdict[tuple[object, ...], deque[_Kept]] = defaultdict(lambda: deque(maxlen=4))


def kept(build: Callable[..., World], *given: str, fresh: datetime.timedelta = FRESH) -> World:
    """Return what `build(*given)` makes in an empty site, with its rows in the database; built anew when older than `fresh`.

    `build` is a function of a module, or a class: its name stands for what it makes, with what it is given.
    """
    if written(connection):
        return build(*given)  # somebody is there already, whose rows it might go by
    now, worlds = timezone.now(), _kept[build.__module__, build.__qualname__, *given]
    for found in worlds:
        if found.serves(now, fresh):
            _put_back(found)
            return pickle.loads(found.objects)  # its own bytes, of this process
    if not NOON <= now < NOON + FRESH - _BEFORE:
        return _noted(functools.partial(build, *given), worlds)
    before = max(_BEFORE, fresh / 60)  # one that takes long to build is done by noon too, on a busy machine
    with time_machine.travel((NOON - before).timestamp()):
        return _noted(functools.partial(build, *given), worlds)


def _noted(build: Callable[[], World], worlds: deque[_Kept]) -> World:
    """Build a world and add it to those that are kept."""
    at, world = timezone.now(), build()
    worlds.append(
        _Kept(at, timezone.now(), {table: _rows(table) for table in written(connection)}, pickle.dumps(world))
    )
    return world


def _day(instant: datetime.datetime) -> datetime.date:
    """The gaming day of a room of the suite."""
    local = instant.astimezone(ZONE)
    return local.date() - datetime.timedelta(days=local.time() < DAY_BEGINS)


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
