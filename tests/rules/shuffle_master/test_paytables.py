"""The twelve designators and the Bad Beat: `003`, paytable summary and side wager, as printed."""

from __future__ import annotations

import pytest

from games.engine import read_bets
from games.three_card_poker.odds.listing import odds_of
from tests.rules.rounds import at, refusal, settled

clause = pytest.mark.clause

BOOK = "shuffle_master"
BANK = "2c 4d 7h"  # seven high: neither in the way of a hand below, nor qualified

#: By designator: ante bonus for straight flush, three of a kind, straight; pair plus for these, flush and pair.
SUMMARY = {
    "TCP-01": ((5, 4, 1), (40, 30, 6, 4, 1)),
    "TCP-02": ((5, 4, 1), (40, 25, 6, 4, 1)),
    "TCP-03": ((5, 3, 1), (40, 30, 6, 4, 1)),
    "TCP-04": ((5, 3, 1), (40, 25, 6, 4, 1)),
    "TCP-05": ((4, 3, 1), (40, 30, 6, 4, 1)),
    "TCP-06": ((4, 3, 1), (40, 25, 6, 4, 1)),
    "TCP-07": ((5, 4, 1), (40, 30, 5, 4, 1)),
    "TCP-08": ((5, 3, 1), (40, 30, 5, 4, 1)),
    "TCP-09": ((4, 3, 1), (40, 30, 5, 4, 1)),
    "TCP-10": ((5, 4, 1), (40, 30, 6, 3, 1)),
    "TCP-11": ((5, 3, 1), (40, 30, 6, 3, 1)),
    "TCP-12": ((4, 3, 1), (40, 30, 6, 3, 1)),
}
HANDS = ("Ks Qs Js", "9h 9d 9c", "Ah Kd Qs", "As Ts 5s", "8s 8c 3d")


