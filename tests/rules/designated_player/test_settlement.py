"""What hands, tips and the designated player's funds come to: `004`, paragraphs 4 to 10 and the second list."""

from __future__ import annotations

import pytest

from tests.rules.rounds import at, refusal, settled

clause = pytest.mark.clause

BOOK = "designated_player"
KING_HIGH, JACK_HIGH = "Kh 7d 4c", "Jh 7d 4c"
WINS, LOSES, TIES = "Ah Qd 2c", "Qs 8s 3h", "Kd 7s 4h"


@clause("designated_player:play.4.a")
@pytest.mark.parametrize("bank_hand", [KING_HIGH, JACK_HIGH])
def test_a_fold_loses_base_bet_and_pair_plus(bank_hand: str) -> None:
    round_ = settled(BOOK, bank_hand, at(1, "As Ks Qs", "fold", pair_plus=500))
    assert round_.outcomes(1) == {"ante": "forfeit", "pair_plus": "forfeit"}
    assert round_["net"] == {"seat 1": -1500}


@clause("designated_player:play.5")
@pytest.mark.parametrize(
    ("bank_hand", "qualifies"), [("Qh 3d 2c", True), ("Jh Td 9h", True), ("Jh Td 8c", False)]
)
def test_the_designated_player_qualifies_with_queen_high(bank_hand: str, qualifies: bool) -> None:
    # J-T-9 in two suits is a straight.
    assert settled(BOOK, bank_hand, at(1, "Ks 6s 4d"))["qualified"] is qualifies


@clause("designated_player:play.5.2")
@pytest.mark.parametrize("hand", ["Ah Qd 2c", "5h 3d 2c", "Js 7s 4h"])
def test_unqualified_the_call_is_idle_and_the_base_bet_wins_whatever_the_hand(hand: str) -> None:
    round_ = settled(BOOK, JACK_HIGH, at(1, hand))
    base, call = round_.line(1, "ante"), round_.line(1, "play")
    assert (base["outcome"], base["odds"], base["paid"]) == ("win", "1:1", 1000)
    assert (call["outcome"], call["returned"]) == ("no_action", 1000)


@clause("designated_player:play.8")
def test_a_hand_that_outranks_the_designated_players_wins_even_money_on_both() -> None:
    round_ = settled(BOOK, KING_HIGH, at(1, WINS, ante=1500))
    assert [(x["outcome"], x["odds"], x["paid"]) for x in round_.lines] == [("win", "1:1", 1500)] * 2


@clause("designated_player:play.6.3")
def test_a_fold_loses_an_unqualified_bank_pays_and_otherwise_the_higher_hand_wins() -> None:
    positions = (at(1, WINS, "fold"), at(2, "As Qc Td"), at(3, LOSES), at(4, TIES))
    assert [settled(BOOK, KING_HIGH, *positions)["net"][f"seat {n}"] for n in (1, 2, 3, 4)] == [
        -1000,
        2000,
        -2000,
        0,
    ]
    assert [settled(BOOK, JACK_HIGH, *positions[:3])["net"][f"seat {n}"] for n in (1, 2, 3)] == [
        -1000,
        1000,
        1000,
    ]


@clause("designated_player:second.1.4")
def test_no_hand_is_held_against_another_players() -> None:
    best = at(2, "As Ks Qs")
    for bank_hand in (KING_HIGH, "Ac Ad 2s", JACK_HIGH):
        alone = settled(BOOK, bank_hand, at(1, "9h 9d 3c"))
        beside = settled(BOOK, bank_hand, at(1, "9h 9d 3c"), best)
        assert alone["net"]["seat 1"] == beside["net"]["seat 1"]


PAIR_PLUS = [
    ("As Ks Qs", "200:1"),
    ("Ks Qs Js", "50:1"),
    ("3s 2s As", "50:1"),
    ("9h 9d 9c", "30:1"),
    ("Ah Kd Qs", "6:1"),
    ("5s 3s 2s", "4:1"),
    ("2h 2d 3s", "1:1"),
]


