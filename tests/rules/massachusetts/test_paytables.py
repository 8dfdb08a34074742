"""Pair plus, ante bonus, 6 Card Bonus and Cover All: `000`, sections 6(g), 11 and 12, as printed."""

from __future__ import annotations

import pytest

from tests.rules.printed_tables import SIX_CARD_COLUMNS, SIX_CARD_HANDS, SIX_CARD_LOSER
from tests.rules.rounds import Settled, at, refusal, settled

clause = pytest.mark.clause

BOOK = "massachusetts"
BANK = "2c 4d 7h"  # seven high: in the way of no hand below
SPADES, HEARTS = "As Ks Qs", "Ah Kh Qh"


class TestPairPlus:
    @clause("massachusetts:1.pair_plus")
    @pytest.mark.parametrize("bank_hand", ["As Ah Ad", "Kh 7d 4c", BANK, "9s 9c 4h"])
    def test_it_plays_against_posted_odds_whatever_the_dealer_holds(self, bank_hand: str) -> None:
        assert settled(BOOK, bank_hand, at(1, "9h 9d 3c", pair_plus=500)).line(1, "pair_plus")["paid"] == 500

    @clause("massachusetts:11(a)(2).floor")
    @pytest.mark.parametrize(
        ("hand", "odds"),
        [
            (SPADES, 35),
            (HEARTS, 35),
            ("Ks Qs Js", 35),
            ("9h 9d 9c", 25),
            ("Ah Kd Qs", 5),
            ("As Ts 5s", 3),
            ("8s 8c 3d", 1),
        ],
    )
    def test_the_printed_odds(self, hand: str, odds: int) -> None:
        line = settled(BOOK, BANK, at(1, hand, pair_plus=500)).line(1, "pair_plus")
        assert (line["outcome"], line["paid"]) == ("win", 500 * odds)

    @clause("massachusetts:11(a)(2)")
    def test_a_posted_table_pays_the_printed_odds_or_better(self) -> None:
        floor = {
            "straight_flush": 35,
            "three_of_a_kind": 25,
            "straight": 5,
            "flush": 3,
            "pair": 1,
            "mini_royal": 35,
        }
        better = {**floor, "straight": 6, "mini_royal": 40}
        hand = at(1, HEARTS, pair_plus=100)
        assert settled(BOOK, BANK, hand, pair_plus_table=better).line(1, "pair_plus")["paid"] == 4000
        straight = settled(BOOK, BANK, at(1, "Ah Kd Qs", pair_plus=100), pair_plus_table=better)
        assert straight.line(1, "pair_plus")["paid"] == 600
        for line in ("straight_flush", "three_of_a_kind", "straight", "flush", "mini_royal"):
            worse = {**floor, line: floor[line] - 1}
            assert refusal(BOOK, BANK, hand, pair_plus_table=worse) == (
                "bad_option",
                "options.pair_plus_table",
            ), line


class TestAnteBonus:
    def paid(self, hand: str, **options: str) -> int:
        round_ = settled(BOOK, BANK, at(1, hand, pair_plus=1000), **options)
        return sum(line["paid"] for line in round_.all(1, "ante_bonus")) // 1000

    @clause("massachusetts:11(a)(3)")
    @pytest.mark.parametrize(
        ("bank_hand", "ante"),
        [("As Ah Ad", "lose"), ("Kh 7d 4c", "win"), (BANK, "win"), ("Js Tc 9s", "push")],
    )
    def test_ante_and_play_earn_it_whatever_the_dealer_holds(self, bank_hand: str, ante: str) -> None:
        round_ = settled(BOOK, bank_hand, at(1, "Jd Td 9c"))
        line = round_.line(1, "ante_bonus")
        assert (round_.outcome(1, "ante"), line["stake"], line["paid"]) == (ante, 0, 1000)
        for decision in ("fold", "surrender"):
            assert not settled(BOOK, bank_hand, at(1, "Jd Td 9c", decision)).all(1, "ante_bonus")
        assert not settled(BOOK, bank_hand, at(1, "Jd Td 9c", ante=0, pair_plus=500)).all(1, "ante_bonus")

    HANDS = ("Ah Kd Qc", "9h 9d 9c", "Ks Qs Js", HEARTS, SPADES, "As Ts 5s", "8s 8c 3d")

    @clause("massachusetts:11(a)(3).standard")
    def test_the_standard_table(self) -> None:
        assert [self.paid(hand) for hand in self.HANDS] == [1, 4, 5, 5, 5, 0, 0]

    @pytest.mark.parametrize(
        ("table", "odds"),
        [
            pytest.param("A", [1, 3, 4, 5, 50, 0, 0], marks=clause("massachusetts:11(a)(3)(i).A")),
            pytest.param("B", [1, 6, 8, 50, 50, 0, 0], marks=clause("massachusetts:11(a)(3)(i).B")),
            pytest.param("C", [1, 3, 4, 10, 50, 0, 0], marks=clause("massachusetts:11(a)(3)(i).C")),
        ],
    )
    @pytest.mark.parametrize("version", ["ante_covers_pair_plus", "ante_covers_half", "both_within_five"])
    def test_the_three_tables_of_the_versions(self, version: str, table: str, odds: list[int]) -> None:
        terms = {"version": version, "ante_bonus_table": table}
        assert [self.paid(hand, **terms) for hand in self.HANDS] == odds

    @clause("massachusetts:11(a)(3)(i)")
    def test_a_version_uses_one_of_the_three_and_the_standard_game_none(self) -> None:
        hand, path = at(1, HEARTS, pair_plus=1000), ("bad_option", "options.ante_bonus_table")
        for table in ("A", "B", "C"):
            assert refusal(BOOK, BANK, hand, ante_bonus_table=table) == path
        assert refusal(BOOK, BANK, hand, version="ante_covers_half", ante_bonus_table="standard") == path
        for version in ("ante_covers_pair_plus", "ante_covers_half", "both_within_five"):
            assert self.paid(HEARTS, version=version) == 5, "table A unless another is chosen"


