"""Shifts: one open at a time, and every round in the shift that was open when its bets closed."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.utils import timezone

from cardroom.floor.alerts import alert_raise
from cardroom.floor.commands.rounds import bets_close, bets_place, round_deal, round_open
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.errors import BadInput, Forbidden, NotNow, Stale
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import TableTransaction
from cardroom.floor.models import Alert, JournalEntry, Round, Shift, Table
from tests.cast import Cast


def close(cast: Cast) -> Shift:
    shift = Shift.objects.get(closed_at__isnull=True)
    cast.send_room(shift_close, confirmed=True, shift_id=shift.pk)
    return shift


def test_one_shift_is_open_at_a_time(running: Cast) -> None:
    with pytest.raises(NotNow, match="Close it"):
        running.send_room(shift_open, name="Day")


@pytest.mark.postgresql
def test_a_name_serves_once_a_gaming_day(running: Cast) -> None:
    close(running)
    with pytest.raises(NotNow, match="already had"):
        running.send_room(shift_open, name="Swing")


@pytest.mark.parametrize("name", ["", "  ", "x" * 21])
def test_a_shift_needs_a_name(cast: Cast, name: str) -> None:
    with pytest.raises(BadInput):
        cast.send_room(shift_open, name=name)


def test_the_floor_does_not_close_the_shift(running: Cast) -> None:
    shift = Shift.objects.get()
    with pytest.raises(Forbidden):
        running.send_room(shift_close, "floor", confirmed=True, shift_id=shift.pk)


def test_a_shift_is_closed_on_what_the_room_is_now(running: Cast) -> None:
    with pytest.raises(Stale):
        shift_close(
            CommandMeta(actor=running.people["shift_manager"], key="k", version=0),
            running.room.pk,
            shift_id=1,
        )


def test_a_round_that_straddles_the_change_belongs_to_the_shift_of_its_no_more_bets(
    running: Cast,
) -> None:
    running.deal({4: 1000})
    first = close(running)
    running.send_room(shift_open, name="Graveyard")
    running.settle({4: 1000})
    running.bet({4: 1000})
    round_ = Round.objects.order_by("id").last()
    assert Round.objects.order_by("id")[0].shift == first
    assert round_ is not None and round_.shift is None


def test_bets_opened_in_one_gaming_day_and_closed_in_the_next_are_numbered_in_the_next(cast: Cast) -> None:
    evening = datetime.datetime(
        2026, 7, 1, 12, 50, tzinfo=datetime.UTC
    )  # 05:50 in Los Angeles: gaming day June 30
    with time_machine.travel(evening, tick=False):
        cast.open()
        cast.bank_to(3)
        cast.play({4: 1000})
        cast.send(round_open, bank_wager_cents=20000)
        cast.send(bets_place, positions=[{"seat": 4, "wagers": {"ante": 1000}}])
    with time_machine.travel(evening + datetime.timedelta(minutes=20), tick=False):
        close(cast)
        cast.send_room(shift_open, name="Day")
        cast.send(bets_close)
        cast.send(round_deal)
        cast.settle({4: 1000})
    numbered = [
        (str(day), number) for day, number in Round.objects.order_by("id").values_list("gaming_day", "number")
    ]
    assert numbered == [("2026-06-30", 1), ("2026-07-01", 1)]


def test_bets_do_not_close_without_an_open_shift(running: Cast) -> None:
    running.bet({4: 1000})
    close(running)
    with pytest.raises(NotNow) as caught:
        running.send(bets_close)
    assert caught.value.code == "no_shift"


def test_closing_lists_what_is_open_and_goes_on_when_it_is_confirmed(running: Cast) -> None:
    running.deal({4: 1000})
    shift = Shift.objects.get()
    with locked(Table, running.table.pk) as table:
        tx = TableTransaction(table=table, actor=running.people["floor"], now=timezone.now())
        alert_raise(tx, Alert.Kind.TABLE_IDLE, "", "Look.")
    with pytest.raises(NotNow) as refused:
        running.send_room(shift_close, shift_id=shift.pk)
    assert refused.value.code == "shift_has_open"
    listed = {item["kind"]: item["count"] for item in refused.value.extra["open"]}
    assert listed == {"tables": 1, "rounds": 1, "alerts": 1, "boxes_on_tables": 1}
    assert "Box 70 at Table 7" in refused.value.message
    shift.refresh_from_db()
    assert shift.closed_at is None
    answer = running.send_room(shift_close, shift_id=shift.pk, confirmed=True)
    assert {item["kind"] for item in answer["open"]} == set(listed)
    entry = JournalEntry.objects.get(command="shift_close")
    assert [item["kind"] for item in entry.data["left_open"]] == list(listed)


def test_a_shift_with_nothing_open_is_closed_without_a_question(cast: Cast) -> None:
    cast.send_room(shift_open, name="Day")
    assert cast.send_room(shift_close, shift_id=Shift.objects.get().pk)["open"] == []


def test_closing_opens_the_next_shift_at_the_same_instant_and_rounds_go_on_in_it(running: Cast) -> None:
    running.deal({4: 1000})
    first = Shift.objects.get()
    answer = running.send_room(shift_close, shift_id=first.pk, confirmed=True, next_name=" Graveyard ")
    first.refresh_from_db()
    second = Shift.objects.get(closed_at__isnull=True)
    assert (second.name, second.opened_at, second.opened_by) == (
        "Graveyard",
        first.closed_at,
        first.closed_by,
    )
    assert answer["next"] == {"shift": second.pk, "boxes": []}
    running.settle({4: 1000})
    running.play({4: 1000})
    assert list(Round.objects.order_by("id").values_list("shift", flat=True)) == [first.pk, second.pk]
    commands = JournalEntry.objects.filter(command__startswith="shift_", chain__startswith="room").order_by(
        "seq"
    )
    assert list(commands.values_list("command", flat=True)) == ["shift_open", "shift_close", "shift_open"]


@pytest.mark.postgresql
@pytest.mark.parametrize(
    ("name", "error", "code"),
    [("x" * 21, BadInput, "bad_name"), ("  ", BadInput, "bad_name"), ("Swing", NotNow, "shift_exists")],
)
def test_a_shift_whose_next_cannot_be_opened_stays_open(
    running: Cast, name: str, error: type[Exception], code: str
) -> None:
    shift = Shift.objects.get()
    with pytest.raises(error) as refused:
        running.send_room(shift_close, shift_id=shift.pk, confirmed=True, next_name=name)
    assert getattr(refused.value, "code", "") == code
    shift.refresh_from_db()
    assert shift.closed_at is None
    assert Shift.objects.count() == 1


def test_closing_with_the_next_lists_what_is_open_first(running: Cast) -> None:
    shift = Shift.objects.get()
    with pytest.raises(NotNow) as refused:
        running.send_room(shift_close, shift_id=shift.pk, next_name="Graveyard")
    assert refused.value.code == "shift_has_open"
    assert Shift.objects.get().closed_at is None