@clause("designated_player:play.10.table", "designated_player:play.10.2")
@pytest.mark.parametrize(("hand", "odds"), PAIR_PLUS)
def test_pair_plus_pays_the_printed_chart(hand: str, odds: str) -> None:
    line = settled(BOOK, "4c 6d 8h", at(1, hand, pair_plus=500)).line(1, "pair_plus")
    assert (line["outcome"], line["odds"], line["paid"]) == (
        "win",
        odds,
        500 * int(odds.split(":", maxsplit=1)[0]),
    )


@clause("designated_player:play.10.2")
def test_a_hand_off_the_chart_loses_the_pair_plus() -> None:
    line = settled(BOOK, "4c 6d 8h", at(1, "Ah Kd Js", pair_plus=500)).line(1, "pair_plus")
    assert (line["outcome"], line["taken"]) == ("lose", 500)


@clause("designated_player:play.10.5")
def test_the_house_may_amend_the_amounts() -> None:
    amended = {
        "straight_flush": 45,
        "three_of_a_kind": 28,
        "straight": 5,
        "flush": 3,
        "pair": 1,
        "mini_royal": 100,
    }
    for hand, odds in (
        ("As Ks Qs", 100),
        ("Ks Qs Js", 45),
        ("9h 9d 9c", 28),
        ("Ah Kd Qs", 5),
        ("5s 3s 2s", 3),
    ):
        round_ = settled(BOOK, "4c 6d 8h", at(1, hand, pair_plus=100), pair_plus_table=amended)
        assert round_.line(1, "pair_plus")["paid"] == 100 * odds
    nothing = {**amended, "pair": 0}
    assert refusal(BOOK, KING_HIGH, at(1, WINS), pair_plus_table=nothing) == (
        "bad_option",
        "options.pair_plus_table",
    )


class TestPairPlusAfterACall:
    """Paragraph 10 ties it to a win or an unqualified bank; the second list's rule 2 does not (ruling 19)."""

    @clause("designated_player:play.10")
    @pytest.mark.parametrize(
        ("bank_hand", "outcome"), [("7h 7d 4c", "win"), ("Th Td 2c", "lose"), ("9s 9c 3h", "lose")]
    )
    def test_read_so_a_call_has_to_win_to_be_paid(self, bank_hand: str, outcome: str) -> None:
        # A pair of nines that wins, loses, and ties.
        call = at(1, "9h 9d 3c", pair_plus=500)
        assert settled(BOOK, bank_hand, call, pair_plus_requires_win=True).outcome(1, "pair_plus") == outcome

    @clause("designated_player:second.2")
    @pytest.mark.parametrize("bank_hand", ["7h 7d 4c", "Th Td 2c", "9s 9c 3h", JACK_HIGH])
    def test_by_default_every_call_is_paid_on_its_hand(self, bank_hand: str) -> None:
        assert settled(BOOK, bank_hand, at(1, "9h 9d 3c", pair_plus=500)).line(1, "pair_plus")["paid"] == 500

    @clause("designated_player:second.2")
    def test_nor_does_the_6_card_bonus_ask_for_a_win(self) -> None:
        # A straight flush beats nines, and its own nine makes three of them.
        call = at(1, "9h 9d 3c", six_card_bonus=500)
        round_ = settled(BOOK, "Jc Tc 9c", call, six_card_bonus_table="TCP-6B4")
        assert (round_.outcome(1, "ante"), round_.line(1, "six_card_bonus")["odds"]) == ("lose", "7:1")

    @clause("designated_player:play.10.3")
    @pytest.mark.parametrize("requires_win", [False, True])
    def test_with_an_unqualified_bank_it_is_paid_under_either_reading(self, requires_win: bool) -> None:
        call = at(1, "9h 9d 3c", pair_plus=500)
        round_ = settled(BOOK, JACK_HIGH, call, pair_plus_requires_win=requires_win)
        assert round_.line(1, "pair_plus")["paid"] == 500


