"""The three ways to play and the ranking of hands: `003`, its rules of Three Card Poker."""

from __future__ import annotations

import pytest

from games.registry import load_rulebook
from games.three_card_poker.odds.listing import odds_of
from tests.rules.rounds import Settled, ante_outcome, assert_descending, at, refusal, settled

clause = pytest.mark.clause

BOOK = "shuffle_master"
KING_HIGH, JACK_HIGH = "Kh 7d 4c", "Jh 7d 4c"
WINS, LOSES, TIES = "Ah Qd 2c", "Qs 8s 3h", "Kd 7s 4h"


@clause("shuffle_master:intro.1")
def test_the_cards_are_the_52_and_each_lies_once() -> None:
    assert refusal(BOOK, KING_HIGH, at(1, "Ah 1d 2c")) == ("bad_card", "positions[0].hand")
    assert refusal(BOOK, KING_HIGH, at(1, "Ah JK 2c")) == ("bad_card", "positions[0].hand")
    assert refusal(BOOK, KING_HIGH, at(1, "Kh Qd 2c")) == ("duplicate_card", "positions[0].hand")


@clause("shuffle_master:intro.2")
def test_ante_alone_pair_plus_alone_or_both() -> None:
    round_ = settled(
        BOOK, KING_HIGH, at(1, WINS), at(2, LOSES, ante=0, pair_plus=500), at(3, "9s 9c 3d", pair_plus=500)
    )
    assert [set(round_.outcomes(seat)) for seat in (1, 2, 3)] == [
        {"ante", "play"},
        {"pair_plus"},
        {"ante", "play", "pair_plus"},
    ]


@clause("shuffle_master:rank.1")
def test_a_straight_beats_a_flush_against_the_dealer_and_on_the_paytable() -> None:
    assert ante_outcome(BOOK, "4h 3d 2c", "As Ks Js") == "win"
    round_ = settled(BOOK, KING_HIGH, at(1, "4h 3d 2c", pair_plus=100), at(2, "As Ks Js", pair_plus=100))
    assert [round_.line(seat, "pair_plus")["odds"] for seat in (1, 2)] == ["6:1", "4:1"]


@clause("shuffle_master:rank.2")
def test_classes_stand_in_the_printed_order() -> None:
    assert_descending(BOOK, ["4c 3c 2c", "2h 2d 2s", "4h 3d 2c", "5h 3h 2h", "2s 2d 3c", "Ad Kh Js"])


@clause("shuffle_master:rank.3")
def test_without_a_pair_the_highest_cards_decide_one_after_the_other() -> None:
    assert_descending(BOOK, ["Ad Kh Js", "Ah Ks Td", "Ac Qs Jh", "Kd 4h 2s", "Qd 4c 3h", "Qh 4d 2s"])


@clause("shuffle_master:rank.4")
def test_the_ace_is_high_but_in_3_2_a() -> None:
    assert_descending(BOOK, ["Ah Kd Qc", "Kh Qd Js", "4h 3d 2c", "3h 2d As"])
    assert ante_outcome(BOOK, "Ah 5d 4c", "Kh Qd 9c") == "win"


@clause("shuffle_master:ways.1")
@pytest.mark.parametrize(
    ("bank_hand", "qualifies"), [("Qh 3d 2c", True), ("2h 2d 3c", True), ("Jh Td 8c", False)]
)
def test_the_aim_is_a_better_hand_than_a_dealers_of_queen_or_better(bank_hand: str, qualifies: bool) -> None:
    round_ = settled(BOOK, bank_hand, at(1, "Ks Qs 4d"))
    assert round_["qualified"] is qualifies
    assert round_.outcome(1, "play") == ({"Qh": "win", "2h": "lose"}[bank_hand[:2]] if qualifies else "push")


@clause("shuffle_master:ways.1.2", "shuffle_master:ways.1.3")
def test_an_ante_is_folded_or_matched_by_play() -> None:
    assert set(settled(BOOK, KING_HIGH, at(1, WINS)).outcomes(1)) == {"ante", "play"}
    assert refusal(BOOK, KING_HIGH, at(1, WINS, None)) == ("decision_required", "positions[0].decision")
    assert refusal(BOOK, KING_HIGH, at(1, WINS, "surrender")) == (
        "decision_not_allowed",
        "positions[0].decision",
    )


@clause("shuffle_master:ways.1.3", "shuffle_master:ways.3.4")
def test_play_always_equals_the_ante() -> None:
    for ante in (500, 1234):
        assert settled(BOOK, KING_HIGH, at(1, WINS, ante=ante)).line(1, "play")["stake"] == ante
    assert refusal(BOOK, KING_HIGH, at(1, WINS, play=500)) == ("unknown_key", "positions[0].wagers.play")