class TestSixCardBonus:
    def line(
        self, hand: str, bank_hand: str, table: str = "TCP-6B4", decision: str = "play"
    ) -> dict[str, object]:
        round_ = settled(
            BOOK, bank_hand, at(1, hand, decision, six_card_bonus=100), six_card_bonus_table=table
        )
        return round_.line(1, "six_card_bonus")

    @clause("massachusetts:6(g)(1)")
    def test_the_best_five_of_the_players_and_the_dealers_cards_are_found(self) -> None:
        for hand, bank_hand in SIX_CARD_HANDS:
            together = self.line(hand, bank_hand)
            assert together["outcome"] == "win"
            # Each needs cards of the other side: beside other cards of the dealer it is worth less.
            assert self.line(hand, "2d 7s Jd")["paid"] < together["paid"]  # type: ignore[operator]

    @clause("massachusetts:6(g)(2)")
    def test_a_folded_hand_can_win_it(self) -> None:
        assert self.line("9h 9d 2c", "9s 4c Kd", decision="fold")["paid"] == 700
        assert self.line(*SIX_CARD_LOSER, decision="fold")["taken"] == 100

    @clause("massachusetts:10(b).5")
    def test_a_surrendered_hand_forfeits_it(self) -> None:
        line = self.line("9h 9d 2c", "9s 4c Kd", decision="surrender")
        assert (line["outcome"], line["paid"], line["taken"]) == ("forfeit", 0, 100)

    @clause("massachusetts:6(g)(4)")
    def test_a_qualifying_hand_is_paid_and_any_other_loses(self) -> None:
        assert self.line("9h 9d 2c", "9s 4c Kd")["outcome"] == "win"
        line = self.line(*SIX_CARD_LOSER)
        assert (line["outcome"], line["taken"]) == ("lose", 100)

    @pytest.mark.parametrize(
        "table",
        [pytest.param(name, marks=clause(f"massachusetts:6(g)(4).{name}")) for name in SIX_CARD_COLUMNS],
    )
    def test_the_printed_columns(self, table: str) -> None:
        paid = [self.line(hand, bank_hand, table)["paid"] for hand, bank_hand in SIX_CARD_HANDS]
        assert paid == [100 * odds for odds in SIX_CARD_COLUMNS[table]]

    @clause("massachusetts:6(g)(4).TCP-6B4")
    def test_the_fourth_column_is_the_default(self) -> None:
        hand, bank_hand = SIX_CARD_HANDS[-1]
        assert (
            settled(BOOK, bank_hand, at(1, hand, six_card_bonus=100)).line(1, "six_card_bonus")["odds"]
            == "7:1"
        )


