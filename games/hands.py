"""Ranking of hands: three cards against three, and the best five of six.

A three-card hand becomes one integer, its value: higher beats lower, equal is a tie. Its upper part is
the class (`class_of`), the lower three nibbles are ranks from the deciding one down. The class order is
the one of all five documents (ruling 1): a straight over a flush, A-K-Q the best run, A-2-3 the lowest.
"""

from functools import cache
from itertools import combinations_with_replacement, permutations

from games.cards import RANKS, SPADES, Hand

HIGH_CARD, PAIR, FLUSH, STRAIGHT, THREE_OF_A_KIND, STRAIGHT_FLUSH, MINI_ROYAL, MINI_ROYAL_SPADES = range(8)
"""Classes, lowest first. A mini royal is the best straight flush; that it is of spades matters to some
paytables and never to a comparison, so `value3` does not know the last class and `paid_class` does."""

CLASS_IDS: tuple[str, ...] = (
    "high_card",
    "pair",
    "flush",
    "straight",
    "three_of_a_kind",
    "straight_flush",
    "mini_royal",
    "mini_royal_spades",
)

NOTHING6, TRIPS6, STRAIGHT6, FLUSH6, FULL_HOUSE6, QUADS6, STRAIGHT_FLUSH6, ROYAL6 = range(8)
"""Classes of the best five of six that the 6 Card Bonus tells apart, lowest first."""

SIX_CARD_IDS: tuple[str, ...] = (
    "less",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)

QUEEN_HIGH = RANKS.index("Q") << 8
"""The lowest value with which a bank qualifies, all five documents (ruling 2)."""

SIDE_CARDS = 0xFF
"""The bits of a value below its deciding rank. Any value is greater than these, any class is less."""

_ACE = RANKS.index("A")
_FLUSHED = 13 * 13 * 13


def _value_of_ranks(top: int, middle: int, low: int, flushed: bool) -> int:
    if top == low:
        return THREE_OF_A_KIND << 12 | top << 8
    if middle in (top, low):
        odd = low if middle == top else top
        return PAIR << 12 | middle << 8 | odd << 4
    if top - low == 2:
        run_top = top
    elif (top, middle, low) == (_ACE, 1, 0):
        run_top = middle
    else:
        return (FLUSH if flushed else HIGH_CARD) << 12 | top << 8 | middle << 4 | low
    if not flushed:
        return STRAIGHT << 12 | run_top << 8
    return (MINI_ROYAL if run_top == _ACE else STRAIGHT_FLUSH) << 12 | run_top << 8


def _all_values() -> tuple[int, ...]:
    values = [0] * (2 * _FLUSHED)
    for low, middle, top in combinations_with_replacement(range(13), 3):
        for flushed in (0, _FLUSHED):
            value = _value_of_ranks(top, middle, low, bool(flushed))
            for a, b, c in permutations((top, middle, low)):
                values[a * 169 + b * 13 + c + flushed] = value
    return tuple(values)


VALUES: tuple[int, ...] = _all_values()
"""Value by the three ranks as digits in base 13, one-suited hands in the second half."""


def value3(hand: Hand) -> int:
    """Value of three cards; of two hands the one with the higher value wins, equal values tie."""
    a, b, c = hand
    ranks = (a >> 2) * 169 + (b >> 2) * 13 + (c >> 2)
    if a & 3 == b & 3 == c & 3:
        ranks += _FLUSHED
    return VALUES[ranks]


def class_of(value: int) -> int:
    """Class of a three-card value, HIGH_CARD to MINI_ROYAL."""
    return value >> 12


def paid_class(hand: Hand, value: int) -> int:
    """Class as paytables see it: a mini royal of spades is told from the others."""
    kind = value >> 12
    return MINI_ROYAL_SPADES if kind == MINI_ROYAL and hand[0] & 3 == SPADES else kind


_BIT_OF_RANK: tuple[int, ...] = tuple(1 << (card >> 2) for card in range(52))
_EACH_RANK = sum(1 << 3 * rank for rank in range(13))
_SUITS_AT = 3 * 13
# A card counted: one more of its rank (three bits a rank) and of its suit (four bits a suit, above the ranks).
_COUNTED: tuple[int, ...] = tuple(
    1 << 3 * (card >> 2) | 1 << _SUITS_AT + 4 * (card & 3) for card in range(52)
)
# Each suit starts at three, so that with five or six cards its fourth bit is set.
_NO_CARDS = 0x3333 << _SUITS_AT
_FLUSHED_SUITS = 0x8888 << _SUITS_AT
_RUN_BITS: tuple[int, ...] = (1 << 12 | 0b1111, *(0b11111 << low for low in range(9)))
_ROYAL_BITS = _RUN_BITS[-1]


