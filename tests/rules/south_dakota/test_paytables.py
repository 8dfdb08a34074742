"""Ante bonus, pair plus, six card bonus and progressive: `002`, paragraphs (13) to (17), as printed."""

from __future__ import annotations

import pytest

from games.registry import load_rulebook
from tests.rules.printed_tables import SIX_CARD_COLUMNS, SIX_CARD_HANDS, SIX_CARD_LOSER
from tests.rules.rounds import Settled, at, refusal, settled

clause = pytest.mark.clause

BOOK = "south_dakota"
BANK = "2c 4d 7h"  # seven high: in the way of no hand below
METER = 123_456
SPADES, HEARTS, DIAMONDS = "As Ks Qs", "Ah Kh Qh", "Ad Kd Qd"


@clause("south_dakota:(13)")
@pytest.mark.parametrize(
    ("bank_hand", "ante"), [("As Ah Ad", "lose"), ("Kh 7d 4c", "win"), (BANK, "win"), ("Js Tc 9s", "push")]
)
def test_the_ante_bonus_does_not_play_against_the_dealer(bank_hand: str, ante: str) -> None:
    round_ = settled(BOOK, bank_hand, at(1, "Jd Td 9c"))
    assert (round_.outcome(1, "ante"), round_.line(1, "ante_bonus")["paid"]) == (ante, 1000)
    assert not settled(BOOK, bank_hand, at(1, "Jd Td 9c", "fold")).all(1, "ante_bonus")


@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        pytest.param("Ks Qs Js", 5, marks=clause("south_dakota:(13)(a)")),
        pytest.param(SPADES, 5, marks=clause("south_dakota:(13)(a)")),
        pytest.param("9h 9d 9c", 4, marks=clause("south_dakota:(13)(b)")),
        pytest.param("Ah Kd Qs", 1, marks=clause("south_dakota:(13)(c)")),
        pytest.param("As Ts 5s", 0, marks=clause("south_dakota:(13)")),
    ],
)
def test_what_the_ante_bonus_pays(hand: str, odds: int) -> None:
    bonus = settled(BOOK, BANK, at(1, hand, ante=1500)).all(1, "ante_bonus")
    assert [line["paid"] for line in bonus] == ([1500 * odds] if odds else [])


@clause("south_dakota:(14)")
@pytest.mark.parametrize("bank_hand", ["As Ah Ad", "Kh 7d 4c", BANK, "9s 9c 4h"])
def test_a_pair_or_better_wins_pair_plus_whatever_the_dealer_holds(bank_hand: str) -> None:
    assert settled(BOOK, bank_hand, at(1, "9h 9d 3c", pair_plus=500)).line(1, "pair_plus")["paid"] == 500


@clause("south_dakota:(14).2")
@pytest.mark.parametrize("hand", ["Ah Kd Js", "5h 3d 2s"])
def test_less_than_a_pair_loses_it(hand: str) -> None:
    line = settled(BOOK, "6c 4d 7h", at(1, hand, pair_plus=500)).line(1, "pair_plus")
    assert (line["outcome"], line["taken"]) == ("lose", 500)


@pytest.mark.parametrize(
    ("hand", "odds"),
    [
        pytest.param("Ks Qs Js", 40, marks=clause("south_dakota:(14)(a)")),
        pytest.param(SPADES, 40, marks=clause("south_dakota:(14)(a)")),
        pytest.param("9h 9d 9c", 30, marks=clause("south_dakota:(14)(b)")),
        pytest.param("Ah Kd Qs", 6, marks=clause("south_dakota:(14)(c)")),
        pytest.param("As Ts 5s", 4, marks=clause("south_dakota:(14)(d)")),
        pytest.param("8s 8c 3d", 1, marks=clause("south_dakota:(14)(e)")),
    ],
)
def test_what_pair_plus_pays(hand: str, odds: int) -> None:
    line = settled(BOOK, BANK, at(1, hand, pair_plus=500)).line(1, "pair_plus")
    assert (line["outcome"], line["paid"]) == ("win", 500 * odds)


