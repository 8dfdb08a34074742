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
from cardroom.floor.execution import TableCommand
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
from tests.filing import lift_suspensions, table_settings

from .site import Site

ANTES = {5: 1000}


def today(site: Site) -> TableRotation:
    return table_rotation(site.table, day_period(site.room, gaming_day(site.room, timezone.now())))


def round_over(site: Site) -> list[int]:
    """Everybody but the bank declines."""
    asked = []
    while (step := site.step()).kind == "offer":
        asked.append(step.seat)
        site.send(offer_answer, seat=step.seat, answer="declined")
    return asked


class TestWhatTheFloorRecorded:
    def test_a_proper_game_has_figures_and_no_exception(self, open_site: Site) -> None:
        open_site.play(ANTES)
        open_site.play(ANTES)
        round_over(open_site)
        open_site.send(turn_renew)
        open_site.play(ANTES)
        open_site.send(turn_end)
        found = today(open_site)
        assert found.exceptions == []
        figures = found.figures
        assert (figures.turns, figures.renewed, figures.rounds, figures.banks) == (2, 1, 3, 1)
        # Seats 1 and 2 declined before seat 3 took the bank, and six others once it had had its two rounds.
        assert (figures.accepted, figures.declined, figures.withdrawn) == (1, 8, 0)
        assert [run.settled for run in found.runs] == [2, 1]
        assert [offer.seat for offer in found.runs[1].offers] == [4, 5, 6, 7, 1, 2]
        assert all(offer.recorded_by == open_site.dealer for run in found.runs for offer in run.offers)

    def test_the_demos_evening_holds(self, db: None, tmp_path: Path) -> None:
        demo_load(tmp_path)
        room = Room.objects.get(code=CODE)
        rotations = room_rotation(room, day_period(room, gaming_day(room, timezone.now())))
        assert [each.table.number for each in rotations] == [7, 8, 9, 10, 11, 12]
        assert total_of(rotations).exceptions == 0 and total_of(rotations).rounds == 5

    def test_closing_and_opening_again_begins_anew_without_an_exception(self, open_site: Site) -> None:
        from cardroom.floor.commands.seats import down_start, player_seat

        open_site.play(ANTES)
        open_site.send(turn_end)
        open_site.send(table_close, open_site.floor)
        open_site.send(table_open, open_site.floor)
        open_site.send(down_start, open_site.floor, dealer_id=open_site.dealer.pk)
        for seat in (1, 3, 5):
            open_site.send(player_seat, seat=seat, player_id=open_site.players[seat].pk)
        open_site.bank_to(5)
        assert today(open_site).exceptions == []

    def test_an_answer_that_is_withdrawn_and_the_turn_that_it_began_count_for_nothing(
        self, open_site: Site
    ) -> None:
        open_site.play(ANTES)
        open_site.play(ANTES)
        open_site.send(offer_answer, seat=4, answer="accepted")
        open_site.send(undo)
        assert open_site.step().seat == 4
        for seat in (4, 5):
            open_site.send(offer_answer, seat=seat, answer="declined")
        open_site.send(offer_answer, seat=6, answer="accepted")
        open_site.play({1: 1000})
        found = today(open_site)
        assert found.exceptions == []
        assert (found.figures.turns, found.figures.withdrawn, found.figures.accepted) == (2, 1, 2)
        last = found.runs[-1]
        assert last.turn is not None
        assert (last.turn.seat, [turn.seat for turn in last.mistakes]) == (6, [4])
        assert [stands(offer) for offer in last.offers] == [False, True, True, True]

    def test_asking_round_again_is_no_exception(self, site: Site) -> None:
        site.open(seats=(1, 2))
        round_over(site)
        site.send(offers_ask_again)
        site.bank_to(2)
        assert today(site).exceptions == []

    def test_turns_from_before_the_period_are_known_and_their_rounds_not_counted(
        self, open_site: Site
    ) -> None:
        open_site.play(ANTES)
        between = timezone.now()
        open_site.play(ANTES)
        found = table_rotation(open_site.table, hours_period(1, timezone.now()))
        later = dataclasses.replace(found.period, since=between)
        found = table_rotation(open_site.table, later)
        assert (found.figures.rounds, found.figures.turns, len(found.runs)) == (1, 0, 1)
        assert found.exceptions == []

    def test_it_takes_as_many_queries_for_many_turns_as_for_one(
        self, open_site: Site, django_assert_num_queries: Any
    ) -> None:
        shift = Shift.objects.get()
        period = day_period(open_site.room, gaming_day(open_site.room, timezone.now()))
        with django_assert_num_queries(7):
            table_rotation(open_site.table, period)
        turn = Turn.objects.get()
        Turn.objects.filter(pk=turn.pk).update(ended_at=turn.began_at, ended_why=Turn.Ended.PASSED)
        now = timezone.now()
        Turn.objects.bulk_create(
            Turn(
                room=open_site.room,
                table=open_site.table,
                shift=shift,
                player=open_site.players[3],
                seat=3,
                cycle=number + 10,
                began_at=now,
                ended_at=now,
                ended_why=Turn.Ended.PASSED,
            )
            for number in range(1000)
        )
        with django_assert_num_queries(7):
            found = table_rotation(open_site.table, period)
        assert found.figures.turns == 1001
        with django_assert_num_queries(7):
            room_rotation(open_site.room, period)