def _find_runs() -> bytes:
    """By the 13 bits of the ranks present: 2 with ten to ace, 1 with another run of five, else 0."""
    runs = bytearray(1 << 13)
    for run in _RUN_BITS:
        beside = others = ((1 << 13) - 1) ^ run
        while True:
            runs[run | beside] = 2 if run == _ROYAL_BITS else 1
            if not beside:
                break
            beside = beside - 1 & others  # the next smaller set of the other ranks
    return bytes(runs)


_RUNS = _find_runs()


def best_five_of_six(first: Hand, second: Hand) -> int:
    """Class of the best poker hand of five out of six cards, in ordinary poker order, NOTHING6 to ROYAL6."""
    a, b, c = first
    d, e, f = second
    rank, counted = _BIT_OF_RANK, _COUNTED
    ranks = rank[a] | rank[b] | rank[c] | rank[d] | rank[e] | rank[f]
    counts = _NO_CARDS + counted[a] + counted[b] + counted[c] + counted[d] + counted[e] + counted[f]
    if counts & _FLUSHED_SUITS:
        return _of_one_suit(first + second, counts)
    if _RUNS[ranks]:
        return STRAIGHT6
    distinct = ranks.bit_count()
    if distinct >= 5:
        return NOTHING6
    if counts & _EACH_RANK << 2:
        return QUADS6
    # Three alike are binary 011; with four ranks and one of them thrice the others are single.
    trips = counts & counts >> 1 & _EACH_RANK
    if not trips:
        return NOTHING6
    return TRIPS6 if distinct == 4 else FULL_HOUSE6


def _of_one_suit(six: tuple[int, ...], counts: int) -> int:
    """Class of six cards of which five or six are of one suit: neither four alike nor a full house can be there."""
    suit = ((counts & _FLUSHED_SUITS).bit_length() - 1 - _SUITS_AT) >> 2
    suited = 0
    for card in six:
        if card & 3 == suit:
            suited |= _BIT_OF_RANK[card]
    run = _RUNS[suited]
    if run:
        return ROYAL6 if run == 2 else STRAIGHT_FLUSH6
    return FLUSH6


_RANK_NAMES = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
_RANK_PLURALS = tuple("sixes" if name == "six" else f"{name}s" for name in _RANK_NAMES)


@cache
def name_of(value: int) -> str:
    """A three-card value in words: `pair of nines`, `queen high`, `straight to the ace`."""
    kind, rank = value >> 12, value >> 8 & 15
    if kind == HIGH_CARD:
        return f"{_RANK_NAMES[rank]} high"
    if kind == PAIR:
        return f"pair of {_RANK_PLURALS[rank]}"
    if kind == THREE_OF_A_KIND:
        return f"three {_RANK_PLURALS[rank]}"
    if kind == FLUSH:
        return f"{_RANK_NAMES[rank]}-high flush"
    if kind == MINI_ROYAL:
        return "mini royal"
    return f"{'straight' if kind == STRAIGHT else 'straight flush'} to the {_RANK_NAMES[rank]}"


@cache
def full_name_of(value: int) -> str:
    """As `name_of`, with the side cards where they can decide: `pair of nines with a king`."""
    kind, second, third = value >> 12, value >> 4 & 15, value & 15
    if kind == PAIR:
        return f"{name_of(value)} with {_article(second)}"
    if kind in (HIGH_CARD, FLUSH):
        return f"{name_of(value)} with {_article(second)} and {_article(third)}"
    return name_of(value)


def _article(rank: int) -> str:
    name = _RANK_NAMES[rank]
    return f"{'an' if name in ('eight', 'ace') else 'a'} {name}"


CLASS_NAMES: tuple[str, ...] = (
    "high card", "a pair", "a flush", "a straight", "three of a kind", "a straight flush", "a mini royal",
    "a mini royal of spades",
)  # fmt: skip
SIX_CARD_NAMES: tuple[str, ...] = (
    "less than three of a kind", "three of a kind", "a straight", "a flush", "a full house", "four of a kind",
    "a straight flush", "a royal flush",
)  # fmt: skip
