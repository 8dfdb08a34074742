"""Which hand is higher: `001`, object of the game, card values and hand rankings, description of the deck."""

from __future__ import annotations

import pytest

from games.engine import read_sheet
from games.three_card_poker.hands import CLASS_IDS, value3
from tests.rules.rounds import ante_outcome, assert_descending, at, refusal, settled, sheet

clause = pytest.mark.clause


def kind(hand: str) -> str:
    """The class of a hand as the engine sees it on a sheet."""
    read = read_sheet(sheet("california", "2c 3d 5h" if "2c" not in hand else "2h 3s 5d", at(1, hand)))
    return CLASS_IDS[value3(read.positions[0].hand).kind]


@clause("california:object.1")
def test_a_position_meets_the_banks_hand_and_no_other() -> None:
    # Seat 1 has the best hand of the players and loses to the bank; seat 2, the worst, loses as well.
    round_ = settled("california", "Ah As 2c", at(1, "Kh Ks 2d"), at(2, "Qh Js 9d"))
    assert round_.outcome(1, "ante") == round_.outcome(2, "ante") == "lose"
    alone = settled("california", "Ah As 2c", at(2, "Qh Js 9d"))
    assert alone.line(2, "ante")["taken"] == round_.line(2, "ante")["taken"]


@clause("california:values.1")
def test_ranks_run_from_the_ace_down_to_the_two() -> None:
    # High cards that differ in one rank alone: ace to queen on top, with the bank qualified throughout.
    assert_descending("california", ["Ah 7d 3c", "Kh 7c 3d", "Qh 7s 3h"])
    # Below the queen the rank of the second card decides, down to the two in the third.
    ranks = "JT98765"
    assert_descending(
        "california",
        [
            f"{'Qh' if i % 2 else 'Qd'} {r}{'s' if i % 2 else 'c'} {'3d' if i % 2 else '3h'}"
            for i, r in enumerate(ranks)
        ],
    )
    assert_descending("california", ["Qh 5s 4d", "Qd 5c 3h", "Qs 5h 2d"])


@clause("california:values.2")
@pytest.mark.parametrize("suits", ["shc", "hcd", "cds", "dsh"])
def test_no_suit_breaks_a_tie(suits: str) -> None:
    a, b, c = list(suits)
    others = {"s": "h", "h": "c", "c": "d", "d": "s"}
    hand, bank = f"K{a} 9{b} 4{c}", f"K{others[a]} 9{others[b]} 4{others[c]}"
    assert ante_outcome("california", hand, bank) == "push"


@clause("california:rankings.mini_royal")
def test_a_mini_royal_is_above_every_other_straight_flush_and_has_odds_of_its_own() -> None:
    assert_descending("california", ["Ah Kh Qh", "Ks Qs Js"])
    bonus = settled(
        "california", "2c 3d 5h", at(1, "Ah Kh Qh", pair_plus=100), at(2, "Ks Qs Js", pair_plus=100)
    )
    assert [bonus.line(seat, "pair_plus")["odds"] for seat in (1, 2)] == ["200:1", "40:1"]


@clause("california:rankings.straight_flush")
def test_straight_flushes_run_from_k_q_j_down_to_a_2_3_and_beat_three_of_a_kind() -> None:
    assert_descending("california", ["Kh Qh Jh", "Qs Js Ts", "4d 3d 2d", "Ac 2c 3c", "As Ah Ad"])


@clause("california:rankings.three_of_a_kind")
def test_three_of_a_kind_run_from_aces_down_to_twos_and_beat_a_straight() -> None:
    assert_descending("california", ["As Ah Ad", "Kc Ks Kh", "3c 3s 3h", "2c 2s 2h", "Ah Kd Qc"])


@clause("california:rankings.straight")
def test_straights_run_from_a_k_q_down_to_a_2_3_and_beat_a_flush() -> None:
    assert_descending("california", ["Ah Kd Qc", "Kh Qd Js", "4h 3d 2c", "Ah 2d 3s", "Ac Kc Jc"])
    assert kind("Kh Ad 2c") == "high_card", "a run does not go round the ace"


@clause("california:rankings.flush")
def test_flushes_run_from_a_k_j_down_to_5_3_2_and_beat_a_pair() -> None:
    assert_descending("california", ["Ac Kc Jc", "Ah Kh Th", "As Qs Js", "5d 4d 2d", "5h 3h 2h", "As Ah Kd"])


@clause("california:rankings.pair")
def test_pairs_run_from_aces_down_to_twos_then_by_the_third_card() -> None:
    assert_descending("california", ["As Ah 2d", "Kd Kc Ac", "Ks Kh Jd", "2s 2h Ac", "2d 2c 3h", "As Kd Jh"])


@clause("california:rankings.high_card")
def test_high_cards_run_from_a_k_j_downwards_card_by_card() -> None:
    assert_descending("california", ["As Kd Jh", "Ah Ks Td", "Ad Qs Jh", "Qh 3d 2c"])
    # 5-3-2 is the lowest hand of all: as a bank it does not qualify, and the next hand up beats it.
    assert ante_outcome("california", "5h 4d 2c", "5s 3d 2h") == "win"
    assert ante_outcome("california", "5h 3c 2c", "5s 3d 2h") == "push"
    assert ante_outcome("california", "5h 3c 2c", "Qh 3d 2d") == "lose"


@clause("california:deck.2")
@pytest.mark.parametrize("card", ["Xx", "JK", "1h", "10h", "Ah*", "AH"])
def test_what_is_none_of_the_52_cards_is_refused(card: str) -> None:
    assert refusal("california", "Kh 7d 4c", at(1, f"{card} 2c 3d")) == ("bad_card", "positions[0].hand")


@clause("california:deck.2")
def test_all_52_cards_are_taken_and_none_twice_in_a_round() -> None:
    for rank in "23456789TJQKA":
        for suit in "cdhs":
            others = ["2c", "2d", "2h"] if rank != "2" else ["3c", "3d", "3h"]
            settled(
                "california",
                "4c 5d 7h" if rank not in "457" else "8c 9d Jh",
                at(1, f"{rank}{suit} {others[0]} {others[1]}"),
            )
    assert refusal("california", "Kh 7d 4c", at(1, "Kh 2c 3d")) == ("duplicate_card", "positions[0].hand")
    assert refusal("california", "Kh 7d 4c", at(1, "Ah 2c 3d"), at(2, "Ah 5c 8d")) == (
        "duplicate_card",
        "positions[1].hand",
    )