class TestAgainstTheDealer:
    @clause("shuffle_master:against.1")
    def test_a_fold_loses_the_ante(self) -> None:
        for bank_hand in (KING_HIGH, JACK_HIGH):
            round_ = settled(BOOK, bank_hand, at(1, "As Ks Qs", "fold"))
            assert round_.outcomes(1) == {"ante": "forfeit"} and round_["net"] == {"seat 1": -1000}

    @clause("shuffle_master:against.2")
    @pytest.mark.parametrize("hand", [WINS, "5h 3d 2c", "Js 7s 4h"])
    def test_when_the_dealer_does_not_play_play_pushes_and_the_ante_wins(self, hand: str) -> None:
        round_ = settled(BOOK, JACK_HIGH, at(1, hand))
        assert round_.outcomes(1) == {"ante": "win", "play": "push"}
        assert (round_.line(1, "ante")["odds"], round_["net"]) == ("1:1", {"seat 1": 1000})

    @clause("shuffle_master:against.3")
    def test_a_better_hand_wins_even_money_on_both(self) -> None:
        round_ = settled(BOOK, KING_HIGH, at(1, WINS, ante=1500))
        assert [(x["outcome"], x["odds"], x["paid"]) for x in round_.lines] == [("win", "1:1", 1500)] * 2

    @clause("shuffle_master:against.4")
    def test_a_worse_hand_loses_both(self) -> None:
        round_ = settled(BOOK, KING_HIGH, at(1, LOSES, ante=1500))
        assert [(x["outcome"], x["taken"]) for x in round_.lines] == [("lose", 1500)] * 2

    @clause("shuffle_master:against.5")
    @pytest.mark.parametrize(
        ("hand", "odds"),
        [
            ("Ks Qs Js", 5),
            ("As Ks Qs", 5),
            ("9h 9d 9c", 4),
            ("Ah Kd Qs", 1),
            ("Ah Kh 9h", 0),
            ("9s 9c 3d", 0),
        ],
    )
    def test_the_three_highest_hands_bring_an_ante_bonus(self, hand: str, odds: int) -> None:
        bonus = settled(BOOK, "2c 4d 7h", at(1, hand)).all(1, "ante_bonus")
        assert [(line["stake"], line["paid"]) for line in bonus] == ([(0, 1000 * odds)] if odds else [])

    @clause("shuffle_master:against.6")
    @pytest.mark.parametrize(
        ("bank_hand", "ante"),
        [("As Ah Ad", "lose"), (KING_HIGH, "win"), ("Jh 7d 4c", "win"), ("Js Tc 9s", "push")],
    )
    def test_the_ante_bonus_is_paid_whatever_the_dealer_holds(self, bank_hand: str, ante: str) -> None:
        round_ = settled(BOOK, bank_hand, at(1, "Jd Td 9c"))
        assert (round_.outcome(1, "ante"), round_.line(1, "ante_bonus")["paid"]) == (ante, 1000)


class TestPairPlus:
    @clause("shuffle_master:ways.2")
    @pytest.mark.parametrize(
        ("hand", "outcome"), [("2h 2d 3s", "win"), ("5s 3s 2s", "win"), ("Ah Kd Js", "lose")]
    )
    def test_a_pair_or_better_wins_and_less_is_taken(self, hand: str, outcome: str) -> None:
        line = settled(BOOK, KING_HIGH, at(1, hand, ante=0, pair_plus=500)).line(1, "pair_plus")
        assert (line["outcome"], line["taken"]) == (outcome, 500 if outcome == "lose" else 0)

    @clause("shuffle_master:ways.2.2")
    @pytest.mark.parametrize("bank_hand", ["As Ah Ad", KING_HIGH, JACK_HIGH, "9s 9c 4h"])
    def test_the_dealers_hand_does_not_matter(self, bank_hand: str) -> None:
        assert settled(BOOK, bank_hand, at(1, "9h 9d 3c", pair_plus=500)).line(1, "pair_plus")["paid"] == 500

    @clause("shuffle_master:ways.3")
    def test_ante_and_pair_plus_come_out_each_by_its_own_rules(self) -> None:
        loses_and_wins = settled(BOOK, "Th Td 2c", at(1, "9h 9d 3c", pair_plus=500))
        assert (loses_and_wins.outcome(1, "ante"), loses_and_wins.outcome(1, "pair_plus")) == ("lose", "win")
        wins_and_loses = settled(BOOK, KING_HIGH, at(1, WINS, pair_plus=500))
        assert (wins_and_loses.outcome(1, "ante"), wins_and_loses.outcome(1, "pair_plus")) == ("win", "lose")
        alone = settled(BOOK, "Th Td 2c", at(1, "9h 9d 3c", ante=0, pair_plus=500))
        assert alone.line(1, "pair_plus")["paid"] == loses_and_wins.line(1, "pair_plus")["paid"]

    @clause("shuffle_master:ways.3.2")
    @pytest.mark.parametrize(("ante", "pair_plus"), [(500, 100_000), (100_000, 500), (500, 500)])
    def test_the_two_wagers_need_not_be_of_one_size(self, ante: int, pair_plus: int) -> None:
        round_ = settled(BOOK, KING_HIGH, at(1, WINS, ante=ante, pair_plus=pair_plus))
        assert (round_.line(1, "ante")["stake"], round_.line(1, "pair_plus")["stake"]) == (ante, pair_plus)

    @clause("shuffle_master:ways.3.5")
    def test_with_both_bet_no_play_loses_both(self) -> None:
        round_ = settled(BOOK, JACK_HIGH, at(1, "As Ks Qs", "fold", pair_plus=500))
        assert round_.outcomes(1) == {"ante": "forfeit", "pair_plus": "forfeit"}
        assert round_["net"] == {"seat 1": -1500}


