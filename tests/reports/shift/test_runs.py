"""Rounds in a row by one bank, counted from the rounds themselves (ruling 40)."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.floor.commands.bank import offer_answer, turn_renew
from cardroom.floor.commands.rounds import round_void
from cardroom.floor.commands.seats import down_start, player_leave, player_move, player_seat
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_close, table_open, table_set
from cardroom.floor.models import Offer, Turn
from cardroom.reports.shift.consecutive_rounds import runs_over_limit
from tests.cast import Cast, running_cast
from tests.filing import lift_suspensions, table_settings
from tests.kept import kept

from ..commands import as_superuser, of_table, open_shift, report


def forget_the_turns_count(cast: Cast) -> None:
    """Let the open turn believe that it has banked no round yet, so that the floor lets it go on."""
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_turn SET rounds = 0 WHERE table_id = %s", [cast.table.pk])


def numbers_over(cast: Cast) -> list[list[int]]:
    return [[ref["number"] for ref in run["rounds"]] for run in runs_over_limit(open_shift(cast).pk)]


def everybody_declines(cast: Cast) -> None:
    while cast.state().step.kind == "offer":
        cast.send(offer_answer, seat=cast.state().step.seat, answer="declined")


def two_rounds(cast: Cast) -> None:
    cast.play({4: 1000})
    cast.play({4: 1000})


@pytest.fixture
def after_two(db: None) -> Cast:
    """The table after two rounds by the bank at seat 3."""
    return kept(_after_two)


def _after_two() -> Cast:
    cast = running_cast()
    two_rounds(cast)
    return cast


@pytest.fixture
def six_after_two(db: None) -> Cast:
    """The same with seat 7 empty."""
    return kept(_six_after_two)


def _six_after_two() -> Cast:
    cast = Cast()
    cast.open(seats=(1, 2, 3, 4, 5, 6))
    cast.bank_to(3)
    two_rounds(cast)
    return cast


def test_two_rounds_in_a_row_are_within_the_limit(after_two: Cast) -> None:
    assert numbers_over(after_two) == []


def test_a_third_round_is_found_whatever_the_turn_says(after_two: Cast) -> None:
    forget_the_turns_count(after_two)
    after_two.play({4: 1000})
    assert Turn.objects.get().rounds == 1

    made = report(after_two)

    (over,) = made.typed_figures["over_limit"]
    assert (over["number"], over["player"], over["limit"]) == (7, after_two.players[3].pk, 2)
    assert [ref["number"] for ref in over["rounds"]] == [1, 2, 3]
    assert of_table(made)["runs_over_limit"] == made.typed_figures["total"]["runs_over_limit"] == 1


def test_the_same_bank_may_go_on_after_everybody_has_declined(
    running: Cast, django_assert_num_queries: Any
) -> None:
    shift = open_shift(running)
    for _ in range(3):
        two_rounds(running)
        everybody_declines(running)
        running.send(turn_renew)
    with django_assert_num_queries(6):
        assert runs_over_limit(shift.pk) == []


def test_a_cycle_with_a_seat_left_out_is_none(after_two: Cast) -> None:
    everybody_declines(after_two)
    after_two.send(turn_renew)
    after_two.play({4: 1000})
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM floor_offer WHERE seat = 5")
    assert numbers_over(after_two) == [[1, 2, 3]]


def test_a_player_who_sits_down_after_the_new_turn_began_was_not_left_out(six_after_two: Cast) -> None:
    everybody_declines(six_after_two)
    six_after_two.send(turn_renew)
    six_after_two.send(player_seat, seat=7, player_id=six_after_two.players[7].pk)
    two_rounds(six_after_two)
    assert numbers_over(six_after_two) == []


def test_a_player_who_left_before_being_asked_was_not_left_out(six_after_two: Cast) -> None:
    six_after_two.send(player_leave, seat=2)
    everybody_declines(six_after_two)
    six_after_two.send(turn_renew)
    six_after_two.play({4: 1000})
    assert numbers_over(six_after_two) == []


def test_another_bank_between_ends_the_run(after_two: Cast) -> None:
    after_two.bank_to(5)
    two_rounds(after_two)
    after_two.bank_to(3)
    two_rounds(after_two)
    assert numbers_over(after_two) == []


def test_a_void_neither_counts_nor_ends_a_run(running: Cast) -> None:
    running.play({4: 1000})
    running.bet({4: 1000})
    running.send(round_void, reason="device failure", approver=running.people["floor"])
    running.play({4: 1000})
    assert numbers_over(running) == []
    forget_the_turns_count(running)
    running.play({4: 1000})
    assert numbers_over(running) == [[1, 3, 4]]


def closed_and_opened(cast: Cast, *seats: int) -> None:
    """The table closes and opens, and Cy sits down first, at seat 1, then the players of `seats`."""
    cast.send(table_close, "floor")
    cast.send(table_open, "floor")
    cast.send(down_start, "floor", dealer_id=cast.people["dealer"].pk)
    cast.send(player_seat, seat=1, player_id=cast.players[3].pk)
    for seat in seats:
        cast.send(player_seat, seat=seat, player_id=cast.players[seat].pk)


def test_a_table_that_closed_does_not_end_the_run(after_two: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a floor that forgets the last bank would have it: Cy is asked alone, three times, and banks seven rounds."""
    monkeypatch.setattr("cardroom.floor.reads.table_state.last_bank_of", lambda table: None)
    for rounds in (2, 2, 1):
        closed_and_opened(after_two)
        after_two.bank_to(1)
        after_two.send(player_seat, seat=4, player_id=after_two.players[4].pk)
        for _ in range(rounds):
            after_two.play({4: 1000})
    assert numbers_over(after_two) == [[1, 2, 3, 4, 5, 6, 7]]
    made = report(after_two)
    assert of_table(made)["runs_over_limit"] == 1