class TestSixCardBonus:
    def line(self, hand: str, bank_hand: str, table: str = "TCP-6B4") -> dict[str, object]:
        round_ = settled(BOOK, bank_hand, at(1, hand, six_card_bonus=100), six_card_bonus_table=table)
        return round_.line(1, "six_card_bonus")

    @clause("south_dakota:(2).6", "south_dakota:(15)")
    def test_the_best_five_of_the_players_and_the_dealers_cards_are_found(self) -> None:
        for hand, bank_hand in SIX_CARD_HANDS:
            together = self.line(hand, bank_hand)
            assert together["outcome"] == "win"
            # Each needs cards of the other side: beside other cards of the dealer it is worth less.
            assert self.line(hand, "2d 7s Jd")["paid"] < together["paid"]  # type: ignore[operator]

    @clause("south_dakota:(15).2")
    def test_three_of_a_kind_or_better_is_paid_and_less_is_taken(self) -> None:
        assert self.line("9h 9d 2c", "9s 4c Kd")["paid"] == 700
        line = self.line(*SIX_CARD_LOSER)
        assert (line["outcome"], line["taken"]) == ("lose", 100)

    @pytest.mark.parametrize(
        "table", [pytest.param(name, marks=clause(f"south_dakota:(15).{name}")) for name in SIX_CARD_COLUMNS]
    )
    def test_the_printed_columns(self, table: str) -> None:
        paid = [self.line(hand, bank_hand, table)["paid"] for hand, bank_hand in SIX_CARD_HANDS]
        assert paid == [100 * odds for odds in SIX_CARD_COLUMNS[table]]

    @clause("south_dakota:(15).TCP-6B4")
    def test_the_fourth_column_is_the_default(self) -> None:
        hand, bank_hand = SIX_CARD_HANDS[-1]
        round_ = settled(BOOK, bank_hand, at(1, hand, six_card_bonus=100))
        assert round_.line(1, "six_card_bonus")["odds"] == "7:1"

    @clause("south_dakota:(2).7")
    def test_its_spot_bears_its_printed_name(self) -> None:
        assert load_rulebook(BOOK).wagers["six_card_bonus"].name == "Six Card Bonus"


class TestProgressive:
    def play(self, hand: str, *others: object, table: int = 1, **terms: object) -> Settled:
        position = at(1, hand, progressive=100, **terms)  # type: ignore[arg-type]
        return settled(BOOK, BANK, position, *others, meter=METER, progressive_table=table)  # type: ignore[arg-type]

    @clause("south_dakota:(16)")
    def test_it_wins_from_a_straight_on_paytable_1_and_from_three_of_a_kind_on_2(self) -> None:
        found = [
            [
                self.play(hand, table=table).outcome(1, "progressive")
                for hand in ("9h 9d 9c", "Ah Kd Js", "9h 8d 6c", "Ah Kd Qs")
            ]
            for table in (1, 2)
        ]
        assert found == [["win", "lose", "lose", "win"], ["win", "lose", "lose", "lose"]]

    @clause("south_dakota:(16).2")
    @pytest.mark.parametrize(("hand", "table"), [("As Ts 5s", 1), ("Ah Kd Qs", 2), ("8s 8c 3d", 2)])
    def test_less_loses_it(self, hand: str, table: int) -> None:
        line = self.play(hand, table=table).line(1, "progressive")
        assert (line["outcome"], line["taken"], line["paid"]) == ("lose", 100, 0)

    @pytest.mark.parametrize(
        ("table", "pays"),
        [
            pytest.param(1, (METER, 50_000, 7000, 6000, 600), marks=clause("south_dakota:(16).paytable1")),
            pytest.param(2, (METER, 50_000, 10_000, 9000, 0), marks=clause("south_dakota:(16).paytable2")),
        ],
    )
    @clause("south_dakota:(16)(a)")
    def test_the_printed_paytables(self, table: int, pays: tuple[int, ...]) -> None:
        hands = (SPADES, HEARTS, "Ks Qs Js", "9h 9d 9c", "Ah Kd Qs")
        assert tuple(self.play(hand, table=table).line(1, "progressive")["paid"] for hand in hands) == pays

    @clause("south_dakota:(16).paytable1")
    def test_the_first_paytable_is_the_default(self) -> None:
        round_ = settled(BOOK, BANK, at(1, "Ks Qs Js", progressive=100), meter=METER)
        assert round_.line(1, "progressive")["odds"] == "70 for 1"

    @clause("south_dakota:(4).3")
    @pytest.mark.parametrize(
        ("hand", "prize"), [(SPADES, METER), (HEARTS, 50_000), ("Ah Kd Qs", 600), ("8s 8c 3d", 0)]
    )
    @pytest.mark.parametrize("decision", ["play", "fold"])
    def test_whoever_bets_it_is_a_dollar_short_of_its_prize(
        self, hand: str, prize: int, decision: str
    ) -> None:
        """The chip has left the table before the deal: with a prize or without, it is the house's."""
        without = settled(BOOK, BANK, at(1, hand, decision))["net"]["seat 1"]
        assert self.play(hand, decision=decision)["net"]["seat 1"] == without + prize - 100

    @clause("south_dakota:(6).2", "south_dakota:(16).4")
    @pytest.mark.parametrize("decision", ["play", "fold"])
    @pytest.mark.parametrize("hand", [SPADES, "9h 9d 9c", "8s 8c 3d"])
    def test_its_stake_is_collected_and_does_not_come_back_on_a_win_either(
        self, hand: str, decision: str
    ) -> None:
        line = self.play(hand, decision=decision).line(1, "progressive")
        assert (line["taken"], line["returned"]) == (100, 0)

    @clause("south_dakota:(16)(a)(i)")
    def test_the_top_prize_comes_off_the_meter(self) -> None:
        round_ = self.play(SPADES)
        line = round_.line(1, "progressive")
        assert (line["odds"], line["paid"], round_["meter_paid"]) == ("100% of the meter", METER, METER)

    @clause("south_dakota:(16)(a)(ii)")
    @pytest.mark.parametrize("hand", [HEARTS, "Ks Qs Js", "9h 9d 9c", "Ah Kd Qs"])
    def test_other_prizes_come_from_the_tray(self, hand: str) -> None:
        round_ = self.play(hand)
        assert round_.outcome(1, "progressive") == "win" and round_["meter_paid"] == 0

    def test_one_table_has_one_win_of_the_meter_in_a_round_at_most(self) -> None:
        second = at(2, SPADES, progressive=100)
        found = refusal(BOOK, BANK, at(1, SPADES, progressive=100), second, meter=METER)
        assert found == ("duplicate_card", "positions[1].hand")

    @clause("south_dakota:(16)(a)(v).3")
    def test_progressive_awards_go_counterclockwise_while_seats_go_clockwise(self) -> None:
        positions = [
            at(seat, hand, progressive=100) for seat, hand in ((2, HEARTS), (4, DIAMONDS), (6, "8s 8c 3d"))
        ]
        round_ = settled(BOOK, BANK, *positions, meter=METER)
        assert [seat for seat, wager in round_.order if wager == "ante"] == [2, 4, 6]
        assert [seat for seat, wager in round_.order if wager == "progressive"] == [6, 4, 2]
        assert [seat for seat, wager in round_.order if wager == "envy"] == [6, 6, 4, 2]