#: Hands below a straight, for the seats beside the one that matters.
BYSTANDERS = ("8s 8c 3d", "Ts Tc 5d", "6s 6c 9c", "4h 4s Jd", "3h 3s Th", "Qd Js 2h")
#: By number of positions: what AKQ suited, straight flush, three of a kind and straight pay, for stakes of $2.
MATRIX = {
    7: (8000, 2400, 1800, 200),
    6: (10_000, 3000, 2400, 200),
    5: (12_000, 4000, 3000, 200),
    4: (14_000, 5000, 4000, 300),
    3: (16_000, 6000, 5000, 400),
    2: (18_000, 8000, 7000, 600),
    1: (20_000, 12_000, 10_000, 1000),
}
HIGHEST = (HEARTS, "Kc Qc Jc", "9h 9d 9s", "Ah Kd Qs")


def cover_all(players: int, hand: str, decision: str = "play", bank_hand: str = "2c 4d 7h") -> Settled:
    """A round of so many positions, seat 1 with `hand`; everybody bets $2 on cover all."""
    others = [at(seat, BYSTANDERS[seat - 2], cover_all=200) for seat in range(2, players + 1)]
    return settled(BOOK, bank_hand, at(1, hand, decision, cover_all=200), *others)


class TestCoverAll:
    @clause("massachusetts:12(b)")
    @pytest.mark.parametrize(
        ("hand", "bank_hand", "odds"),
        [("9h 9d 9s", BANK, "35:1"), ("8h 8d 2s", "9h 9d 9s", "35:1"), ("As Ts 5s", BANK, None)],
    )
    def test_it_wins_on_the_best_hand_of_the_table_the_dealers_too(
        self, hand: str, bank_hand: str, odds: str | None
    ) -> None:
        round_ = settled(BOOK, bank_hand, at(1, hand), at(2, "Tc Td 6s", cover_all=200))
        line = round_.line(2, "cover_all")
        assert (line["outcome"], line["odds"]) == ("win" if odds else "lose", odds)

    @clause("massachusetts:12(c)")
    def test_what_it_pays_depends_on_how_many_play(self) -> None:
        paid = [cover_all(players, "9h 9d 9s").line(1, "cover_all")["paid"] for players in range(1, 8)]
        assert paid == [MATRIX[players][2] for players in range(1, 8)]
        # Positions count, not bets: one bet at a table of three is paid by the column of three.
        lone = settled(
            BOOK, BANK, at(1, "9h 9d 9s", cover_all=200), at(2, BYSTANDERS[0]), at(3, BYSTANDERS[1], "fold")
        )
        assert lone.line(1, "cover_all")["paid"] == MATRIX[3][2]

    @clause("massachusetts:12(g)")
    def test_only_the_highest_hand_pays(self) -> None:
        round_ = settled(BOOK, "9h 9d 9s", at(1, "Kc Qc Jc", cover_all=200), at(2, "Ah Kd Qs", cover_all=200))
        assert [round_.line(seat, "cover_all")["odds"] for seat in (1, 2)] == ["40:1", "40:1"]

    @clause("massachusetts:12(b)")
    @pytest.mark.parametrize("decision", ["fold", "surrender"])
    def test_a_hand_that_was_given_up_counts(self, decision: str) -> None:
        assert cover_all(2, "9h 9d 9s", decision).line(2, "cover_all")["paid"] == MATRIX[2][2]

    @clause("massachusetts:12(j)")
    def test_it_is_settled_after_all_other_bets(self) -> None:
        everything = {"pair_plus": 100, "six_card_bonus": 100, "cover_all": 200, "progressive": 100}
        round_ = settled(
            BOOK, BANK, at(1, HEARTS, **everything), at(4, "8s 8c 3d", **everything), meter=100_000
        )
        assert [wager for _, wager in round_.order][-2:] == ["cover_all"] * 2
        assert "cover_all" not in [wager for _, wager in round_.order][:-2]

    @pytest.mark.parametrize(
        "players", [pytest.param(n, marks=clause(f"massachusetts:12(k).{n}")) for n in MATRIX]
    )
    @clause("massachusetts:12(k)")
    def test_the_printed_matrix(self, players: int) -> None:
        paid = tuple(cover_all(players, hand).line(1, "cover_all")["paid"] for hand in HIGHEST)
        assert paid == MATRIX[players]
        assert cover_all(players, "As Ks 5s").outcome(1, "cover_all") == "lose", "a flush is not enough"

    @clause("massachusetts:12(f)")
    def test_the_table_printed_for_seven_players(self) -> None:
        found = [cover_all(7, hand).line(1, "cover_all")["odds"] for hand in HIGHEST]
        assert found == ["40:1", "12:1", "9:1", "1:1"]
