"""Alerts: they come once, stand until somebody answers, and stay on record with who and when."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.utils import timezone

from cardroom.floor.alerts import alert_clear, alert_raise, open_alerts
from cardroom.floor.commands.alerts import alert_acknowledge
from cardroom.floor.errors import BadInput, FloorError, NotFound
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import Alert, JournalEntry, Table
from cardroom.people.models import Role
from tests.cast import Cast

KIND = Alert.Kind.STUB_COUNT_DUE


def at_table(cast: Cast, command: Callable[[TableTransaction], None]) -> None:
    """Do something under the table's lock, as a command would."""
    with locked(Table, cast.table.pk) as table:
        command(TableTransaction(table=table, actor=cast.people["dealer"], now=timezone.now()))


def come(cast: Cast, subject: str = "", text: str = "Five rounds without a count.") -> None:
    at_table(cast, lambda at: alert_raise(at, KIND, subject, text))


def go(cast: Cast, subject: str = "") -> None:
    at_table(cast, lambda at: alert_clear(at, KIND, subject))


def answer(cast: Cast, alert: Alert, note: str = "") -> None:
    cast.send(alert_acknowledge, "floor", alert_id=alert.pk, note=note)


def entries(cast: Cast, command: str) -> int:
    return JournalEntry.objects.filter(table=cast.table, command=command).count()


def test_an_alert_comes_once_while_it_holds(cast: Cast) -> None:
    come(cast)
    come(cast, text="Six rounds without a count.")
    alert = Alert.objects.get()
    assert (alert.text, alert.times, alert.waits) == ("Five rounds without a count.", 1, True)
    assert entries(cast, "alert_raise") == 1


@pytest.mark.postgresql
def test_alerts_of_two_subjects_stand_side_by_side(cast: Cast) -> None:
    come(cast, "red deck")
    come(cast, "blue deck")
    go(cast, "red deck")
    assert [(one.subject, one.cleared_at is None) for one in open_alerts(cast.table)] == [
        ("red deck", False),
        ("blue deck", True),
    ]


@pytest.mark.postgresql
def test_an_alert_that_is_over_stands_until_somebody_answers(cast: Cast) -> None:
    come(cast)
    go(cast)
    alert = open_alerts(cast.table).get()
    assert alert.cleared_at is not None and alert.waits
    answer(cast, alert, "counted")
    assert not open_alerts(cast.table).exists()


def test_an_answered_alert_stands_quietly_while_it_holds_and_comes_anew_afterwards(cast: Cast) -> None:
    come(cast)
    answer(cast, Alert.objects.get())
    come(cast)
    assert [alert.waits for alert in open_alerts(cast.table)] == [False]
    go(cast)
    assert not open_alerts(cast.table).exists()
    come(cast)
    assert [alert.waits for alert in Alert.objects.order_by("id")] == [False, True]


def test_an_alert_that_comes_again_unanswered_goes_on_as_the_same_one(cast: Cast) -> None:
    come(cast)
    first = Alert.objects.get()
    go(cast)
    come(cast, text="Five more.")
    alert = Alert.objects.get()
    assert (alert.times, alert.text, alert.cleared_at) == (2, "Five more.", None)
    assert alert.raised_at == first.raised_at
    assert entries(cast, "alert_raise") == 2


def test_an_answer_says_who_and_when_and_what_was_done(cast: Cast) -> None:
    come(cast)
    answer(cast, Alert.objects.get(), " counted, 52 cards ")
    alert = Alert.objects.get()
    assert (alert.acknowledged_by, alert.note) == (cast.people["floor"], "counted, 52 cards")
    assert alert.acknowledged_at is not None and alert.acknowledged_at >= alert.raised_at
    entry = JournalEntry.objects.get(command="alert_acknowledge")
    assert (entry.actor, entry.reason, entry.data["kind"]) == (
        cast.people["floor"],
        "counted, 52 cards",
        KIND,
    )


def test_answering_leaves_the_tablets_of_the_table_where_they_are(running: Cast) -> None:
    come(running)
    before = Table.objects.get(pk=running.table.pk).version
    stale = running.meta("floor", version=0)
    answered = alert_acknowledge(stale, running.table.pk, alert_id=Alert.objects.get().pk)
    assert answered["version"] == before == Table.objects.get(pk=running.table.pk).version


def test_an_alert_is_answered_once(cast: Cast) -> None:
    come(cast)
    answer(cast, Alert.objects.get())
    with pytest.raises(FloorError) as caught:
        answer(cast, Alert.objects.get())
    assert caught.value.code == "answered_before"
    assert str(cast.people["floor"]) in caught.value.message


def test_a_note_has_an_end(cast: Cast) -> None:
    come(cast)
    with pytest.raises(BadInput) as caught:
        answer(cast, Alert.objects.get(), "x" * 201)
    assert (caught.value.code, caught.value.path) == ("note_too_long", "note")


@pytest.mark.parametrize("role", [Role.DEALER, Role.COMPLIANCE, Role.INSPECTOR, Role.ROOM_MANAGER])
def test_the_floor_answers_and_nobody_else(cast: Cast, role: Role) -> None:
    come(cast)
    with pytest.raises(FloorError) as caught:
        cast.send(alert_acknowledge, cast.people[role], alert_id=Alert.objects.get().pk)
    assert (caught.value.status, caught.value.code) == (403, "forbidden")


def test_an_alert_of_another_table_or_room_is_none_of_this_one(cast: Cast) -> None:
    come(cast)
    alert = Alert.objects.get()
    other = cast.at_rival()
    for send in (
        lambda: other.send(alert_acknowledge, "floor", alert_id=alert.pk),
        lambda: cast.send(alert_acknowledge, other.people["floor"], alert_id=alert.pk),
        lambda: cast.send(alert_acknowledge, "floor", alert_id=alert.pk + 1),
    ):
        with pytest.raises(NotFound):
            send()
    assert Alert.objects.get().waits


def test_the_chain_holds_with_all_of_it_inside(cast: Cast) -> None:
    come(cast)
    go(cast)
    come(cast)
    answer(cast, Alert.objects.get())
    go(cast)
    cast.table.refresh_from_db()
    assert list(chain_breaks(cast.table)) == []
    assert entries(cast, "alert_over") == 2


@pytest.mark.postgresql
def test_the_database_refuses_to_change_what_is_over_and_answered(cast: Cast) -> None:
    come(cast)
    alert = Alert.objects.get()
    with pytest.raises(DatabaseError, match="never deleted"), transaction.atomic():
        alert.delete()
    answer(cast, alert)
    go(cast)
    with pytest.raises(DatabaseError, match="over and answered"), transaction.atomic():
        Alert.objects.update(note="never happened")


@pytest.mark.postgresql
def test_the_database_refuses_a_second_alert_of_a_kind_and_an_answer_from_nobody(cast: Cast) -> None:
    come(cast)
    alert = Alert.objects.get()
    twin = Alert(room=cast.room, table=cast.table, kind=KIND, text="twin", raised_at=timezone.now())
    with pytest.raises(IntegrityError), transaction.atomic():
        twin.save()
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"UPDATE floor_alert SET note = 'by nobody' WHERE id = {alert.pk}")