@pytest.mark.parametrize(
    "designator", [pytest.param(name, marks=clause(f"shuffle_master:{name.lower()}")) for name in SUMMARY]
)
def test_a_designator_pays_its_two_printed_columns(designator: str) -> None:
    bonus, pair_plus = SUMMARY[designator]
    found_bonus, found_pair_plus = [], []
    for hand in HANDS:
        round_ = settled(BOOK, BANK, at(1, hand, pair_plus=100), designator=designator)
        found_bonus += [line["paid"] // 1000 for line in round_.all(1, "ante_bonus")]
        found_pair_plus.append(round_.line(1, "pair_plus")["paid"] // 100)
    assert (tuple(found_bonus), tuple(found_pair_plus)) == (bonus, pair_plus)
    royal = settled(BOOK, BANK, at(1, "As Ks Qs", pair_plus=100), designator=designator)
    assert royal.line(1, "pair_plus")["paid"] == 100 * pair_plus[0], "a mini royal has no line of its own"


@clause("shuffle_master:tcp-01")
def test_the_first_designator_is_the_default() -> None:
    by_default = settled(BOOK, BANK, at(1, "9h 9d 9c", pair_plus=100))
    assert (by_default.line(1, "ante_bonus")["odds"], by_default.line(1, "pair_plus")["odds"]) == (
        "4:1",
        "30:1",
    )


class TestBadBeat:
    @clause("shuffle_master:badbeat.1")
    def test_it_may_be_left_out(self) -> None:
        assert not settled(BOOK, BANK, at(1, "8s 8c 3d")).all(1, "bad_beat")
        assert settled(BOOK, BANK, at(1, "8s 8c 3d", bad_beat=100)).line(1, "bad_beat")["stake"] == 100

    @clause("shuffle_master:badbeat.2")
    @pytest.mark.parametrize(
        ("hand", "bank_hand", "outcome"),
        [
            ("8s 8c 3d", "9h 9d 2c", "win"),
            ("9h 9d 2c", "8s 8c 3d", "win"),
            ("8s 8c 3d", "8h 8d 3c", "lose"),
            ("8s 8c 3d", "Ah Kd Jc", "lose"),
            ("Ah Kd Jc", "8s 8c 3d", "lose"),
            ("Ah Kd Jc", "Kh Qd 9c", "lose"),
        ],
        ids=[
            "pair beaten",
            "dealer's pair beaten",
            "tie",
            "dealer had less",
            "player had less",
            "nobody had a pair",
        ],
    )
    def test_it_wins_when_a_pair_or_better_is_beaten(self, hand: str, bank_hand: str, outcome: str) -> None:
        assert settled(BOOK, bank_hand, at(1, hand, bad_beat=100)).outcome(1, "bad_beat") == outcome

    @clause("shuffle_master:badbeat.2.a")
    def test_a_beaten_hand_of_the_player_sets_the_odds(self) -> None:
        line = settled(BOOK, "4h 3d 2c", at(1, "As Ts 5s", bad_beat=100)).line(1, "bad_beat")
        assert (line["odds"], line["paid"]) == ("35:1", 3500)

    @clause("shuffle_master:badbeat.2.b")
    def test_a_beaten_hand_of_the_dealer_sets_the_odds(self) -> None:
        line = settled(BOOK, "As Ts 5s", at(1, "4h 3d 2c", bad_beat=100)).line(1, "bad_beat")
        assert (line["odds"], line["paid"]) == ("35:1", 3500)

    @clause("shuffle_master:badbeat.3")
    @pytest.mark.parametrize(
        ("beaten", "winner", "odds"),
        [
            ("4s 3s 2s", "Kh Qh Jh", 15_000),
            ("Kh Qh Jh", "As Ks Qs", 15_000),
            ("9h 9d 9c", "4s 3s 2s", 5000),
            ("Ah Kd Qs", "9h 9d 9c", 100),
            ("As Ts 5s", "4h 3d 2c", 35),
            ("8s 8c 3d", "As Ts 5s", 4),
        ],
    )
    def test_the_printed_payouts_by_the_hand_beaten(self, beaten: str, winner: str, odds: int) -> None:
        for hand, bank_hand in ((beaten, winner), (winner, beaten)):
            line = settled(BOOK, bank_hand, at(1, hand, bad_beat=100)).line(1, "bad_beat")
            assert (line["outcome"], line["paid"]) == ("win", 100 * odds)

    @clause("shuffle_master:badbeat.3.2", "shuffle_master:badbeat.3.3")
    def test_the_printed_edge_and_hit_frequency_stand_beside_the_counted_ones(self) -> None:
        (row,) = [row.to_json() for row in odds_of(BOOK) if row.wager == "bad_beat"]
        assert (row["published"]["edge_percent"], row["published"]["hit_percent"]) == (19.87, 6.59)
        assert (round(row["edge_percent"], 4), round(row["hit_percent"], 2)) == (19.8595, 6.59)

    @clause("shuffle_master:badbeat.4")
    def test_it_is_placed_with_the_standard_wagers_and_takes_an_ante(self) -> None:
        for wagers in ({"bad_beat": 100}, {"bad_beat": 100, "pair_plus": 500}):
            found = refusal(BOOK, BANK, at(1, "8s 8c 3d", ante=0, **wagers))
            assert found == ("wager_needs_ante", "positions[0].wagers.bad_beat")
        placed = read_bets(
            {"rulebook": BOOK, "positions": [{"seat": 1, "wagers": {"ante": 500, "bad_beat": 100}}]}
        )
        assert placed.positions[0].wagers["bad_beat"] == 100

    def test_a_fold_gives_it_up(self) -> None:
        """The document is silent on it: ruling 37."""
        line = settled(BOOK, "9h 9d 2c", at(1, "8s 8c 3d", "fold", bad_beat=100)).line(1, "bad_beat")
        assert (line["outcome"], line["taken"]) == ("forfeit", 100)

    def test_tips_stand_beside_the_other_wagers_and_not_beside_it(self) -> None:
        """The document is silent on tips: ruling 4."""
        tips = {"ante": 10, "play": 10, "pair_plus": 10}
        order = settled(BOOK, BANK, at(1, "8s 8c 3d", pair_plus=100, bad_beat=100, tips=tips)).order
        assert order[-3:] == [(1, f"tip {wager}") for wager in tips]
        beside = at(1, "8s 8c 3d", bad_beat=100, tips={"bad_beat": 10})
        assert refusal(BOOK, BANK, beside) == ("unknown_key", "positions[0].tips.bad_beat")

    @clause("shuffle_master:badbeat.5")
    @pytest.mark.parametrize("bank_hand", ["Kh 7d 4c", "Jh 7d 4c", "Th Td 2c"])
    @pytest.mark.parametrize("decision", ["play", "fold"])
    def test_every_other_line_is_as_without_it(self, bank_hand: str, decision: str) -> None:
        def others(**side: int) -> list[tuple[object, ...]]:
            round_ = settled(BOOK, bank_hand, at(1, "8s 8c 3d", decision, pair_plus=300, **side))
            return [
                (x["wager"], x["outcome"], x["paid"], x["taken"])
                for x in round_.lines
                if x["wager"] != "bad_beat"
            ]

        assert others(bad_beat=100) == others()
        assert others()[0][0] == "ante"
