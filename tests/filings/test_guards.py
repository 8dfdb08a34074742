"""The triggers that refuse changes, on the database that the suite runs on."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from cardroom.core.triggers import changed, current_triggers, refuse, replace, triggers_lifted

from .conftest import Refused

pytestmark = pytest.mark.postgresql

MESSAGE = "it's 100% final"


@pytest.fixture
def notes(db: None) -> str:
    """A table of two rows: 1 is a draft, 2 is final."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE notes (id integer PRIMARY KEY, state varchar(9), words varchar(9))")
        cursor.execute("INSERT INTO notes VALUES (1, 'draft', 'one'), (2, 'final', NULL)")
    return "notes"


def install(when: str | None = None, **arguments: Any) -> None:
    replace(connection, refuse("notes", when=when, message=MESSAGE, vendor=connection.vendor, **arguments))


def rows() -> list[tuple[int, str, str | None]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, state, words FROM notes ORDER BY id")
        return list(cursor.fetchall())


def test_update_and_delete_of_any_row_are_refused_with_the_message_as_written(
    notes: str, refused_by_the_database: Refused
) -> None:
    install()
    refused_by_the_database("UPDATE notes SET words = 'x' WHERE id = 1", words=MESSAGE)
    refused_by_the_database("DELETE FROM notes WHERE id = %s", 1, words=MESSAGE)
    assert rows() == [(1, "draft", "one"), (2, "final", None)]


def test_a_condition_spares_the_rows_for_which_it_does_not_hold(
    notes: str, refused_by_the_database: Refused
) -> None:
    install(when="OLD.state = 'final'")
    refused_by_the_database("UPDATE notes SET words = 'x'", words=MESSAGE)
    refused_by_the_database("DELETE FROM notes", words=MESSAGE)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE notes SET words = 'x' WHERE id = 1")
    assert rows() == [(1, "draft", "x"), (2, "final", None)]


def test_changed_takes_null_for_a_value_and_the_same_value_for_no_change(
    notes: str, refused_by_the_database: Refused
) -> None:
    install(when=changed("words", vendor=connection.vendor), events=("UPDATE",))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE notes SET words = words, state = 'other'")
    refused_by_the_database("UPDATE notes SET words = 'x' WHERE id = 2", words=MESSAGE)
    refused_by_the_database("UPDATE notes SET words = NULL WHERE id = 1", words=MESSAGE)


def test_removing_a_table_s_rows_in_one_stroke_is_refused(
    notes: str, refused_by_the_database: Refused
) -> None:
    install(when="OLD.state = 'final'")
    if connection.vendor == "postgresql":
        refused_by_the_database("TRUNCATE notes", words=MESSAGE)
        refused_by_the_database("TRUNCATE notes CASCADE", words=MESSAGE)
    else:
        # SQLite has no TRUNCATE; its REPLACE removes the row that is in the way.
        refused_by_the_database("REPLACE INTO notes VALUES (2, 'draft', 'x')", words=MESSAGE)
    assert (2, "final", None) in rows()


def test_installed_again_they_are_replaced(notes: str, refused_by_the_database: Refused) -> None:
    install()
    before = current_triggers(connection)
    install(when="OLD.state = 'final'")
    assert [trigger.name for trigger in current_triggers(connection)] == [trigger.name for trigger in before]
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM notes WHERE id = 1")
    refused_by_the_database("DELETE FROM notes", words=MESSAGE)


def test_lifted_triggers_come_back_the_same_even_after_an_error(
    notes: str, refused_by_the_database: Refused
) -> None:
    install()
    before = current_triggers(connection)
    with pytest.raises(ZeroDivisionError), triggers_lifted(connection):
        _ = 1 / len(current_triggers(connection))
    assert current_triggers(connection) == before
    refused_by_the_database("DELETE FROM notes", words=MESSAGE)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"vendor": "oracle"}, "not for 'oracle'"),
        ({"vendor": "sqlite", "events": ("SELECT",)}, "not SELECT"),
        ({"vendor": "postgresql", "table": "t" * 50}, "longer than 63"),
    ],
)
def test_what_cannot_be_written_is_refused(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        refuse(**{"table": "notes", "message": MESSAGE, **arguments})  # type: ignore[arg-type]
