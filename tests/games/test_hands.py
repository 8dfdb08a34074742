"""Three-card ranking over the whole deck, and the best five of six, against slow and obvious evaluators."""

from collections import Counter
from itertools import combinations, permutations
from random import Random

import pytest

from games.cards import CARD_NUMBERS, Hand
from games.three_card_poker.hands import (
    CLASS_IDS,
    QUEEN_HIGH,
    SIX_CARD_IDS,
    HandClass,
    best_five_of_six,
    paid_class,
    read_hand,
    value3,
)
from tests.games import naive_hands

ALL_HANDS: list[Hand] = list(combinations(range(52), 3))


def _hand(text: str) -> Hand:
    return read_hand(text, "hand")


def test_the_22100_hands_fall_into_classes_as_combinatorics_has_it() -> None:
    counts = Counter(CLASS_IDS[paid_class(hand, value3(hand))] for hand in ALL_HANDS)
    assert counts == {
        "mini_royal_spades": 1,
        "mini_royal": 3,
        "straight_flush": 12 * 4 - 4,
        "three_of_a_kind": 13 * 4,
        "straight": 12 * (4**3 - 4),
        "flush": (13 * 12 * 11 // 6 - 12) * 4,
        "pair": 13 * 6 * 48,
        "high_card": (13 * 12 * 11 // 6 - 12) * (4**3 - 4),
    }
    assert counts.total() == 22_100


def test_values_order_all_hands_as_the_naive_ranking_does() -> None:
    pairs = {(naive_hands.rank_three(hand), value3(hand)) for hand in ALL_HANDS}
    ranks, values = zip(*sorted(pairs), strict=True)
    # One value for each rank, and both rise together: every comparison of two hands comes out the same.
    assert len(set(ranks)) == len(set(values)) == len(pairs) == 741
    assert list(values) == sorted(values)


def test_the_bank_qualifies_with_exactly_the_hands_of_queen_high_or_better() -> None:
    for hand in ALL_HANDS:
        assert (value3(hand) >= QUEEN_HIGH) == (naive_hands.rank_three(hand) >= naive_hands.QUEEN_HIGH)


def test_the_order_in_which_cards_are_named_does_not_matter() -> None:
    for hand in ALL_HANDS[::37]:
        for a, b, c in permutations(hand):
            assert value3((a, b, c)) == value3(hand)
            assert paid_class((a, b, c), value3((a, b, c))) == paid_class(hand, value3(hand))


def test_suits_never_break_a_tie_not_even_that_of_spades() -> None:
    spades, hearts = _hand("As Ks Qs"), _hand("Ah Kh Qh")
    assert value3(spades) == value3(hearts)
    assert (
        paid_class(spades, value3(spades))
        == HandClass.MINI_ROYAL_SPADES
        != paid_class(hearts, value3(hearts))
    )
    assert value3(spades).kind == value3(hearts).kind


def test_the_best_five_of_six_agrees_with_trying_all_six_fives() -> None:
    rng = Random("six cards")
    for _ in range(20_000):
        six = rng.sample(range(52), 6)
        first, second = (six[0], six[1], six[2]), (six[3], six[4], six[5])
        assert SIX_CARD_IDS[best_five_of_six(first, second)] == naive_hands.class_of_six(tuple(six))


def test_the_best_five_of_six_agrees_on_decks_where_good_hands_are_common() -> None:
    """Every class turns up often enough here to be wrong about."""
    seen: Counter[str] = Counter()
    for ranks, suits in (((8, 9, 10, 11, 12), "cdhs"), ((0, 1, 2, 3, 12), "cd"), (range(4, 12), "hs")):
        deck = [rank * 4 + "cdhs".index(suit) for rank in ranks for suit in suits]
        rng = Random(len(deck))
        for _ in range(5000):
            six = rng.sample(deck, 6)
            found = SIX_CARD_IDS[best_five_of_six((six[0], six[1], six[2]), (six[3], six[4], six[5]))]
            assert found == naive_hands.class_of_six(tuple(six))
            seen[found] += 1
    assert min(seen[name] for name in SIX_CARD_IDS) >= 5, seen


@pytest.mark.parametrize(
    ("mine", "banks", "expected"),
    [
        ("Ah 2s 3c", "4h 2d 5c", "straight"),
        ("As Ks Qs", "Js Ts 2d", "royal_flush"),
        ("Ah 2h 3h", "4h 5h Kc", "straight_flush"),
        ("9h 9d 9c", "9s 2d 2c", "four_of_a_kind"),
        ("9h 9d 9c", "2s 2d 2c", "full_house"),
        ("9h 9d 4c", "9s 2d 7c", "three_of_a_kind"),
        ("9h 9d 4c", "4s 2d 2c", "less"),
        ("Kh Ah 2c", "3d 4s 6c", "less"),  # a run does not go round the corner
        ("2h 4h 6h", "8h Th Qh", "flush"),
    ],
)
def test_a_six_card_hand_worked_by_hand(mine: str, banks: str, expected: str) -> None:
    assert SIX_CARD_IDS[best_five_of_six(_hand(mine), _hand(banks))] == expected
    assert SIX_CARD_IDS[best_five_of_six(_hand(banks), _hand(mine))] == expected


@pytest.mark.parametrize(
    ("hand", "name", "full_name"),
    [
        ("9s 9c 2d", "pair of nines", "pair of nines with a two"),
        ("6s 6c Ad", "pair of sixes", "pair of sixes with an ace"),
        ("Qh 7d 4c", "queen high", "queen high with a seven and a four"),
        ("Kh 8h 4h", "king-high flush", "king-high flush with an eight and a four"),
        ("Ah 2s 3c", "straight to the three", "straight to the three"),
        ("5s 6s 7s", "straight flush to the seven", "straight flush to the seven"),
        ("6h 6d 6c", "three sixes", "three sixes"),
        ("Ah Kh Qh", "mini royal", "mini royal"),
    ],
)
def test_hands_are_named_as_people_at_the_table_name_them(hand: str, name: str, full_name: str) -> None:
    assert value3(_hand(hand)).name == name
    assert value3(_hand(hand)).full_name == full_name


def test_all_52_cards_are_read_and_told_apart() -> None:
    assert sorted(CARD_NUMBERS.values()) == list(range(52))
    assert {text[0] for text in CARD_NUMBERS} == set("23456789TJQKA")
    assert {text[1] for text in CARD_NUMBERS} == set("cdhs")
