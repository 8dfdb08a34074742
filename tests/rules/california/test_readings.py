"""What a room of California files where its document leaves a choice: cover, forfeits, tips, and their combinations."""

from __future__ import annotations

import pytest

from games.engine import read_bets
from games.refusal import Refusal
from tests.rules.rounds import Settled, at, refusal, settled

clause = pytest.mark.clause

BOOK = "california"
BANK = "Kh 7d 4c"
WINS, LOSES = "Ah Qd 2c", "Qs 8s 3h"


def bumps_version(round_: Settled) -> list[tuple[int, str, int, int, int]]:
    """Seat, wager, paid, taken and what the bank has left, line by line."""
    return [
        (*place, line["paid"], line["taken"], line["bank_remaining"])
        for place, line in zip(round_.order, round_.lines, strict=True)
    ]


class TestNet:
    @clause("california:type.3")
    def test_a_taking_stops_when_the_bank_has_won_its_wager_and_a_payment_makes_room_again(self) -> None:
        round_ = settled(
            BOOK, BANK, at(1, LOSES, ante=900), at(2, WINS, ante=300), at(3, "Qh 9d 5s", ante=500),
            bank=1000, coverage="net",
        )  # fmt: skip
        assert bumps_version(round_) == [
            (1, "ante", 0, 900, 1900),
            (1, "play", 0, 100, 2000),
            (2, "ante", 300, 0, 1700),
            (2, "play", 300, 0, 1400),
            (3, "ante", 0, 500, 1900),
            (3, "play", 0, 100, 2000),
        ]
        assert round_.line(1, "play")["uncovered"] == 800 and round_.line(3, "play")["uncovered"] == 400
        assert round_["bank"] == {
            "seat": 7, "wager": 1000, "won": 1600, "lost": 600, "net": 1000, "remaining": 2000, "exhausted": True,
        }  # fmt: skip

    @clause("california:type.3", "california:type.4")
    def test_a_loss_beyond_what_the_bank_may_win_goes_back_whole_and_pushes_stand(self) -> None:
        round_ = settled(
            BOOK, BANK, at(1, LOSES, ante=500), at(2, "Qh 9d 5s", ante=100), at(3, "Kd 7s 4h", ante=100),
            bank=1000, coverage="net",
        )  # fmt: skip
        assert round_.outcomes(2) == {"ante": "uncovered", "play": "uncovered"}
        assert round_.line(2, "ante")["returned"] == 100
        assert round_.outcomes(3) == {"ante": "push", "play": "push"}

    @clause("california:type.3")
    def test_it_is_exhausted_only_when_some_line_was_not_covered_in_full(self) -> None:
        to_the_cent = settled(BOOK, BANK, at(1, WINS, ante=500), bank=1000, coverage="net")
        assert to_the_cent["bank"]["remaining"] == 0 and not to_the_cent["bank"]["exhausted"]
        a_cent_more = settled(BOOK, BANK, at(1, WINS, ante=500), bank=999, coverage="net")
        assert a_cent_more["bank"]["exhausted"] and a_cent_more.line(1, "play")["short"] == 1


class TestTips:
    SEATS = (
        at(1, WINS, tips={"ante": 500, "play": 500}),
        at(2, LOSES, tips={"ante": 300}),
    )

    @clause("california:dealing.7.3")
    def test_in_turn_they_come_at_the_end_of_their_seat(self) -> None:
        round_ = settled(BOOK, BANK, *self.SEATS, bank=2000, coverage="net")
        assert bumps_version(round_) == [
            (1, "ante", 1000, 0, 1000),
            (1, "play", 1000, 0, 0),
            (1, "tip ante", 0, 0, 0),
            (1, "tip play", 0, 0, 0),
            (2, "ante", 0, 1000, 1000),
            (2, "play", 0, 1000, 2000),
            (2, "tip ante", 0, 300, 2300),
        ]
        assert round_.outcome(1, "ante", tip=True) == round_.outcome(1, "play", tip=True) == "uncovered"

    @clause("california:dealing.7.3")
    def test_after_players_they_come_after_all_wagers_and_may_be_covered_by_what_was_taken(self) -> None:
        round_ = settled(BOOK, BANK, *self.SEATS, bank=2000, coverage="net", tips="after_players")
        assert bumps_version(round_) == [
            (1, "ante", 1000, 0, 1000),
            (1, "play", 1000, 0, 0),
            (2, "ante", 0, 1000, 1000),
            (2, "play", 0, 1000, 2000),
            (1, "tip ante", 500, 0, 1500),
            (1, "tip play", 500, 0, 1000),
            (2, "tip ante", 0, 300, 1300),
        ]
        assert round_["tokes"] == 2 * (500 + 500) and not round_["bank"]["exhausted"]

    @clause("california:dealing.7.3")
    def test_after_players_no_tip_uses_cover_that_a_players_wager_needs(self) -> None:
        seats = at(1, WINS, ante=500, tips={"ante": 500}), at(2, "Ad Qh 3c", ante=500)
        assert settled(BOOK, BANK, *seats, bank=2000).outcome(2, "play") == "uncovered"
        last = settled(BOOK, BANK, *seats, bank=2000, tips="after_players")
        assert last.outcome(2, "play") == "win" and last.outcome(1, "ante", tip=True) == "uncovered"

    @clause("california:dealing.7.3")
    def test_they_go_round_from_the_action_seat_spots_in_the_order_of_the_wagers(self) -> None:
        tips = {"pair_plus": 5, "ante": 5}
        seats = [at(seat, hand, pair_plus=100, tips=tips) for seat, hand in ((2, WINS), (5, LOSES))]
        round_ = settled(BOOK, BANK, *seats, action_seat=4, tips="after_players")
        assert round_.order[6:] == [
            (5, "tip ante"), (5, "tip pair_plus"), (2, "tip ante"), (2, "tip pair_plus"),
        ]  # fmt: skip

    @pytest.mark.parametrize("spot", ["ante", "play", "pair_plus", "six_card_bonus"])
    def test_a_room_that_takes_none_refuses_them_on_every_spot(self, spot: str) -> None:
        tips = {"ante": 5, "play": 5} if spot == "play" else {spot: 5}
        seat = at(1, WINS, pair_plus=100, six_card_bonus=100, tips=tips)
        code, path = refusal(BOOK, BANK, seat, tips="none")
        assert code == "tip_not_allowed" and path in [f"positions[0].tips.{each}" for each in tips]
        assert settled(BOOK, BANK, at(1, WINS, tips={}), tips="none")["tokes"] == 0
        unknown = at(1, WINS, tips={"play_bonus": 5})
        assert refusal(BOOK, BANK, unknown, tips="none") == ("unknown_key", "positions[0].tips.play_bonus")

    def test_a_room_that_takes_none_refuses_them_at_no_more_bets(self) -> None:
        bets = {
            "rulebook": BOOK,
            "options": {"tips": "none"},
            "bank": {"seat": 3, "wager": 1000},
            "positions": [{"seat": 4, "wagers": {"ante": 500}, "tips": {"ante": 100}}],
        }
        with pytest.raises(Refusal) as refused:
            read_bets(bets)
        assert (refused.value.code, refused.value.path) == ("tip_not_allowed", "positions[0].tips.ante")
        assert "this table" in refused.value.message

    @pytest.mark.parametrize("value", ["after", None, True, 0])
    def test_another_word_for_them_is_refused(self, value: object) -> None:
        assert refusal(BOOK, BANK, at(1, WINS), tips=value) == ("bad_option", "options.tips")


