"""Django system check (`check --deploy --database default`, cardroom.E002): a pooler that shares connections unannounced."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core import checks
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from cardroom.config.databases import opened, settings_for_reading

#: So often two connections are compared: a pooler may have several to give.
_COMPARED = 5


@checks.register(checks.Tags.database, deploy=True)
def check_pooling(databases: Iterable[str] | None = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Say that a pooler gives each transaction another connection while statements are prepared on it."""
    if "default" not in (databases or ()) or connections["default"].vendor != "postgresql":
        return []
    if settings.TRANSACTION_POOLING or not pools_transactions():
        return []
    return [
        checks.Error(
            "A pooler between the site and PostgreSQL gives each transaction another connection (PgBouncer's pool_mode = "
            "transaction), and the site prepares statements on its own: commands will fail.",
            hint="Set CARDROOM_TRANSACTION_POOLING=1, or pool_mode = session: docs/deployment.md#a-pooler.",
            id="cardroom.E002",
        )
    ]


def pools_transactions() -> bool:
    """Tell whether two connections that are both open are answered by one server process."""
    reading = settings_for_reading()
    with opened("first", reading) as first, opened("second", reading) as second:
        return any(_server_process(first) == _server_process(second) for _ in range(_COMPARED))


def _server_process(connection: BaseDatabaseWrapper) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])
