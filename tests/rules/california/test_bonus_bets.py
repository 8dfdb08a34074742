"""Pair plus and 6 Card Bonus: `001`, their rules and both payout tables as printed."""

from __future__ import annotations

import pytest

from games.three_card_poker.odds.listing import odds_of
from tests.rules.rounds import at, settled

clause = pytest.mark.clause

PAIR_PLUS = [
    ("As Ks Qs", "200:1"),
    ("Ah Kh Qh", "200:1"),
    ("Ks Qs Js", "40:1"),
    ("3s 2s As", "40:1"),
    ("9h 9d 9c", "30:1"),
    ("2h 2d 2s", "30:1"),
    ("Ah Kd Qs", "6:1"),
    ("3h 2d As", "6:1"),
    ("Ah Kh Jh", "3:1"),
    ("5s 3s 2s", "3:1"),
    ("Ah Ad Ks", "1:1"),
    ("2h 2d 3s", "1:1"),
]
#: Player's hand, bank's hand, what column 6B4 pays for the best five of the six.
SIX_CARD = [
    ("As Ks Qs", "Js Ts 2c", "1000:1"),
    ("Th Jh 2c", "Ah Kh Qh", "1000:1"),
    ("9h 8h 7h", "6h 5h 2c", "200:1"),
    ("As 2s 3s", "4s 5s Kc", "200:1"),
    ("9h 9d 9c", "9s 2c Kd", "100:1"),
    ("9h 2d 3c", "9s 9c 9d", "100:1"),
    ("9h 9d 9c", "4s 4c Kd", "20:1"),
    ("9h 9d 4h", "4s 4c 9c", "20:1"),
    ("Kh 9h 7h", "4h 2h Qc", "15:1"),
    ("9h 8d 7c", "6s 5h Kc", "10:1"),
    ("Ah Kd 2c", "Qs Jh Tc", "10:1"),
    ("Ah 2d Kc", "3s 4h 5c", "10:1"),
    ("9h 9d 9c", "Ks 4c 2d", "7:1"),
    ("9h 4d 2c", "9s 9c Kd", "7:1"),
]


@clause("california:pairplus.10")
@pytest.mark.parametrize(("hand", "odds"), PAIR_PLUS)
def test_the_pair_plus_table_line_by_line(hand: str, odds: str) -> None:
    line = settled("california", "4c 6d 8h", at(1, hand, pair_plus=500)).line(1, "pair_plus")
    assert (line["outcome"], line["odds"], line["paid"]) == (
        "win",
        odds,
        500 * int(odds.split(":", maxsplit=1)[0]),
    )


@clause("california:dealing.4.2", "california:pairplus.4")
def test_a_hand_of_the_table_is_paid_from_the_bank() -> None:
    round_ = settled("california", "Kh 7d 4c", at(1, "9s 8s 7s", pair_plus=500), bank=2000 + 20_000)
    line = round_.line(1, "pair_plus")
    assert (line["paid"], line["returned"], line["bank_remaining"]) == (20_000, 500, 0)
    assert line["clause"] == "california:pairplus.4"


@clause("california:pairplus.3")
def test_pair_plus_looks_at_the_players_three_cards_alone() -> None:
    # A nine in the bank's hand makes neither trips of a pair nor a pair of nine high.
    for bank_hand in ("9c 9d Kc", "Kh 7d 4c", "Ac Kc Qc"):
        round_ = settled(
            "california", bank_hand, at(1, "9h 9s 2d", pair_plus=500), at(2, "Th 8h 3d", pair_plus=500)
        )
        assert (round_.line(1, "pair_plus")["odds"], round_.outcome(2, "pair_plus")) == ("1:1", "lose")


@clause("california:pairplus.5")
@pytest.mark.parametrize("hand", ["Ah Kd Js", "5h 3d 2s", "Ah Qd Js"])
def test_pair_plus_below_a_pair_goes_to_the_player_dealer(hand: str) -> None:
    round_ = settled("california", "4c 6d 8h", at(1, hand, pair_plus=500))
    line = round_.line(1, "pair_plus")
    assert (line["outcome"], line["taken"], line["clause"]) == ("lose", 500, "california:pairplus.5")


@clause("california:pairplus.7")
@pytest.mark.parametrize(
    ("bank_hand", "ante"),
    [("Ah Ad 2c", "lose"), ("Kh 7d 4c", "win"), ("5h 3d 2c", "win"), ("8h 8d 3c", "push")],
)
def test_pair_plus_does_not_ask_how_the_base_game_went(bank_hand: str, ante: str) -> None:
    round_ = settled("california", bank_hand, at(1, "8s 8c 3h", pair_plus=500))
    assert (round_.outcome(1, "ante"), round_.outcome(1, "pair_plus")) == (ante, "win")
    lost = settled("california", "Jh 7d 4c", at(1, "Ah Kd Js", pair_plus=500))
    assert (lost.outcome(1, "ante"), lost.outcome(1, "pair_plus")) == ("win", "lose")


