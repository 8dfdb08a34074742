"""Best five of six: how many of the 20,358,520 sixes fall into each class that the 6 Card Bonus tells apart."""

from functools import lru_cache
from math import comb

from games.five_card_counts import best_five_counts
from games.three_card_poker.hands import OF_SIX, SIX_CARD_IDS

SIXES = comb(52, 6)
"""Sixes of the deck: 20,358,520."""


@lru_cache(maxsize=1)
def six_card_counts() -> tuple[int, ...]:
    """How many of the 20,358,520 sixes have each class as their best five, by class number."""
    counts = [0] * len(SIX_CARD_IDS)
    for kind, number in zip(OF_SIX, best_five_counts(6), strict=True):
        counts[kind] += number
    return tuple(counts)
