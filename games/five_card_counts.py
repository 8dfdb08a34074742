"""How many of all hands of a deck have each class as their best five, without dealing them all.

With five or more cards of one suit the class follows from the ranks of that suit (they leave no room for four alike or a
full house). Otherwise it follows from the ranks alone, and the hands of these ranks are all ways to give them suits less
those with five of one suit. One hand of each kind is shown to the evaluator that settles rounds, so that odds and
settlement cannot disagree about a class.
"""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from games.cards import DECK, RANKS, SUITS
from games.five_cards import FiveCardClass, class_of

_RANKS, _SUITS = len(RANKS), len(SUITS)


@cache
def best_five_counts(cards: int) -> tuple[int, ...]:
    """By class, how many hands of so many cards (five to seven) have it; together all of the deck."""
    counts = [0] * len(FiveCardClass)
    for suited in range(5, cards + 1):
        others = cards - suited
        ways = _SUITS * comb(len(DECK) - _RANKS, others)
        for ranks in combinations(range(_RANKS), suited):
            hand = [*(_SUITS * rank for rank in ranks), *(_SUITS * rank + 1 for rank in range(others))]
            counts[class_of(hand)] += ways
    for ranks in combinations_with_replacement(range(_RANKS), cards):
        alike = Counter(ranks).values()
        if max(alike) <= _SUITS:
            # Suits in turn: cards of one rank lie side by side and differ, and no suit comes five times.
            hand = [_SUITS * rank + place % _SUITS for place, rank in enumerate(ranks)]
            counts[class_of(hand)] += _unsuited_ways(tuple(sorted(alike)))
    return tuple(counts)


@cache
def _unsuited_ways(alike: tuple[int, ...]) -> int:
    """The ways to give suits to ranks of so many cards each, without five of one suit."""
    by_number = [1]  # ways by how many of the ranks have a card of one suit
    for number in alike:
        without, with_it = comb(_SUITS - 1, number), comb(_SUITS - 1, number - 1)
        longer = [0] * (len(by_number) + 1)
        for there, ways in enumerate(by_number):
            longer[there] += ways * without
            longer[there + 1] += ways * with_it
        by_number = longer
    return prod(comb(_SUITS, number) for number in alike) - _SUITS * sum(by_number[5:])
