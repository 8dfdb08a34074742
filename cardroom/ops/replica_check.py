"""Django system checks (`check --database default`, cardroom.E006 and W006): the standby that reports are read from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.core import checks
from django.db import DatabaseError

from cardroom.config.replica import has_replica, replica_faults

_HINT = "docs/deployment.md#reports-from-a-standby."


@checks.register(checks.Tags.database)
def check_replica(databases: Iterable[str] | None = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Say that CARDROOM_REPLICA_URL is not the address of a standby of the database."""
    if "default" not in (databases or ()) or not has_replica():
        return []
    try:
        return [
            checks.Error(f"CARDROOM_REPLICA_URL: {fault}.", hint=_HINT, id="cardroom.E006")
            for fault in replica_faults()
        ]
    except DatabaseError as fault:
        text = f"CARDROOM_REPLICA_URL: the standby cannot be asked, and reports are read from the database: {fault}"
        return [checks.Warning(text, hint=_HINT, id="cardroom.W006")]