class TestRowsMadeByHand:
    """What the floor would refuse, written past it."""

    def round_by_hand(self, site: Site, **columns: Any) -> Round:
        turn = Turn.objects.order_by("-id").first()
        now = timezone.now()
        return Round.objects.create(
            **{
                "room": site.room,
                "table": site.table,
                "gaming_day": gaming_day(site.room, now),
                "number": Round.objects.count() + 1,
                "state": Round.State.SETTLED,
                "source": Round.Source.RECORD,
                "shift": Shift.objects.get(),
                "dealer": site.dealer,
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
    def test_a_third_round_in_a_row(self, open_site: Site) -> None:
        open_site.play(ANTES)
        open_site.play(ANTES)
        third = self.round_by_hand(open_site)
        found = today(open_site)
        [exception] = found.exceptions
        assert (exception.kind, exception.round, exception.clause) == (
            "over_limit",
            third.pk,
            "california:type.5",
        )
        assert found.figures.exceptions == 1
        assert found.runs[-1].deviations == [exception]

    def test_a_round_of_another_bank_and_a_renewal_without_offers(self, open_site: Site) -> None:
        open_site.play(ANTES)
        open_site.play(ANTES)
        self.round_by_hand(open_site, bank_player=open_site.players[5], bank_seat=5)
        turn = Turn.objects.get()
        Turn.objects.filter(pk=turn.pk).update(ended_at=timezone.now(), ended_why=Turn.Ended.RENEWED)
        Turn.objects.create(
            room=open_site.room,
            table=open_site.table,
            shift=Shift.objects.get(),
            player=turn.player,
            seat=3,
            cycle=turn.cycle + 1,
            renewed=True,
            began_at=timezone.now(),
        )
        assert [each.kind for each in today(open_site).exceptions] == ["other_bank", "renewed_early"]

    def test_an_offer_out_of_order(self, open_site: Site) -> None:
        open_site.play(ANTES)
        open_site.play(ANTES)
        turn = Turn.objects.get()
        Offer.objects.create(
            room=open_site.room,
            table=open_site.table,
            shift=Shift.objects.get(),
            cycle=turn.cycle + 1,
            after_turn=turn,
            seat=6,
            player=open_site.players[6],
            answer=Offer.Answer.DECLINED,
            answered_at=timezone.now(),
            recorded_by=open_site.dealer,
        )
        [exception] = today(open_site).exceptions
        assert exception.kind == "out_of_order" and "when seat 4 was next" in exception.text
        answer = rotation_record(today(open_site))
        assert answer["exceptions"][0]["rule"] == "offers go clockwise, seat by seat"
        assert answer["figures"]["exceptions"] == 1


class TestThePeriods:
    def test_a_gaming_day_a_shift_and_the_last_hours(self, open_site: Site) -> None:
        room, now, shift = open_site.room, timezone.now(), Shift.objects.get()
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

    def set_to(self, site: Site, rotation: str) -> None:
        table = Table.objects.get(pk=site.table.pk)
        site.send(
            table_set,
            site.floor,
            **table_settings(
                site.room,
                rulebook="california",
                options={},
                schedule_id=table.schedule_id,
                rotation=rotation,
            ),
        )

    def state(self, site: Site) -> TableState:
        return read_table(Table.objects.get(pk=site.table.pk))

    def refused(self, site: Site, code: str, command: TableCommand[...], **arguments: Any) -> str:
        with pytest.raises(FloorError) as refusal:
            site.send(command, **arguments)
        assert refusal.value.code == code
        return refusal.value.message

    def test_the_rotation_comes_with_the_filed_game_and_is_journaled(self, site: Site, clock: Any) -> None:
        site.open(seats=(1, 3, 5))
        assert self.state(site).profile.id == "two_rounds"
        self.set_to(site, "every_hour")
        assert self.state(site).profile.id == "every_hour"
        entry = JournalEntry.objects.filter(command="table_set").order_by("-seq").first()
        assert (entry.data["before"]["rotation"], entry.data["after"]["rotation"]) == ("", "every_hour")
        self.set_to(site, "")
        assert self.state(site).profile.id == "two_rounds"

    def test_it_changes_between_rounds_only(self, site: Site, clock: Any) -> None:
        site.open(seats=(1, 3, 5))
        site.bank_to(3)
        site.send(round_open, bank_wager_cents=10000)
        with pytest.raises(FloorError) as refusal:
            self.set_to(site, "every_hour")
        assert refusal.value.code == "round_live"

    def test_an_hour_at_the_bank_then_offers_a_stop_and_a_new_turn(self, site: Site, clock: Any) -> None:
        site.open(seats=(1, 3, 5))
        self.set_to(site, "every_hour")
        site.bank_to(3)
        for _ in range(3):
            site.play(ANTES)
        window = rotation_window(self.state(site))
        assert window is not None and window.minutes_left == 60
        self.refused(site, "no_stop_due", turn_pause)
        clock.shift(datetime.timedelta(minutes=61))
        assert rotation_window(self.state(site)).minutes_left == 0
        assert "has banked for 61 minutes" in self.refused(
            site, "offer_due", round_open, bank_wager_cents=10000
        )
        assert round_over(site) == [5, 1]
        self.refused(site, "game_stopped", turn_renew)
        assert "the game stops for 2 minutes" in self.refused(
            site, "offer_due", round_open, bank_wager_cents=10000
        )
        assert site.send(turn_pause)["minutes"] == 2
        stop = Pause.objects.get()
        assert (stop.recorded_by, stop.minutes) == (site.dealer, 2)
        for change in (stop.delete, lambda: Pause.objects.update(minutes=1)):
            with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
                change()
        self.refused(site, "game_stopped", turn_pause)
        clock.shift(datetime.timedelta(seconds=60))
        assert "may go on in" in self.refused(site, "game_stopped", turn_renew)
        assert rotation_window(self.state(site)).minutes_left == 1
        clock.shift(datetime.timedelta(seconds=61))
        site.send(turn_renew)
        site.play(ANTES)
        assert rotation_window(self.state(site)).minutes_left == 60
        found = today(site)
        assert found.exceptions == [] and found.figures.stops == 1
        assert [turn.rotation for turn in Turn.objects.order_by("id")] == ["every_hour", "every_hour"]
        assert set(Round.objects.values_list("rotation", flat=True)) == {"every_hour"}

    def test_all_declined_leaves_the_stop_to_its_own_command(self, site: Site, clock: Any) -> None:
        site.open(seats=(1, 3, 5))
        self.set_to(site, "every_hour")
        site.bank_to(3)
        clock.shift(datetime.timedelta(minutes=61))
        answer = site.send(offers_decline)
        assert (answer["declined"], answer["bank_seat"]) == ([5, 1], None)
        assert self.state(site).step.kind == "pause"
        assert Turn.objects.count() == 1

    def test_a_second_hour_needs_a_stop_of_its_own(self, site: Site, clock: Any) -> None:
        site.open(seats=(1, 3))
        self.set_to(site, "every_hour")
        site.bank_to(3)
        for _ in range(2):
            clock.shift(datetime.timedelta(minutes=61))
            round_over(site)
            assert self.state(site).step.kind == "pause"
            site.send(turn_pause)
            clock.shift(datetime.timedelta(minutes=2))
            site.send(turn_renew)
        assert Pause.objects.count() == 2

    def test_forty_minutes_without_two_others_end_the_game(self, site: Site, clock: Any) -> None:
        firm = Provider.objects.create(room=site.room, name="Levee Players")
        Player.objects.filter(pk=site.players[3].pk).update(provider=firm)
        site.open(seats=(1, 3, 5))
        self.set_to(site, "forty_minutes")
        site.bank_to(3)
        site.play(ANTES)
        round_over(site)
        assert "somebody else must take the next turn" in self.state(site).step.reason
        # Nor may the provider's player come back by giving the bank up: everybody else has answered, and still has.
        site.send(turn_end)
        assert round_over(site) == []
        assert self.state(site).step.kind == "vacant"
        site.send(offers_ask_again)
        site.bank_to(1)
        site.play(ANTES)
        clock.shift(datetime.timedelta(minutes=30))
        window = rotation_window(self.state(site))
        assert window is not None and window.minutes_left == 10 and "1 of 2 players" in window.text
        clock.shift(datetime.timedelta(minutes=10))
        assert self.state(site).step.kind == "end"
        for command, arguments in (
            (round_open, {"bank_wager_cents": 10000}),
            (turn_renew, {}),
            (offer_answer, {"seat": 5, "answer": "declined"}),
        ):
            assert "the game ends" in self.refused(site, "game_over", command, **arguments)
        site.send(table_close, site.floor)
        site.send(table_open, site.floor)
        assert self.state(site).step.kind == "vacant"

    def test_the_board_sees_the_same_step(
        self, site: Site, clock: Any, django_assert_num_queries: Any
    ) -> None:
        from cardroom.floor.reads.board import room_board

        site.open(seats=(1, 3))
        shift = Shift.objects.get()
        with django_assert_num_queries(10):
            room_board(site.room, shift, timezone.now())
        self.set_to(site, "every_hour")
        site.bank_to(3)
        clock.shift(datetime.timedelta(minutes=61))
        with django_assert_num_queries(11):
            [glance] = room_board(site.room, shift, timezone.now())
        assert glance.state.step == self.state(site).step
        assert glance.state.step.kind == "offer"