@clause("designated_player:second.3")
def test_both_bonuses_go_by_the_class_of_their_hands() -> None:
    # A run in three suits: the pair plus pays a straight, whatever its top card; the six cards make no class that pays.
    for hand in ("Ah Kd Qs", "4h 3d 2s", "9h 8d 7s"):
        round_ = settled(
            BOOK, "Jc Jd 6c", at(1, hand, pair_plus=100, six_card_bonus=100), six_card_bonus_table="TCP-6B4"
        )
        assert (round_.line(1, "pair_plus")["odds"], round_.outcome(1, "six_card_bonus")) == ("6:1", "lose")
    alone = at(1, WINS, ante=0, six_card_bonus=100)
    found = refusal(BOOK, KING_HIGH, alone, six_card_bonus_table="TCP-6B4")
    assert found == ("wager_needs_ante", "positions[0].wagers.six_card_bonus")
    unoffered = at(1, WINS, six_card_bonus=100)
    assert refusal(BOOK, KING_HIGH, unoffered) == ("wager_not_offered", "positions[0].wagers.six_card_bonus")


class TestFunds:
    @clause("designated_player:second.1")
    def test_a_hand_is_covered_whole_or_dead(self) -> None:
        # Ante and call of $10 win $20 in all: covered by $20, dead with a cent less.
        covered = settled(BOOK, KING_HIGH, at(1, WINS), bank=2000)
        assert (covered["bank"]["lost"], covered["bank"]["exhausted"]) == (2000, False)
        dead = settled(BOOK, KING_HIGH, at(1, WINS), bank=1999)
        assert dead.outcomes(1) == {"ante": "uncovered", "play": "uncovered"}
        assert (dead["bank"]["lost"], dead["bank"]["remaining"], dead["bank"]["exhausted"]) == (0, 1999, True)
        message = "the bank has $19.99 and this hand asks for $20: $10 goes back"
        assert dead.line(1, "play")["reason"] == message

    @clause("designated_player:second.1")
    def test_a_losing_hand_has_to_be_covered_too(self) -> None:
        assert settled(BOOK, KING_HIGH, at(1, LOSES), bank=1999)["net"] == {"seat 1": 0}
        assert settled(BOOK, KING_HIGH, at(1, LOSES), bank=2000)["net"] == {"seat 1": -2000}

    @clause("designated_player:second.1")
    def test_funds_grow_and_shrink_from_hand_to_hand(self) -> None:
        # $20 takes seat 1's $20, and $40 then pays seat 2's $40; the other way round seat 2 is dead.
        loses, wins = at(1, LOSES), at(2, WINS, ante=2000)
        assert settled(BOOK, KING_HIGH, loses, wins, bank=2000)["net"] == {"seat 1": -2000, "seat 2": 4000}
        reverse = settled(BOOK, KING_HIGH, loses, wins, bank=2000, action_seat=2)
        assert reverse["net"] == {"seat 1": -2000, "seat 2": 0}

    @clause("designated_player:second.1.2")
    def test_all_wagers_of_a_dead_hand_go_back(self) -> None:
        dead = at(1, "9h 9d 3c", pair_plus=500, tips={"ante": 100})
        round_ = settled(BOOK, KING_HIGH, dead, bank=2500)
        assert len(round_.lines) == 4
        for line in round_.lines:
            assert (line["outcome"], line["returned"]) == ("uncovered", line["stake"])
            assert (line["paid"], line["taken"], line["toked"]) == (0, 0, 0)
        assert round_["net"] == {"seat 1": 0} and round_["tokes"] == 0

    @clause("designated_player:second.1.3")
    def test_a_dead_hand_is_left_out_of_the_rake(self) -> None:
        rake = {"mode": "all", "cents": 100}
        positions = (at(1, WINS, ante=5000), at(2, LOSES))
        round_ = settled(BOOK, KING_HIGH, *positions, bank=2000, house_rake=rake)
        assert {fee["payer"] for fee in round_["fees"]} == {"seat 2", "bank"}
        all_dead = settled(BOOK, KING_HIGH, *positions, bank=500, house_rake=rake)
        assert (all_dead["fees"], all_dead["drop"]) == ([], 0)


