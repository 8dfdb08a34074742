"""What a bank may have to pay: figures by hand from the printed paytables, and never less than any deal brings."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest

from games.cards import CARD_NUMBERS
from games.engine import settle_json
from games.exposure import exposure
from games.refusal import Refusal
from games.registry import load_rulebook
from games.three_card_poker.exposure import _BEST_DEALS
from games.three_card_poker.hands import QUALIFYING, best_five_of_six, paid_class, value3
from games.three_card_poker.rulebook import RULEBOOKS
from tests.games.random_rounds import random_round

CALIFORNIA = load_rulebook("california")
PLAYER_BANKED = [name for name in RULEBOOKS if load_rulebook(name).player_banked]


def bet(seat: int = 4, *, tips: dict[str, int] | None = None, **wagers: int) -> dict[str, Any]:
    return {"seat": seat, "wagers": wagers, "tips": tips or {}}


@pytest.mark.clause("california:pairplus.10")
@pytest.mark.clause("california:sixcard.10")
@pytest.mark.parametrize(
    ("placed", "most"),
    [
        ({"ante": 1000}, 2 * 1000),  # ante and play, even money each
        ({"ante": 1000, "pair_plus": 500}, 2 * 1000 + 200 * 500),  # a mini royal
        ({"ante": 1000, "six_card_bonus": 500}, 2 * 1000 + 1000 * 500),  # a royal flush with the bank's J T
        ({"ante": 1000, "pair_plus": 500, "six_card_bonus": 500}, 2 * 1000 + 200 * 500 + 1000 * 500),
    ],
)
def test_the_most_that_a_position_can_win_is_the_best_line_of_each_paytable(
    placed: dict[str, int], most: int
) -> None:
    assert exposure(CALIFORNIA, {}, [bet(**placed)]).by_seat == {4: most}


def test_tips_count_and_so_does_the_tip_on_play_that_may_follow() -> None:
    one = exposure(CALIFORNIA, {}, [bet(ante=1000, pair_plus=500, tips={"ante": 100, "pair_plus": 200})])
    assert one.total == 2 * 1000 + 200 * 500 + 2 * 100 + 200 * 200


def test_the_best_deal_is_sought_together_and_not_wager_by_wager() -> None:
    """A room's own table that pays three of a kind most: with it the six cards hold four of a kind at best."""
    table = {"straight_flush": 40, "three_of_a_kind": 5000, "straight": 6, "flush": 3, "pair": 1}
    options = {"pair_plus_table": table, "six_card_bonus_table": "TCP-6B4"}
    most = exposure(
        load_rulebook("designated_player"), options, [bet(ante=1000, pair_plus=500, six_card_bonus=500)]
    )
    assert most.total == 2 * 1000 + 5000 * 500 + 100 * 500


def test_several_seats_add_up() -> None:
    both = exposure(CALIFORNIA, {"fee_schedule": 1}, [bet(1, ante=1000), bet(5, ante=2000)])
    assert (both.by_seat, both.total) == ({1: 2000, 5: 4000}, 6000)


def test_main_wagers_at_even_money_stand_apart_from_the_bonus_at_its_top_odds() -> None:
    faces = exposure(
        CALIFORNIA,
        {},
        [
            bet(1, ante=1000, six_card_bonus=500, tips={"ante": 100, "six_card_bonus": 100}),
            bet(5, ante=2000, pair_plus=300),
        ],
    )
    assert faces.even_money == 2 * 1000 + 2 * 100 + 2 * 2000  # with play, and the tip that may follow on it
    assert faces.bonus == 1000 * (500 + 100) + 200 * 300
    assert exposure(CALIFORNIA, {}, []).even_money == 0


def test_a_bank_that_the_house_holds_has_no_end() -> None:
    with pytest.raises(ValueError, match="the house banks"):
        exposure(load_rulebook("massachusetts"), {}, [])


def test_a_bet_that_the_engine_refuses_is_refused() -> None:
    with pytest.raises(Refusal):
        exposure(CALIFORNIA, {}, [bet(pair_plus=500)])


@pytest.mark.parametrize("rulebook", PLAYER_BANKED)
def test_no_round_owes_a_seat_more_than_was_foreseen(rulebook: str) -> None:
    rng = Random(f"exposure of {rulebook}")
    compared = 0
    for _ in range(400):
        sheet = random_round(rng, rulebook)
        placed = [
            {key: position.get(key, {}) for key in ("seat", "wagers", "tips")}
            for position in sheet["positions"]
        ]
        for one in placed:  # the tip on play comes with the decision
            one["tips"] = {spot: cents for spot, cents in one["tips"].items() if spot != "play"}
        foreseen = exposure(load_rulebook(rulebook), sheet["options"], placed)
        settlement = settle_json(sheet)
        owed: dict[int, int] = {}
        for line in settlement["lines"]:
            owed[line["seat"]] = owed.get(line["seat"], 0) + line["owed"]
        assert all(cents <= foreseen.by_seat[seat] for seat, cents in owed.items())
        assert settlement["bank"]["lost"] <= min(
            sheet["bank"]["wager"] + settlement["bank"]["won"], foreseen.total
        )
        compared += sum(cents > 0 for cents in owed.values())
    assert compared > 300


@pytest.mark.slow
def test_no_deal_of_the_whole_deck_outdoes_the_best_deals() -> None:
    """Every hand of a position, suits aside, against all 18,424 hands of the bank, whatever the bank qualifies with."""

    def grade(hand: tuple[int, ...], bank: tuple[int, ...]) -> tuple[int, tuple[bool, ...], int]:
        value, other = value3(hand), value3(bank)  # type: ignore[arg-type]
        wins = value > other, *(value > other >= least for least in QUALIFYING.values())
        return paid_class(hand, value), wins, best_five_of_six(hand, bank)  # type: ignore[arg-type]

    best = [
        grade(*(tuple(CARD_NUMBERS[card] for card in cards.split()) for cards in deal))
        for deal in _BEST_DEALS
    ]
    hands = list(combinations(range(52), 3))
    alike: dict[tuple[int, ...], tuple[int, ...]] = {}
    for hand in hands:
        ranks = [0] * 4
        for card in hand:
            ranks[card & 3] |= 1 << (card >> 2)
        alike.setdefault(tuple(sorted(ranks)), hand)
    spades = tuple(CARD_NUMBERS[card] for card in ("Qs", "Ks", "As"))
    grades = {
        grade(hand, bank) for hand in (*alike.values(), spades) for bank in hands if not set(hand) & set(bank)
    }
    assert len(grades) > 50
    for kind, wins, six in grades:
        for number in range(1, len(wins)):
            assert any(
                kind == top_kind
                and six <= top_six
                and wins[0] <= top_wins[0]
                and wins[number] <= top_wins[number]
                for top_kind, top_wins, top_six in best
            )
