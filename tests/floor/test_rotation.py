"""The rotation as it was recorded: periods, figures, exceptions in rows made by hand, and profiles that go by the clock."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.demo.furnish import CODE, demo_load
from cardroom.floor.commands.bank import (
    offer_answer,
    offers_ask_again,
    offers_decline,
    turn_end,
    turn_pause,
    turn_renew,
)
from cardroom.floor.commands.rounds import round_open
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.commands.undo import undo
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import TableCommand
from cardroom.floor.models import JournalEntry, Offer, Pause, Round, Shift, Table, Turn
from cardroom.floor.reads.rotation import (
    TableRotation,
    day_period,
    hours_period,
    room_rotation,
    rotation_window,
    shift_period,
    stands,
    table_rotation,
    total_of,
)
from cardroom.floor.reads.rotation_record import rotation_record
from cardroom.floor.reads.table_state import TableState, read_table
from cardroom.people.models import Player, Provider
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from tests.cast import Cast
from tests.filing import lift_suspensions, table_settings

ANTES = {5: 1000}


def today(cast: Cast) -> TableRotation:
    return table_rotation(cast.table, day_period(cast.room, gaming_day(cast.room, timezone.now())))


def round_over(cast: Cast) -> list[int]:
    """Everybody but the bank declines."""
    asked = []
    while (step := cast.state().step).kind == "offer":
        assert step.seat is not None
        asked.append(step.seat)
        cast.send(offer_answer, seat=step.seat, answer="declined")
    return asked


class TestWhatTheFloorRecorded:
    def test_a_proper_game_has_figures_and_no_exception(self, running: Cast) -> None:
        running.play(ANTES)
        running.play(ANTES)
        round_over(running)
        running.send(turn_renew)
        running.play(ANTES)
        running.send(turn_end)
        found = today(running)
        assert found.exceptions == []
        figures = found.figures
        assert (figures.turns, figures.renewed, figures.rounds, figures.banks) == (2, 1, 3, 1)
        # Seats 1 and 2 declined before seat 3 took the bank, and six others once it had had its two rounds.
        assert (figures.accepted, figures.declined, figures.withdrawn) == (1, 8, 0)
        assert [run.settled for run in found.runs] == [2, 1]
        assert [offer.seat for offer in found.runs[1].offers] == [4, 5, 6, 7, 1, 2]
        assert all(
            offer.recorded_by == running.people["dealer"] for run in found.runs for offer in run.offers
        )

    def test_the_demos_evening_holds(self, db: None, tmp_path: Path) -> None:
        demo_load(tmp_path)
        room = Room.objects.get(code=CODE)
        rotations = room_rotation(room, day_period(room, gaming_day(room, timezone.now())))
        assert [each.table.number for each in rotations] == [7, 8, 9, 10, 11, 12, 13]
        assert total_of(rotations).exceptions == 0 and total_of(rotations).rounds == 21

    def test_closing_and_opening_again_begins_anew_without_an_exception(self, running: Cast) -> None:
        from cardroom.floor.commands.seats import down_start, player_seat

        running.play(ANTES)
        running.send(turn_end)
        running.send(table_close, "floor")
        running.send(table_open, "floor")
        running.send(down_start, "floor", dealer_id=running.people["dealer"].pk)
        for seat in (1, 3, 5):
            running.send(player_seat, seat=seat, player_id=running.players[seat].pk)
        running.bank_to(5)
        assert today(running).exceptions == []

    def test_an_answer_that_is_withdrawn_and_the_turn_that_it_began_count_for_nothing(
        self, running: Cast
    ) -> None:
        running.play(ANTES)
        running.play(ANTES)
        running.send(offer_answer, seat=4, answer="accepted")
        running.send(undo)
        assert running.state().step.seat == 4
        for seat in (4, 5):
            running.send(offer_answer, seat=seat, answer="declined")
        running.send(offer_answer, seat=6, answer="accepted")
        running.play({1: 1000})
        found = today(running)
        assert found.exceptions == []
        assert (found.figures.turns, found.figures.withdrawn, found.figures.accepted) == (2, 1, 2)
        last = found.runs[-1]
        assert last.turn is not None
        assert (last.turn.seat, [turn.seat for turn in last.mistakes]) == (6, [4])
        assert [stands(offer) for offer in last.offers] == [False, True, True, True]

    def test_asking_round_again_is_no_exception(self, cast: Cast) -> None:
        cast.open(seats=(1, 2))
        round_over(cast)
        cast.send(offers_ask_again)
        cast.bank_to(2)
        assert today(cast).exceptions == []

    def test_turns_from_before_the_period_are_known_and_their_rounds_not_counted(self, running: Cast) -> None:
        running.play(ANTES)
        between = timezone.now()
        running.play(ANTES)
        found = table_rotation(running.table, hours_period(1, timezone.now()))
        later = dataclasses.replace(found.period, since=between)
        found = table_rotation(running.table, later)
        assert (found.figures.rounds, found.figures.turns, len(found.runs)) == (1, 0, 1)
        assert found.exceptions == []

    def test_it_takes_as_many_queries_for_many_turns_as_for_one(
        self, running: Cast, django_assert_num_queries: Any
    ) -> None:
        shift = Shift.objects.get()
        period = day_period(running.room, gaming_day(running.room, timezone.now()))
        with django_assert_num_queries(8):
            table_rotation(running.table, period)
        turn = Turn.objects.get()
        Turn.objects.filter(pk=turn.pk).update(ended_at=turn.began_at, ended_why=Turn.Ended.PASSED)
        now = timezone.now()
        Turn.objects.bulk_create(
            Turn(
                room=running.room,
                table=running.table,
                shift=shift,
                player=running.players[3],
                seat=3,
                cycle=number + 10,
                began_at=now,
                ended_at=now,
                ended_why=Turn.Ended.PASSED,
            )
            for number in range(1000)
        )
        with django_assert_num_queries(8):
            found = table_rotation(running.table, period)
        assert found.figures.turns == 1001
        with django_assert_num_queries(8):
            room_rotation(running.room, period)


class TestRowsMadeByHand:
    """What the floor would refuse, written past it."""

    def round_by_hand(self, cast: Cast, **columns: Any) -> Round:
        turn = Turn.objects.order_by("-id").first()
        now = timezone.now()
        return Round.objects.create(
            **{
                "room": cast.room,
                "table": cast.table,
                "gaming_day": gaming_day(cast.room, now),
                "number": Round.objects.count() + 1,
                "state": Round.State.SETTLED,
                "source": Round.Source.RECORD,
                "shift": Shift.objects.get(),
                "dealer": cast.people["dealer"],
                "turn": turn,
                "bank_seat": turn.seat,
                "bank_player": turn.player,
                "bank_wager_cents": 100,
                "rulebook": "california",
                "opened_at": now,
                "bets_closed_at": now,
                "dealt_at": now,
                "ended_at": now,
                "sheet": {},
                "settlement": {},
                **columns,
            }
        )

    @pytest.mark.clause("california:type.5")
    def test_a_third_round_in_a_row(self, running: Cast) -> None:
        running.play(ANTES)
        running.play(ANTES)
        third = self.round_by_hand(running)
        found = today(running)
        [exception] = found.exceptions
        assert (exception.kind, exception.round, exception.clause) == (
            "over_limit",
            third.pk,
            "california:type.5",
        )
        assert found.figures.exceptions == 1
        assert found.runs[-1].deviations == [exception]

    def test_a_round_of_another_bank_and_a_renewal_without_offers(self, running: Cast) -> None:
        running.play(ANTES)
        running.play(ANTES)
        self.round_by_hand(running, bank_player=running.players[5], bank_seat=5)
        turn = Turn.objects.get()
        Turn.objects.filter(pk=turn.pk).update(ended_at=timezone.now(), ended_why=Turn.Ended.RENEWED)
        Turn.objects.create(
            room=running.room,
            table=running.table,
            shift=Shift.objects.get(),
            player=turn.player,
            seat=3,
            cycle=turn.cycle + 1,
            renewed=True,
            began_at=timezone.now(),
        )
        assert [each.kind for each in today(running).exceptions] == ["other_bank", "renewed_early"]

    def test_an_offer_out_of_order(self, running: Cast) -> None:
        running.play(ANTES)
        running.play(ANTES)
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
        [exception] = today(running).exceptions
        assert exception.kind == "out_of_order" and "when seat 4 was next" in exception.text
        answer = rotation_record(today(running))
        assert answer["exceptions"][0]["rule"] == "offers go seat by seat, in the filed direction"
        assert answer["figures"]["exceptions"] == 1


class TestThePeriods:
    def test_a_gaming_day_a_shift_and_the_last_hours(self, running: Cast) -> None:
        room, now, shift = running.room, timezone.now(), Shift.objects.get()
        day = day_period(room, datetime.date(2026, 10, 31))
        assert day.until - day.since == datetime.timedelta(hours=25)
        assert day.holds(day.since) and not day.holds(day.until)
        assert shift_period(shift, now).until == now
        assert shift_period(shift, now).name == f"shift {shift}"
        assert hours_period(2, now).name == "the last 2 hours"
        assert hours_period(99, now).since == now - datetime.timedelta(hours=24)


class TestTheClock:
    """A table whose bank rotates by the rule of 2016, and one by the forty minutes."""

    @pytest.fixture
    def clock(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
        lift_suspensions(monkeypatch)
        with time_machine.travel(
            datetime.datetime(2026, 4, 10, 20, 0, tzinfo=datetime.UTC), tick=True
        ) as clock:
            yield clock

    def set_to(self, cast: Cast, rotation: str) -> None:
        table = Table.objects.get(pk=cast.table.pk)
        cast.send(
            table_set,
            "floor",
            **table_settings(
                cast.room,
                rulebook="california",
                options={},
                schedule_id=table.schedule_id,
                rotation=rotation,
            ),
        )

    def state(self, cast: Cast) -> TableState:
        return read_table(Table.objects.get(pk=cast.table.pk))

    def refused(self, cast: Cast, code: str, command: TableCommand[...], **arguments: Any) -> str:
        with pytest.raises(FloorError) as refusal:
            cast.send(command, **arguments)
        assert refusal.value.code == code
        return refusal.value.message

    def test_the_rotation_comes_with_the_filed_game_and_is_journaled(self, cast: Cast, clock: Any) -> None:
        cast.open(seats=(1, 3, 5))
        assert self.state(cast).profile.id == "two_rounds"
        self.set_to(cast, "every_hour")
        assert self.state(cast).profile.id == "every_hour"
        entry = JournalEntry.objects.filter(command="table_set").order_by("-seq").first()
        assert (entry.data["before"]["rotation"], entry.data["after"]["rotation"]) == ("", "every_hour")
        self.set_to(cast, "")
        assert self.state(cast).profile.id == "two_rounds"

    def test_it_changes_between_rounds_only(self, cast: Cast, clock: Any) -> None:
        cast.open(seats=(1, 3, 5))
        cast.bank_to(3)
        cast.send(round_open, bank_wager_cents=10000)
        with pytest.raises(FloorError) as refusal:
            self.set_to(cast, "every_hour")
        assert refusal.value.code == "round_live"

    def test_an_hour_at_the_bank_then_offers_a_stop_and_a_new_turn(self, cast: Cast, clock: Any) -> None:
        cast.open(seats=(1, 3, 5))
        self.set_to(cast, "every_hour")
        cast.bank_to(3)
        for _ in range(3):
            cast.play(ANTES)
        window = rotation_window(self.state(cast))
        assert window is not None and window.minutes_left == 60
        self.refused(cast, "no_stop_due", turn_pause)
        clock.shift(datetime.timedelta(minutes=61))
        assert rotation_window(self.state(cast)).minutes_left == 0
        assert "has banked for 61 minutes" in self.refused(
            cast, "offer_due", round_open, bank_wager_cents=10000
        )
        assert round_over(cast) == [5, 1]
        self.refused(cast, "game_stopped", turn_renew)
        assert "the game stops for 2 minutes" in self.refused(
            cast, "offer_due", round_open, bank_wager_cents=10000
        )
        assert cast.send(turn_pause)["minutes"] == 2
        stop = Pause.objects.get()
        assert (stop.recorded_by, stop.minutes) == (cast.people["dealer"], 2)
        for change in (stop.delete, lambda: Pause.objects.update(minutes=1)):
            with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
                change()
        self.refused(cast, "game_stopped", turn_pause)
        clock.shift(datetime.timedelta(seconds=60))
        assert "may go on in" in self.refused(cast, "game_stopped", turn_renew)
        assert rotation_window(self.state(cast)).minutes_left == 1
        clock.shift(datetime.timedelta(seconds=61))
        cast.send(turn_renew)
        cast.play(ANTES)
        assert rotation_window(self.state(cast)).minutes_left == 60
        found = today(cast)
        assert found.exceptions == [] and found.figures.stops == 1
        assert [turn.rotation for turn in Turn.objects.order_by("id")] == ["every_hour", "every_hour"]
        assert set(Round.objects.values_list("rotation", flat=True)) == {"every_hour"}

    def test_all_declined_leaves_the_stop_to_its_own_command(self, cast: Cast, clock: Any) -> None:
        cast.open(seats=(1, 3, 5))
        self.set_to(cast, "every_hour")
        cast.bank_to(3)
        clock.shift(datetime.timedelta(minutes=61))
        answer = cast.send(offers_decline)
        assert (answer["declined"], answer["bank_seat"]) == ([5, 1], None)
        assert self.state(cast).step.kind == "pause"
        assert Turn.objects.count() == 1

    def test_a_second_hour_needs_a_stop_of_its_own(self, cast: Cast, clock: Any) -> None:
        cast.open(seats=(1, 3))
        self.set_to(cast, "every_hour")
        cast.bank_to(3)
        for _ in range(2):
            clock.shift(datetime.timedelta(minutes=61))
            round_over(cast)
            assert self.state(cast).step.kind == "pause"
            cast.send(turn_pause)
            clock.shift(datetime.timedelta(minutes=2))
            cast.send(turn_renew)
        assert Pause.objects.count() == 2

    def test_forty_minutes_without_two_others_end_the_game(self, cast: Cast, clock: Any) -> None:
        firm = Provider.objects.create(room=cast.room, name="Levee Players")
        Player.objects.filter(pk=cast.players[3].pk).update(provider=firm)
        cast.open(seats=(1, 3, 5))
        self.set_to(cast, "forty_minutes")
        cast.bank_to(3)
        cast.play(ANTES)
        round_over(cast)
        assert "somebody else must take the next turn" in self.state(cast).step.reason
        # Nor may the provider's player come back by giving the bank up: everybody else has answered, and still has.
        cast.send(turn_end)
        assert round_over(cast) == []
        assert self.state(cast).step.kind == "vacant"
        cast.send(offers_ask_again)
        cast.bank_to(1)
        cast.play(ANTES)
        clock.shift(datetime.timedelta(minutes=30))
        window = rotation_window(self.state(cast))
        assert window is not None and window.minutes_left == 10 and "1 of 2 players" in window.text
        clock.shift(datetime.timedelta(minutes=10))
        assert self.state(cast).step.kind == "end"
        for command, arguments in (
            (round_open, {"bank_wager_cents": 10000}),
            (turn_renew, {}),
            (offer_answer, {"seat": 5, "answer": "declined"}),
        ):
            assert "the game ends" in self.refused(cast, "game_over", command, **arguments)
        cast.send(table_close, "floor")
        cast.send(table_open, "floor")
        assert self.state(cast).step.kind == "vacant"

    def test_the_board_sees_the_same_step(
        self, cast: Cast, clock: Any, django_assert_num_queries: Any
    ) -> None:
        from cardroom.floor.reads.board import room_board

        cast.open(seats=(1, 3))
        shift = Shift.objects.get()
        with django_assert_num_queries(10):
            room_board(cast.room, shift, timezone.now())
        self.set_to(cast, "every_hour")
        cast.bank_to(3)
        clock.shift(datetime.timedelta(minutes=61))
        with django_assert_num_queries(11):
            glance, _ = room_board(cast.room, shift, timezone.now())
        assert glance.state.step == self.state(cast).step
        assert glance.state.step.kind == "offer"