class TestRake:
    POSITIONS = (at(1, WINS), at(2, LOSES))

    def payers(self, mode: str) -> dict[str, int]:
        round_ = settled(BOOK, KING_HIGH, *self.POSITIONS, house_rake={"mode": mode, "cents": 150})
        assert round_["drop"] == sum(fee["cents"] for fee in round_["fees"])
        return {fee["payer"]: fee["cents"] for fee in round_["fees"]}

    @clause("designated_player:rake")
    def test_the_house_charges_a_flat_amount_or_nothing(self) -> None:
        assert settled(BOOK, KING_HIGH, *self.POSITIONS)["fees"] == []
        for rake in (
            {"mode": "all", "cents": 0},
            {"mode": "all", "percent": 5},
            {"mode": "all", "cents": 1.5},
            100,
        ):
            assert refusal(BOOK, KING_HIGH, *self.POSITIONS, house_rake=rake) == (
                "bad_option",
                "options.house_rake",
            )

    @clause("designated_player:rake.i")
    def test_on_all_players_alike(self) -> None:
        assert self.payers("all") == {"seat 1": 150, "seat 2": 150, "bank": 150}

    @clause("designated_player:rake.ii")
    def test_on_all_but_the_designated_player(self) -> None:
        assert self.payers("all_but_bank") == {"seat 1": 150, "seat 2": 150}

    @clause("designated_player:rake.iii")
    def test_on_the_designated_player_alone(self) -> None:
        assert self.payers("bank_only") == {"bank": 150}


class TestTips:
    @clause("designated_player:tips")
    def test_a_tip_stands_beside_an_own_wager_and_apart_from_it(self) -> None:
        round_ = settled(BOOK, KING_HIGH, at(1, WINS, tips={"ante": 200}))
        assert round_.order == [(1, "ante"), (1, "play"), (1, "tip ante")]
        assert round_["total_table_action"] == 1000
        beside_nothing = at(1, WINS, tips={"pair_plus": 200})
        assert refusal(BOOK, KING_HIGH, beside_nothing) == ("tip_needs_wager", "positions[0].tips.pair_plus")

    @clause("designated_player:tips")
    def test_a_tip_may_stand_beside_any_of_the_four_wagers(self) -> None:
        tips = {"ante": 10, "play": 10, "pair_plus": 10, "six_card_bonus": 10}
        bet = at(1, WINS, pair_plus=500, six_card_bonus=500, tips=tips)
        order = settled(BOOK, KING_HIGH, bet, six_card_bonus_table="TCP-6B4").order
        assert order[4:] == [(1, f"tip {wager}") for wager in tips]

    @clause("designated_player:tips.2")
    def test_a_tip_is_paid_as_its_spot_is(self) -> None:
        tips = {"ante": 200, "play": 100, "pair_plus": 50}
        round_ = settled(BOOK, "7h 7d 4c", at(1, "9s 8s 7s", pair_plus=500, tips=tips))
        for wager, paid in (("ante", 200), ("play", 100), ("pair_plus", 2500)):
            tip, own = round_.line(1, wager, tip=True), round_.line(1, wager)
            assert (tip["outcome"], tip["odds"], tip["paid"]) == (own["outcome"], own["odds"], paid)
        lost = settled(BOOK, KING_HIGH, at(1, LOSES, tips={"ante": 200}))
        assert lost.line(1, "ante", tip=True)["taken"] == 200

    @clause("designated_player:tips.3")
    def test_a_won_tip_goes_to_the_tip_box_with_its_stake(self) -> None:
        round_ = settled(BOOK, KING_HIGH, at(1, WINS, tips={"ante": 200, "play": 100}))
        assert [round_.line(1, wager, tip=True)["toked"] for wager in ("ante", "play")] == [400, 200]
        assert round_["tokes"] == 600 and round_["net"] == {"seat 1": 2000 - 300}
