"""The highest of several hands from one deck: the exact law behind the cover all wager.

Of k hands, none is good (a straight or better, say) with probability

    sum over j of (-1)^j C(k,j) j! M(j) / N(j)

by inclusion and exclusion over the seats, where M(j) is the number of sets of j good hands that have no
card in common and N(j) = C(52,3) C(49,3) ... is the number of ways to deal j seats. M is counted by walking
through the ranks once, from ace to king. What must be remembered on the way is only which runs are
still short of cards. The run queen-king-ace closes the circle; how many there are of it is fixed first.
"""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import comb, factorial, perm, prod

from games.three_card_poker.hands import HandClass

MOST_HANDS = 8
"""Seven positions and the bank."""

Counts = tuple[int, ...]
"""Counts by number of hands, 0 to MOST_HANDS: a polynomial cut off there."""

_JACK, _QUEEN, _KING = 10, 11, 12  # ranks on the walk: ace 0, two 1, up to king 12
_ONE: Counts = (1,) + (0,) * MOST_HANDS


def _plus(left: Counts, right: Counts) -> Counts:
    return tuple(a + b for a, b in zip(left, right, strict=True))


def _times(ways: int, hands: int, counts: Counts) -> Counts:
    """The sets counted, each extended by `hands` more hands in `ways` ways."""
    return tuple([0] * hands + [ways * count for count in counts])[: MOST_HANDS + 1]


def _with_threes(counts: Counts, free: int) -> Counts:
    """The sets counted, each with or without three alike of the `free` cards that a rank has left."""
    return _plus(counts, _times(comb(free, 3), 1, counts)) if free >= 3 else counts


def _suited_starts(begun: tuple[int, ...], rank: int, closing: int) -> Iterator[tuple[int, ...]]:
    """Which suits may begin a run at this rank; the first `closing` suits have queen, king and ace in use."""
    choices = []
    for suit, short_of in enumerate(begun):
        taken = suit < closing
        may_begin = not short_of and (1 <= rank <= _JACK - 2 if taken else rank <= _JACK)
        choices.append((0, 1) if may_begin else (0,))
    return product(*choices)


@lru_cache(maxsize=2)
def straight_flush_sets(threes: bool) -> Counts:
    """Sets of disjoint straight flushes (mini royals among them), with `threes` of three alike as well."""
    total: Counts = (0,) * (MOST_HANDS + 1)
    for closing in range(5):
        states: dict[tuple[int, ...], Counts] = {(0, 0, 0, 0): _ONE}
        for rank in range(13):
            reached: defaultdict[tuple[int, ...], Counts] = defaultdict(lambda: (0,) * (MOST_HANDS + 1))
            closed = closing if rank in (0, _QUEEN, _KING) else 0
            for begun, counts in states.items():
                in_use = closed + sum(short_of > 0 for short_of in begun)
                for starts in _suited_starts(begun, rank, closing):
                    after = tuple(
                        2 * start or max(short_of - 1, 0)
                        for start, short_of in zip(starts, begun, strict=True)
                    )
                    new = sum(starts)
                    sets = _times(1, new, counts)
                    if threes:
                        sets = _with_threes(sets, 4 - in_use - new)
                    reached[after] = _plus(reached[after], sets)
            states = reached
        total = _plus(total, _times(comb(4, closing), closing, states[0, 0, 0, 0]))
    return total


@lru_cache(maxsize=1)
def straight_sets() -> Counts:
    """Sets of disjoint hands that are each a straight, three of a kind or a straight flush.

    A run is distinguished from others of its ranks by its first card; each later rank gives every open run a card.
    """
    total: Counts = (0,) * (MOST_HANDS + 1)
    for closing in range(5):
        # Runs that need two more cards, and one more; the closing runs are told apart by their ace.
        states: dict[tuple[int, int], Counts] = {(0, 0): _ONE}
        for rank in range(13):
            reached: defaultdict[tuple[int, int], Counts] = defaultdict(lambda: (0,) * (MOST_HANDS + 1))
            aces = closing if rank == 0 else 0
            closers = closing if rank in (_QUEEN, _KING) else 0
            for (two_short, one_short), counts in states.items():
                going_on = two_short + one_short + closers
                for new in range(5 - going_on - aces if rank <= _JACK else 1):
                    free = 4 - going_on - aces - new
                    if free < 0:
                        continue
                    ways = comb(4, new) * comb(4 - new, aces) * perm(4 - new - aces, going_on)
                    sets = _with_threes(_times(ways, new, counts), free)
                    reached[new, two_short] = _plus(reached[new, two_short], sets)
            states = reached
        total = _plus(total, _times(1, closing, states[0, 0]))
    return total


def disjoint_sets(at_least: int) -> Counts:
    """Sets of 0 to MOST_HANDS hands without a common card, each of class `at_least` or better."""
    if at_least == HandClass.MINI_ROYAL:
        return tuple(comb(4, hands) for hands in range(MOST_HANDS + 1))
    if at_least == HandClass.STRAIGHT_FLUSH:
        return straight_flush_sets(threes=False)
    if at_least == HandClass.THREE_OF_A_KIND:
        return straight_flush_sets(threes=True)
    if at_least == HandClass.STRAIGHT:
        return straight_sets()
    raise ValueError(f"class {at_least}: the highest hand is counted from a straight up")


@lru_cache(maxsize=4 * MOST_HANDS)
def chance_of_none(at_least: int, hands: int) -> Fraction:
    """Probability that none of `hands` hands (1 to MOST_HANDS) of one deck is of class `at_least` or better."""
    if not 1 <= hands <= MOST_HANDS:
        raise ValueError(f"{hands} hands: one to {MOST_HANDS} are dealt")
    chance = Fraction(0)
    for good, sets in enumerate(disjoint_sets(at_least)[: hands + 1]):
        deals = prod(comb(52 - 3 * seat, 3) for seat in range(good))
        chance += Fraction((-1) ** good * comb(hands, good) * factorial(good) * sets, deals)
    return chance


def highest_hand_chances(hands: int) -> dict[int, Fraction]:
    """Probability that the highest of `hands` hands is a straight, three of a kind and so on, by class."""
    chances: dict[int, Fraction] = {}
    none_above = Fraction(1)
    for kind in (
        HandClass.MINI_ROYAL, HandClass.STRAIGHT_FLUSH, HandClass.THREE_OF_A_KIND, HandClass.STRAIGHT,
    ):  # fmt: skip
        none_from = chance_of_none(kind, hands)
        chances[kind] = none_above - none_from
        none_above = none_from
    return chances