def test_a_run_over_shifts_is_told_from_its_first_round(
    running: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardroom.floor.reads.table_state.last_bank_of", lambda table: None)
    for number in range(3):
        two_rounds(running)
        closed_and_opened(running)
        running.bank_to(1)
        running.send(player_seat, seat=4, player_id=running.players[4].pk)
        if number < 2:
            report(running)
            running.send_room(shift_open, name=f"Shift {number}")
    running.play({4: 1000})
    [run] = runs_over_limit(open_shift(running).pk)
    assert len(run["rounds"]) == 7


def test_a_table_that_opens_again_asks_everybody_else_before_the_last_bank(after_two: Cast) -> None:
    closed_and_opened(after_two, 4)
    after_two.bank_to(1)
    two_rounds(after_two)
    assert [offer.seat for offer in Offer.objects.order_by("-id")[:2]] == [1, 4]
    assert numbers_over(after_two) == []


def test_each_round_is_held_against_its_own_profile(running: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second in a row under two rounds, after one under every hand: the floor lets it be played."""
    lift_suspensions(monkeypatch)
    set_to(running, "every_hand")
    running.play({4: 1000})
    set_to(running, "two_rounds")
    running.play({4: 1000})
    assert numbers_over(running) == []
    set_to(running, "every_hour")
    running.play({4: 1000})
    assert numbers_over(running) == []
    set_to(running, "two_rounds")
    assert running.state().step.kind == "offer"
    forget_the_turns_count(running)
    running.play({4: 1000})
    assert numbers_over(running) == [[1, 2, 3, 4]]


def test_moving_to_another_seat_does_not_buy_rounds(
    six_after_two: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cy gives the bank up by moving to seat 7, and takes it there before seats 1 and 2 were asked.

    The floor asks Cy last, wherever he sits; the report must find the run if it did not.
    """
    monkeypatch.setattr("cardroom.floor.reads.table_state.last_bank_of", lambda table: None)
    six_after_two.send(player_move, seat=3, to_seat=7)
    six_after_two.bank_to(7)
    six_after_two.play({4: 1000})
    assert numbers_over(six_after_two) == [[1, 2, 3]]


def test_a_bank_that_moved_on_is_asked_after_everybody_else(six_after_two: Cast) -> None:
    six_after_two.send(player_move, seat=3, to_seat=7)
    six_after_two.bank_to(7)
    six_after_two.play({4: 1000})
    assert numbers_over(six_after_two) == []


def test_a_run_reaches_back_into_the_shift_before(after_two: Cast) -> None:
    first = report(after_two)
    after_two.send_room(shift_open, name="Graveyard")
    forget_the_turns_count(after_two)
    after_two.play({4: 1000})
    second = report(after_two)
    assert first.typed_figures["over_limit"] == []
    assert [ref["number"] for ref in second.typed_figures["over_limit"][0]["rounds"]] == [1, 2, 3]


def test_each_table_is_counted_by_itself(after_two: Cast) -> None:
    other = after_two.at_rival().running()
    other.play({4: 1000})
    assert numbers_over(after_two) == numbers_over(other) == []


def set_to(cast: Cast, rotation: str) -> None:
    cast.send(
        table_set,
        "floor",
        **table_settings(cast.room, rulebook="california", options={}, schedule_id=None, rotation=rotation),
    )


def test_rounds_that_go_by_the_clock_are_not_counted(running: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    lift_suspensions(monkeypatch)
    set_to(running, "every_hour")
    two_rounds(running)
    running.play({4: 1000})
    assert numbers_over(running) == []


def test_a_tables_own_profile_says_how_many_rounds_are_too_many(running: Cast) -> None:
    set_to(running, "every_hand")
    running.play({4: 1000})
    forget_the_turns_count(running)
    running.play({4: 1000})
    assert numbers_over(running) == [[1, 2]]
