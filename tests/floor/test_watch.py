"""What time brings to a table: players without a round, a bank that nobody is offered, a screen that falls silent."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Iterator

import pytest
import time_machine
from django.utils import timezone

from cardroom.floor.commands.alerts import alert_acknowledge
from cardroom.floor.commands.bank import offer_answer, turn_end
from cardroom.floor.commands.seats import player_leave
from cardroom.floor.commands.shifts import shift_close
from cardroom.floor.commands.tables import table_close
from cardroom.floor.commands.watch import clock_account, room_watch, rooms_to_watch
from cardroom.floor.journal import chain_breaks
from cardroom.floor.models import Alert, JournalEntry, Offer, Shift, Table, Turn
from cardroom.floor.reads.past_day import day_end
from cardroom.floor.screens import screen_closed, screen_heard
from cardroom.floor.tasks import watch_floors
from cardroom.people.names import named
from cardroom.people.rights import Right, may
from tests.cast import Cast

Kind = Alert.Kind


@pytest.fixture(autouse=True)
def still() -> Iterator[None]:
    """Let no time pass but what a test says: minutes are counted to the second."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


def after(minutes: float) -> datetime.datetime:
    return timezone.now() + datetime.timedelta(minutes=minutes)


def watch(cast: Cast, minutes: float) -> list[str]:
    """Look at the floor after so many minutes; return the kinds that hold then."""
    room_watch(cast.room.pk, after(minutes))
    return sorted(Alert.objects.filter(cleared_at__isnull=True).values_list("kind", flat=True))


def test_players_without_a_round_are_seen_after_the_rooms_minutes(running: Cast) -> None:
    assert watch(running, 13.9) == []
    assert watch(running, 15.1) == [Kind.TABLE_IDLE]
    text = (
        Alert.objects.get().text
    )  # the alert stands for as long as it holds: what it says is still right then
    assert re.fullmatch(r"7 players sit here, and no round has been played since \d+:\d\d [AP]M\.", text)


def test_the_rooms_own_minutes_count(running: Cast) -> None:
    running.room.idle_minutes = 3
    running.room.save()
    assert watch(running, 1.9) == []
    assert watch(running, 3.1) == [Kind.TABLE_IDLE]


def test_a_round_that_nobody_ends_is_idle_too(running: Cast) -> None:
    running.deal({4: 1000})
    assert watch(running, 15.1) == [Kind.TABLE_IDLE]
    assert "the round in play has not ended" in Alert.objects.get().text
    running.settle({4: 1000})  # right after the alert, to which the clock has yet to catch up
    assert watch(running, 15.2) == []
    alert = Alert.objects.get(kind=Kind.TABLE_IDLE)
    assert alert.cleared_at is not None and alert.waits


def test_a_table_without_players_or_that_is_closed_is_not_idle(running: Cast) -> None:
    assert watch(running, 15.1) == [Kind.TABLE_IDLE]
    running.send(turn_end)
    for seat in range(1, 8):
        running.send(player_leave, seat=seat)
    assert watch(running, 15.1) == []
    running.send(table_close, "floor")
    assert watch(running, 600) == []
    assert rooms_to_watch(timezone.now()) == []


def test_a_closed_table_whose_alert_still_holds_is_looked_at_once_more(running: Cast) -> None:
    watch(running, 15.1)
    running.send(table_close, "floor")
    assert rooms_to_watch(timezone.now()) == [running.room.pk]
    assert watch(running, 16) == []
    assert rooms_to_watch(timezone.now()) == []


def test_an_offer_that_nobody_answers_is_seen_after_the_rooms_minutes(running: Cast) -> None:
    running.play({4: 1000})
    assert watch(running, 5.1) == []  # one round of two: no offer is due
    running.play({4: 1000})
    assert watch(running, 4.9) == []
    assert watch(running, 5.1) == [Kind.ROTATION_DUE]
    assert Alert.objects.get().text.startswith("The bank has stood to be offered to seat 4 since 12:00 PM:")
    running.send(offer_answer, seat=4, answer="accepted")
    assert watch(running, 5.1) == []


def test_an_answer_gives_the_next_seat_its_own_minutes(running: Cast) -> None:
    for _ in range(2):
        running.play({4: 1000})
    from cardroom.floor.models import Offer

    running.send(offer_answer, seat=4, answer="declined")
    answered_at = Offer.objects.latest("id").answered_at
    room_watch(running.room.pk, answered_at + datetime.timedelta(minutes=4.9))
    assert not Alert.objects.exists()
    room_watch(running.room.pk, answered_at + datetime.timedelta(minutes=5))
    assert "offered to seat 5" in Alert.objects.get().text


def test_more_rounds_than_a_turn_may_have_are_a_broken_rotation(running: Cast) -> None:
    Turn.objects.update(rounds=3)  # as a correction could leave it; no command of a table gets so far
    assert watch(running, 0) == [Kind.ROTATION_BROKEN]
    assert named(Alert.objects.get().text) == "Cy has banked 3 rounds in a row; the bank goes round after 2."
    assert Alert.objects.get().is_urgent


def test_a_silent_screen_is_seen_after_a_minute_and_a_half_and_heard_again(running: Cast) -> None:
    table = running.table.pk
    screen_heard(table, "tablet", after(0))
    assert watch(running, 1.4) == []
    assert watch(running, 1.6) == [Kind.SYNC_LOST]
    # The alert stands for as long as it holds: what it says is still right then.
    assert Alert.objects.get().text.startswith("The screen of this table was last heard at 12:00:00 PM.")
    screen_heard(table, "tablet", after(1.7))
    assert watch(running, 1.8) == []


