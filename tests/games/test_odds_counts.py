"""What the odds are computed from: counts of showdowns, six-card hands and highest hands, each counted another way."""

import random
from collections import Counter
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial

import pytest

from games.three_card_poker.hands import CLASS_IDS, SIX_CARD_IDS, HandClass
from games.three_card_poker.odds.highest_hand import chance_of_none, disjoint_sets, highest_hand_chances
from games.three_card_poker.odds.showdown import ANSWERS, DEALS, beaten_counts, hands_alike, three_card_counts
from games.three_card_poker.odds.six_cards import SIXES, six_card_counts
from tests.games import naive_hands as naive

MINI_ROYALS = {(naive.STRAIGHT_FLUSH, 12)}


@lru_cache(maxsize=1)
def every_hand() -> list[tuple[int, naive.Rank]]:
    """All hands as bits of their cards and their rank."""
    return [(sum(1 << card for card in hand), naive.rank_three(hand)) for hand in combinations(range(52), 3)]


def counted_by_hand(cards: tuple[int, ...]) -> list[int]:
    """The six counts of a hand class by looking at each of the bank's 18,424 hands."""
    own_bits, own = sum(1 << card for card in cards), naive.rank_three(cards)
    found = [0] * 6
    for bits, rank in every_hand():
        if not bits & own_bits:
            found[3 * (rank >= naive.QUEEN_HIGH) + (rank >= own) + (rank > own)] += 1
    return found


def test_the_classes_of_hands_are_1755_and_cover_the_deck() -> None:
    classes = hands_alike()
    assert len(classes) == 1755
    assert sum(each.hands for each in classes) == DEALS == 22_100
    assert {each.unqualified.all + each.qualified.all for each in classes} == {ANSWERS}


EDGES_OF_THE_DECISION = ((40, 16, 9), (40, 17, 8), (40, 16, 5), (40, 17, 6), (36, 33, 28), (40, 4, 1))
TOPS = ((51, 47, 43), (51, 50, 49), (48, 4, 0), (51, 46, 41), (0, 4, 13))