class TestEnvy:
    def round(self, *positions: object) -> Settled:
        return settled(BOOK, BANK, *positions, meter=METER)  # type: ignore[arg-type]

    @clause("south_dakota:(16).envy")
    @pytest.mark.parametrize("table", [1, 2])
    @pytest.mark.parametrize(
        ("hand", "cents"), [(SPADES, 10_000), (HEARTS, 2500), ("Ks Qs Js", 0), ("9h 9d 9c", 0)]
    )
    def test_the_printed_amounts_on_both_paytables(self, hand: str, cents: int, table: int) -> None:
        positions = (at(1, hand, progressive=100), at(4, "8s 8c 3d", progressive=100))
        round_ = settled(BOOK, BANK, *positions, meter=METER, progressive_table=table)
        assert [line["paid"] for line in round_.all(4, "envy")] == ([cents] if cents else [])

    @clause("south_dakota:(16)(b)")
    def test_it_takes_a_progressive_bet(self) -> None:
        round_ = self.round(
            at(1, HEARTS, progressive=100), at(4, "8s 8c 3d"), at(5, "Ts Tc 5d", progressive=100)
        )
        assert not round_.all(4, "envy") and round_.line(5, "envy")["paid"] == 2500

    @clause("south_dakota:(16)(b).2")
    def test_the_hand_that_hits_needs_one_too(self) -> None:
        round_ = self.round(
            at(1, HEARTS), at(4, "8s 8c 3d", progressive=100), at(5, DIAMONDS, progressive=100)
        )
        assert len(round_.all(4, "envy")) == 1, "seat 5's hand brings envy, seat 1's does not"

    @clause("south_dakota:(16)(b).3")
    def test_whoever_hits_has_the_prize_alone(self) -> None:
        round_ = self.round(at(1, HEARTS, progressive=100), at(4, "8s 8c 3d", progressive=100))
        assert not round_.all(1, "envy") and round_.line(1, "progressive")["paid"] == 50_000

    @clause("south_dakota:(16)(b).4")
    def test_nobody_is_paid_for_an_own_hand_or_for_the_dealers(self) -> None:
        own = self.round(
            at(1, HEARTS, progressive=100, player="Ana"), at(4, "8s 8c 3d", progressive=100, player="Ana")
        )
        assert not own.all(4, "envy")
        dealers = settled(BOOK, SPADES, at(4, "8s 8c 3d", progressive=100), meter=METER)
        assert not dealers.all(4, "envy")

    @clause("south_dakota:(16)(b).7")
    def test_several_hits_pay_several_times(self) -> None:
        round_ = self.round(
            at(1, HEARTS, progressive=100), at(2, SPADES, progressive=100), at(4, "8s 8c 3d", progressive=100)
        )
        assert sorted(line["paid"] for line in round_.all(4, "envy")) == [2500, 10_000]
        assert [line["paid"] for line in round_.all(1, "envy")] == [10_000]
        assert [line["paid"] for line in round_.all(2, "envy")] == [2500]


@clause("south_dakota:(17)")
def test_nothing_is_offered_but_what_the_section_names() -> None:
    for wager in ("bad_beat", "cover_all"):
        assert refusal(BOOK, BANK, at(1, SPADES, **{wager: 100})) == (
            "wager_not_offered",
            f"positions[0].wagers.{wager}",
        )
    for option in ("version", "house_rake", "designator", "fee_schedule", "coverage"):
        code, path = refusal(BOOK, BANK, at(1, SPADES), **{option: 1})
        assert (code, path) == ("unknown_option", f"options.{option}")
