"""A slow and obvious evaluator, written apart from the engine's, for the odds to be checked against."""

from collections import Counter
from itertools import combinations

Rank = tuple[int, ...]

HIGH, PAIR, FLUSH, STRAIGHT, THREE, STRAIGHT_FLUSH = range(6)
QUEEN_HIGH = (HIGH, 10)


def rank_three(cards: tuple[int, ...]) -> Rank:
    """Three cards (rank times four plus suit, deuce 0) as a tuple that compares as the hands do."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    often = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    one_suit = len({card % 4 for card in cards}) == 1
    top = 1 if ranks == [12, 1, 0] else ranks[0]
    in_a_row = ranks == [12, 1, 0] or (ranks[0] - ranks[1], ranks[1] - ranks[2]) == (1, 1)
    if in_a_row:
        return (STRAIGHT_FLUSH if one_suit else STRAIGHT, top)
    if len(often) == 1:
        return (THREE, ranks[0])
    if one_suit:
        return (FLUSH, *ranks)
    if len(often) == 2:
        return (PAIR, often[0][0], often[1][0])
    return (HIGH, *ranks)


def class_of_five(cards: tuple[int, ...]) -> str:
    """What the 6 Card Bonus calls five cards."""
    ranks = sorted(card // 4 for card in cards)
    often = sorted(Counter(ranks).values())
    one_suit = len({card % 4 for card in cards}) == 1
    in_a_row = len(set(ranks)) == 5 and (ranks[4] - ranks[0] == 4 or ranks == [0, 1, 2, 3, 12])
    if in_a_row and one_suit:
        return "royal_flush" if ranks[0] == 8 else "straight_flush"
    if often[-1] == 4:
        return "four_of_a_kind"
    if often == [2, 3]:
        return "full_house"
    if one_suit:
        return "flush"
    if in_a_row:
        return "straight"
    return "three_of_a_kind" if often[-1] == 3 else "less"


ORDER = (
    "less", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush",
)  # fmt: skip


def class_of_six(cards: tuple[int, ...]) -> str:
    """The best five of six cards."""
    return max((class_of_five(five) for five in combinations(cards, 5)), key=ORDER.index)
