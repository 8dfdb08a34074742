"""The best five of six against phevaluator: random hands always, and every six-card hand there is when asked to.

    python -m pytest -m slow tests/games     all 20,358,520; some minutes

What the whole deck came to is kept in whole_deck_counts.json, which the odds are held to on every run.
"""

import json
from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random

import pytest
from phevaluator.evaluator import evaluate_6cards

from games.three_card_poker.hands import CLASS_IDS, SIX_CARD_IDS, best_five_of_six, paid_class, value3
from games.three_card_poker.odds.showdown import three_card_counts
from games.three_card_poker.odds.six_cards import six_card_counts

COUNTS = json.loads(Path(__file__).with_name("whole_deck_counts.json").read_text(encoding="utf-8"))

#: phevaluator ranks hands from 1, a royal flush, to 7462; the last rank of each class, best first.
LAST_RANKS = (1, 10, 166, 322, 1599, 1609, 2467, 7462)
CLASS_OF_RANK = bytes(
    [0] + [7 - sum(rank > last for last in LAST_RANKS) for rank in range(1, LAST_RANKS[-1] + 1)]
)


def test_random_six_card_hands_have_the_class_that_phevaluator_gives_them() -> None:
    deal = Random("a second opinion")
    seen: Counter[int] = Counter()
    for _ in range(60_000):
        a, b, c, d, e, f = deal.sample(range(52), 6)
        own = best_five_of_six((a, b, c), (d, e, f))
        assert own == CLASS_OF_RANK[evaluate_6cards(a, b, c, d, e, f)], (a, b, c, d, e, f)
        seen[own] += 1
    assert len(seen) >= 6


def test_the_counts_of_the_whole_deck_are_those_the_odds_stand_on() -> None:
    assert dict(zip(SIX_CARD_IDS, six_card_counts(), strict=True)) == COUNTS["six_cards"]
    assert dict(zip(CLASS_IDS, three_card_counts(), strict=True)) == COUNTS["three_cards"]
    assert sum(COUNTS["six_cards"].values()) == comb(52, 6) == 20_358_520
    assert sum(COUNTS["three_cards"].values()) == comb(52, 3) == 22_100


@pytest.mark.slow
def test_every_hand_of_the_deck_has_its_class_and_the_counts_are_as_kept() -> None:
    three = [0] * len(CLASS_IDS)
    for hand in combinations(range(52), 3):
        three[paid_class(hand, value3(hand))] += 1
    assert dict(zip(CLASS_IDS, three, strict=True)) == COUNTS["three_cards"]
    six = [0] * len(SIX_CARD_IDS)
    classes = CLASS_OF_RANK
    for a, b, c, d, e, f in combinations(range(52), 6):
        own = best_five_of_six((a, b, c), (d, e, f))
        if own != classes[evaluate_6cards(a, b, c, d, e, f)]:
            pytest.fail(f"{(a, b, c, d, e, f)} is {SIX_CARD_IDS[own]} here and not to phevaluator")
        six[own] += 1
    assert dict(zip(SIX_CARD_IDS, six, strict=True)) == COUNTS["six_cards"]
