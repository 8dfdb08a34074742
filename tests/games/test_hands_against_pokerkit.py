"""The best five of six against PokerKit: random hands always, and every six-card hand there is when asked to.

    python -m pytest -m slow tests/games     all 20,358,520; some minutes

What the whole deck came to is kept in whole_deck_counts.json, which the odds are held to on every run.
"""

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from math import comb
from pathlib import Path
from random import Random

import pytest
from pokerkit import Card, StandardLookup

from games.cards import CARD_TEXTS
from games.three_card_poker.hands import CLASS_IDS, SIX_CARD_IDS, best_five_of_six, paid_class, value3
from games.three_card_poker.odds.showdown import three_card_counts
from games.three_card_poker.odds.six_cards import six_card_counts

COUNTS = json.loads(Path(__file__).with_name("whole_deck_counts.json").read_text(encoding="utf-8"))

#: PokerKit ranks five cards from 0, the lowest hand, to 7461, a royal flush; the first rank of each class, lowest first.
FIRST_RANKS = (0, 4995, 5853, 5863, 7140, 7296, 7452, 7461)
CARDS = [next(iter(Card.parse(text))) for text in CARD_TEXTS]
LOOKUP = StandardLookup()


def class_of_five(cards: Iterable[int]) -> int:
    """The class that PokerKit gives five cards, as a number of `SixCardClass`."""
    return bisect_right(FIRST_RANKS, LOOKUP.get_entry([CARDS[card] for card in cards]).index) - 1


def test_random_six_card_hands_have_the_class_that_pokerkit_gives_the_best_five() -> None:
    deal = Random("a second opinion")
    seen: Counter[int] = Counter()
    for _ in range(20_000):
        a, b, c, d, e, f = deal.sample(range(52), 6)
        own = best_five_of_six((a, b, c), (d, e, f))
        assert own == max(map(class_of_five, combinations((a, b, c, d, e, f), 5))), (a, b, c, d, e, f)
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
    # Each five cards are looked up once: a hand has six of them.
    fives = {five: class_of_five(five) for five in combinations(range(52), 5)}
    for six_cards in combinations(range(52), 6):
        a, b, c, d, e, f = six_cards
        own = best_five_of_six((a, b, c), (d, e, f))
        if own != max(fives[five] for five in combinations(six_cards, 5)):
            pytest.fail(f"{six_cards} is {SIX_CARD_IDS[own]} here and not to PokerKit")
        six[own] += 1
    assert dict(zip(SIX_CARD_IDS, six, strict=True)) == COUNTS["six_cards"]
