"""Facts stay: the database refuses to change or remove them, whoever asks."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection, models, transaction

from cardroom.floor.commands.bank import turn_end
from cardroom.floor.models import JournalEntry, Offer, Procedure, Round, Transfer, Turn
from tests.cast import Cast, running_cast
from tests.kept import kept

pytestmark = pytest.mark.postgresql

FACTS: list[type[models.Model]] = [Transfer, JournalEntry, Offer, Procedure]


@pytest.fixture
def played(db: None) -> Cast:
    """A table where one round is settled and the bank has been given up."""
    return kept(_played)


def _played() -> Cast:
    cast = running_cast()
    cast.play({4: 1000, 5: 1000})
    cast.send(turn_end)
    return cast


def run(sql: str) -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(sql)


@pytest.mark.parametrize("fact", [*FACTS, Round, Turn], ids=lambda fact: fact.__name__)
def test_no_fact_is_deleted_or_updated(played: Cast, fact: type[models.Model]) -> None:
    count = fact._default_manager.count()
    assert count > 0
    table = fact._meta.db_table
    for sql in (f"DELETE FROM {table}", f"UPDATE {table} SET id = id + 1000"):
        with pytest.raises(DatabaseError, match=table):
            run(sql)
    with pytest.raises(DatabaseError, match=table), transaction.atomic():
        fact._default_manager.all().update(room=None)
    assert fact._default_manager.count() == count


def test_a_live_round_changes_until_it_has_ended(running: Cast) -> None:
    running.bet({4: 1000})
    run("UPDATE floor_round SET bank_wager_cents = 5")
    with pytest.raises(DatabaseError, match="floor_round"):
        run("DELETE FROM floor_round")


def test_a_settled_round_never_changes(played: Cast) -> None:
    with pytest.raises(DatabaseError, match="settled or void"):
        run("UPDATE floor_round SET paid_cents = 0")


@pytest.mark.parametrize(
    "table",
    ["floor_transfer", "floor_journalentry", "floor_round", "floor_offer", "floor_turn", "floor_procedure"],
)
def test_no_table_of_facts_is_truncated(played: Cast, table: str) -> None:
    if connection.vendor != "postgresql":
        # SQLite knows no TRUNCATE; the DELETE that stands for it is refused above.
        with pytest.raises(DatabaseError):
            run(f"DELETE FROM {table}")
        return
    with pytest.raises(DatabaseError, match=table):
        run(f"TRUNCATE {table} CASCADE")


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE floor_round SET state = 'settled' WHERE state = 'betting'",
        "UPDATE floor_round SET state = 'void' WHERE state = 'betting'",
        "UPDATE floor_round SET state = 'bets_closed' WHERE state = 'betting'",
        "UPDATE floor_round SET bank_wager_cents = 0",
    ],
)
def test_the_database_refuses_a_round_in_an_impossible_state(running: Cast, sql: str) -> None:
    running.bet({4: 1000})
    with pytest.raises(DatabaseError):
        run(sql)
