"""A server's clock that is set back: facts keep their order, an alert is raised, and everything goes on."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator

import pytest
import time_machine
from django.utils import timezone

from cardroom.drop.commands.counts import count_enter
from cardroom.drop.models import DropBox
from cardroom.floor.commands.alerts import alert_acknowledge
from cardroom.floor.commands.bank import turn_end
from cardroom.floor.commands.boxes import boxes_drop, boxes_place
from cardroom.floor.commands.rounds import bets_close, bets_place, round_open, round_void
from cardroom.floor.commands.seats import down_end, down_start, player_leave, player_seat
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.commands.tables import table_close
from cardroom.floor.commands.watch import room_watch
from cardroom.floor.execution.clock import STEP_COMMAND, command_time
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import Alert, Down, JournalEntry, Round, Seating, Shift, Table, Transfer, Turn
from cardroom.reports.models import ShiftReport
from cardroom.reports.tasks import make_due_reports
from cardroom.rooms.models import Room
from tests.cast import Cast, running_cast

TEN = datetime.datetime(2026, 11, 20, 22, 0, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)
Travel = Callable[[datetime.datetime], None]


@pytest.fixture
def travel() -> Iterator[Travel]:
    """Set the clock, which then stands."""
    with time_machine.travel(TEN, tick=False) as traveller:
        yield lambda to: traveller.move_to(to, tick=False)


@pytest.fixture
def cast(db: None, travel: Travel) -> Cast:
    """Table 7 with seat 3 at the bank and a drop box, everything entered at ten."""
    return running_cast()


def instants(cast: Cast) -> list[datetime.datetime]:
    """When the entries of the table's chain were written, in their order."""
    entries = JournalEntry.objects.filter(table=cast.table).order_by("seq")
    return list(entries.values_list("at", flat=True))


def in_order(cast: Cast) -> bool:
    """Whether no chain of the room runs backwards, and all chains hold."""
    holders: list[Table | Room] = [Room.objects.get(pk=cast.room.pk), *Table.objects.filter(room=cast.room)]
    for holder in holders:
        at = list(
            JournalEntry.objects.filter(chain=f"{type(holder).__name__.lower()}:{holder.pk}")
            .order_by("seq")
            .values_list("at", flat=True)
        )
        if at != sorted(at) or list(chain_breaks(holder)):
            return False
    return True


def void_a_round(cast: Cast) -> Round:
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    cast.send(bets_place, "dealer", positions=[{"seat": 4, "wagers": {"ante": 1000}}])
    cast.send(bets_close, "dealer")
    cast.send(round_void, "dealer", reason="misdeal", approver=cast.people["floor"])
    return Round.objects.latest("pk")


def test_a_night_goes_on_after_the_clock_was_set_back_an_hour(cast: Cast, travel: Travel) -> None:
    travel(TEN - HOUR)
    round_ = void_a_round(cast)
    assert (
        TEN < round_.opened_at < round_.bets_closed_at < round_.ended_at < TEN + datetime.timedelta(seconds=1)
    )
    cast.send(turn_end, "dealer", reason="leaves the bank")
    cast.send(player_leave, "dealer", seat=5)
    cast.send(player_seat, "dealer", seat=5, player_id=cast.players[5].pk)
    cast.send(down_start, "floor", dealer_id=cast.people["dealer_2"].pk)
    cast.send(down_end, "floor")
    cast.send(table_close, "floor")
    shift = Shift.objects.get()
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)
    box = DropBox.objects.get()
    cast.send_room(boxes_drop, "floor", boxes=[box.pk], witness=cast.people["shift_manager"])
    cast.send_room(count_enter, "count", box_id=box.pk, pieces=[])
    cast.send_room(shift_open, "shift_manager", name="Graveyard")
    assert in_order(cast)
    for model, begun, ended in (
        (Turn, "began_at", "ended_at"),
        (Seating, "seated_at", "left_at"),
        (Down, "started_at", "ended_at"),
        (Shift, "opened_at", "closed_at"),
        (DropBox, "placed_at", "dropped_at"),
    ):
        for row in model._default_manager.all():  # type: ignore[attr-defined]
            until = getattr(row, ended)
            assert until is None or getattr(row, begun) <= until, row
    shift.refresh_from_db()
    assert max(instants(cast)) <= shift.closed_at <= Shift.objects.latest("pk").opened_at
    assert {transfer.made_at > TEN for transfer in Transfer.objects.all()} == {True}


