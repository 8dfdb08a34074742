"""The best five of five to seven cards, in ordinary poker order: for every game that ranks five cards.

Aces are high, and low in A-2-3-4-5 alone. Suits rank nothing.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from games.cards import RANK_NAMES, RANK_OF, RANK_PLURALS, RANKS, SUIT_OF
from games.phrases import Phrase


class FiveCardClass(IntEnum):
    """Classes of five cards, lowest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


#: The classes as rulebooks and paytables name them.
FIVE_CARD_IDS: tuple[str, ...] = tuple(each.name.lower() for each in FiveCardClass)
#: Their names on placards, by id.
FIVE_CARD_HANDS = {
    "high_card": Phrase("High card"),
    "pair": Phrase("Pair"),
    "two_pair": Phrase("Two pair"),
    "three_of_a_kind": Phrase("Three of a kind"),
    "straight": Phrase("Straight"),
    "flush": Phrase("Flush"),
    "full_house": Phrase("Full house"),
    "four_of_a_kind": Phrase("Four of a kind"),
    "straight_flush": Phrase("Straight flush"),
    "royal_flush": Phrase("Royal flush"),
}
#: The same in a sentence, by class.
FIVE_CARD_NAMES: tuple[str, ...] = (
    "high card", "a pair", "two pair", "three of a kind", "a straight", "a flush", "a full house", "four of a kind",
    "a straight flush", "a royal flush",
)  # fmt: skip

_ACE = RANKS.index("A")
_NO_RUN = -1


def _run_tops() -> tuple[int, ...]:
    """By the set of ranks that are there, as bits: the top rank of their best run of five, or `_NO_RUN`."""
    runs = [
        (top, sum(1 << (rank % len(RANKS)) for rank in range(top - 4, top + 1))) for top in range(_ACE, 2, -1)
    ]
    return tuple(
        next((top for top, run in runs if there & run == run), _NO_RUN) for there in range(1 << len(RANKS))
    )


_RUN_TOPS = _run_tops()


class FiveCardHand(NamedTuple):
    """What a hand is worth: of two the greater wins, equal ones tie.

    `ranks` decide within the class, from the first on: of a run its top alone.
    """

    kind: FiveCardClass
    ranks: tuple[int, ...]

    @property
    def name(self) -> str:
        """The hand in words, without the side cards: `pair of nines`."""
        first = self.ranks[0]
        match self.kind:
            case FiveCardClass.HIGH_CARD:
                return f"{RANK_NAMES[first]} high"
            case FiveCardClass.PAIR:
                return f"pair of {RANK_PLURALS[first]}"
            case FiveCardClass.TWO_PAIR:
                return f"two pair, {RANK_PLURALS[first]} and {RANK_PLURALS[self.ranks[1]]}"
            case FiveCardClass.THREE_OF_A_KIND:
                return f"three {RANK_PLURALS[first]}"
            case FiveCardClass.FLUSH:
                return f"{RANK_NAMES[first]}-high flush"
            case FiveCardClass.FULL_HOUSE:
                return f"full house, {RANK_PLURALS[first]} over {RANK_PLURALS[self.ranks[1]]}"
            case FiveCardClass.FOUR_OF_A_KIND:
                return f"four {RANK_PLURALS[first]}"
            case FiveCardClass.ROYAL_FLUSH:
                return "royal flush"
        return f"{'straight' if self.kind == FiveCardClass.STRAIGHT else 'straight flush'} to the {RANK_NAMES[first]}"

    @property
    def full_name(self) -> str:
        """The same with the side cards, where hands of one name differ in them: `pair of nines with ace, ten and two`."""
        named = _NAMED_RANKS.get(self.kind, len(self.ranks))
        sides = [RANK_NAMES[rank] for rank in self.ranks[named:]]
        if not sides:
            return self.name
        return f"{self.name} with {' and '.join(filter(None, (', '.join(sides[:-1]), sides[-1])))}"


#: How many of the ranks of a hand its name says, of the classes that have side cards.
_NAMED_RANKS = {
    FiveCardClass.HIGH_CARD: 1,
    FiveCardClass.PAIR: 1,
    FiveCardClass.TWO_PAIR: 2,
    FiveCardClass.THREE_OF_A_KIND: 1,
    FiveCardClass.FLUSH: 1,
    FiveCardClass.FOUR_OF_A_KIND: 1,
}


def class_of(cards: Sequence[int]) -> FiveCardClass:
    """The class of the best five of five to seven cards."""
    if (suited := _suited(cards)) is not None:
        return _class_of_suited(suited)
    ranks = [RANK_OF[card] for card in cards]
    numbers = sorted([ranks.count(rank) for rank in set(ranks)], reverse=True)
    if _run_top(ranks) != _NO_RUN:
        return FiveCardClass.STRAIGHT  # five ranks in a row leave no room for four alike or a full house
    return _class_of_alike(numbers)


def best_five(cards: Sequence[int]) -> FiveCardHand:
    """The best five of five to seven cards."""
    if (suited := _suited(cards)) is not None:
        kind = _class_of_suited(suited)
        if kind == FiveCardClass.FLUSH:
            return FiveCardHand(kind, tuple(sorted(suited, reverse=True)[:5]))
        return FiveCardHand(kind, (_run_top(suited),))
    ranks = [RANK_OF[card] for card in cards]
    if (top := _run_top(ranks)) != _NO_RUN:
        return FiveCardHand(FiveCardClass.STRAIGHT, (top,))
    alike = sorted([(ranks.count(rank), rank) for rank in set(ranks)], reverse=True)
    kind = _class_of_alike([number for number, _ in alike])
    if kind == FiveCardClass.FULL_HOUSE:
        return FiveCardHand(kind, (alike[0][1], alike[1][1]))
    named = {FiveCardClass.HIGH_CARD: 0}.get(kind, _NAMED_RANKS[kind])
    made = [rank for _, rank in alike[:named]]
    left = 5 - sum([number for number, _ in alike[:named]])
    sides = sorted([rank for _, rank in alike[named:]], reverse=True)[:left]
    return FiveCardHand(kind, (*made, *sides))


def _suited(cards: Sequence[int]) -> list[int] | None:
    """The ranks of the suit of which there are five cards or more; None where there is none."""
    suits = [SUIT_OF[card] for card in cards]
    for suit in suits[: len(suits) - 4]:  # of five cards of a suit one is among these
        if suits.count(suit) >= 5:
            return [RANK_OF[card] for card in cards if SUIT_OF[card] == suit]
    return None


def _class_of_suited(ranks: Sequence[int]) -> FiveCardClass:
    """The class of cards of one suit: of seven, five leave no room for four alike or a full house."""
    top = _run_top(ranks)
    if top == _NO_RUN:
        return FiveCardClass.FLUSH
    return FiveCardClass.ROYAL_FLUSH if top == _ACE else FiveCardClass.STRAIGHT_FLUSH


def _class_of_alike(numbers: Sequence[int]) -> FiveCardClass:
    """The class by how many cards each rank has, most first, of cards that are neither a run nor of one suit."""
    first, second = numbers[0], numbers[1]
    if first == 4:
        return FiveCardClass.FOUR_OF_A_KIND
    if first == 3:
        return FiveCardClass.FULL_HOUSE if second >= 2 else FiveCardClass.THREE_OF_A_KIND
    if first == 2:
        return FiveCardClass.TWO_PAIR if second == 2 else FiveCardClass.PAIR
    return FiveCardClass.HIGH_CARD


def _run_top(ranks: Sequence[int]) -> int:
    there = 0
    for rank in ranks:
        there |= 1 << rank
    return _RUN_TOPS[there]
