"""How a round is settled: `001`, dealing procedures 7 and 11 to 13, and how winners are determined and paid."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.engine import read_sheet, settle
from games.result import positions_in_order
from tests.rules.rounds import at, settled, sheet

clause = pytest.mark.clause

KING_HIGH, JACK_HIGH = "Kh 7d 4c", "Jh 7d 4c"
WINS, LOSES = "Ah Qd 2c", "Qs 8s 3h"


class TestOrder:
    POSITIONS = (at(2, WINS), at(5, LOSES), at(7, "9s 9c 3d"))

    @clause("california:dealing.7.2")
    def test_settling_goes_clockwise_from_the_player_dealers_left(self) -> None:
        def seats(bank_seat: int) -> list[int]:
            round_ = settled("california", KING_HIGH, *self.POSITIONS, bank_seat=bank_seat)
            return [seat for seat, wager in round_.order if wager == "ante"]

        assert seats(1) == [2, 5, 7]
        assert seats(4) == [5, 7, 2]
        assert seats(6) == [7, 2, 5]

    @clause("california:winners.2.3")
    @pytest.mark.parametrize(
        ("button", "order"), [(5, [5, 7, 2]), (6, [7, 2, 5]), (3, [5, 7, 2]), (1, [2, 5, 7])]
    )
    def test_or_from_the_action_button_even_at_an_empty_seat_or_the_banks(
        self, button: int, order: list[int]
    ) -> None:
        round_ = settled("california", KING_HIGH, *self.POSITIONS, bank_seat=3, action_seat=button)
        assert [seat for seat, wager in round_.order if wager == "ante"] == order

    @clause("california:dealing.7")
    def test_the_action_seat_stays_with_the_sheet(self) -> None:
        read = read_sheet(sheet("california", KING_HIGH, *self.POSITIONS, bank_seat=3, action_seat=7))
        assert read.to_json()["action_seat"] == 7

    @clause("california:dealing.7.3")
    def test_ante_play_and_pair_plus_stand_in_that_order_seat_by_seat(self) -> None:
        everything = {"pair_plus": 100, "six_card_bonus": 100}
        tips = {"six_card_bonus": 5, "pair_plus": 5, "play": 5, "ante": 5}
        round_ = settled(
            "california", KING_HIGH, at(4, LOSES, **everything), at(2, WINS, tips=tips, **everything)
        )
        own = ["ante", "play", "pair_plus", "six_card_bonus"]
        assert round_.order == [
            *((2, wager) for wager in own),
            *((2, f"tip {wager}") for wager in own),
            *((4, wager) for wager in own),
        ]

    @clause("california:dealing.11.2")
    def test_decisions_are_asked_in_that_order_too(self) -> None:
        read = read_sheet(sheet("california", KING_HIGH, *self.POSITIONS, bank_seat=6))
        assert [position.seat for position in positions_in_order(read, read.positions)] == [7, 2, 5]


class TestFold:
    @clause("california:dealing.11.3")
    @pytest.mark.parametrize("bank_hand", [KING_HIGH, JACK_HIGH])
    def test_without_play_ante_and_pair_plus_are_lost_whatever_the_hand(self, bank_hand: str) -> None:
        round_ = settled("california", bank_hand, at(1, "As Ks Qs", "fold", ante=1500, pair_plus=500))
        assert round_.outcomes(1) == {"ante": "forfeit", "pair_plus": "forfeit"}
        assert (round_.line(1, "ante")["taken"], round_.line(1, "pair_plus")["taken"]) == (1500, 500)
        assert round_["net"] == {"seat 1": -2000}

    @clause("california:dealing.12")
    def test_forfeits_are_settled_in_turn_or_all_of_them_first(self) -> None:
        positions = (at(1, WINS, ante=500), at(2, LOSES, "fold", pair_plus=300, six_card_bonus=200))
        in_turn = settled("california", KING_HIGH, *positions, forfeits="in_turn")
        own = [(1, "ante"), (1, "play")]
        folded = [(2, "ante"), (2, "pair_plus")]
        assert in_turn.order == [*own, *folded, (2, "six_card_bonus")]
        first = settled("california", KING_HIGH, *positions, forfeits="first")
        assert first.order == [*folded, *own, (2, "six_card_bonus")], "the 6 Card Bonus waits for its turn"

    @clause("california:dealing.12")
    def test_which_of_the_two_decides_what_the_bank_still_covers(self) -> None:
        positions = (at(1, WINS, ante=500), at(2, LOSES, "fold", ante=600))
        assert settled("california", KING_HIGH, *positions, bank=1000)["net"] == {"seat 1": 1000, "seat 2": 0}
        first = settled("california", KING_HIGH, *positions, bank=1000, forfeits="first")
        assert first["net"] == {"seat 1": 400, "seat 2": -600}


class TestQualifying:
    @clause("california:dealing.13.2")
    @pytest.mark.parametrize(
        ("bank_hand", "qualifies"),
        [
            ("Qh 3d 2c", True),
            ("Kh 3d 2c", True),
            ("2h 2d 3c", True),
            ("Jh Td 8c", False),
            ("5h 3d 2c", False),
            ("Ah 2d 3c", True),
            ("Jh 9h 8h", True),
        ],
    )
    def test_queen_high_is_the_least_with_which_the_player_dealer_qualifies(
        self, bank_hand: str, qualifies: bool
    ) -> None:
        assert settled("california", bank_hand, at(1, "Ks 6s 4d"))["qualified"] is qualifies

    @clause("california:dealing.13")
    def test_the_banks_cards_are_ranked_as_the_best_hand_in_whatever_order_they_lie(self) -> None:
        for cards in permutations(("7d", "Kh", "7c")):
            round_ = settled("california", " ".join(cards), at(1, "6s 6h As"), at(2, "8s 8h 2c"))
            assert [round_.outcome(seat, "ante") for seat in (1, 2)] == ["lose", "win"]

    @clause("california:winners.1")
    def test_below_queen_high_no_hand_that_stays_in_loses_anything(self) -> None:
        round_ = settled("california", "Jh Td 8c", at(1, "Js 4d 2c"), at(2, "2h 2d 3c"), at(3, "Jc Ts 8d"))
        assert [line["taken"] for line in round_.lines] == [0] * 6
        assert round_["net"] == {"seat 1": 0, "seat 2": 1000, "seat 3": 0}

    @clause("california:winners.1.a")
    def test_unqualified_the_play_wager_has_no_action_and_goes_back(self) -> None:
        round_ = settled("california", JACK_HIGH, at(1, WINS), at(2, "Ts 8s 3h"))
        for seat in (1, 2):
            line = round_.line(seat, "play")
            assert (line["outcome"], line["returned"], line["paid"]) == ("no_action", 1000, 0)
            assert line["clause"] == "california:winners.1.a"

    @clause("california:winners.1.b")
    def test_unqualified_a_better_hand_wins_even_money_on_its_ante(self) -> None:
        line = settled("california", JACK_HIGH, at(1, "Js 8d 2c", ante=1500)).line(1, "ante")
        assert (line["outcome"], line["odds"], line["paid"]) == ("win", "1:1", 1500)
        assert settled("california", JACK_HIGH, at(1, WINS, "fold")).outcome(1, "ante") == "forfeit"

    @clause("california:winners.1.b.2")
    @pytest.mark.parametrize("hand", ["Ts 8s 3h", "Js 7s 3h", "Js 7s 4h"])
    def test_unqualified_a_lower_hand_pushes_and_so_does_an_equal_one(self, hand: str) -> None:
        line = settled("california", JACK_HIGH, at(1, hand)).line(1, "ante")
        assert (line["outcome"], line["returned"], line["taken"]) == ("push", 1000, 0)
        assert line["clause"] == "california:winners.1.b.2"

    @clause("california:winners.2")
    def test_from_queen_high_on_ante_and_play_are_both_at_stake(self) -> None:
        round_ = settled("california", "Qh Td 8c", at(1, "Qs 4d 2c"), at(2, "2h 2d 3c"))
        assert round_.outcomes(1) == {"ante": "lose", "play": "lose"}
        assert round_.outcomes(2) == {"ante": "win", "play": "win"}

    @clause("california:winners.2.a")
    def test_a_better_hand_wins_even_money_on_ante_and_play(self) -> None:
        round_ = settled("california", KING_HIGH, at(1, WINS, ante=1500))
        for wager in ("ante", "play"):
            line = round_.line(1, wager)
            assert (line["outcome"], line["odds"], line["paid"], line["returned"]) == (
                "win",
                "1:1",
                1500,
                1500,
            )
            assert line["clause"] == "california:winners.2.a"
        assert round_["net"] == {"seat 1": 3000}

    @clause("california:winners.2.b")
    def test_a_worse_hand_loses_ante_and_play(self) -> None:
        round_ = settled("california", KING_HIGH, at(1, "Ks 7s 3h", ante=1500))
        for wager in ("ante", "play"):
            line = round_.line(1, wager)
            assert (line["outcome"], line["taken"], line["returned"]) == ("lose", 1500, 0)
        assert round_["net"] == {"seat 1": -3000}

    @clause("california:winners.2.c")
    def test_an_equal_hand_pushes_on_ante_and_play(self) -> None:
        round_ = settled("california", KING_HIGH, at(1, "Kd 7s 4h"))
        for wager in ("ante", "play"):
            line = round_.line(1, wager)
            assert (line["outcome"], line["returned"], line["paid"], line["taken"]) == ("push", 1000, 0, 0)


@clause("california:winners.3")
def test_a_settled_sheet_holds_every_hand_and_settles_again_to_the_same_lines() -> None:
    document = sheet("california", KING_HIGH, at(2, WINS, pair_plus=500), at(5, LOSES, "fold"), action_seat=5)
    read = read_sheet(document)
    kept = read.to_json()
    assert kept["bank_hand"] == KING_HIGH and [position["hand"] for position in kept["positions"]] == [
        WINS,
        LOSES,
    ]
    assert settle(read_sheet(kept)).to_json() == settle(read).to_json()
