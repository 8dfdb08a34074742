"""Statements that are compiled once find what their querysets find, on either database."""

from __future__ import annotations

import datetime
import itertools
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import models
from django.test import Client
from django.utils import timezone

from cardroom.floor.journal import entry_next
from cardroom.floor.locks import lock_row
from cardroom.floor.models import Alert, JournalEntry, Offer, StoredAnswer, Table, Withdrawal
from cardroom.floor.rows import rows_insert
from cardroom.floor.services.decks import deck_place
from cardroom.floor.services.rounds import round_open, round_record
from cardroom.people.models import Role, Staff
from cardroom.people.rights import roles_of
from cardroom.rooms.models import Room
from cardroom.statements import ID, STATEMENTS, Statement, compiled_once
from tests.cast import Cast, running_cast, sheet

#: Statements of the house, without those that tests have made.
OURS = [each for each in STATEMENTS if each.name.startswith("cardroom.")]


@pytest.fixture
def played(db: None) -> Cast:
    """A running table with a deck, a settled round, one in play, and an alert; each statement finds something there."""
    cast = running_cast()
    cast.send(deck_place, "floor", colour="blue")
    cast.send(round_record, "dealer", sheet=sheet({4: 1000, 6: 2000}))
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    Alert.objects.create(
        room=cast.room,
        table=cast.table,
        kind=Alert.Kind.BANK_EXHAUSTED,
        says="The bank ran out.",
        raised_at=timezone.now(),
    )
    Client().force_login(cast.people["dealer"])
    offer = Offer.objects.earliest("pk")
    Withdrawal.objects.create(
        room=cast.room,
        table=cast.table,
        offer=offer,
        withdrawn_at=timezone.now(),
        withdrawn_by=cast.people["dealer"],
    )
    return cast


def _asked(cast: Cast) -> dict[str, list[Any]]:
    """What may be asked for, by the name of the argument: what there is, and what there is not."""
    return {
        "table": [cast.table.pk, cast.second_table.pk, 999_999_999_999],
        "pk": [cast.table.pk, cast.room.pk, 999_999_999_999],
        "room": [cast.room.pk, cast.rival.pk],
        "cycle": list(Table.objects.values_list("offer_cycle", flat=True))
        + list(Offer.objects.values_list("cycle", flat=True)[:1]),
        "staff": list(Staff.objects.values_list("pk", flat=True)),
        "actor": [cast.people["dealer"].pk, cast.people["outsider"].pk],
        "key": [
            *StoredAnswer.objects.values_list("key", flat=True),
            *Session.objects.values_list("session_key", flat=True),
            "no such key",
        ],
        "now": [timezone.now(), timezone.now() + datetime.timedelta(days=9)],
        "kind": [*Alert.Kind],
        "subject": ["", "seat 3"],
        "table_chain": [f"table:{cast.table.pk}", f"table:{cast.second_table.pk}"],
        "table_entry": [0, 1, 4],
        "room_chain": [f"room:{cast.room.pk}", f"room:{cast.rival.pk}"],
        "room_entry": [0, 1],
        "gaming_day": [cast.room.shifts.get().gaming_day],
    }


def _whole(value: Any, known: tuple[int, ...] = ()) -> Any:
    """A row with all that was read of it and with it, for comparing."""
    if not isinstance(value, models.Model):
        return value
    if id(value) in known:
        return value.pk
    read = {**value.__dict__, **value._state.fields_cache}
    del read["_state"]
    held = {name: _whole(each, (*known, id(value))) for name, each in read.items()}
    return type(value), value._state.adding, value._state.db, held


@pytest.mark.parametrize("statement", OURS, ids=[each.name for each in OURS])
def test_a_statement_finds_what_its_queryset_finds(statement: Statement[Any], played: Cast) -> None:
    asked, found = _asked(played), 0
    for values in itertools.product(*(asked[name] for name in statement.given)):
        given = dict(zip(statement.given, values, strict=True))
        expected = list(statement.queryset(**given))
        if expected and isinstance(expected[0], tuple):
            assert [tuple(row) for row in statement.tuples(**given)] == expected
        else:
            assert [_whole(row) for row in statement.rows(**given)] == [_whole(row) for row in expected]
        found += len(expected)
    assert found, "it found nothing to compare"


def test_a_locked_row_is_what_its_manager_gives_with_the_rows_related_to_it(played: Cast) -> None:
    related = ("room", "schedule", "game")
    expected = Table.objects.select_related(*related).get(pk=played.table.pk)
    assert _whole(lock_row(Table, played.table.pk, *related)) == _whole(expected)
    assert _whole(lock_row(Room, played.room.pk)) == _whole(Room.objects.get(pk=played.room.pk))


def test_a_statement_takes_the_values_that_it_was_made_for(db: None) -> None:
    @compiled_once(pk=ID)
    def tables(pk: Any) -> models.QuerySet[Table]:
        return Table.objects.filter(pk=pk)

    with pytest.raises(TypeError, match="takes pk, not table"):
        tables.rows(table=1)


def test_roles_read_twice_are_those_of_the_second_time(played: Cast) -> None:
    """What is kept is the statement, never what it found."""
    dealer = played.people["dealer"]
    assert roles_of(dealer, played.room) == {Role.DEALER}
    dealer.employments.all().delete()
    assert roles_of(dealer, played.room) == frozenset()


def test_rows_are_stored_as_they_are_whatever_their_text_holds(played: Cast) -> None:
    said = 'Ünï "quoted" \\ back\\\\slash %s {curly} \t tab\n new line 🂡 \u2028'
    table = Table.objects.get(pk=played.table.pk)
    entry = JournalEntry.objects.filter(table=table).latest("seq")
    data: dict[str, Any] = {"said": [said, None, True, 1.5, 10**15, {}], said: ""}
    rows = [
        entry_next(
            holder=table,
            actor=played.people["floor"],
            roles="floor",
            at=entry.at,
            act="tested",
            data=data,
            reason=said,
        )
        for _ in range(3)
    ]
    rows_insert(JournalEntry, rows)
    stored = JournalEntry.objects.filter(act="tested").order_by("seq")
    assert [(row.data, row.reason, row.at, row.hash) for row in stored] == [
        (data, said, entry.at, row.hash) for row in rows
    ]
    assert sorted(row.pk for row in stored) == [row.pk for row in stored]
