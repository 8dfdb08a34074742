"""Queries whose SQL is written once give the objects that Django would make of the same rows."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection, models
from django.test.utils import CaptureQueriesContext

from cardroom.core.written_queries import WrittenQuery, row_by_id
from cardroom.filings.models import FiledDocument
from cardroom.floor.models import Down, JournalEntry, Offer, Round, Table
from cardroom.people.models import Player, Staff
from cardroom.rooms.models import Room
from tests.cast import Cast

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def values(row: models.Model) -> dict[str, tuple[type, Any]]:
    return {
        field.attname: (type(value := getattr(row, field.attname)), value)
        for field in row._meta.concrete_fields
    }


def own_keys(model: type[models.Model]) -> list[str]:
    keys = [field for field in model._meta.concrete_fields if isinstance(field, models.ForeignKey)]
    return [field.name for field in keys if not holds_bytes(field.related_model)]


def holds_bytes(model: type[models.Model]) -> bool:
    """Whether it has a file, which no written query reads."""
    return any(isinstance(field, models.BinaryField) for field in model._meta.concrete_fields)


def test_a_row_of_every_table_is_read_with_its_relations_as_django_reads_it(running: Cast) -> None:
    running.play({4: 1000})
    running.bet({5: 1000})
    read = set()
    for model in apps.get_models():
        if not model.__module__.startswith("cardroom.") or holds_bytes(model):
            continue
        related = own_keys(model)
        for ours in model._base_manager.select_related(*related).order_by("pk")[:20]:
            with CaptureQueriesContext(connection) as asked:
                found = row_by_id(model, ours.pk, *related)
                others = [getattr(found, name) for name in related]
            assert len(asked) == 1
            assert (values(found), found._state.adding, found._state.db) == (values(ours), False, "default")
            for other, name in zip(others, related, strict=True):
                of_django = getattr(ours, name)
                assert (other and values(other)) == (of_django and values(of_django))
            read.add(model)
    assert {Table, Round, Down, Room, Staff, Player, JournalEntry, Offer} <= read


def test_of_an_id_that_no_row_has_there_is_none(db: None) -> None:
    for pk in (0, -1, 999_999, 2**63 - 1, 2**63, 10**30):
        with pytest.raises(ObjectDoesNotExist):
            row_by_id(Room, pk)


def test_single_fields_and_plain_values_come_in_the_order_in_which_they_are_selected(running: Cast) -> None:
    query = WrittenQuery(
        """
        SELECT {down.started_at}, {dealer}, {ended}, {down.id}, 7 * down.table_id
        FROM floor_down down
        JOIN people_staff dealer ON dealer.id = down.dealer_id
        LEFT JOIN floor_down ended ON ended.table_id = down.table_id AND ended.ended_at IS NOT NULL
        WHERE down.table_id = %s
        """,
        down=Down,
        dealer=Staff,
        ended=Down,
    )
    down, table = Down.objects.get(), running.table.pk
    assert query.rows(table) == [(down.started_at, running.people["dealer"], None, down.pk, 7 * table)]
    assert query.rows(table)[0][0].tzinfo == datetime.UTC
    assert query.rows(table + 1) == []


def test_a_kind_of_field_that_is_not_known_is_refused_before_anything_is_asked(db: None) -> None:
    files = WrittenQuery("SELECT {file} FROM filings_fileddocument file", file=FiledDocument)
    with CaptureQueriesContext(connection) as asked, pytest.raises(TypeError, match="say in _reader_of"):
        files.rows()
    assert len(asked) == 0
