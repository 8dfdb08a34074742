"""Waiting until another connection of this test's database waits for a lock: races are held, not hoped for."""

from __future__ import annotations

import time

from django.db import connection

#: SQLite has one write lock and no view of who waits for it.
SQLITE_SECONDS = 0.3
TRIES, PAUSE_SECONDS = 300, 0.01
#: Of this database alone: the other workers of the suite have locks of their own in the same server.
_WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()
"""


def until_somebody_waits() -> None:
    """Return once another connection waits for a lock of this one; on SQLite after a moment."""
    if connection.vendor == "sqlite":
        time.sleep(SQLITE_SECONDS)
        return
    for _ in range(TRIES):
        with connection.cursor() as cursor:
            # Within a transaction the view is read once, unless the cache is cleared.
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(_WAITING)
            if cursor.fetchone()[0]:
                return
        time.sleep(PAUSE_SECONDS)
    raise AssertionError("nobody came to wait")
