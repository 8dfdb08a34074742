"""Instants as they come out of PostgreSQL, read by the driver's compiled code.

Django has a reader of its own, which takes each instant apart in Python and then puts UTC to it: of a report that reads
thirty thousand of them it was a third. The house speaks UTC with its databases and no other zone, so that what the driver
reads is what Django would make of it: the same instants, in `datetime.UTC`.
"""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created


def connect() -> None:
    """Have every connection to PostgreSQL that is opened from now on read instants so."""
    connection_created.connect(_opened, dispatch_uid="cardroom.instants")


def _opened(connection: BaseDatabaseWrapper, **_: Any) -> None:
    if connection.vendor != "postgresql" or connection.timezone != datetime.UTC or not settings.USE_TZ:
        return
    session: Any = connection.connection
    oid, text, loader = _loader()
    if session.adapters.get_loader(oid, text) is not loader:
        session.adapters.register_loader(oid, loader)


@functools.cache
def _loader() -> tuple[int, Any, type[Any]]:
    """The type's number, the format in which instants come, and what reads them. Where there is no psycopg, nobody asks."""
    from psycopg import adapters, postgres
    from psycopg.adapt import Loader
    from psycopg.pq import Format

    oid = postgres.types["timestamptz"].oid
    found = adapters.get_loader(oid, Format.TEXT)
    assert found is not None  # psycopg reads what PostgreSQL has
    usual: Callable[..., Any] = found

    class InUTC(Loader):
        #: Django looks here whether a cursor needs a reader for another zone.
        timezone = datetime.UTC

        def __init__(self, oid: int, context: Any = None) -> None:
            super().__init__(oid, context)
            # Compiled, it cannot be inherited from. Called at its own name, it costs no call of ours.
            self.load = usual(oid, context).load  # type: ignore[method-assign]

        def load(self, data: Any) -> Any:
            raise NotImplementedError  # never called: `__init__` has put the usual one here

    return oid, Format.TEXT, InUTC
