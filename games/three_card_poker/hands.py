"""Hands: read from their text, and ranked: three cards against three, and the best five of six.

The order of classes is the one of all five documents (ruling 1): a straight over a flush, A-K-Q the best run, A-2-3
the lowest.
"""

from collections.abc import Mapping
from enum import IntEnum
from itertools import combinations_with_replacement, permutations

from games.cards import RANK_NAMES, RANK_OF, RANK_PLURALS, RANKS, SPADES, SUIT_OF, Hand
from games.dealt import read_cards
from games.five_cards import FiveCardClass, class_of
from games.phrases import Phrase
from games.refusal import Refusal
from games.sheet_json import show


def read_hand(text: str, path: str) -> Hand:
    """Three cards separated by blanks; Refusal `bad_card`, `hand_size`, or `duplicate_card` within the hand."""
    cards = read_cards(text, path)
    if len(cards) != 3:
        raise Refusal(
            "hand_size", path, Phrase("a hand has three cards, this one {cards}.", cards=len(cards))
        )
    first, second, third = cards
    if first == second or third in (first, second):
        raise Refusal(
            "duplicate_card", path, Phrase("the hand {text} holds one card twice.", text=show(text))
        )
    return first, second, third


class HandClass(IntEnum):
    """Classes of three cards, lowest first.

    A mini royal is the best straight flush. That it is of spades matters to some paytables and never to a comparison:
    `value3` does not know the last class, `paid_class` does.
    """

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5
    MINI_ROYAL = 6
    MINI_ROYAL_SPADES = 7


class SixCardClass(IntEnum):
    """Classes of the best five of six that the 6 Card Bonus distinguishes, lowest first, in ordinary poker order."""

    LESS = 0
    THREE_OF_A_KIND = 1
    STRAIGHT = 2
    FLUSH = 3
    FULL_HOUSE = 4
    FOUR_OF_A_KIND = 5
    STRAIGHT_FLUSH = 6
    ROYAL_FLUSH = 7


#: The classes as rulebooks and paytables name them.
CLASS_IDS: tuple[str, ...] = tuple(each.name.lower() for each in HandClass)
SIX_CARD_IDS: tuple[str, ...] = tuple(each.name.lower() for each in SixCardClass)

HAND_NAMES = {
    "high_card": Phrase("High card"),
    "pair": Phrase("Pair"),
    "flush": Phrase("Flush"),
    "straight": Phrase("Straight"),
    "three_of_a_kind": Phrase("Three of a kind"),
    "straight_flush": Phrase("Straight flush"),
    "mini_royal": Phrase("Mini royal"),
    "mini_royal_spades": Phrase("Mini royal of spades"),
    "full_house": Phrase("Full house"),
    "four_of_a_kind": Phrase("Four of a kind"),
    "royal_flush": Phrase("Royal flush"),
    "less": Phrase("Less than three of a kind"),
}
"""Names of hands on placards, three-card and five-card, by id."""

CLASS_NAMES: tuple[str, ...] = (
    "high card", "a pair", "a flush", "a straight", "three of a kind", "a straight flush", "a mini royal",
    "a mini royal of spades",
)  # fmt: skip
SIX_CARD_NAMES: tuple[str, ...] = (
    "less than three of a kind", "three of a kind", "a straight", "a flush", "a full house", "four of a kind",
    "a straight flush", "a royal flush",
)  # fmt: skip

_ACE = RANKS.index("A")


class HandValue(int):
    """The place of a three-card hand among all, as a number: of two hands the higher one wins, equal ones tie.

    `kind` is its class and `ranks` its ranks from the deciding one down (of a run or three alike the top one alone).
    `name` says it in words, `pair of nines`, and `full_name` with the side cards where they can decide, `pair of nines
    with a king`: hands of one name differ in their side cards alone.
    """

    kind: HandClass
    ranks: tuple[int, ...]
    name: str
    full_name: str


def _kind_and_ranks(top: int, middle: int, low: int, flushed: bool) -> tuple[HandClass, tuple[int, ...]]:
    """Class and deciding ranks of three ranks from the top down; `flushed` when they are of one suit."""
    if top == low:
        return HandClass.THREE_OF_A_KIND, (top,)
    if middle in (top, low):
        return HandClass.PAIR, (middle, low if middle == top else top)
    if top - low == 2 and middle == low + 1:
        run = top
    elif (top, middle, low) == (_ACE, 1, 0):
        run = middle
    else:
        return (HandClass.FLUSH if flushed else HandClass.HIGH_CARD), (top, middle, low)
    if not flushed:
        return HandClass.STRAIGHT, (run,)
    return (HandClass.MINI_ROYAL if run == _ACE else HandClass.STRAIGHT_FLUSH), (run,)