def test_one_screen_of_two_is_enough_and_one_that_was_closed_is_not_missed(running: Cast) -> None:
    table = running.table.pk
    screen_heard(table, "left", after(0))
    screen_heard(table, "right", after(2))
    assert watch(running, 3) == []
    screen_closed(table, "right")
    assert watch(running, 3) == [Kind.SYNC_LOST]
    screen_closed(table, "left")
    assert watch(running, 3) == []


def test_a_table_that_never_had_a_screen_has_lost_none(running: Cast) -> None:
    screen_heard(running.table.pk + 1, "of another table", after(0))
    assert watch(running, 10) == []


def test_looking_twice_does_nothing_twice(running: Cast) -> None:
    for minutes in (15.1, 15.1, 16.2):
        watch(running, minutes)
    assert Alert.objects.count() == 1
    assert JournalEntry.objects.filter(command="alert_raise").count() == 1


def test_the_clock_leaves_the_tablets_where_they_are_and_the_chain_whole(running: Cast) -> None:
    before = Table.objects.get(pk=running.table.pk).version
    watch(running, 15.1)
    table = Table.objects.get(pk=running.table.pk)
    assert table.version == before
    assert list(chain_breaks(table)) == []
    entry = JournalEntry.objects.get(command="alert_raise")
    assert (entry.actor_name, entry.roles) == ("System clock", "")


def test_nobody_can_be_the_clock(running: Cast) -> None:
    clock = clock_account()
    assert clock == clock_account()
    assert not clock.is_active and not clock.has_usable_password()
    assert not any(may(clock, right, running.room) for right in Right)


def test_a_floor_that_cannot_be_watched_keeps_no_other_from_being_watched(
    running: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    other = running.at_rival()
    other.open()
    seen: list[int] = []
    calls = itertools.count()

    def watch_one(room_id: int, now: datetime.datetime) -> int:
        seen.append(room_id)
        if next(calls) == 0:
            raise RuntimeError("lights out")
        return 1

    monkeypatch.setattr("cardroom.floor.tasks.room_watch", watch_one)
    watch_floors()
    assert sorted(seen) == sorted([running.room.pk, other.room.pk])
    assert "could not be watched" in caplog.text


def test_a_bank_that_runs_out_is_seen_until_it_puts_up_a_wager_again(running: Cast) -> None:
    running.play({4: 10000, 5: 10000}, wager=500)
    alert = Alert.objects.get()
    assert (alert.kind, alert.cleared_at, alert.raised_at.tzinfo is not None) == (
        Kind.BANK_EXHAUSTED,
        None,
        True,
    )
    assert named(alert.text).startswith("The bank of Cy at seat 3 ran out in round 1; $")
    running.bet({4: 1000})
    alert.refresh_from_db()
    assert alert.cleared_at is not None and alert.waits


def test_a_bank_that_runs_out_and_is_given_up_is_over_too(running: Cast) -> None:
    running.play({4: 10000, 5: 10000}, wager=500)
    running.send(turn_end)
    assert Alert.objects.get().cleared_at is not None


def test_an_answer_that_was_written_past_the_floor_breaks_the_rotation_for_an_hour(running: Cast) -> None:
    for _ in range(2):
        running.play({4: 1000})
    assert watch(running, 1) == []
    turn = Turn.objects.get()
    Offer.objects.create(
        room=running.room,
        table=running.table,
        shift=Shift.objects.get(),
        cycle=turn.cycle + 1,
        after_turn=turn,
        seat=6,
        player=running.players[6],
        answer=Offer.Answer.DECLINED,
        answered_at=timezone.now(),
        recorded_by=running.people["dealer"],
    )
    assert Kind.ROTATION_BROKEN in watch(running, 1)
    alert = Alert.objects.get(kind=Kind.ROTATION_BROKEN)
    assert "offered to seat 6 when seat 4 was next" in alert.text and alert.is_urgent
    assert Kind.ROTATION_BROKEN not in watch(running, 61)
    alert.refresh_from_db()
    assert alert.waits  # it stays until somebody has answered it


def test_a_shift_past_its_gaming_day_is_told_once_an_hour_until_it_is_closed(running: Cast) -> None:
    """Where no table is open too; answered or not, it comes again with the next hour (ruling 60)."""
    shift = Shift.objects.get(room=running.room)
    Table.objects.update(state=Table.State.CLOSED)
    ended = day_end(shift)
    with time_machine.travel(ended - datetime.timedelta(seconds=1), tick=False) as clock:
        watch_floors()
        assert not Alert.objects.exists()
        for hour in range(1, 4):
            clock.shift(datetime.timedelta(minutes=30))
            watch_floors()
            clock.shift(datetime.timedelta(minutes=30))
            watch_floors()
            alert = Alert.objects.get(kind=Kind.SHIFT_PAST_DAY)
            assert f"in hour {hour} past the end of its gaming day" in alert.text and str(shift) in alert.text
            assert (alert.times, alert.cleared_at, alert.is_urgent) == (hour, None, True)
        running.send(alert_acknowledge, "shift_manager", alert_id=alert.pk)
        watch_floors()
        assert Alert.objects.count() == 1, "it was answered in this hour"
        clock.shift(datetime.timedelta(hours=1))
        watch_floors()
        assert [each.waits for each in Alert.objects.order_by("pk")] == [False, True]
        running.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
        watch_floors()
        assert not Alert.objects.filter(cleared_at=None).exists()
        assert rooms_to_watch(timezone.now()) == []