@clause("california:pairplus.7.2")
def test_a_fold_gives_up_the_pair_plus_of_a_hand_that_would_be_paid() -> None:
    line = settled("california", "Kh 7d 4c", at(1, "As Ks Qs", "fold", pair_plus=500)).line(1, "pair_plus")
    assert (line["outcome"], line["taken"], line["clause"]) == ("forfeit", 500, "california:pairplus.7.2")


@clause("california:sixcard.10", "california:sixcard.3.2")
@pytest.mark.parametrize(("hand", "bank_hand", "odds"), SIX_CARD)
def test_the_6_card_bonus_table_line_by_line(hand: str, bank_hand: str, odds: str) -> None:
    line = settled("california", bank_hand, at(1, hand, six_card_bonus=500)).line(1, "six_card_bonus")
    assert (line["outcome"], line["odds"], line["paid"]) == (
        "win",
        odds,
        500 * int(odds.split(":", maxsplit=1)[0]),
    )


@clause("california:sixcard.3")
def test_the_6_card_bonus_needs_cards_of_both_hands() -> None:
    # Two nines of the player are three of a kind with the bank's nine, and nothing without it.
    def outcome(bank_hand: str) -> str:
        return settled("california", bank_hand, at(1, "9h 9d 2c", six_card_bonus=500)).outcome(
            1, "six_card_bonus"
        )

    assert (outcome("9s Kc 4d"), outcome("8s Kc 4d")) == ("win", "lose")


@clause("california:sixcard.4")
def test_a_6_card_bonus_of_the_table_is_paid_from_the_bank() -> None:
    round_ = settled("california", "Kh 7d 4c", at(1, "Ks Kd 2c", six_card_bonus=500), bank=2000 + 3500)
    line = round_.line(1, "six_card_bonus")
    assert (line["paid"], line["returned"], line["bank_remaining"]) == (3500, 500, 0)
    assert line["clause"] == "california:sixcard.4"


@clause("california:sixcard.5")
@pytest.mark.parametrize(
    ("hand", "bank_hand"),
    [("Kh Kd 4c", "4s Qc 2d"), ("Ah Ad 9c", "Ks 4h 2d"), ("9h 8d 7c", "6s 4h 2c"), ("Ah Kh 9h", "4h 2c 3d")],
)
def test_less_than_three_of_a_kind_loses_the_6_card_bonus(hand: str, bank_hand: str) -> None:
    # Two pairs, one pair, a run of four, four of a suit.
    line = settled("california", bank_hand, at(1, hand, six_card_bonus=500)).line(1, "six_card_bonus")
    assert (line["outcome"], line["taken"], line["clause"]) == ("lose", 500, "california:sixcard.5")


@clause("california:sixcard.7")
def test_the_6_card_bonus_does_not_ask_how_the_ante_went() -> None:
    # The bank's three fours make the bonus of a hand that loses to them; a winning hand loses its bonus.
    loses = settled("california", "4s 4c 4d", at(1, "Ah Ad Kc", six_card_bonus=500))
    assert (loses.outcome(1, "ante"), loses.line(1, "six_card_bonus")["odds"]) == ("lose", "20:1")
    wins = settled("california", "Kh 7d 4c", at(1, "Ah Qd 2c", six_card_bonus=500))
    assert (wins.outcome(1, "ante"), wins.outcome(1, "six_card_bonus")) == ("win", "lose")


@clause("california:sixcard.7.2")
@pytest.mark.parametrize(("bank_hand", "outcome"), [("9s Kc 4d", "win"), ("8s Kc 4d", "lose")])
@pytest.mark.parametrize("forfeits", ["in_turn", "first"])
def test_the_6_card_bonus_of_a_folded_hand_stands(bank_hand: str, outcome: str, forfeits: str) -> None:
    folded = at(1, "9h 9d 2c", "fold", six_card_bonus=500)
    assert settled("california", bank_hand, folded, forfeits=forfeits).outcome(1, "six_card_bonus") == outcome


@clause("california:sixcard.10.2", "california:sixcard.10.3")
def test_the_printed_advantage_and_hit_frequency_stand_beside_the_counted_ones() -> None:
    (row,) = [row.to_json() for row in odds_of("california") if row.wager == "six_card_bonus"]
    published = row["published"]
    assert (published["edge_percent"], published["hit_percent"]) == (8.56, 7.2798)
    assert (round(row["edge_percent"], 2), round(row["hit_percent"], 4)) == (8.56, 7.2798)
