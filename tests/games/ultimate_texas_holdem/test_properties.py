"""Properties of every round of Ultimate Texas Hold'em: as a naive settlement has it, no cent lost, nothing above what is owed at most."""

from fractions import Fraction
from math import comb
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import read_bets, read_sheet, settle_json
from games.exposure import exposure
from games.five_card_counts import best_five_counts
from games.five_cards import FIVE_CARD_IDS, best_five, class_of
from games.registry import game_of
from games.ultimate_texas_holdem.odds import odds_on

from . import naive, rounds

SAME = ("seat", "for", "wager", "stake", "outcome", "owed", "paid", "taken", "returned", "uncovered")


def lines(settled: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [tuple(line[key] for key in SAME) for line in settled]


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
def test_every_round_settles_as_the_naive_settlement_has_it(rng: Random) -> None:
    sheet = rounds.random_round(rng)
    assert lines(settle_json(sheet)["lines"]) == lines(naive.settle(sheet))


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
def test_every_round_of_a_random_approval_settles_as_the_naive_settlement_has_it(rng: Random) -> None:
    sheet = rounds.random_round(rng, rounds.random_approval(rng))
    assert lines(settle_json(sheet)["lines"]) == lines(naive.settle(sheet))


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
def test_a_sheet_reads_back_as_it_was_written(rng: Random) -> None:
    sheet = read_sheet(rounds.random_round(rng, rounds.random_approval(rng)))
    assert read_sheet(sheet.to_json()).to_json() == sheet.to_json()


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
def test_the_best_five_agrees_with_trying_all_fives(rng: Random) -> None:
    deck = list(rng.choice(rounds.DECKS))
    first, second = (tuple(rng.sample(deck, rng.choice((5, 6, 7)))) for _ in range(2))
    assert best_five(first).kind == class_of(first) == naive.best_of(first)[0]
    ours, theirs = best_five(first), best_five(second)
    assert (ours > theirs, ours == theirs) == (
        naive.best_of(first) > naive.best_of(second),
        naive.best_of(first) == naive.best_of(second),
    )


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
def test_nothing_is_owed_above_what_a_position_can_be_owed_at_most(rng: Random) -> None:
    sheet = rounds.random_round(rng, rounds.random_approval(rng))
    for position in sheet["positions"]:
        position.get("tips", {}).pop("play", None)
    sheet["bank"]["wager"] = 10**9
    bets = [
        {key: each[key] for key in ("seat", "wagers", "tips") if key in each} for each in sheet["positions"]
    ]
    most = exposure(rounds.terms_of(sheet["options"]).rulebook, sheet["options"], bets)
    assert most is not None
    owed = dict.fromkeys(most.by_seat, 0)
    for line in settle_json(sheet)["lines"]:
        owed[line["seat"]] += line["owed"]
    assert all(owed[seat] <= most.by_seat[seat] for seat in owed)


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
def test_what_a_position_can_be_owed_at_most_is_met_by_some_deal(rng: Random) -> None:
    """The bound is no guess: a straight flush on the board's side reaches it, whatever the approval pays."""
    options: dict[str, Any] = {"approval": rounds.random_approval(rng)}
    terms = rounds.terms_of(options)
    bet: dict[str, Any] = {"seat": 3, "wagers": {"ante": 1000, "trips": 500}}
    most = exposure(terms.rulebook, options, [bet])
    path = max(terms.times, key=lambda each: terms.times[each])
    reached = 0
    for board, hand, bank in (
        ("Qh Jh Th 2c 2d", "Ah Kh", "2s 4s"), ("9h 8h 7h 2c 2d", "6h 5h", "2s Ks"), ("9h 9c 4d 2c 4s", "9d 9s", "4h Qs"),
        ("9h 9c 4d 4c 2c", "9d Ks", "Qs Js"), ("Ah 9h 4h 2c 2d", "Kh 7h", "2s Qs"), ("9h 8c 7d 2c 2d", "Ts Jc", "2s Ks"),
        ("9h 9c 4d 2c 7d", "9d As", "9s Ks"), ("9h 9c 4d 2c 7d", "9d Ks", "Qs 4s"), ("9h 9c 4d 2c 7d", "4s Ks", "Qs Js"),
        ("9h 9c 4d 2c 7d", "7s Ks", "Qs 4s"), ("9h 9c 4d 2c 7d", "Ks As", "Qs Js"), ("Jc 9h 7d 4d 2c", "As Qd", "Ac Ts"),
        ("9h 9c 4d 2c 7d", "9d Ks", "Qs Js"),
    ):  # fmt: skip
        sheet = {
            "rulebook": "ultimate_texas_holdem", "options": options, "bank": {"seat": 1, "wager": 10**9}, "board": board,
            "bank_hand": bank, "positions": [{**bet, "hand": hand, "decision": path}],
        }  # fmt: skip
        reached = max(reached, sum(line["owed"] for line in naive.settle(sheet)))
    assert most is not None
    assert most.total == reached


def test_every_seven_cards_are_counted_by_their_class() -> None:
    counts = dict(zip(FIVE_CARD_IDS, best_five_counts(7), strict=True))
    assert sum(counts.values()) == comb(52, 7)
    assert counts == {
        "high_card": 23_294_460, "pair": 58_627_800, "two_pair": 31_433_400, "three_of_a_kind": 6_461_620,
        "straight": 6_180_020, "flush": 4_047_644, "full_house": 3_473_184, "four_of_a_kind": 224_848,
        "straight_flush": 37_260, "royal_flush": 4_324,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("paid", "advantage"),
    # Usual tables by what they pay from a full house down; published of them are 0.90, 1.90 and 3.50 %.
    [((9, 7, 4, 3), 0.9018), ((8, 6, 5, 3), 1.9040), ((8, 7, 4, 3), 3.4979)],
)
def test_the_odds_of_trips_are_exact(paid: tuple[int, ...], advantage: float) -> None:
    odds = dict(zip(rounds.HANDS, (50, 40, 30, *paid), strict=False))
    terms = rounds.terms_of({"approval": {"trips_table": [{"odds": odds}]}})
    row = next(row for row in odds_on(terms) if row.wager == "trips")
    assert row.edge is not None
    assert round(float(row.edge * 100), 4) == advantage
    assert row.hit == Fraction(sum(best_five_counts(7)[3:]), comb(52, 7))


def test_the_odds_of_ante_and_blind_are_said_not_to_be_worked_out() -> None:
    rows = {row.wager: row for row in game_of("ultimate_texas_holdem").odds_of("ultimate_texas_holdem")}
    assert rows["ante"].edge is rows["blind"].edge is None
    assert rows["ante"].to_json()["edge_percent"] is None


@pytest.mark.outside
@given(st.randoms(use_true_random=False))
def test_simulated_play_is_always_allowed(rng: Random) -> None:
    sheet = rounds.random_round(rng, rounds.random_approval(rng))
    terms = rounds.terms_of(sheet["options"])
    bets = read_bets({key: sheet[key] for key in ("rulebook", "options", "bank")} | {"positions": [
        {key: each[key] for key in ("seat", "wagers")} for each in sheet["positions"]
    ]})  # fmt: skip
    hands, results = game_of("ultimate_texas_holdem").draw_play(
        rng, terms, [bet.to_json() for bet in bets.positions], slips=3
    )
    placed = [{**bet.to_json(), **result} for bet, result in zip(bets.positions, results, strict=True)]
    read_sheet({**bets.to_json(), **hands, "positions": placed})