class TestForfeitsFirst:
    @clause("california:dealing.12")
    def test_with_their_tips_and_without_the_6_card_bonus(self) -> None:
        round_ = settled(
            BOOK, BANK, at(1, WINS, tips={"ante": 100}),
            at(2, "9s 9c 3d", "fold", ante=800, pair_plus=200, six_card_bonus=100, tips={"ante": 50, "six_card_bonus": 20}),
            bank=1550, forfeits="first",
        )  # fmt: skip
        assert bumps_version(round_) == [
            (2, "ante", 0, 800, 750),
            (2, "pair_plus", 0, 200, 550),
            (2, "tip ante", 0, 50, 500),
            (1, "ante", 500, 0, 0),
            (1, "play", 0, 0, 0),
            (1, "tip ante", 0, 0, 0),
            (2, "six_card_bonus", 0, 0, 0),
            (2, "tip six_card_bonus", 0, 0, 0),
        ]
        assert round_.line(1, "ante")["short"] == 500

    @clause("california:dealing.12")
    def test_in_a_room_without_tips(self) -> None:
        folded = at(2, "9s 9c 3d", "fold", ante=800, pair_plus=200)
        round_ = settled(BOOK, BANK, at(1, WINS), folded, bank=1500, forfeits="first", tips="none")
        assert bumps_version(round_) == [
            (2, "ante", 0, 800, 700),
            (2, "pair_plus", 0, 200, 500),
            (1, "ante", 500, 0, 0),
            (1, "play", 0, 0, 0),
        ]

    @clause("california:dealing.12", "california:type.3")
    def test_with_tips_after_players_and_net_cover(self) -> None:
        """Forfeited wagers, the other wagers, forfeited tips, the other tips."""
        round_ = settled(
            BOOK, BANK, at(1, WINS, tips={"ante": 50}), at(2, "9s 9c 3d", "fold", ante=600, tips={"ante": 300}),
            at(3, LOSES, ante=900),
            bank=1000, forfeits="first", tips="after_players", coverage="net",
        )  # fmt: skip
        assert bumps_version(round_) == [
            (2, "ante", 0, 600, 1600),
            (1, "ante", 1000, 0, 600),
            (1, "play", 600, 0, 0),
            (3, "ante", 0, 900, 900),
            (3, "play", 0, 900, 1800),
            (2, "tip ante", 0, 200, 2000),
            (1, "tip ante", 50, 0, 1950),
        ]
        assert round_.line(2, "ante", tip=True)["uncovered"] == 100


@clause("california:pairplus.10")
@pytest.mark.parametrize("mini_royal", [{}, {"mini_royal": 200}])
def test_odds_of_the_rooms_own_are_refused_even_where_they_are_the_printed_ones(
    mini_royal: dict[str, int],
) -> None:
    printed = {
        "straight_flush": 40,
        "three_of_a_kind": 30,
        "straight": 6,
        "flush": 3,
        "pair": 1,
        **mini_royal,
    }
    found = refusal(BOOK, BANK, at(1, WINS), pair_plus_table=printed)
    assert found == ("bad_option", "options.pair_plus_table")
    assert settled(BOOK, BANK, at(1, WINS), pair_plus_table="california")["net"] == {"seat 1": 2000}
