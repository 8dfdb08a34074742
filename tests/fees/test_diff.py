"""What two versions of a schedule say differently."""

from __future__ import annotations

import pytest

from fees.diff import changes
from fees.errors import ScheduleRefused

from .documents import (
    OPTION_1,
    OPTION_2,
    band,
    bank,
    jackpot,
    player,
    positions,
    timed,
    waiver,
    with_head,
    with_line,
    with_lines,
)


def sentences(before: dict[str, object], after: dict[str, object]) -> list[str]:
    return [change.sentence for change in changes(before, after)]


def test_a_version_differs_from_itself_in_nothing() -> None:
    assert changes(OPTION_1, OPTION_1) == ()


def test_a_dearer_band_is_one_change() -> None:
    assert sentences(OPTION_1, with_line(3, fee_cents=300)) == [
        "player-dealer band of total table action from $101: $2 for $101+ becomes $3 for $101+"
    ]


def test_a_band_that_is_split_changes_its_end_and_brings_a_new_one() -> None:
    split = with_lines(
        player(100, clause="california:fees.s1.player"),
        band(500, 10000, 100, clause="california:fees.s1.bank.1"),
        band(10100, 50000, 200, clause="california:fees.s1.bank.2"),
        band(50100, None, 500),
    )
    found = changes(OPTION_1, split)
    assert [change.kind for change in found] == ["changed", "added"]
    assert [change.sentence for change in found] == [
        "player-dealer band of total table action from $101: $2 for $101+ becomes $2 for $101 - $500",
        "player-dealer band of total table action from $501: new, $5 for $501+",
    ]
    assert [change.kind for change in changes(split, OPTION_1)] == ["changed", "removed"]


def test_limits_and_sources_are_compared_too_in_the_order_of_a_schedule() -> None:
    assert sentences(OPTION_1, OPTION_2) == [
        "table limit: $5 - $100 becomes $50 - no limit",
        "table limit, source: california:fees.s1.limit becomes california:fees.s2.limit",
        "player fee per main wager, source: california:fees.s1.player becomes california:fees.s2.player",
        "player-dealer band of total table action from $5: gone, it was $1 for $5 - $100",
        "player-dealer band of total table action from $5, source: gone, it was california:fees.s1.bank.1",
        "player-dealer band of total table action from $50: new, $1 for $50 - $200",
        "player-dealer band of total table action from $50, source: new, california:fees.s2.bank.1",
        "player-dealer band of total table action from $101: gone, it was $2 for $101+",
        "player-dealer band of total table action from $101, source: gone, it was california:fees.s1.bank.2",
        "player-dealer band of total table action from $201: new, $2 for $201+",
        "player-dealer band of total table action from $201, source: new, california:fees.s2.bank.2",
    ]


def test_a_draft_that_is_not_legal_yet_is_compared_all_the_same() -> None:
    assert sentences(OPTION_1, with_head(ante_min_cents=0)) == ["table limit: $5 - $100 becomes $0 - $100"]


def test_what_cannot_be_read_is_refused_with_its_lines() -> None:
    with pytest.raises(ScheduleRefused, match="line 1"):
        changes(OPTION_1, with_lines({"payer": "player", "per": "ante", "fee_cents": "1%"}))


def test_time_and_jackpot_are_things_of_their_own() -> None:
    before = with_lines(player(100), bank("round", 100))
    after = with_lines(timed("half_hour", 600), bank("round", 100), jackpot("bank", "round", 50))
    assert sentences(before, after) == [
        "player fee per half hour: new, $6",
        "player fee per main wager: gone, it was $1",
        "player-dealer jackpot collection per round: new, $0.50",
    ]


def test_a_waiver_rule_that_says_otherwise_is_one_change() -> None:
    before = with_head(waivers=[waiver("short_handed", most_positions=3), waiver("first_hand", "player")])
    after = with_head(waivers=[waiver("short_handed", "bank", most_positions=2)])
    text = "No fee is collected while few have wagers."
    assert sentences(before, after) == [
        f"waiver first_hand: gone, it was Short-handed game: one player's fee. {text}",
        (
            f"waiver short_handed: Short-handed game: all fees of the round, at most 3 positions. {text} becomes "
            f"Short-handed game: the player-dealer's fee, at most 2 positions. {text}"
        ),
    ]


def test_bands_of_another_basis_are_other_bands() -> None:
    before = with_lines(player(100), band(500, None, 200))
    after = with_lines(player(100), band(500, None, 200, per="largest_ante"))
    assert sentences(before, after) == [
        "player-dealer band of largest main wager from $5: new, $2 for $5+",
        "player-dealer band of total table action from $5: gone, it was $2 for $5+",
    ]
    assert sentences(
        with_lines(player(0), positions(1, None, 200)), with_lines(player(0), positions(1, None, 300))
    ) == ["player-dealer band of positions from 1: $2 for 1+ becomes $3 for 1+"]


def test_a_rule_that_lets_go_of_a_part_says_of_how_much() -> None:
    whole, part = (
        with_head(waivers=[waiver("x", "bank", text="Slow.", **more)]) for more in ({}, {"portion_cents": 50})
    )
    (found,) = sentences(whole, part)
    assert found == (
        "waiver x: Short-handed game: the player-dealer's fee. Slow. becomes "
        "Short-handed game: $0.50 of the player-dealer's fee. Slow."
    )
