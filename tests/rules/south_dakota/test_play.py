"""Bets, decisions and settlement: `002`, paragraphs (1) to (12)."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.engine import read_bets
from tests.rules.rounds import assert_descending, at, refusal, settled

clause = pytest.mark.clause

BOOK = "south_dakota"
KING_HIGH, JACK_HIGH = "Kh 7d 4c", "Jh 7d 4c"
WINS, LOSES, TIES = "Ah Qd 2c", "Qs 8s 3h", "Kd 7s 4h"
METER = 123_456


@clause("south_dakota:(1).3")
def test_a_player_holds_two_hands_at_most_on_whichever_seats() -> None:
    hands = [at(1, WINS, player="Ana"), at(6, LOSES, player="Ana"), at(3, "9s 9c 3d", player="Ana")]
    assert settled(BOOK, KING_HIGH, *hands[:2])["net"] == {"Ana": 0}
    assert refusal(BOOK, KING_HIGH, *hands) == ("too_many_positions", "positions[2]")


def test_seven_seats_settled_clockwise_from_seat_1() -> None:
    """The document is silent on these: ruling 30."""
    round_ = settled(BOOK, KING_HIGH, at(7, WINS), at(1, LOSES), at(4, "9s 9c 3d"))
    assert [seat for seat, wager in round_.order if wager == "ante"] == [1, 4, 7]
    assert refusal(BOOK, KING_HIGH, at(8, WINS)) == ("bad_seat", "positions[0].seat")


@clause("south_dakota:(1).4")
def test_classes_stand_in_the_printed_order() -> None:
    assert_descending(BOOK, ["4c 3c 2c", "2h 2d 2s", "4h 3d 2c", "5h 3h 2h", "2s 2d 3c", "Ad Kh Js"])


@clause("south_dakota:(2)")
def test_a_hand_takes_one_initial_bet_at_least() -> None:
    assert refusal(BOOK, KING_HIGH) == ("no_wager", "positions")
    assert refusal(BOOK, KING_HIGH, at(1, WINS, ante=0)) == ("no_wager", "positions[0].wagers")
    for wagers in ({"six_card_bonus": 100}, {"progressive": 100}):
        found = refusal(BOOK, KING_HIGH, at(1, WINS, ante=0, **wagers), meter=METER)
        assert found == ("no_wager", "positions[0].wagers")


@clause("south_dakota:(2).2")
def test_it_goes_on_pair_plus_on_the_ante_or_on_both() -> None:
    round_ = settled(
        BOOK, KING_HIGH, at(1, WINS), at(2, LOSES, ante=0, pair_plus=500), at(3, "9s 9c 3d", pair_plus=500)
    )
    assert [set(round_.outcomes(seat)) for seat in (1, 2, 3)] == [
        {"ante", "play"},
        {"pair_plus"},
        {"ante", "play", "pair_plus"},
    ]


@clause("south_dakota:(2).3")
def test_the_progressive_is_optional_and_asks_for_the_meter() -> None:
    assert not settled(BOOK, KING_HIGH, at(1, WINS), meter=METER).all(1, "progressive")
    assert settled(BOOK, KING_HIGH, at(1, WINS, progressive=100), meter=METER).all(1, "progressive")
    assert refusal(BOOK, KING_HIGH, at(1, WINS, progressive=100)) == ("meter_required", "meter")


@clause("south_dakota:(2).4")
def test_pair_plus_and_progressive_play_for_the_hands_value_alone() -> None:
    for bank_hand in ("As Ah Ad", KING_HIGH, JACK_HIGH, "9s 8s 7s"):
        round_ = settled(BOOK, bank_hand, at(1, "Th 9d 8c", pair_plus=500, progressive=100), meter=METER)
        assert (round_.line(1, "pair_plus")["odds"], round_.line(1, "progressive")["odds"]) == (
            "6:1",
            "6 for 1",
        )


@clause("south_dakota:(2).5")
def test_the_ante_plays_against_the_dealer() -> None:
    outcomes = [
        settled(BOOK, bank, at(1, "9h 9d 3c")).outcome(1, "ante")
        for bank in ("8h 8d 2c", "9s 9c 3d", "Th Td 2c")
    ]
    assert outcomes == ["win", "push", "lose"]


class TestTips:
    @clause("south_dakota:(3)")
    def test_tips_ride_on_ante_and_pair_plus_beside_an_own_wager(self) -> None:
        round_ = settled(
            BOOK, KING_HIGH, at(1, "9h 9d 3c", pair_plus=500, tips={"ante": 100, "pair_plus": 100})
        )
        assert [round_.outcome(1, wager, tip=True) for wager in ("ante", "pair_plus")] == ["win", "win"]
        on_bonus = at(1, WINS, six_card_bonus=500, tips={"six_card_bonus": 100})
        assert refusal(BOOK, KING_HIGH, on_bonus) == ("tip_not_allowed", "positions[0].tips.six_card_bonus")
        alone = at(1, WINS, tips={"pair_plus": 100})
        assert refusal(BOOK, KING_HIGH, alone) == ("tip_needs_wager", "positions[0].tips.pair_plus")

    @clause("south_dakota:(3).2")
    def test_a_tip_on_the_ante_stays_with_or_without_one_on_play(self) -> None:
        without = settled(BOOK, KING_HIGH, at(1, WINS, tips={"ante": 100}))
        assert without.line(1, "ante", tip=True)["toked"] == 200 and not without.all(1, "play", tip=True)
        beside = settled(BOOK, KING_HIGH, at(1, WINS, tips={"ante": 100, "play": 100}))
        assert beside["tokes"] == 400


@clause("south_dakota:(6)", "south_dakota:(10)(b)")
def test_with_a_qualified_dealer_all_five_wagers_are_settled_in_the_printed_order() -> None:
    round_ = settled(BOOK, KING_HIGH, at(1, "Ah Kd Qs", pair_plus=100, six_card_bonus=100))
    assert [wager for _, wager in round_.order] == [
        "play",
        "ante_bonus",
        "ante",
        "pair_plus",
        "six_card_bonus",
    ]
    assert [line["outcome"] for line in round_.lines] == ["win", "win", "win", "win", "lose"]
    worse = settled(BOOK, KING_HIGH, at(1, LOSES, pair_plus=100, six_card_bonus=100))
    assert [line["outcome"] for line in worse.lines] == ["lose", "lose", "lose", "lose"]


@clause("south_dakota:(10)(a)")
def test_with_an_unqualified_dealer_play_is_idle_and_all_else_is_settled() -> None:
    round_ = settled(BOOK, JACK_HIGH, at(1, "9h 8d 7s", pair_plus=100, six_card_bonus=100))
    found = [(line["wager"], line["outcome"]) for line in round_.lines]
    assert found == [
        ("play", "push"),
        ("ante_bonus", "win"),
        ("ante", "win"),
        ("pair_plus", "win"),
        ("six_card_bonus", "lose"),
    ]


@clause("south_dakota:(6).4", "south_dakota:(16)(b).6")
def test_progressive_and_then_envy_come_when_all_seats_are_settled() -> None:
    positions = (at(1, "Ah Kh Qh", progressive=100), at(5, LOSES, progressive=100))
    order = settled(BOOK, KING_HIGH.replace("Kh", "Kd"), *positions, meter=METER).order
    late = [wager in ("progressive", "envy") for _, wager in order]
    assert late == sorted(late)
    assert order[-3:] == [(5, "progressive"), (1, "progressive"), (5, "envy")]


@clause("south_dakota:(7)")
@pytest.mark.parametrize(
    ("bank_hand", "qualifies"), [("Qh 3d 2c", True), ("2h 2d 3c", True), ("Jh Td 8c", False)]
)
def test_the_dealer_qualifies_with_queen_high(bank_hand: str, qualifies: bool) -> None:
    assert settled(BOOK, bank_hand, at(1, "Ks 6s 4d"))["qualified"] is qualifies


@clause("south_dakota:(7).2")
@pytest.mark.parametrize("hand", [WINS, "5h 3d 2c", "Js 7s 4h"])
def test_unqualified_every_ante_wins_even_money(hand: str) -> None:
    line = settled(BOOK, JACK_HIGH, at(1, hand)).line(1, "ante")
    assert (line["outcome"], line["odds"], line["paid"]) == ("win", "1:1", 1000)


@clause("south_dakota:(7).3")
@pytest.mark.parametrize("hand", [WINS, "5h 3d 2c", "Js 7s 4h"])
def test_unqualified_every_play_bet_pushes(hand: str) -> None:
    line = settled(BOOK, JACK_HIGH, at(1, hand)).line(1, "play")
    assert (line["outcome"], line["returned"], line["paid"], line["taken"]) == ("push", 1000, 0, 0)


class TestFold:
    @clause("south_dakota:(8)")
    def test_whoever_folds_forfeits_the_ante(self) -> None:
        for bank_hand in (KING_HIGH, JACK_HIGH):
            line = settled(BOOK, bank_hand, at(1, "9h 9d 3c", "fold")).line(1, "ante")
            assert (line["outcome"], line["taken"]) == ("forfeit", 1000)

    @clause("south_dakota:(8).2")
    @pytest.mark.parametrize(("bank_hand", "outcome"), [("9s 4c Kd", "win"), ("8s 4c Kd", "lose")])
    def test_the_six_card_bonus_stays(self, bank_hand: str, outcome: str) -> None:
        folded = at(1, "9h 9d 2c", "fold", six_card_bonus=500)
        assert settled(BOOK, bank_hand, folded).outcome(1, "six_card_bonus") == outcome

    @clause("south_dakota:(8).3")
    def test_a_pair_plus_without_a_pair_is_lost_with_no_decision_to_make(self) -> None:
        alone = at(1, "Ah Kd Js", ante=0, pair_plus=500)
        line = settled(BOOK, "Qh 7d 4c", alone).line(1, "pair_plus")
        assert (line["outcome"], line["taken"]) == ("lose", 500)
        decided = {**alone, "decision": "fold"}
        assert refusal(BOOK, "Qh 7d 4c", decided) == ("decision_not_allowed", "positions[0].decision")

    @clause("south_dakota:(8).4")
    def test_ante_and_pair_plus_of_a_folded_hand_are_both_taken(self) -> None:
        round_ = settled(BOOK, KING_HIGH, at(1, "9h 9d 3c", "fold", pair_plus=500))
        assert round_.outcomes(1) == {"ante": "forfeit", "pair_plus": "forfeit"}
        assert round_["net"] == {"seat 1": -1500}

    @clause("south_dakota:(8).4", "south_dakota:(14)")
    @pytest.mark.parametrize(
        ("hand", "outcome", "net"),
        [("9h 9d 3c", "win", -1000 + 500), ("Jh 9d 3c", "lose", -1000 - 500 - 40)],
    )
    def test_the_other_reading_pays_or_takes_pair_plus_and_its_tip(
        self, hand: str, outcome: str, net: int
    ) -> None:
        folded = at(1, hand, "fold", pair_plus=500, tips={"ante": 30, "pair_plus": 40})
        round_ = settled(BOOK, KING_HIGH, folded, pair_plus_on_fold="evaluate")
        assert round_.outcomes(1) == {"ante": "forfeit", "pair_plus": outcome}
        assert round_.outcome(1, "pair_plus", tip=True) == outcome
        assert round_.outcome(1, "ante", tip=True) == "forfeit"
        # A won tip costs its stake: it is the dealer's, with its winnings.
        assert round_["net"] == {"seat 1": net - 30 - (40 if outcome == "win" else 0)}
        assert round_["tokes"] == (80 if outcome == "win" else 0)

    @pytest.mark.parametrize("value", ["pay", None, True])
    def test_another_word_for_it_is_refused(self, value: object) -> None:
        found = refusal(BOOK, KING_HIGH, at(1, WINS), pair_plus_on_fold=value)
        assert found == ("bad_option", "options.pair_plus_on_fold")

    def test_what_is_collected_is_the_same_in_whatever_order_the_hands_are_given(self) -> None:
        positions = [at(2, WINS, "fold"), at(5, LOSES, "fold", pair_plus=300), at(7, "9s 9c 3d", "fold")]
        settlements = {str(settled(BOOK, KING_HIGH, *order).lines) for order in permutations(positions)}
        assert len(settlements) == 1
        assert settled(BOOK, KING_HIGH, *positions)["net"] == {
            "seat 2": -1000,
            "seat 5": -1300,
            "seat 7": -1000,
        }


@clause("south_dakota:(9)")
def test_to_stay_in_a_player_adds_play_of_the_antes_size() -> None:
    for ante in (500, 1234):
        assert settled(BOOK, KING_HIGH, at(1, WINS, ante=ante)).line(1, "play")["stake"] == ante
    assert refusal(BOOK, KING_HIGH, at(1, WINS, None)) == ("decision_required", "positions[0].decision")


@clause("south_dakota:(10)")
def test_the_dealers_cards_are_ranked_as_the_best_hand_in_whatever_order_they_lie() -> None:
    for cards in permutations(("7d", "Kh", "7c")):
        round_ = settled(BOOK, " ".join(cards), at(1, "6s 6h As"), at(2, "8s 8h 2c"))
        assert [round_.outcome(seat, "ante") for seat in (1, 2)] == ["lose", "win"]


@clause("south_dakota:(11)")
def test_with_two_cards_alike_the_third_decides() -> None:
    assert_descending(BOOK, ["Ks 9s 5d", "Kh 9d 4c"])
    assert_descending(BOOK, ["8s 8d 5d", "8h 8c 4c"])
    assert_descending(BOOK, ["Ks 9s 5s", "Kh 9h 4h"])


@clause("south_dakota:(11).2", "south_dakota:(12).3")
def test_a_tie_pushes_on_play_and_ante() -> None:
    round_ = settled(BOOK, KING_HIGH, at(1, TIES))
    assert round_.outcomes(1) == {"play": "push", "ante": "push"} and round_["net"] == {"seat 1": 0}


@clause("south_dakota:(11).3")
def test_a_tie_leaves_ante_bonus_and_pair_plus_to_be_paid() -> None:
    round_ = settled(BOOK, "Jh Td 9c", at(1, "Js Tc 9s", pair_plus=100))
    assert round_.outcome(1, "ante") == "push"
    assert (round_.line(1, "ante_bonus")["paid"], round_.line(1, "pair_plus")["paid"]) == (1000, 600)


@clause("south_dakota:(12)")
def test_a_better_hand_wins_even_money_on_ante_and_play() -> None:
    round_ = settled(BOOK, KING_HIGH, at(1, WINS, ante=1500))
    assert [(x["outcome"], x["odds"], x["paid"]) for x in round_.lines] == [("win", "1:1", 1500)] * 2


@clause("south_dakota:(12).2")
def test_a_worse_hand_loses_ante_and_play() -> None:
    round_ = settled(BOOK, KING_HIGH, at(1, LOSES, ante=1500))
    assert [(x["outcome"], x["taken"]) for x in round_.lines] == [("lose", 1500)] * 2


@clause("south_dakota:(4).2")
def test_at_no_more_bets_it_is_fixed_who_bet_the_progressive_and_where_the_meter_stands() -> None:
    positions = [
        {"seat": 1, "wagers": {"ante": 500, "progressive": 100}},
        {"seat": 4, "wagers": {"ante": 500}},
    ]
    locked = read_bets({"rulebook": BOOK, "meter": METER, "positions": positions})
    assert [position.seat for position in locked.positions if "progressive" in position.wagers] == [1]
    assert locked.meter == METER