def test_seven_seats_one_position_a_player_settled_clockwise_from_seat_1() -> None:
    """The document is silent on these: ruling 35."""
    round_ = settled(BOOK, KING_HIGH, at(7, WINS), at(1, LOSES), at(4, "9s 9c 3d"))
    assert [seat for seat, wager in round_.order if wager == "ante"] == [1, 4, 7]
    assert refusal(BOOK, KING_HIGH, at(8, WINS)) == ("bad_seat", "positions[0].seat")
    twice = (at(1, WINS, player="Ana"), at(2, LOSES, player="Ana"))
    assert refusal(BOOK, KING_HIGH, *twice) == ("too_many_positions", "positions[1]")


@clause("shuffle_master:sidebets")
@pytest.mark.parametrize("decision", ["play", "fold"])
def test_every_wager_that_is_taken_is_won_and_lost_against_the_dealer_alone(decision: str) -> None:
    assert set(load_rulebook(BOOK).wagers) == {"ante", "play", "pair_plus", "bad_beat"}
    own = at(1, "9h 9d 3c", decision, pair_plus=500, bad_beat=300)
    # Whatever the neighbour holds, stakes and decides, and whether or not there is one.
    neighbours = (
        at(2, "As Ks Qs", pair_plus=500, bad_beat=300),
        at(2, "5h 3d 2c", "fold", ante=5000),
        at(2, "8s 8h 2c", ante=0, pair_plus=900),
    )
    for bank_hand in (KING_HIGH, JACK_HIGH, "Th Td 2s"):
        alone = settled(BOOK, bank_hand, own)
        assert {line["wager"] for line in alone.lines if line["stake"]} == set(own["wagers"]) | (
            {"play"} if decision == "play" else set()
        )
        for neighbour in neighbours:
            beside = settled(BOOK, bank_hand, own, neighbour)
            assert [line for line in _money(beside) if line[0] == 1] == _money(alone)


@clause("shuffle_master:sidebets")
def test_no_wager_names_another_player() -> None:
    for wager in ("seat 2", "against", "side_bet"):
        found = refusal(BOOK, KING_HIGH, at(1, WINS, **{wager: 500}), at(2, LOSES))
        assert found == ("unknown_key", f"positions[0].wagers.{wager}")
    against = at(1, WINS)
    against["wagers"]["pair_plus"] = {"against": "seat 2", "cents": 500}
    assert refusal(BOOK, KING_HIGH, against, at(2, LOSES)) == ("wrong_type", "positions[0].wagers.pair_plus")


def _money(round_: Settled) -> list[tuple[object, ...]]:
    return [(x["seat"], x["wager"], x["outcome"], x["paid"], x["taken"], x["returned"]) for x in round_.lines]


@clause("shuffle_master:tcp.par")
@pytest.mark.parametrize(
    ("designators", "par"),
    [((1, 2, 7, 10), 3.37), ((3, 4, 8, 11), 3.61), ((5, 6, 9, 12), 3.83)],
    ids=["ante A", "ante B", "ante C"],
)
def test_the_printed_par_stands_beside_the_counted_advantage(
    designators: tuple[int, ...], par: float
) -> None:
    rows = {row.table: row.to_json() for row in odds_of(BOOK) if row.wager == "ante"}
    for number in designators:
        row = rows[f"TCP-{number:02}"]
        assert row["published"]["edge_percent"] == par == round(row["edge_percent"], 2)
