"""Which hand is higher: `000`, section 3."""

from __future__ import annotations

import pytest

from tests.rules.rounds import ante_outcome, assert_descending, at, settled

clause = pytest.mark.clause

BOOK = "massachusetts"


@clause("massachusetts:3(a)")
def test_ranks_run_from_the_ace_down_to_the_two() -> None:
    assert_descending(BOOK, ["Ah 7d 3c", "Kh 7c 3d", "Qh 7s 3h"])
    seconds = "JT98765"
    hands = [
        f"{'Qh' if n % 2 else 'Qd'} {rank}{'s' if n % 2 else 'c'} {'3d' if n % 2 else '3h'}"
        for n, rank in enumerate(seconds)
    ]
    assert_descending(BOOK, hands)
    assert_descending(BOOK, ["Qh 5s 4d", "Qd 5c 3h", "Qs 5h 2d"])


@clause("massachusetts:3(a).2")
@pytest.mark.parametrize("suits", ["shc", "hcd", "cds", "dsh"])
def test_no_suit_outranks_another(suits: str) -> None:
    others = dict(zip("shcd", "hcds", strict=True))
    hand = [rank + suit for rank, suit in zip("K94", suits, strict=True)]
    bank = [rank + others[suit] for rank, suit in zip("K94", suits, strict=True)]
    assert ante_outcome(BOOK, " ".join(hand), " ".join(bank)) == "push"


@clause("massachusetts:3(a).3")
def test_the_ace_completes_a_run_below_two_and_three() -> None:
    assert ante_outcome(BOOK, "Ah 2d 3c", "Ks Qs Ts") == "win", "a straight beats a flush"
    assert ante_outcome(BOOK, "Ah 2h 3h", "Kc Kd Ks") == "win", "a straight flush beats three of a kind"
    assert ante_outcome(BOOK, "Ah Kd 2c", "8h 8d 3c") == "lose", "a run does not go round the ace"


@clause("massachusetts:3(b)")
def test_classes_stand_in_the_printed_order() -> None:
    assert_descending(BOOK, ["3c 2c Ac", "2h 2d 2s", "3d 2c As", "5h 3h 2h", "2s 2d 3c", "Ad Kh Js"])


@clause("massachusetts:3(b)(1)")
def test_straight_flushes_run_from_a_k_q_down_to_3_2_a() -> None:
    assert_descending(BOOK, ["Ah Kh Qh", "Ks Qs Js", "4d 3d 2d", "3c 2c Ac", "As Ah Ad"])


@clause("massachusetts:3(b)(2)")
def test_three_of_a_kind_run_from_aces_down_to_twos() -> None:
    assert_descending(BOOK, ["As Ah Ad", "Kc Ks Kh", "3c 3s 3h", "2c 2s 2h", "Ah Kd Qc"])


@clause("massachusetts:3(b)(3)")
def test_straights_run_from_a_k_q_down_to_3_2_a() -> None:
    assert_descending(BOOK, ["Ah Kd Qc", "Kh Qd Js", "4h 3d 2c", "Ah 2d 3s", "Ac Kc Jc"])


@clause("massachusetts:3(b)(4)")
def test_a_flush_is_three_of_a_suit_in_any_ranks() -> None:
    assert_descending(BOOK, ["Ac Kc Jc", "Ah Kh Th", "5d 4d 2d", "5h 3h 2h", "As Ah Kd"])


@clause("massachusetts:3(b)(5)")
def test_pairs_run_from_aces_down_to_twos() -> None:
    assert_descending(BOOK, ["As Ah 2d", "Kd Kc Ac", "3s 3h Jd", "2s 2h Ac", "2d 2c 3h", "As Kd Jh"])


@clause("massachusetts:3(c)")
def test_in_one_class_the_rank_that_makes_it_comes_first_then_the_side_cards() -> None:
    assert_descending(BOOK, ["3s 3h 4d", "2s 2h Ac"])
    assert_descending(BOOK, ["8s 8d 5d", "8h 8c 4c"])
    assert_descending(BOOK, ["Ks 9s 5d", "Kh 9d 4c", "Kd 8s 7h"])
    assert_descending(BOOK, ["Ks 9s 5s", "Kh 9h 4h"])


@clause("massachusetts:3(c).2")
@pytest.mark.parametrize(
    ("hand", "bank_hand"), [("8s 8d 5d", "8h 8c 5c"), ("Kh 7s 4d", "Kd 7c 4h"), ("Js Td 9c", "Jh Tc 9s")]
)
def test_hands_alike_in_every_rank_are_a_draw(hand: str, bank_hand: str) -> None:
    round_ = settled(BOOK, bank_hand, at(1, hand))
    assert (round_.outcome(1, "ante"), round_.outcome(1, "play")) == ("push", "push")
