"""The ante of a player who sees a card of the bank: the exact figures, the best play, and a slow count beside it."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from io import StringIO
from itertools import combinations

import pytest

from games.cards import CARD_NUMBERS, RANKS, Hand
from games.command_odds import main
from games.money import to_one
from games.three_card_poker.hands import HandClass, value3
from games.three_card_poker.odds.ante import best_ante
from games.three_card_poker.odds.ante_rules import AnteRules
from games.three_card_poker.odds.listing import odds_of
from games.three_card_poker.odds.showdown import hands_alike
from games.three_card_poker.odds.shown_card import LEFT, SHOWN, _alike, _Counter, _worth, shown_card_odds
from games.three_card_poker.rulebook import RULEBOOKS
from tests.games import naive_hands as naive
from tests.games.test_odds_wagers import LOWEST

#: Against each card that the bank may show, the lowest hand of the one limit that costs least.
PLAY_FROM = {
    "A": "A-9-2", "K": "K-9-2", "Q": "Q-9-2", "J": "J-8-2", "T": "T-8-4", "9": "T-9-2", "8": "T-8-2",
    "7": "T-7-3", "6": "T-9-5", "5": "T-9-4", "4": "T-9-3", "3": "T-3-2", "2": "T-3-2",
}  # fmt: skip


COMPARED = AnteRules("queen_high", "compared", "no_action")
PAID = AnteRules("queen_high", "paid", "no_action")
#: What rooms' own approvals may say besides.
OTHERS = (
    AnteRules("king_high", "push", "push"),
    AnteRules("pair", "paid", "compared"),
    AnteRules("nothing", "compared", "no_action"),
    AnteRules("jack_high", "compared", "paid"),
)


def slow_worth(hand: tuple[int, ...], shown: int, rules: AnteRules = COMPARED) -> int:
    """Ante units won less lost by playing, over each hand that a bank with this card can hold."""
    own, worth = naive.rank_three(hand), 0
    for two in combinations(sorted(set(range(52)) - {*hand, shown}), 2):
        rank = naive.rank_three((shown, *two))
        if rank >= LOWEST[rules.qualifies]:
            worth += 2 * ((own > rank) - (own < rank))
            continue
        for unqualified in (rules.unqualified_ante, rules.unqualified_play):
            worth += unqualified == "paid" or (unqualified == "compared" and own > rank)
    return worth


def cards(text: str) -> Hand:
    first, second, third = sorted(CARD_NUMBERS[card] for card in text.split())
    return first, second, third


@pytest.mark.clause("california:dealing.8.2")
def test_the_ante_of_california_is_that_of_a_player_who_sees_one_card_of_the_bank() -> None:
    (ante,) = [row for row in odds_of("california") if row.wager == "ante"]
    assert ante.edge == Fraction(4373389, 101792600)
    assert round(float(ante.edge * 100), 4) == 4.2964
    assert round(ante.detail["played_percent"], 4) == 74.7489
    assert ante.detail["decision"] == "play by the card that the bank shows"


def test_other_rulebooks_show_no_card_and_stay_as_they_are() -> None:
    for rulebook in set(RULEBOOKS) - {"california"}:
        antes = [row for row in odds_of(rulebook) if row.wager == "ante"]
        assert {row.detail["decision"] for row in antes} == {"play Q-6-4 or better"}
        assert not any("shown_card" in row.detail for row in antes)
    (bare,) = [row for row in odds_of("designated_player") if row.wager == "ante"]
    assert round(float(bare.edge * 100), 4) == 8.6580


def test_a_card_that_is_seen_is_worth_something() -> None:
    blind, seeing = best_ante(COMPARED), best_ante(COMPARED, card_shown=True)
    assert seeing.edge < blind.edge and seeing.lowest_played is seeing.highest_folded is None


def test_an_ante_bonus_beside_a_shown_card_is_worth_what_its_hands_are_paid() -> None:
    """Every hand from a straight up is played against any card, so that the bonus is paid whenever it is dealt."""
    bonus = tuple(
        to_one(5 if kind >= HandClass.STRAIGHT_FLUSH else 1) if kind >= HandClass.STRAIGHT else None
        for kind in HandClass
    )
    with_bonus = best_ante(COMPARED._replace(bonus=bonus), card_shown=True)
    assert with_bonus.edge == best_ante(COMPARED, card_shown=True).edge - Fraction(720 + 52 + 5 * 48, 22100)


@pytest.mark.clause("california:dealing.8.2")
def test_the_best_play_by_card() -> None:
    odds = shown_card_odds(COMPARED)
    assert {each.card: each.play_from for each in odds.cards} == PLAY_FROM
    assert "".join(each.card for each in odds.cards) == RANKS[::-1]
    # From an ace down to a queen, and a two, one limit is the best play but for hands below it.
    assert [each.card for each in odds.cards if not each.also_folded] == list("AKQJT92")
    assert [each.card for each in odds.cards if not each.also_played] == list("AKQ")
    assert odds.edge_by_limits == Fraction(2195287, 50896300) > odds.edge
    # A card of each rank is shown as often: the chances of playing come to the whole one.
    assert sum((each.played for each in odds.cards), Fraction(0)) / 13 == odds.played
    # No pair is ever folded, so that what a fold forfeits of bonus wagers that pay costs nothing.
    assert all(each.always_from[1] == "-" for each in odds.cards)


@pytest.mark.parametrize(
    ("shown", "hand", "plays"),
    [
        ("Ad", "Ac 9d 2h", True),
        ("Ad", "Ac 8d 7h", False),
        ("Kd", "Kc 9d 2h", True),
        ("Kd", "Kc 8d 7h", False),
        ("8c", "Jh 3c 2d", True),  # suits decide: the bank's clubs are fewer by one
        ("8s", "Jh 3c 2d", False),
        ("7c", "Td 7d 2c", True),
        ("7h", "Td 7d 2c", False),
        ("2d", "Th 3c 2s", True),
        ("2s", "9h 7c 6d", False),
    ],
)
def test_hands_beside_the_limits_one_by_one(shown: str, hand: str, plays: bool) -> None:
    own, card = cards(hand), CARD_NUMBERS[shown]
    worth = slow_worth(own, card)
    assert (worth > -LEFT) is plays
    below, above = _Counter(COMPARED).compared(own, value3(own), card)
    assert _worth(below, above, COMPARED)[0] == worth


@pytest.mark.parametrize("rules", [COMPARED, PAID, *OTHERS])
def test_counts_are_those_of_a_slow_enumeration(rules: AnteRules) -> None:
    rng, counter = random.Random(f"shown card {rules}"), _Counter(rules)
    for each in rng.sample(hands_alike(rules.qualifies), 30):
        shown = rng.choice([card for card in range(52) if card not in each.cards])
        below, above = counter.compared(each.cards, each.value, shown)
        assert below.all + above.all == LEFT
        worth, _ = _worth(below, above, rules)
        assert worth == slow_worth(each.cards, shown, rules)
        least, most = counter.bounds(each.value, shown >> 2)
        assert least <= worth <= most


def test_cards_that_are_alike_beside_a_hand_are_all_counted_and_worth_the_same() -> None:
    rng = random.Random(7)
    for each in rng.sample(hands_alike(), 200):
        assert sum(count for _, count in _alike(each.cards)) == SHOWN
    rainbow = cards("Tc 7d 2h")
    assert len(_alike(rainbow)) == SHOWN  # three suits with a card each and one with none: no two are alike
    flush = cards("Tc 7c 2c")
    assert len(_alike(flush)) == 10 + 13
    assert slow_worth(flush, CARD_NUMBERS["8d"]) == slow_worth(flush, CARD_NUMBERS["8s"])


def test_the_command_prints_the_best_play_by_card_and_as_data() -> None:
    out = StringIO()
    assert main(["--rulebook", "california"], out) == 0
    text = out.getvalue()
    assert "4373389/101792600" in text and "4.3133% by one limit for each card" in text
    assert all(f"{card}           {hand} or better" in text for card, hand in PLAY_FROM.items())
    out = StringIO()
    assert main(["--rulebook", "california", "--json"], out) == 0
    (ante,) = [row for row in json.loads(out.getvalue()) if row["wager"] == "ante"]
    assert {each["card"]: each["play_from"] for each in ante["detail"]["shown_card"]} == PLAY_FROM
    assert Fraction(ante["detail"]["edge_by_limits"]) == Fraction(2195287, 50896300)
    out = StringIO()
    assert main(["--rulebook", "designated_player"], out) == 0
    assert "bank shows" not in out.getvalue()
