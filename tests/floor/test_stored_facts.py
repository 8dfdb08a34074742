"""Facts as the database itself shows them: words as words, documents as JSON, instants as its own."""

from __future__ import annotations

import datetime
import json
from typing import Any

import pytest
from django.db import connection
from django.db.models import Max

from cardroom.floor.journal import entry_hash
from cardroom.floor.models import JournalEntry, Round, Transfer
from tests.cast import Cast


@pytest.fixture
def played(running: Cast) -> Round:
    running.play({1: 3000, 4: 1000, 5: 5000}, wager=15000)
    return Round.objects.get()


def raw(sql: str) -> list[Any]:
    """The rows of a query as the database gives them."""
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return [row[0] if len(row) == 1 else row for row in cursor.fetchall()]


def test_words_are_stored_as_words(played: Round) -> None:
    assert set(raw("SELECT kind, source, target FROM floor_transfer WHERE kind = 'fee'")) == {
        ("fee", "seat", "drop"),
        ("fee", "bank", "drop"),
    }
    assert raw("SELECT DISTINCT rulebook FROM floor_round") == ["california"]
    assert raw("SELECT count(*) FROM floor_journalentry WHERE command LIKE 'round_%'") == [3]


def test_a_chain_is_stored_by_its_name(played: Round) -> None:
    table, room = played.table_id, played.room_id
    assert set(raw("SELECT DISTINCT chain FROM floor_journalentry")) == {f"table:{table}", f"room:{room}"}


def test_a_hash_is_stored_as_its_digits(played: Round) -> None:
    last = JournalEntry.objects.filter(table=played.table).latest("seq")
    assert raw(f"SELECT hash FROM floor_journalentry WHERE id = {last.pk}") == [last.hash]
    assert len(last.hash) == 64


def test_the_database_looks_into_documents(played: Round) -> None:
    assert Round.objects.filter(settlement__drop=played.drop_cents).get() == played
    assert Round.objects.filter(sheet__has_key="bank").get() == played
    assert Round.objects.filter(settlement__drop=played.drop_cents + 1).count() == 0


def test_the_hash_of_an_entry_does_not_depend_on_the_order_in_which_its_document_is_stored(
    played: Round,
) -> None:
    """jsonb keeps keys in an order of its own; the hash is taken of sorted keys."""
    entry = JournalEntry.objects.get(command="round_open")
    before = JournalEntry.objects.get(chain=entry.chain, seq=entry.seq - 1)
    turned = dict(reversed(json.loads(json.dumps(entry.data)).items()))
    assert list(turned) != list(entry.data)
    entry.data = turned
    assert entry_hash(entry, before.hash) == entry.hash


def test_an_instant_comes_back_to_the_microsecond_and_is_found(running: Cast) -> None:
    entry = JournalEntry.objects.filter(command="table_open").get()
    later = entry.at + datetime.timedelta(microseconds=1)
    assert JournalEntry.objects.get(at=entry.at, command="table_open") == entry
    assert JournalEntry.objects.filter(at__gte=entry.at, at__lt=later, pk=entry.pk).exists()
    assert not JournalEntry.objects.filter(at__gte=later, pk=entry.pk).exists()
    assert JournalEntry.objects.aggregate(last=Max("at"))["last"] == JournalEntry.objects.latest("at").at


def test_the_day_of_an_instant_is_asked_of_the_database(played: Round) -> None:
    made = Transfer.objects.latest("pk").made_at
    assert Transfer.objects.filter(made_at__date=made.date()).exists()
