"""Best five of six: how many of the 20,358,520 sixes fall into each class, without dealing them all.

With five or six cards of one suit the class follows from the ranks of that suit (five ranks leave no room
for four alike or a full house). Otherwise it follows from the ranks alone, and the sixes of these ranks
are all ways to give them suits less those with five of one suit. One six of each kind is shown to the
evaluator that settles rounds, so that odds and settlement cannot disagree about a class.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from games.three_card_poker.hands import SIX_CARD_IDS, best_five_of_six

SIXES = comb(52, 6)
"""Sixes of the deck: 20,358,520."""


def _class_of(cards: list[int]) -> int:
    a, b, c, d, e, f = cards
    return best_five_of_six((a, b, c), (d, e, f))


def _suited(counts: list[int]) -> None:
    """Sixes with at least five cards of one suit."""
    for ranks in combinations(range(13), 6):
        counts[_class_of([4 * rank for rank in ranks])] += 4
    for ranks in combinations(range(13), 5):
        other_suits = 39
        counts[_class_of([*(4 * rank for rank in ranks), 1])] += 4 * other_suits


def _unsuited(counts: list[int]) -> None:
    """Sixes with at most four cards of any suit."""
    for ranks in combinations_with_replacement(range(13), 6):
        alike = Counter(ranks).values()
        if max(alike) > 4:
            continue
        ways = prod(comb(4, number) for number in alike)
        if len(alike) == 6:
            ways -= 4 * (1 + 6 * 3)  # all of one suit, or one card of the six in another
        elif len(alike) == 5:
            ways -= 4 * 3  # one of each rank in one suit; the sixth card pairs one of them
        # Suits in turn: cards of one rank are next to each other and differ, and no suit comes three times.
        counts[_class_of([4 * rank + place % 4 for place, rank in enumerate(ranks)])] += ways


@lru_cache(maxsize=1)
def six_card_counts() -> tuple[int, ...]:
    """How many of the 20,358,520 sixes have each class as their best five, by class number."""
    counts = [0] * len(SIX_CARD_IDS)
    _suited(counts)
    _unsuited(counts)
    return tuple(counts)
