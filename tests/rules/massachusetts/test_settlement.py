"""Decisions, the order of settling, and the base game: `000`, sections 10 and 11(a)."""

from __future__ import annotations

from itertools import permutations

import pytest

from games.engine import read_sheet, settle
from games.refusal import Refusal
from tests.rules.rounds import Settled, at, refusal, settled, sheet

clause = pytest.mark.clause

BOOK = "massachusetts"
KING_HIGH, JACK_HIGH = "Kh 7d 4c", "Jh 7d 4c"
WINS, LOSES = "Ah Qd 2c", "Qs 8s 3h"


@clause("massachusetts:10(b).3")
@pytest.mark.parametrize("bank_hand", [KING_HIGH, JACK_HIGH])
def test_without_play_the_ante_is_lost(bank_hand: str) -> None:
    line = settled(BOOK, bank_hand, at(1, "As Ks Qs", "fold", ante=1500)).line(1, "ante")
    assert (line["outcome"], line["taken"]) == ("forfeit", 1500)


@clause("massachusetts:10(b).4")
@pytest.mark.parametrize(("hand", "outcome"), [("9s 9c 3d", "win"), ("Ah Qd Jc", "lose")])
def test_pair_plus_of_a_folded_hand_is_looked_at(hand: str, outcome: str) -> None:
    round_ = settled(BOOK, KING_HIGH, at(1, hand, "fold", pair_plus=500))
    assert round_.outcomes(1) == {"ante": "forfeit", "pair_plus": outcome}


@clause("massachusetts:10(b).5")
def test_a_hand_given_up_unseen_forfeits_ante_pair_plus_and_six_card_bonus_with_the_tips_on_them() -> None:
    tips = {"ante": 10, "pair_plus": 20, "six_card_bonus": 30}
    given_up = at(1, "9s 9c 3d", "surrender", pair_plus=500, six_card_bonus=200, cover_all=100, tips=tips)
    # With the dealer's nine the six cards hold three nines, and a straight is the highest hand of the table.
    round_ = settled(BOOK, "9h 7d 4c", given_up, at(5, "Ts Jd Qh"))
    assert round_.outcomes(1) == {
        "ante": "forfeit", "pair_plus": "forfeit", "six_card_bonus": "forfeit", "cover_all": "win",
    }  # fmt: skip
    assert [line["outcome"] for line in round_.lines if line["for"] == "dealer"] == ["forfeit"] * 3
    # Cover all concerns all hands dealt: 3 to 1 for a straight among two.
    assert round_["net"]["seat 1"] == -(1000 + 500 + 200) - (10 + 20 + 30) + 300


@clause("massachusetts:12(b)")
def test_a_hand_given_up_unseen_counts_among_those_of_cover_all() -> None:
    round_ = settled(BOOK, KING_HIGH, at(1, "Ts Jd Qh", "surrender"), at(5, WINS, cover_all=100))
    assert round_.line(5, "cover_all")["paid"] == 300


@clause("massachusetts:10(b).6")
def test_of_a_hand_given_up_unseen_all_three_cards_are_asked_for() -> None:
    assert refusal(BOOK, KING_HIGH, at(1, "9s 9c", "surrender")) == ("hand_size", "positions[0].hand")
    document = sheet(BOOK, KING_HIGH, at(1, WINS, "surrender"))
    del document["positions"][0]["hand"]
    with pytest.raises(Refusal) as refused:
        read_sheet(document)
    assert (refused.value.code, refused.value.path) == ("missing_key", "positions[0].hand")


@clause("massachusetts:10(b).7")
def test_what_was_given_up_is_collected_whole() -> None:
    given_up = at(1, WINS, "fold", ante=700), at(3, "9s 9c 3d", "surrender", ante=800, pair_plus=300)
    round_ = settled(BOOK, KING_HIGH, *given_up, at(5, "Ts Td 5h"))
    forfeits = [line for line in round_.lines if line["outcome"] == "forfeit"]
    assert sorted((line["seat"], line["wager"], line["taken"]) for line in forfeits) == [
        (1, "ante", 700),
        (3, "ante", 800),
        (3, "pair_plus", 300),
    ]
    assert all(line["returned"] == 0 for line in forfeits)


@clause("massachusetts:10(b).8")
def test_the_dealers_cards_are_ranked_as_the_best_hand_in_whatever_order_they_lie() -> None:
    for cards in permutations(("7d", "Kh", "7c")):
        round_ = settled(BOOK, " ".join(cards), at(1, "6s 6h As"), at(2, "8s 8h 2c"))
        assert [round_.outcome(seat, "ante") for seat in (1, 2)] == ["lose", "win"]