def _name(kind: HandClass, ranks: tuple[int, ...]) -> str:
    rank = ranks[0]
    match kind:
        case HandClass.HIGH_CARD:
            return f"{RANK_NAMES[rank]} high"
        case HandClass.PAIR:
            return f"pair of {RANK_PLURALS[rank]}"
        case HandClass.THREE_OF_A_KIND:
            return f"three {RANK_PLURALS[rank]}"
        case HandClass.FLUSH:
            return f"{RANK_NAMES[rank]}-high flush"
        case HandClass.MINI_ROYAL:
            return "mini royal"
    return f"{'straight' if kind == HandClass.STRAIGHT else 'straight flush'} to the {RANK_NAMES[rank]}"


def _article(rank: int) -> str:
    name = RANK_NAMES[rank]
    return f"{'an' if name in ('eight', 'ace') else 'a'} {name}"


def _rank_all_hands() -> dict[tuple[int, int, int, bool], HandValue]:
    """The value of every hand, by its ranks in the order in which they lie and whether they are of one suit."""
    shapes = {}
    for low, middle, top in combinations_with_replacement(range(len(RANKS)), 3):
        # Two cards of one rank differ in suit: such a shape is never looked up.
        for flushed in (False, True):
            shapes[top, middle, low, flushed] = _kind_and_ranks(top, middle, low, flushed)
    places = {shape: place for place, shape in enumerate(sorted(set(shapes.values())))}
    values = {}
    for shape, place in places.items():
        value = values[shape] = HandValue(place)
        value.kind, value.ranks = shape
        value.name = _name(*shape)
        sides = " and ".join([_article(rank) for rank in value.ranks[1:]])
        value.full_name = f"{value.name} with {sides}" if sides else value.name
    return {
        (first, second, third, flushed): values[shape]
        for (top, middle, low, flushed), shape in shapes.items()
        for first, second, third in permutations((top, middle, low))
    }


_VALUES = _rank_all_hands()


def _lowest(kind: HandClass, top: str | None = None) -> HandValue:
    """The lowest value of a class, with `top` as its deciding rank."""
    rank = None if top is None else RANKS.index(top)
    return min(
        value for value in _VALUES.values() if value.kind == kind and (rank is None or value.ranks[0] == rank)
    )


#: By id the lowest value with which a bank qualifies; queen high in all five documents (ruling 2).
QUALIFYING: Mapping[str, HandValue] = {
    "nothing": min(_VALUES.values()),
    "jack_high": _lowest(HandClass.HIGH_CARD, "J"),
    "queen_high": _lowest(HandClass.HIGH_CARD, "Q"),
    "king_high": _lowest(HandClass.HIGH_CARD, "K"),
    "ace_high": _lowest(HandClass.HIGH_CARD, "A"),
    "pair": _lowest(HandClass.PAIR),
}
QUEEN_HIGH = QUALIFYING["queen_high"]
#: The same in words, as placards and drafts have them.
QUALIFYING_WORDS = {
    "nothing": "any hand",
    "jack_high": "jack high or better",
    "queen_high": "queen high or better",
    "king_high": "king high or better",
    "ace_high": "ace high or better",
    "pair": "a pair or better",
}


def value3(hand: Hand) -> HandValue:
    """Value of three cards; of two hands the one with the higher value wins, equal values tie."""
    first, second, third = hand
    flushed = SUIT_OF[first] == SUIT_OF[second] == SUIT_OF[third]
    return _VALUES[RANK_OF[first], RANK_OF[second], RANK_OF[third], flushed]


_MINI_ROYAL: HandValue = max(_VALUES.values())


def paid_class(hand: Hand, value: HandValue) -> HandClass:
    """Class as paytables see it: a mini royal of spades is distinguished from the others."""
    if value == _MINI_ROYAL and SUIT_OF[hand[0]] == SPADES:
        return HandClass.MINI_ROYAL_SPADES
    return value.kind


OF_SIX: tuple[SixCardClass, ...] = tuple(
    SixCardClass[each.name] if each >= FiveCardClass.THREE_OF_A_KIND else SixCardClass.LESS
    for each in FiveCardClass
)
"""What the 6 Card Bonus tells apart, by the class of the best five."""


def best_five_of_six(first: Hand, second: Hand) -> SixCardClass:
    """Class of the best poker hand of five out of six cards, in ordinary poker order."""
    return OF_SIX[class_of(first + second)]
