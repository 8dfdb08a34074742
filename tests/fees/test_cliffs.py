"""Jumps of a schedule, and what they cost."""

from __future__ import annotations

from fees.cliffs import cliffs
from fees.rates import read_schedule

from .documents import (
    OPTION_1,
    band,
    bank,
    jackpot,
    own,
    player,
    positions,
    timed,
    wager_band,
    with_lines,
)


def test_the_first_option_jumps_once_by_a_dollar() -> None:
    (jump,) = cliffs(read_schedule(OPTION_1, number=1, title="Schedule option 1"))
    assert (jump.below, jump.above, jump.step_cents) == (10000, 10100, 100)
    assert jump.sentence == "$100 → $101 costs the player-dealer $1 more"
    assert jump.clause == "california:fees.s1.bank.2"


def test_every_step_of_a_staircase_is_told_from_the_bottom_up() -> None:
    document = with_lines(player(100), band(500, 10000, 100), band(10100, 50000, 200), band(50100, None, 500))
    found = cliffs(read_schedule(document, number=1, title="Steps"))
    assert [jump.sentence for jump in found] == [
        "$100 → $101 costs the player-dealer $1 more",
        "$500 → $501 costs the player-dealer $3 more",
    ]


def test_a_fee_may_fall_and_says_so() -> None:
    document = with_lines(player(0), band(500, 10000, 300), band(10100, None, 50))
    (jump,) = cliffs(read_schedule(document, number=1, title="Falls"))
    assert jump.step_cents == -250
    assert jump.sentence == "$100 → $101 costs the player-dealer $2.50 less"


def test_bands_of_one_fee_have_no_jump_between_them() -> None:
    document = with_lines(player(100), band(500, 10000, 100), band(10100, None, 100))
    assert cliffs(read_schedule(document, number=1, title="Level")) == ()


def test_players_who_pay_by_their_own_ante_meet_jumps_too() -> None:
    document = with_lines(
        own(500, 2500, 50), own(2600, None, 100), band(500, 10000, 100), band(10100, None, 200)
    )
    assert [jump.sentence for jump in cliffs(read_schedule(document, number=1, title="Both"))] == [
        "$100 → $101 costs the player-dealer $1 more",
        "$25 → $26 costs the player $0.50 more",
    ]


def test_a_position_more_and_a_dollar_more_on_a_side_wager_jump_too() -> None:
    document = with_lines(
        player(100),
        wager_band("pair_plus", 100, 500, 50),
        wager_band("pair_plus", 600, None, 100),
        positions(1, 4, 200),
        positions(5, None, 300),
    )
    assert [jump.sentence for jump in cliffs(read_schedule(document, number=1, title="Both"))] == [
        "4 → 5 positions costs the player-dealer $1 more",
        "$5 → $6 of pair_plus costs the player $0.50 more",
    ]


def test_flat_fees_by_time_and_for_the_jackpot_jump_nowhere() -> None:
    document = with_lines(timed("hour", 1200), bank("round", 100), jackpot("bank", "round", 100))
    assert cliffs(read_schedule(document, number=1, title="Flat")) == ()
