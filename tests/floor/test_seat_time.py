"""Time collected at a table: who owes by the clock, what is carried, what goes into the drop, and what is let go."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, connection, transaction

from cardroom.floor.commands.seat_time import time_collect, time_take_back
from cardroom.floor.commands.seats import player_leave, player_move
from cardroom.floor.commands.tables import table_close, table_set
from cardroom.floor.commands.watch import room_watch
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import Alert, JournalEntry, Shift, TimeCollection, Transfer
from cardroom.floor.reads.board import room_board
from cardroom.floor.reads.prompts import prompts_of
from cardroom.floor.reads.table_state import read_table
from cardroom.floor.seat_time import time_due
from cardroom.people.names import named
from tests.cast import Cast, open_cast, table_7
from tests.filing import table_settings
from tests.kept import kept
from tests.reports.commands import of_table, report

from .charging import TIMED, charge

#: A Friday evening in California, seven minutes past nine.
EVENING = datetime.datetime(2026, 11, 20, 21, 7, tzinfo=datetime.timezone(datetime.timedelta(hours=-8)))


@pytest.fixture
def clock() -> Any:
    with time_machine.travel(EVENING, tick=False) as traveller:
        yield traveller


@pytest.fixture
def cast(clock: time_machine.Traveller, db: None) -> Cast:
    """A table on half hours of $6.50, with players at seats 1, 2 and 4 who sat down at 21:07."""
    return kept(_charged)


def _charged() -> Cast:
    cast = Cast()
    cast.open(seats=(1, 2, 4))
    charge(cast, TIMED)
    return cast


def until(clock: time_machine.Traveller, hour: int, minute: int) -> None:
    clock.move_to(EVENING.replace(hour=hour, minute=minute))


def owed() -> dict[int, int]:
    return {due.seat: due.cents for due in time_due(read_table(table_7()))}


def reminders() -> list[str]:
    state = read_table(table_7())
    return [prompt.text for prompt in prompts_of(state) if prompt.kind == "time_due"]


def test_nobody_owes_before_the_first_half_hour_begins(cast: Cast, clock: time_machine.Traveller) -> None:
    until(clock, 21, 29)
    assert (owed(), reminders()) == ({}, [])
    with pytest.raises(NotNow, match="everybody has paid") as refused:
        cast.send(time_collect)
    assert refused.value.code == "no_time_due"


def test_time_is_collected_of_all_who_sit_as_a_half_hour_begins(
    cast: Cast, clock: time_machine.Traveller
) -> None:
    until(clock, 21, 31)
    assert reminders() == ["Collect time: 3 seats, $19.50 for the half hour."]
    answer = cast.send(time_collect)
    assert (answer["cents"], answer["seats"]) == (1950, [1, 2, 4])
    assert (owed(), reminders()) == ({}, [])
    moved = Transfer.objects.filter(round__isnull=True)
    assert list(moved.values_list("kind", "source", "target", "seat", "cents")) == [
        ("time", "seat", "drop", seat, 650) for seat in (1, 2, 4)
    ]
    with pytest.raises(NotNow):
        cast.send(time_collect)


def test_a_seat_that_is_missed_is_carried_to_the_next_collection(
    cast: Cast, clock: time_machine.Traveller
) -> None:
    until(clock, 21, 35)
    cast.send(time_collect, seats=[1, 4])
    assert owed() == {2: 650}
    until(clock, 22, 1)
    assert owed() == {1: 650, 2: 1300, 4: 650}
    assert reminders() == ["Collect time: 3 seats, $26 for the half hour, 1 half hour carried from before."]
    assert cast.send(time_collect)["cents"] == 2600
    assert TimeCollection.objects.latest("id").periods == 4


@pytest.mark.parametrize(("seats", "code"), [([3], "no_time_due"), ([1, 9], "no_time_due"), ([], "no_seats")])
def test_a_seat_that_owes_nothing_is_refused_and_nobody_pays(
    cast: Cast, clock: time_machine.Traveller, seats: list[int], code: str
) -> None:
    until(clock, 21, 31)
    with pytest.raises(BadInput) as refused:
        cast.send(time_collect, seats=seats)
    assert refused.value.code == code
    assert not Transfer.objects.exists()


def test_what_is_owed_moves_with_a_player_and_is_let_go_on_record_with_one_who_leaves(
    cast: Cast, clock: time_machine.Traveller
) -> None:
    until(clock, 21, 31)
    cast.send(player_move, seat=4, to_seat=6)
    assert owed() == {1: 650, 2: 650, 6: 650}
    cast.send(player_leave, seat=2)
    entry = JournalEntry.objects.get(command="time_let_go")
    assert (entry.data["why"], entry.data["cents"], named(entry.data["fees"][0]["payer"])) == (
        "the player leaves",
        650,
        "Bo",
    )
    cast.send(table_close, "floor")
    assert JournalEntry.objects.filter(command="time_let_go").latest("id").data["cents"] == 1300


def test_a_change_of_the_fees_begins_anew(cast: Cast, clock: time_machine.Traveller) -> None:
    until(clock, 21, 31)
    by_the_round = cast.room.feeschedule_versions.get(number=1)
    by_time = cast.room.feeschedule_versions.get(number=9)
    for schedule in (by_the_round, by_time):
        cast.send(
            table_set,
            "floor",
            **table_settings(cast.room, rulebook="california", options={}, schedule_id=schedule.pk),
        )
    assert JournalEntry.objects.get(command="time_let_go").data["why"] == "the fees change"
    assert owed() == {}
    until(clock, 22, 0)
    assert owed() == {1: 650, 2: 650, 4: 650}


def test_a_collection_is_taken_back_whole_by_two_and_then_owed_again(
    cast: Cast, clock: time_machine.Traveller
) -> None:
    until(clock, 21, 31)
    made = cast.send(time_collect)["collection"]
    with pytest.raises(Forbidden, match="second person"):
        cast.send(time_take_back, "floor", collection_id=made, reason="oops", approver=cast.people["floor"])
    with pytest.raises(BadInput, match="needs a reason"):
        cast.send(time_take_back, collection_id=made, reason=" ", approver=cast.people["floor"])
    back = cast.send(time_take_back, collection_id=made, reason="wrong table", approver=cast.people["floor"])
    assert back["cents"] == -1950
    assert owed() == {1: 650, 2: 650, 4: 650}
    for transfer in Transfer.objects.filter(reverses__isnull=False):
        assert (transfer.source, transfer.target) == ("drop", "seat")
    with pytest.raises(NotNow, match="reversed already"):
        cast.send(time_take_back, collection_id=made, reason="again", approver=cast.people["floor"])
    with pytest.raises(NotFound):
        cast.send(
            time_take_back, collection_id=back["collection"], reason="again", approver=cast.people["floor"]
        )


def test_board_and_shift_report_hold_the_time_beside_the_rounds(
    cast: Cast, clock: time_machine.Traveller
) -> None:
    cast.bank_to(2)
    until(clock, 21, 31)
    cast.send(time_collect)
    cast.play({1: 1000, 4: 2000})
    until(clock, 22, 2)
    wrong = cast.send(time_collect, seats=[1])["collection"]
    cast.send(time_take_back, collection_id=wrong, reason="seat 1 had paid", approver=cast.people["floor"])
    shift = Shift.objects.get()
    glance, _ = room_board(cast.room, shift, EVENING.replace(hour=22, minute=2))
    assert glance.drop_cents == 1950 + 50
    made = report(cast)
    assert made.typed_figures["differences"] == []
    sums = of_table(made)
    assert (sums["time_fees_cents"], sums["bank_fees_cents"], sums["player_fees_cents"]) == (1950, 50, 0)
    assert sums["drop_expected_cents"] == 2000


@pytest.mark.postgresql
def test_the_floor_is_told_of_time_that_nobody_collects(cast: Cast, clock: time_machine.Traveller) -> None:
    until(clock, 21, 34)
    room_watch(cast.room.pk, EVENING.replace(hour=21, minute=34))
    assert not Alert.objects.filter(kind="time_due").exists()
    until(clock, 21, 35)
    room_watch(cast.room.pk, EVENING.replace(hour=21, minute=35))
    alert = Alert.objects.get(kind="time_due")
    assert alert.text == "Time is to be collected: 3 seats, $19.50 for the half hour."
    cast.send(time_collect)
    alert.refresh_from_db()
    assert alert.cleared_at is not None


def test_only_who_runs_rounds_there_collects_time(cast: Cast, clock: time_machine.Traveller) -> None:
    until(clock, 21, 31)
    with pytest.raises(Forbidden):
        cast.send(time_collect, "compliance")
    with pytest.raises(NotFound):
        cast.send(time_collect, "rival_floor")
    assert not TimeCollection.objects.exists()


def test_a_table_that_charges_by_the_round_collects_no_time(db: None, clock: time_machine.Traveller) -> None:
    cast = open_cast()
    until(clock, 23, 1)
    with pytest.raises(NotNow) as refused:
        cast.send(time_collect)
    assert refused.value.code == "no_time"


@pytest.mark.postgresql
def test_a_collection_never_changes(cast: Cast, clock: time_machine.Traveller) -> None:
    until(clock, 21, 31)
    cast.send(time_collect)
    with pytest.raises(IntegrityError), transaction.atomic():
        TimeCollection.objects.update(cents=1)
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM floor_timecollection")
