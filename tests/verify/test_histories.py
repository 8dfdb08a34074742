"""Rows that are not what their history says: each is named, with its entry, and what the application wrote is none."""

from __future__ import annotations

import pytest
from django.db import connection

from cardroom.core.history_verification import HistoryBreak, histories_verify
from cardroom.people.models import Provider
from cardroom.rooms.models import Room


@pytest.fixture
def provider(db: None) -> Provider:
    room = Room.objects.create(name="Cache Slough", code="cache-slough")
    return Provider.objects.create(room=room, name="Levee Players", contract_number="P-1")


def found() -> list[HistoryBreak]:
    return list(histories_verify())


def test_rows_made_changed_deleted_and_made_again_by_the_application(provider: Provider) -> None:
    pk = provider.pk
    provider.name = "Delta Players"
    provider.save()
    provider.delete()
    assert found() == []
    provider.pk = pk
    provider.save(force_insert=True)
    assert found() == []


def test_a_column_that_was_changed_past_the_application(provider: Provider) -> None:
    Provider.objects.filter(pk=provider.pk).update(name="Delta Players")
    entry = Provider.history.get(id=provider.pk).pk
    assert found() == [
        HistoryBreak("people.Provider", provider.pk, f"name is not what entry {entry} of its history says")
    ]


def test_a_row_that_was_put_in_past_the_application(provider: Provider) -> None:
    other = Provider(room=provider.room, name="Delta Players", contract_number="P-2")
    [other] = Provider.objects.bulk_create([other])
    none = "has no history: it was not made through the application"
    assert found() == [HistoryBreak("people.Provider", other.pk, none)]


def test_a_row_that_was_put_back_after_its_end(provider: Provider) -> None:
    pk = provider.pk
    provider.delete()
    provider.pk = pk
    Provider.objects.bulk_create([provider])
    none = "has no history: it was not made through the application"
    assert found() == [HistoryBreak("people.Provider", pk, none)]


def test_a_row_that_was_taken_out_past_the_application(provider: Provider) -> None:
    entry = Provider.history.get(id=provider.pk).pk
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM people_provider WHERE id = %s", [provider.pk])
    gone = f"entry {entry} of its history names it, and it is gone"
    assert found() == [HistoryBreak("people.Provider", provider.pk, gone)]


def test_an_entry_that_does_not_follow_from_the_one_before_it(provider: Provider) -> None:
    entry = Provider.history.get(id=provider.pk)
    entry.pk = None
    entry.save()
    text = f"says '+' of people.Provider {provider.pk}, which does not follow from the entry before it"
    assert found() == [HistoryBreak("people.HistoricalProvider", entry.pk, text)]
