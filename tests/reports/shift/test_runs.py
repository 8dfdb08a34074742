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
from tests.filing import lift_suspensions, table_settings
from tests.floor.site import Site, running_site
from tests.kept import kept

from ..commands import as_superuser, of_table, open_shift, report


def forget_the_turns_count(site: Site) -> None:
    """Let the open turn believe that it has banked no round yet, so that the floor lets it go on."""
    with as_superuser() as cursor:
        cursor.execute("UPDATE floor_turn SET rounds = 0 WHERE table_id = %s", [site.table.pk])


def numbers_over(site: Site) -> list[list[int]]:
    return [[ref["number"] for ref in run["rounds"]] for run in runs_over_limit(open_shift(site).pk)]


def everybody_declines(site: Site) -> None:
    while site.step().kind == "offer":
        site.send(offer_answer, seat=site.step().seat, answer="declined")


def two_rounds(site: Site) -> None:
    site.play({4: 1000})
    site.play({4: 1000})


@pytest.fixture
def after_two(db: None) -> Site:
    """The site after two rounds by the bank at seat 3."""
    return kept(_after_two)


def _after_two() -> Site:
    site = running_site()
    two_rounds(site)
    return site


@pytest.fixture
def six_after_two(db: None) -> Site:
    """The same with seat 7 empty."""
    return kept(_six_after_two)


def _six_after_two() -> Site:
    site = Site()
    site.open(seats=(1, 2, 3, 4, 5, 6))
    site.bank_to(3)
    two_rounds(site)
    return site


def test_two_rounds_in_a_row_are_within_the_limit(after_two: Site) -> None:
    assert numbers_over(after_two) == []


def test_a_third_round_is_found_whatever_the_turn_says(after_two: Site) -> None:
    forget_the_turns_count(after_two)
    after_two.play({4: 1000})
    assert Turn.objects.get().rounds == 1

    made = report(after_two)

    (over,) = made.typed_figures["over_limit"]
    assert (over["number"], over["player_name"], over["limit"]) == (7, "Cy", 2)
    assert [ref["number"] for ref in over["rounds"]] == [1, 2, 3]
    assert of_table(made)["runs_over_limit"] == made.typed_figures["total"]["runs_over_limit"] == 1


def test_the_same_bank_may_go_on_after_everybody_has_declined(
    open_site: Site, django_assert_num_queries: Any
) -> None:
    shift = open_shift(open_site)
    for _ in range(3):
        two_rounds(open_site)
        everybody_declines(open_site)
        open_site.send(turn_renew)
    with django_assert_num_queries(5):
        assert runs_over_limit(shift.pk) == []


def test_a_cycle_with_a_seat_left_out_is_none(after_two: Site) -> None:
    everybody_declines(after_two)
    after_two.send(turn_renew)
    after_two.play({4: 1000})
    with as_superuser() as cursor:
        cursor.execute("DELETE FROM floor_offer WHERE seat = 5")
    assert numbers_over(after_two) == [[1, 2, 3]]


def test_a_player_who_sits_down_after_the_new_turn_began_was_not_left_out(six_after_two: Site) -> None:
    site = six_after_two
    everybody_declines(site)
    site.send(turn_renew)
    site.send(player_seat, seat=7, player_id=site.players[7].pk)
    two_rounds(site)
    assert numbers_over(site) == []


def test_a_player_who_left_before_being_asked_was_not_left_out(six_after_two: Site) -> None:
    site = six_after_two
    site.send(player_leave, seat=2)
    everybody_declines(site)
    site.send(turn_renew)
    site.play({4: 1000})
    assert numbers_over(site) == []


def test_another_bank_between_ends_the_run(after_two: Site) -> None:
    after_two.bank_to(5)
    two_rounds(after_two)
    after_two.bank_to(3)
    two_rounds(after_two)
    assert numbers_over(after_two) == []


def test_a_void_neither_counts_nor_ends_a_run(open_site: Site) -> None:
    site = open_site
    site.play({4: 1000})
    site.bet({4: 1000})
    site.send(round_void, reason="device failure", approver=site.floor)
    site.play({4: 1000})
    assert numbers_over(site) == []
    forget_the_turns_count(site)
    site.play({4: 1000})
    assert numbers_over(site) == [[1, 3, 4]]


def closed_and_opened(site: Site, *seats: int) -> None:
    """The table closes and opens, and Cy sits down first, at seat 1, then the players of `seats`."""
    site.send(table_close, site.floor)
    site.send(table_open, site.floor)
    site.send(down_start, site.floor, dealer_id=site.dealer.pk)
    site.send(player_seat, seat=1, player_id=site.players[3].pk)
    for seat in seats:
        site.send(player_seat, seat=seat, player_id=site.players[seat].pk)


