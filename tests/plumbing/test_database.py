"""The database is set up as the site's transactions need it."""

from __future__ import annotations

import datetime
import threading

import pytest
from django.db import connection, transaction

from cardroom.config.databases import database_settings, format_database, opened
from cardroom.config.environment import read_environment
from cardroom.config.values import database

pytestmark = pytest.mark.postgresql


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


@pytest.mark.usefixtures("db")
def test_the_suite_runs_on_the_database_that_was_asked_for() -> None:
    """Keeps a wrapper that forgot to pass its server on from passing for the real thing."""
    asked = read_environment(needs_secret=False).database
    question, word = {
        "sqlite3": ("SELECT 'SQLite ' || sqlite_version()", "SQLite"),
        "postgresql": ("SELECT version()", "PostgreSQL"),
    }[asked.engine]
    with connection.cursor() as cursor:
        cursor.execute(question)
        assert cursor.fetchone()[0].startswith(word)


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize(
    "instant",
    [
        datetime.datetime(2026, 11, 1, 9, 59, 59, 999_999, tzinfo=datetime.UTC),
        datetime.datetime(2026, 3, 8, 10, tzinfo=datetime.UTC),
        datetime.datetime(1, 1, 1, tzinfo=datetime.UTC),
        datetime.datetime(9999, 12, 31, 23, 59, 59, 1, tzinfo=datetime.UTC),
    ],
)
def test_an_instant_comes_back_to_the_microsecond_and_in_utc(instant: datetime.datetime) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("about PostgreSQL; the suite runs on both")
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::timestamptz, NULL::timestamptz", [instant])
        found, nothing = cursor.fetchone()
    assert found == instant and found.tzinfo is datetime.UTC and nothing is None


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("sqlite:////var/lib/cardroom/a.sqlite3", "SQLite file /var/lib/cardroom/a.sqlite3"),
        ("postgresql://ann:secret@db:5433/drill", "PostgreSQL database 'drill' at db:5433"),
        ("postgresql://ann:secret@/drill?host=/run/pg", "PostgreSQL database 'drill' at /run/pg"),
        ("postgresql://ann:secret@db,spare:5433/drill", "PostgreSQL database 'drill' at db or spare:5433"),
        ("postgresql://ann:secret@/drill", "PostgreSQL database 'drill' at this machine"),
    ],
)
def test_a_database_is_named_without_its_user_and_password(address: str, words: str) -> None:
    with opened("named", database_settings(database(address))) as named:
        assert format_database(named) == words


def test_a_server_that_is_cut_off_is_noticed_and_the_address_has_the_last_word() -> None:
    options = database_settings(database("postgresql://site@one,two/cardroom?connect_timeout=9"))["OPTIONS"]
    assert (options["connect_timeout"], options["tcp_user_timeout"]) == ("9", 5000)
    assert {"keepalives_idle", "keepalives_interval", "keepalives_count"} <= set(options)


@pytest.mark.usefixtures("db")
def test_the_connection_is_made_with_those_options() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("about PostgreSQL; the suite runs on both")
    connection.ensure_connection()
    assert connection.connection.info.get_parameters()["tcp_user_timeout"] == "5000"