class TestOrder:
    POSITIONS = (at(2, WINS, pair_plus=100), at(7, LOSES, pair_plus=100), at(4, "9s 9c 3d", pair_plus=100))

    @clause("massachusetts:10(c)", "massachusetts:10(c)(2)")
    def test_one_player_after_the_other_counterclockwise_from_the_dealers_right(self) -> None:
        order = settled(BOOK, KING_HIGH, *self.POSITIONS).order
        assert [seat for seat, wager in order if wager == "ante"] == [7, 4, 2]

    @clause("massachusetts:10(c)(2)(ii)")
    def test_all_wagers_of_a_player_are_settled_together(self) -> None:
        own = ["ante", "play", "pair_plus"]
        order = settled(BOOK, KING_HIGH, *self.POSITIONS).order
        assert order == [(seat, wager) for seat in (7, 4, 2) for wager in own]

    #: Three tens, an ace high and a pair of sixes against the dealer's pair of nines, each with every wager that it can
    #: hold; worked out by hand: what is collected of whom, and what is paid to whom, in cents by seat and wager.
    ROUND = (
        at(2, "Ts Td Th", ante=1000, pair_plus=500, six_card_bonus=100),
        at(4, "Ah Kd Jc", ante=2000, pair_plus=300, six_card_bonus=100),
        at(6, "6s 6h Ad", "fold", ante=1500, pair_plus=200, six_card_bonus=100),
    )
    LOSERS = {
        (6, "ante"): 1500,
        (6, "six_card_bonus"): 100,
        (4, "ante"): 2000,
        (4, "play"): 2000,
        (4, "pair_plus"): 300,
        (4, "six_card_bonus"): 100,
    }
    WINNERS = {
        (6, "pair_plus"): 200,
        (2, "ante"): 1000,
        (2, "play"): 1000,
        (2, "ante_bonus"): 4000,
        (2, "pair_plus"): 12_500,
        (2, "six_card_bonus"): 2000,
    }

    def settled_round(self) -> Settled:
        return settled(BOOK, "9s 9h 4c", *self.ROUND)

    @clause("massachusetts:10(c)(1)", "massachusetts:10(c)(1)(ii)")
    def test_all_losing_wagers_are_collected_whole_from_the_dealers_right_on(self) -> None:
        lines = self.settled_round().lines
        collected = [((x["seat"], x["wager"]), x["taken"]) for x in lines if x["taken"]]
        assert collected == list(self.LOSERS.items())
        assert all(x["returned"] == x["stake"] for x in lines if not x["taken"]), (
            "no winner's stake is collected"
        )

    @clause("massachusetts:10(c)(1)", "massachusetts:10(c)(1)(iii)")
    def test_all_winning_wagers_are_paid_at_their_odds_from_the_dealers_right_on(self) -> None:
        lines = self.settled_round().lines
        paid = [((x["seat"], x["wager"]), x["paid"]) for x in lines if x["paid"]]
        assert sorted(paid) == sorted(self.WINNERS.items())
        assert [seat for (seat, _), _ in paid] == [6, 2, 2, 2, 2, 2]
        assert all(x["paid"] == x["owed"] and x["short"] == 0 for x in lines)


@clause("massachusetts:10(d)")
def test_a_sheet_holds_all_hands_and_settles_again_to_the_same_lines() -> None:
    read = read_sheet(sheet(BOOK, KING_HIGH, at(2, WINS, pair_plus=100), at(7, LOSES, "surrender")))
    kept = read.to_json()
    assert [position["hand"] for position in kept["positions"]] == [WINS, LOSES]
    assert settle(read_sheet(kept)).to_json() == settle(read).to_json()


@clause("massachusetts:11(a)")
def test_base_game_pair_plus_and_ante_bonus_pay_side_by_side() -> None:
    round_ = settled(BOOK, KING_HIGH, at(1, "Ah Kd Qs", pair_plus=100))
    paid = {line["wager"]: line["paid"] for line in round_.lines}
    assert paid == {"ante": 1000, "play": 1000, "ante_bonus": 1000, "pair_plus": 500}


@clause("massachusetts:11(a)(1)")
def test_a_better_hand_wins_even_money_on_both_and_a_worse_one_loses_both() -> None:
    wins = settled(BOOK, KING_HIGH, at(1, WINS, ante=1500))
    assert [(x["outcome"], x["odds"], x["paid"]) for x in wins.lines] == [("win", "1:1", 1500)] * 2
    loses = settled(BOOK, KING_HIGH, at(1, LOSES, ante=1500))
    assert [(x["outcome"], x["taken"]) for x in loses.lines] == [("lose", 1500)] * 2


@clause("massachusetts:11(a)(1).2")
@pytest.mark.parametrize("hand", [WINS, "5h 3d 2c", "Js 7s 4h"])
def test_below_queen_high_the_ante_is_paid_and_play_goes_back(hand: str) -> None:
    round_ = settled(BOOK, JACK_HIGH, at(1, hand))
    ante, play = round_.line(1, "ante"), round_.line(1, "play")
    assert (ante["outcome"], ante["odds"], ante["paid"]) == ("win", "1:1", 1000)
    assert (play["outcome"], play["returned"], play["paid"]) == ("no_action", 1000, 0)
    assert settled(BOOK, "Qh 7d 4c", at(1, "5h 3d 2c")).outcome(1, "ante") == "lose", "queen high plays"


def test_tips_may_stand_beside_any_of_the_four_wagers() -> None:
    """The document is silent on tips: ruling 4."""
    tips = {"ante": 10, "play": 10, "pair_plus": 10, "six_card_bonus": 10}
    order = settled(BOOK, KING_HIGH, at(1, WINS, pair_plus=500, six_card_bonus=500, tips=tips)).order
    assert order[-4:] == [(1, f"tip {wager}") for wager in tips]
