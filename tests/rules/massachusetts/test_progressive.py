"""The progressive wager and its envy bonus: `000`, section 13."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.rounds import Settled, at, refusal, settled

clause = pytest.mark.clause

BOOK = "massachusetts"
BANK = "2c 4d 7h"
METER = 123_456
SPADES, HEARTS, DIAMONDS = "As Ks Qs", "Ah Kh Qh", "Ad Kd Qd"
NOTHING = "8s 8c 3d"


def play(*positions: dict[str, Any], bank_hand: str = BANK, **terms: Any) -> Settled:
    return settled(BOOK, bank_hand, *positions, meter=METER, **terms)


def bettor(seat: int, hand: str, decision: str = "play", **more: Any) -> dict[str, Any]:
    """A position with a progressive wager of a dollar."""
    return at(seat, hand, decision, progressive=100, **more)


class TestProgressive:
    @pytest.mark.parametrize(
        ("table", "pays"),
        [
            pytest.param(1, (METER, 50_000, 7000, 6000, 600), marks=clause("massachusetts:13(e).table1")),
            pytest.param(2, (METER, 50_000, 10_000, 9000, 0), marks=clause("massachusetts:13(e).table2")),
            pytest.param(3, (METER, 50_000, 40_000, 3000, 600), marks=clause("massachusetts:13(e).table3")),
        ],
    )
    def test_the_printed_tables(self, table: int, pays: tuple[int, ...]) -> None:
        hands = (SPADES, HEARTS, "Ks Qs Js", "9h 9d 9c", "Ah Kd Qs")
        found = tuple(
            play(bettor(1, hand), progressive_table=table).line(1, "progressive")["paid"] for hand in hands
        )
        assert found == pays
        assert play(bettor(1, "As Ts 5s"), progressive_table=table).outcome(1, "progressive") == "lose"

    @clause("massachusetts:13(e).table1")
    def test_the_first_table_is_the_default(self) -> None:
        assert play(bettor(1, "Ks Qs Js")).line(1, "progressive")["odds"] == "70 for 1"

    @clause("massachusetts:13(b).2")
    @pytest.mark.parametrize("decision", ["play", "fold", "surrender"])
    @pytest.mark.parametrize("hand", [SPADES, "9h 9d 9c", NOTHING])
    def test_its_stake_leaves_the_table_whatever_the_round_brings(self, hand: str, decision: str) -> None:
        line = play(bettor(1, hand, decision)).line(1, "progressive")
        assert (line["taken"], line["returned"]) == (100, 0)

    @clause("massachusetts:13(c)")
    def test_one_settlement_holds_standard_side_and_progressive_wagers(self) -> None:
        round_ = play(bettor(1, "9h 9d 9c", pair_plus=100, six_card_bonus=100), bettor(4, NOTHING))
        assert [wager for seat, wager in round_.order if seat == 1] == [
            "ante",
            "play",
            "ante_bonus",
            "pair_plus",
            "six_card_bonus",
            "progressive",
        ]
        paid = 1000 + 4000 + 2500 + 700 + 6000  # ante, ante bonus, pair plus, three nines of six, progressive
        assert round_["net"]["seat 1"] == paid - 100

    @clause("massachusetts:13(c).2")
    def test_a_room_decides_whether_folded_hands_can_win(self) -> None:
        folded = bettor(1, "9h 9d 9c", "fold")
        assert play(folded).line(1, "progressive")["paid"] == 6000
        line = play(folded, progressive_on_fold=False).line(1, "progressive")
        assert (line["outcome"], line["paid"], line["taken"]) == ("lose", 0, 100)
        assert play(bettor(1, "9h 9d 9c"), progressive_on_fold=False).line(1, "progressive")["paid"] == 6000

    @clause("massachusetts:10(b).5")
    @pytest.mark.parametrize("on_fold", [True, False])
    @pytest.mark.parametrize("hand", [SPADES, HEARTS, "9h 9d 9c"])
    def test_a_surrendered_hand_wins_none_whatever_the_room_decided(self, hand: str, on_fold: bool) -> None:
        round_ = play(bettor(1, hand, "surrender"), progressive_on_fold=on_fold)
        line = round_.line(1, "progressive")
        assert (line["outcome"], line["paid"], line["taken"]) == ("lose", 0, 100)
        assert line["reason"] == "a surrendered hand wins no progressive"
        assert round_["meter_paid"] == 0

    @clause("massachusetts:13(d)(a)", "massachusetts:13(c).3")
    def test_the_top_prize_comes_off_the_meter(self) -> None:
        round_ = play(bettor(1, SPADES))
        line = round_.line(1, "progressive")
        assert (line["odds"], line["paid"], round_["meter_paid"]) == ("100% of the meter", METER, METER)

    @clause("massachusetts:13(d)(b)")
    @pytest.mark.parametrize("hand", [HEARTS, "Ks Qs Js", "9h 9d 9c", "Ah Kd Qs"])
    def test_other_prizes_come_from_the_tray(self, hand: str) -> None:
        round_ = play(bettor(1, hand))
        assert round_.outcome(1, "progressive") == "win" and round_["meter_paid"] == 0

    def test_one_table_has_one_win_of_the_meter_in_a_round_at_most(self) -> None:
        found = refusal(BOOK, BANK, bettor(1, SPADES), bettor(2, SPADES), meter=METER)
        assert found == ("duplicate_card", "positions[1].hand")
        assert play(bettor(1, SPADES), bettor(2, HEARTS))["meter_paid"] == METER


class TestEnvy:
    @clause("massachusetts:13(e).envy")
    @pytest.mark.parametrize("table", [1, 2, 3])
    @pytest.mark.parametrize(
        ("hand", "cents"), [(SPADES, 10_000), (HEARTS, 2500), ("Ks Qs Js", 0), ("9h 9d 9c", 0)]
    )
    def test_the_printed_amounts(self, hand: str, cents: int, table: int) -> None:
        round_ = play(bettor(1, hand), bettor(4, NOTHING), progressive_table=table)
        assert [line["paid"] for line in round_.all(4, "envy")] == ([cents] if cents else [])

    @clause("massachusetts:13(e)")
    def test_it_rides_on_the_progressive_without_a_stake_of_its_own(self) -> None:
        line = play(bettor(1, HEARTS), bettor(4, NOTHING)).line(4, "envy")
        assert (line["stake"], line["taken"], line["odds"], line["paid"]) == (0, 0, None, 2500)
        assert refusal(BOOK, BANK, at(1, HEARTS, envy=100)) == ("unknown_key", "positions[0].wagers.envy")

    @clause("massachusetts:13(e)(a)")
    def test_it_takes_a_progressive_bet(self) -> None:
        round_ = play(bettor(1, HEARTS), at(4, NOTHING), bettor(5, "Ts Tc 5d"))
        assert not round_.all(4, "envy") and round_.line(5, "envy")["paid"] == 2500

    @clause("massachusetts:13(e)(a).2")
    def test_a_hit_pays_all_other_players_who_made_the_bet(self) -> None:
        round_ = play(
            bettor(1, HEARTS, "fold"),
            bettor(3, NOTHING),
            bettor(5, "Ts Tc 5d"),
            bettor(6, "6s 6c 9d", "fold"),
        )
        assert [(line["seat"], line["paid"]) for line in round_.lines if line["wager"] == "envy"] == [
            (6, 2500),
            (5, 2500),
            (3, 2500),
        ]

    @clause("massachusetts:10(b).5")
    def test_a_surrendered_hand_brings_none_and_its_player_is_still_paid_for_anothers(self) -> None:
        round_ = play(bettor(1, HEARTS, "surrender"), bettor(3, DIAMONDS, "fold"), bettor(5, NOTHING))
        envies = [(line["seat"], line["paid"]) for line in round_.lines if line["wager"] == "envy"]
        assert envies == [(5, 2500), (1, 2500)]

    def test_a_folded_hand_that_wins_no_progressive_still_brings_envy(self) -> None:
        round_ = play(bettor(1, HEARTS, "fold"), bettor(3, NOTHING), progressive_on_fold=False)
        assert round_.outcome(1, "progressive") == "lose" and round_.line(3, "envy")["paid"] == 2500

    @clause("massachusetts:13(e)(a).3")
    def test_whoever_hits_has_the_normal_prize_alone(self) -> None:
        round_ = play(bettor(1, HEARTS), bettor(4, NOTHING))
        assert not round_.all(1, "envy") and round_.line(1, "progressive")["paid"] == 50_000

    @clause("massachusetts:13(e)(a).4")
    def test_nobody_is_paid_for_an_own_hand_or_for_the_dealers(self) -> None:
        own = play(bettor(4, HEARTS, player="Ana"), bettor(5, NOTHING, player="Ana"), bettor(7, "Ts Tc 5d"))
        assert not own.all(4, "envy") and not own.all(5, "envy") and own.line(7, "envy")["paid"] == 2500
        assert not play(bettor(4, NOTHING), bank_hand=SPADES).all(4, "envy")

    @clause("massachusetts:13(e)(c)")
    def test_it_is_paid_at_the_end_after_the_progressive(self) -> None:
        order = play(bettor(1, HEARTS), bettor(4, NOTHING)).order
        assert order[-3:] == [(4, "progressive"), (1, "progressive"), (4, "envy")]

    @clause("massachusetts:13(e)(c).2")
    def test_several_hits_pay_several_times(self) -> None:
        round_ = play(bettor(1, HEARTS), bettor(2, SPADES), bettor(4, NOTHING))
        assert sorted(line["paid"] for line in round_.all(4, "envy")) == [2500, 10_000]
        assert [line["paid"] for line in round_.all(1, "envy")] == [10_000]
        assert [line["paid"] for line in round_.all(2, "envy")] == [2500]
