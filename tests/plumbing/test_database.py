"""The database is set up as the house's transactions need it."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from cardroom.environment import Database, read_environment


@pytest.fixture
def on_sqlite() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("about SQLite; the suite runs on both")


@pytest.mark.usefixtures("on_sqlite", "transactional_db")
def test_sqlite_runs_with_a_write_ahead_log_and_guards_replaced_rows() -> None:
    with connection.cursor() as cursor:
        answers = [
            cursor.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "recursive_triggers", "foreign_keys", "busy_timeout")
        ]
    assert answers == ["wal", 1, 1, 20_000]


@pytest.mark.usefixtures("on_sqlite", "transactional_db")
def test_a_transaction_on_sqlite_takes_the_write_lock_when_it_begins() -> None:
    """A second one that only reads first has to wait for it, instead of failing when it comes to write."""
    begun = threading.Event()

    def second() -> None:
        try:
            with transaction.atomic():
                begun.set()
        finally:
            connection.close()

    with transaction.atomic():
        waiting = threading.Thread(target=second)
        waiting.start()
        assert not begun.wait(0.3), "a second transaction began beside the first"
    assert begun.wait(10)
    waiting.join()


def test_the_suite_on_postgresql_runs_on_postgresql() -> None:
    """Keeps a wrapper that forgot to pass its server on from passing for the real thing."""
    asked = read_environment(needs_secret=False).database
    assert connection.vendor == {"sqlite3": "sqlite", "postgresql": "postgresql"}[asked.engine]
    assert isinstance(asked, Database)