def test_a_table_that_closed_does_not_end_the_run(after_two: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a floor that forgets the last bank would have it: Cy is asked alone, three times, and banks seven rounds."""
    monkeypatch.setattr("cardroom.floor.reads.table_state.last_bank_of", lambda table: None)
    site = after_two
    for rounds in (2, 2, 1):
        closed_and_opened(site)
        site.bank_to(1)
        site.send(player_seat, seat=4, player_id=site.players[4].pk)
        for _ in range(rounds):
            site.play({4: 1000})
    assert numbers_over(site) == [[1, 2, 3, 4, 5, 6, 7]]
    made = report(site)
    assert of_table(made)["runs_over_limit"] == 1


def test_a_run_over_shifts_is_told_from_its_first_round(
    open_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardroom.floor.reads.table_state.last_bank_of", lambda table: None)
    site = open_site
    for number in range(3):
        two_rounds(site)
        closed_and_opened(site)
        site.bank_to(1)
        site.send(player_seat, seat=4, player_id=site.players[4].pk)
        if number < 2:
            report(site)
            site.send_room(shift_open, name=f"Shift {number}")
    site.play({4: 1000})
    [run] = runs_over_limit(open_shift(site).pk)
    assert len(run["rounds"]) == 7


def test_a_table_that_opens_again_asks_everybody_else_before_the_last_bank(after_two: Site) -> None:
    site = after_two
    closed_and_opened(site, 4)
    site.bank_to(1)
    two_rounds(site)
    assert [offer.seat for offer in Offer.objects.order_by("-id")[:2]] == [1, 4]
    assert numbers_over(site) == []


def test_each_round_is_held_against_its_own_profile(open_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second in a row under two rounds, after one under every hand: the floor lets it be played."""
    lift_suspensions(monkeypatch)
    site = open_site
    set_to(site, "every_hand")
    site.play({4: 1000})
    set_to(site, "two_rounds")
    site.play({4: 1000})
    assert numbers_over(site) == []
    set_to(site, "every_hour")
    site.play({4: 1000})
    assert numbers_over(site) == []
    set_to(site, "two_rounds")
    assert site.step().kind == "offer"
    forget_the_turns_count(site)
    site.play({4: 1000})
    assert numbers_over(site) == [[1, 2, 3, 4]]


def test_moving_to_another_seat_does_not_buy_rounds(
    six_after_two: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cy gives the bank up by moving to seat 7, and takes it there before seats 1 and 2 were asked.

    The floor asks Cy last, wherever he sits; the report must find the run if it did not.
    """
    monkeypatch.setattr("cardroom.floor.reads.table_state.last_bank_of", lambda table: None)
    site = six_after_two
    site.send(player_move, seat=3, to_seat=7)
    site.bank_to(7)
    site.play({4: 1000})
    assert numbers_over(site) == [[1, 2, 3]]


def test_a_bank_that_moved_on_is_asked_after_everybody_else(six_after_two: Site) -> None:
    site = six_after_two
    site.send(player_move, seat=3, to_seat=7)
    site.bank_to(7)
    site.play({4: 1000})
    assert numbers_over(site) == []


def test_a_run_reaches_back_into_the_shift_before(after_two: Site) -> None:
    site = after_two
    first = report(site)
    site.send_room(shift_open, name="Graveyard")
    forget_the_turns_count(site)
    site.play({4: 1000})
    second = report(site)
    assert first.typed_figures["over_limit"] == []
    assert [ref["number"] for ref in second.typed_figures["over_limit"][0]["rounds"]] == [1, 2, 3]


def test_each_table_is_counted_by_itself(after_two: Site) -> None:
    other = Site("Other Room")
    other.open()
    other.bank_to(3)
    other.play({4: 1000})
    assert numbers_over(after_two) == numbers_over(other) == []


def set_to(site: Site, rotation: str) -> None:
    site.send(
        table_set,
        site.floor,
        **table_settings(site.room, rulebook="california", options={}, schedule_id=None, rotation=rotation),
    )


def test_rounds_that_go_by_the_clock_are_not_counted(
    open_site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    lift_suspensions(monkeypatch)
    set_to(open_site, "every_hour")
    two_rounds(open_site)
    open_site.play({4: 1000})
    assert numbers_over(open_site) == []


def test_a_tables_own_profile_says_how_many_rounds_are_too_many(open_site: Site) -> None:
    set_to(open_site, "every_hand")
    open_site.play({4: 1000})
    forget_the_turns_count(open_site)
    open_site.play({4: 1000})
    assert numbers_over(open_site) == [[1, 2]]