def test_a_step_back_stands_in_the_journal_once_a_chain_and_is_one_alert_of_the_room(
    cast: Cast, travel: Travel
) -> None:
    travel(TEN - HOUR)
    void_a_round(cast)
    cast.send_room(boxes_place, "floor", boxes=[{"table": cast.second_table.pk, "number": 2}])
    steps = JournalEntry.objects.filter(command=STEP_COMMAND).order_by("id")
    assert [entry.chain for entry in steps] == [f"table:{cast.table.pk}", f"room:{cast.room.pk}"]
    assert steps[0].data == {"clock": "2026-11-20T21:00:00+00:00", "behind_seconds": 3600}
    alert = Alert.objects.get()
    assert (alert.kind, alert.table, alert.raised_at > TEN) == (Alert.Kind.CLOCK_BACK, cast.table, True)
    assert "60 minutes behind what is on record" in alert.text


def test_the_alert_is_answered_and_over_when_the_clock_has_caught_up(cast: Cast, travel: Travel) -> None:
    travel(TEN - HOUR)
    room_watch(cast.room.pk, timezone.now())
    alert = Alert.objects.get()
    assert (alert.kind, alert.cleared_at) == (Alert.Kind.CLOCK_BACK, None)
    cast.send(alert_acknowledge, "floor", alert_id=alert.pk, note="time service corrected")
    room_watch(cast.room.pk, timezone.now())
    void_a_round(cast)
    assert Alert.objects.get().cleared_at is None
    travel(TEN + datetime.timedelta(minutes=1))
    room_watch(cast.room.pk, timezone.now())
    alert = Alert.objects.get(kind=Alert.Kind.CLOCK_BACK)
    assert alert.cleared_at == TEN + datetime.timedelta(minutes=1)
    assert void_a_round(cast).opened_at == TEN + datetime.timedelta(minutes=1)
    assert in_order(cast)


def test_half_a_minute_back_is_taken_without_a_word(cast: Cast, travel: Travel) -> None:
    travel(TEN - datetime.timedelta(seconds=30))
    assert void_a_round(cast).opened_at > TEN
    assert in_order(cast)
    assert not JournalEntry.objects.filter(command=STEP_COMMAND).exists()
    assert not Alert.objects.exists()


def test_a_clock_that_stands_or_goes_on_is_what_a_command_is_given(cast: Cast, travel: Travel) -> None:
    assert void_a_round(cast).opened_at == TEN
    travel(TEN + HOUR)
    assert void_a_round(cast).opened_at == TEN + HOUR


def test_a_table_never_comes_before_its_room_nor_a_room_before_its_tables(cast: Cast, travel: Travel) -> None:
    """Which shift a round lies in, and which box its fees, is read of their instants."""
    travel(TEN + HOUR)
    travel(TEN + 2 * HOUR)
    void_a_round(cast)
    travel(TEN)
    room, table = Room.objects.get(pk=cast.room.pk), Table.objects.get(pk=cast.second_table.pk)
    assert command_time(room).now > TEN + 2 * HOUR
    assert command_time(table).now == TEN  # the other table's commands are no matter of this one
    cast.send_room(boxes_place, "floor", boxes=[{"table": table.pk, "number": 2}])
    assert command_time(Table.objects.get(pk=table.pk)).now > TEN + 2 * HOUR


def test_the_report_of_a_shift_closed_while_the_clock_is_behind_is_made_at_once(
    cast: Cast, travel: Travel
) -> None:
    travel(TEN - HOUR)
    cast.send(table_close, "floor")
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=Shift.objects.get().pk)
    make_due_reports()
    report = ShiftReport.objects.get()
    assert report.made_at > Shift.objects.get().closed_at
    assert in_order(cast)


def test_pages_of_the_floor_open_while_the_clock_is_behind(cast: Cast, travel: Travel) -> None:
    from django.test import Client

    void_a_round(cast)
    travel(TEN - HOUR)
    client = Client()
    client.force_login(cast.people["shift_manager"])
    code = cast.room.code
    for address in (
        f"/rooms/{code}/",
        f"/rooms/{code}/floor/",
        f"/rooms/{code}/count/",
        f"/rooms/{code}/rotation/",
        f"/tables/{cast.table.pk}/",
        f"/tables/{cast.table.pk}/rotation/",
        f"/api/tables/{cast.table.pk}",
        f"/api/rooms/{cast.room.pk}",
        f"/api/rooms/{cast.room.pk}/rotation",
    ):
        assert client.get(address).status_code in (200, 302), address