@pytest.mark.parametrize(
    "cards",
    [
        *EDGES_OF_THE_DECISION,
        *TOPS,
        *(tuple(random.Random(seed).sample(range(52), 3)) for seed in range(60)),
    ],
)
def test_a_showdown_counts_as_it_does_hand_by_hand(cards: tuple[int, ...]) -> None:
    suits_aside = sorted(sorted(card // 4 for card in cards if card % 4 == suit) for suit in range(4))
    (each,) = [
        each
        for each in hands_alike()
        if sorted(sorted(card // 4 for card in each.cards if card % 4 == suit) for suit in range(4))
        == suits_aside
    ]
    low, high = each.unqualified, each.qualified
    assert [low.lower, low.equal, low.higher, high.lower, high.equal, high.higher] == counted_by_hand(cards)


def test_what_one_side_wins_the_other_loses() -> None:
    classes = hands_alike()
    assert sum(each.hands * each.lower for each in classes) == sum(
        each.hands * each.higher for each in classes
    )


def test_three_card_hands_count_by_class() -> None:
    counts = Counter(rank[0] if rank not in MINI_ROYALS else "mini" for _, rank in every_hand())
    by_id = dict(zip(CLASS_IDS, three_card_counts(), strict=True))
    assert by_id == {
        "high_card": counts[naive.HIGH],
        "pair": counts[naive.PAIR],
        "flush": counts[naive.FLUSH],
        "straight": counts[naive.STRAIGHT],
        "three_of_a_kind": counts[naive.THREE],
        "straight_flush": counts[naive.STRAIGHT_FLUSH],
        "mini_royal": counts["mini"] - 1,
        "mini_royal_spades": 1,
    }


def test_beaten_hands_of_a_rare_class_count_as_pair_by_pair() -> None:
    """Beaten straight flushes and threes of a kind: every pair of hands from three of a kind up."""
    good = [(bits, rank) for bits, rank in every_hand() if rank[0] >= naive.THREE]
    found: Counter[int] = Counter()
    for first_bits, first in good:
        for second_bits, second in good:
            if not first_bits & second_bits and first != second:
                found[min(first, second)[0]] += 1
    by_id = dict(zip(CLASS_IDS, beaten_counts(), strict=True))
    assert by_id["three_of_a_kind"] == found[naive.THREE]
    # Nothing beats a mini royal.
    assert by_id["straight_flush"] == found[naive.STRAIGHT_FLUSH]
    assert by_id["mini_royal"] == by_id["mini_royal_spades"] == 0


def test_beaten_and_tied_hands_make_up_every_deal() -> None:
    tied = sum(each.hands * (each.unqualified.equal + each.qualified.equal) for each in hands_alike())
    assert sum(beaten_counts()) + tied == DEALS * ANSWERS


def test_six_card_hands_add_up_and_follow_their_formulas() -> None:
    counts = dict(zip(SIX_CARD_IDS, six_card_counts(), strict=True))
    assert sum(counts.values()) == SIXES == 20_358_520
    assert counts["four_of_a_kind"] == 13 * comb(48, 2)
    assert counts["full_house"] == comb(13, 2) * 4 * 4 + 13 * 4 * 12 * comb(4, 2) * 44
    assert counts["three_of_a_kind"] == 13 * 4 * comb(12, 3) * 4**3
    assert counts["royal_flush"] == 4 * 47
    flushed = 4 * (comb(13, 6) + comb(13, 5) * 39)
    assert counts["flush"] + counts["straight_flush"] + counts["royal_flush"] == flushed
    # Steel wheel up to king high: the card that would make the run higher is not among the 47 others.
    assert counts["straight_flush"] == 4 * 9 * 46
    # Ranks with a run of five: nine lower runs without the rank above, one to the ace; less those of one suit.
    six_ranks = sum(
        any({*range(low, low + 5)} <= {*ranks, *((-1,) if 12 in ranks else ())} for low in range(-1, 9))
        for ranks in combinations(range(13), 6)
    )
    straights = 10 * 5 * comb(4, 2) * 4**4 + six_ranks * 4**6
    of_one_suit = 10 * 5 * 4 * 3 + six_ranks * 4 * (1 + 6 * 3)
    assert counts["straight"] == straights - of_one_suit


def test_six_card_hands_turn_up_as_often_as_counted() -> None:
    """20,000 random sixes of a fixed seed; five standard deviations for each class."""
    dealt, deal = 20_000, random.Random(6)
    found = Counter(naive.class_of_six(tuple(deal.sample(range(52), 6))) for _ in range(dealt))
    for name, count in zip(SIX_CARD_IDS, six_card_counts(), strict=True):
        chance = count / SIXES
        assert abs(found[name] - dealt * chance) <= 5 * (dealt * chance * (1 - chance)) ** 0.5 + 1, name


AT_LEAST = {
    HandClass.MINI_ROYAL: None,
    HandClass.STRAIGHT_FLUSH: naive.STRAIGHT_FLUSH,
    HandClass.THREE_OF_A_KIND: naive.THREE,
    HandClass.STRAIGHT: naive.STRAIGHT,
}


def good_hands(at_least: int) -> list[int]:
    least = AT_LEAST[at_least]
    return [
        bits for bits, rank in every_hand() if (rank in MINI_ROYALS if least is None else rank[0] >= least)
    ]


def sets_one_by_one(hands: list[int], most: int) -> list[int]:
    """How many sets of 1 to `most` hands share no card, by trying them all."""
    compatible = [
        sum(1 << other for other in range(place + 1, len(hands)) if not hands[place] & hands[other])
        for place in range(len(hands))
    ]
    found = [0] * (most + 1)

    def extend(candidates: int, size: int) -> None:
        found[size] += candidates.bit_count()
        if size < most:
            while candidates:
                place = (candidates & -candidates).bit_length() - 1
                candidates &= candidates - 1
                extend(candidates & compatible[place], size + 1)

    extend((1 << len(hands)) - 1, 1)
    return found[1:]


@pytest.mark.parametrize(
    ("at_least", "most"),
    [
        (HandClass.MINI_ROYAL, 5),
        (HandClass.STRAIGHT_FLUSH, 5),
        (HandClass.THREE_OF_A_KIND, 4),
        (HandClass.STRAIGHT, 3),
    ],
)
def test_disjoint_good_hands_count_as_one_by_one(at_least: int, most: int) -> None:
    sets = disjoint_sets(at_least)
    assert sets[0] == 1
    assert list(sets[1 : most + 1]) == sets_one_by_one(good_hands(at_least), most)


@pytest.mark.parametrize("size", [4, 5])
def test_disjoint_straights_and_threes_count_by_their_ranks(size: int) -> None:
    """Sets of `size` by the ranks their hands take: every choice of runs and threes, then the suits."""
    shapes = (
        [(low, low + 1, (low + 2)) for low in range(11)] + [(12, 0, 1)] + [(rank,) * 3 for rank in range(13)]
    )
    total = Fraction(0)
    for chosen in combinations_with_replacement(range(len(shapes)), size):
        used = Counter(rank for shape in chosen for rank in shapes[shape])
        if max(used.values()) > 4:
            continue
        ways = Fraction(1)
        for often in used.values():
            ways *= factorial(4) // factorial(4 - often)
        for shape, often in Counter(chosen).items():
            three_alike = len(set(shapes[shape])) == 1
            ways /= factorial(often) * (6**often if three_alike else 1)
        total += ways
    assert disjoint_sets(HandClass.STRAIGHT)[size] == total


def test_the_best_of_two_hands_agrees_with_the_showdown() -> None:
    """Neither of two hands a straight or better: by the hand classes and the bank's hands against each."""
    good = good_hands(HandClass.STRAIGHT)
    neither = 0
    for each in hands_alike():
        if each.value.kind < HandClass.STRAIGHT:
            own = sum(1 << card for card in each.cards)
            neither += each.hands * (ANSWERS - sum(not bits & own for bits in good))
    assert chance_of_none(HandClass.STRAIGHT, 2) == Fraction(neither, DEALS * ANSWERS)


@pytest.mark.parametrize("hands", [3, 8])
def test_the_highest_hand_turns_up_as_often_as_counted(hands: int) -> None:
    """15,000 random tables of a fixed seed; five standard deviations for each class."""
    dealt, deal = 15_000, random.Random(hands)
    found: Counter[int] = Counter()
    kinds = {
        naive.STRAIGHT: HandClass.STRAIGHT,
        naive.THREE: HandClass.THREE_OF_A_KIND,
        naive.STRAIGHT_FLUSH: HandClass.STRAIGHT_FLUSH,
    }
    for _ in range(dealt):
        cards = deal.sample(range(52), 3 * hands)
        best = max(naive.rank_three(tuple(cards[at : at + 3])) for at in range(0, 3 * hands, 3))
        found[HandClass.MINI_ROYAL if best in MINI_ROYALS else kinds.get(best[0], 0)] += 1
    for kind, chance in highest_hand_chances(hands).items():
        expected = float(dealt * chance)
        assert abs(found[kind] - expected) <= 5 * (expected * float(1 - chance)) ** 0.5 + 1, kind


def test_one_hand_alone_is_the_highest() -> None:
    by_id = dict(zip(CLASS_IDS, three_card_counts(), strict=True))
    assert highest_hand_chances(1) == {
        HandClass.MINI_ROYAL: Fraction(by_id["mini_royal"] + by_id["mini_royal_spades"], DEALS),
        HandClass.STRAIGHT_FLUSH: Fraction(by_id["straight_flush"], DEALS),
        HandClass.THREE_OF_A_KIND: Fraction(by_id["three_of_a_kind"], DEALS),
        HandClass.STRAIGHT: Fraction(by_id["straight"], DEALS),
    }


@pytest.mark.parametrize("hands", [0, 9])
def test_no_table_has_so_many_hands(hands: int) -> None:
    with pytest.raises(ValueError, match="hands"):
        chance_of_none(HandClass.STRAIGHT, hands)
