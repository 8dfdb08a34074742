"""Every three-card hand of a position against every three-card hand of the bank, counted exactly.

The 22,100 hands of a position fall into 1,755 classes that differ in suits alone. For one hand of each the
18,424 hands that the other 49 cards can give the bank are counted by inclusion and exclusion over the
position's cards: hands of the whole deck, less those that hold one of its cards, plus those that hold two,
less the one that holds all three. Each of these is a sorted list of values, so that "how many are lower"
is a bisection and no pair of hands is ever looked at by itself.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

from games.cards import DECK, RANK_OF, RANKS, SUIT_OF, Hand
from games.three_card_poker.hands import CLASS_IDS, QUALIFYING, HandClass, HandValue, paid_class, value3

DEALS = comb(52, 3)
"""Hands that a position can hold: 22,100."""

ANSWERS = comb(49, 3)
"""Hands that the bank can hold against a given one: 18,424."""


@dataclass(frozen=True, slots=True)
class Compared:
    """How many of a set of bank hands are lower than the position's, equal to it and higher."""

    lower: int
    equal: int
    higher: int

    @property
    def all(self) -> int:
        return self.lower + self.equal + self.higher


@dataclass(frozen=True, slots=True)
class HandsAlike:
    """The hands of a position that are alike but for their suits, and the bank's hands against one of them.

    `cards` is one of them, `hands` is how many there are. `unqualified` and `qualified` count the bank's
    hands below queen high and the others: 18,424 in all.
    """

    cards: Hand
    value: HandValue
    hands: int
    unqualified: Compared
    qualified: Compared

    @property
    def lower(self) -> int:
        """The bank's hands, qualified or not, that this one beats."""
        return self.unqualified.lower + self.qualified.lower

    @property
    def higher(self) -> int:
        """The bank's hands, qualified or not, that beat this one."""
        return self.unqualified.higher + self.qualified.higher


class BankHands:
    """The values of all hands, sorted: of the deck, of those with one given card, of those with two."""

    def __init__(self, hands: list[tuple[HandValue, Hand]]) -> None:
        self.deck: list[int] = []
        self.with_card: defaultdict[int, list[int]] = defaultdict(list)
        self.with_two: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for value, (a, b, c) in sorted(hands):
            self.deck.append(value)
            for card in (a, b, c):
                self.with_card[card].append(value)
            for two in ((a, b), (a, c), (b, c)):
                self.with_two[two].append(value)

    def below(self, bound: int, hand: Hand, value: int) -> int:
        """How many hands without a card of `hand` have a value lower than `bound`."""
        return (
            bisect_left(self.deck, bound)
            - sum(bisect_left(self.with_card[card], bound) for card in hand)
            + sum(bisect_left(self.with_two[two], bound) for two in combinations(hand, 2))
            - (value < bound)
        )


def short_name(value: HandValue) -> str:
    """`Q-6-4` for a high card, words for what has a name."""
    if value.kind != HandClass.HIGH_CARD:
        return value.full_name
    return "-".join(RANKS[rank] for rank in value.ranks)


def _suits_aside(hand: Hand) -> tuple[tuple[int, ...], ...]:
    """What stays of a hand when suits are renamed: the ranks that each suit has, in no order of suits."""
    ranks: tuple[list[int], ...] = ([], [], [], [])
    for card in hand:
        ranks[SUIT_OF[card]].append(RANK_OF[card])
    return tuple(sorted(map(tuple, ranks)))


@lru_cache(maxsize=1)
def _all_hands() -> list[tuple[HandValue, Hand]]:
    """Every hand with its value, its cards in rising order."""
    return [(value3(hand), hand) for hand in combinations(DECK, 3)]


@lru_cache(maxsize=1)
def bank_hands() -> BankHands:
    """Every hand that a bank can hold, by the cards it holds."""
    return BankHands(_all_hands())


@lru_cache(maxsize=len(QUALIFYING))
def hands_alike(qualifies: str = "queen_high") -> tuple[HandsAlike, ...]:
    """The 1,755 classes of hands, highest value first, against a bank that qualifies with a hand of `QUALIFYING`."""
    bound = QUALIFYING[qualifies]
    of_class: Counter[tuple[tuple[int, ...], ...]] = Counter()
    shown: dict[tuple[tuple[int, ...], ...], tuple[HandValue, Hand]] = {}
    for value, hand in _all_hands():
        alike = _suits_aside(hand)
        of_class[alike] += 1
        shown.setdefault(alike, (value, hand))
    bank = bank_hands()
    classes = []
    for alike, (value, hand) in shown.items():
        lower, to_equal = bank.below(value, hand, value), bank.below(value + 1, hand, value)
        unqualified = bank.below(bound, hand, value)
        low, equal = min(lower, unqualified), min(to_equal, unqualified)
        below = Compared(low, equal - low, unqualified - equal)
        above = Compared(lower - low, (to_equal - lower) - below.equal, ANSWERS - to_equal - below.higher)
        classes.append(HandsAlike(hand, value, of_class[alike], below, above))
    return tuple(sorted(classes, key=lambda each: (-each.value, each.cards)))


@lru_cache(maxsize=1)
def three_card_counts() -> tuple[int, ...]:
    """How many of the 22,100 hands fall into each class that a paytable can name, by class number.

    A mini royal of spades is counted under its own class and not under mini royals.
    """
    counts = [0] * len(CLASS_IDS)
    for value, hand in _all_hands():
        counts[paid_class(hand, value)] += 1
    return tuple(counts)


@lru_cache(maxsize=1)
def beaten_counts() -> tuple[int, ...]:
    """In how many of the 22,100 x 18,424 deals the lower of two unequal hands is of each class, by class."""
    counts = [0] * len(CLASS_IDS)
    for each in hands_alike():
        # By symmetry the bank's hand is the lower one as often as the position's.
        counts[paid_class(each.cards, each.value)] += 2 * each.hands * each.higher
    return tuple(counts)
