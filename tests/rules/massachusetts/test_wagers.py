"""What may be wagered, beside what and how much: `000`, sections 1, 2(a) and 6, 10(b), 12(a) and 13(a)."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import read_bets, read_sheet
from games.refusal import Refusal
from tests.rules.rounds import at, refusal, settled, sheet

clause = pytest.mark.clause

BOOK = "massachusetts"
BANK = "Kh 7d 4c"
WINS, LOSES = "Ah Qd 2c", "Qs 8s 3h"
METER = 123_456


def bets(*positions: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A sheet at "no more bets"."""
    return {"rulebook": BOOK, "positions": list(positions), **more}


def refused_bets(document: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(Refusal) as refused:
        read_bets(document)
    return refused.value.code, refused.value.path


@clause("massachusetts:1.hand")
@pytest.mark.parametrize("hand", ["Ah Qd", "Ah Qd 2c 9d"])
def test_a_hand_is_three_cards_of_a_player_or_the_dealer(hand: str) -> None:
    assert refusal(BOOK, BANK, at(1, hand)) == ("hand_size", "positions[0].hand")
    assert refusal(BOOK, hand, at(1, WINS)) == ("hand_size", "bank_hand")


@clause("massachusetts:1.suit")
@pytest.mark.parametrize("card", ["Ax", "AS", "A♠", "A"])
def test_suits_are_clubs_diamonds_hearts_and_spades(card: str) -> None:
    for suit in "cdhs":
        settled(BOOK, BANK, at(1, f"A{suit} Qd 2c"))
    assert refusal(BOOK, BANK, at(1, f"{card} Qd 2c")) == ("bad_card", "positions[0].hand")


@clause("massachusetts:2(a)")
def test_one_deck_deals_no_card_twice() -> None:
    assert refusal(BOOK, BANK, at(1, WINS), at(2, "Ah 9s 3d")) == ("duplicate_card", "positions[1].hand")


@clause("massachusetts:1.round")
def test_a_round_is_one_sheet_from_the_wagers_to_the_last_payment() -> None:
    positions = (at(1, WINS, pair_plus=500), at(2, LOSES), at(5, "9s 9c 3d", ante=0, pair_plus=200))
    round_ = settled(BOOK, BANK, *positions)
    staked = 1000 * 4 + 500 + 200
    assert sum(line["stake"] for line in round_.lines) == staked
    assert sum(line["taken"] + line["returned"] for line in round_.lines) == staked, "every stake is settled"


class TestBeforeTheDeal:
    @clause("massachusetts:1.ante", "massachusetts:6(d)")
    def test_ante_and_pair_plus_lie_there_at_no_more_bets_and_no_card(self) -> None:
        placed = read_bets(bets({"seat": 1, "wagers": {"ante": 500, "pair_plus": 200}}))
        assert placed.positions[0].wagers == {"ante": 500, "pair_plus": 200}
        early = {"seat": 1, "wagers": {"ante": 500}, "hand": WINS}
        assert refused_bets(bets(early)) == ("unknown_key", "positions[0].hand")

    @clause("massachusetts:6(d).3")
    def test_play_is_wagered_later_when_players_decide(self) -> None:
        decided = {"seat": 1, "wagers": {"ante": 500}, "decision": "play"}
        assert refused_bets(bets(decided)) == ("unknown_key", "positions[0].decision")
        tipped = {"seat": 1, "wagers": {"ante": 500}, "tips": {"ante": 100, "play": 100}}
        assert refused_bets(bets(tipped)) == ("tip_needs_wager", "positions[0].tips.play")

    @clause("massachusetts:12(a)")
    def test_cover_all_is_bet_with_the_others(self) -> None:
        placed = read_bets(bets({"seat": 1, "wagers": {"ante": 500, "cover_all": 200}}))
        assert placed.positions[0].wagers["cover_all"] == 200
        found = refusal(BOOK, BANK, at(1, WINS, ante=0, cover_all=200))
        assert found == ("no_wager", "positions[0].wagers")

    @clause("massachusetts:13(b)")
    def test_it_is_fixed_who_bet_the_progressive_and_where_the_meter_stands(self) -> None:
        positions = (
            {"seat": 1, "wagers": {"ante": 500, "progressive": 100}},
            {"seat": 4, "wagers": {"ante": 500}},
        )
        locked = read_bets(bets(*positions, meter=METER))
        assert [position.seat for position in locked.positions if "progressive" in position.wagers] == [1]
        assert locked.meter == METER


@clause("massachusetts:6(a)")
def test_ante_pair_plus_or_both() -> None:
    round_ = settled(
        BOOK, BANK, at(1, WINS), at(2, LOSES, ante=0, pair_plus=500), at(3, "9s 9c 3d", pair_plus=500)
    )
    assert [set(round_.outcomes(seat)) for seat in (1, 2, 3)] == [
        {"ante", "play"},
        {"pair_plus"},
        {"ante", "play", "pair_plus"},
    ]
    assert refusal(BOOK, BANK, at(1, WINS, ante=0)) == ("no_wager", "positions[0].wagers")


@clause("massachusetts:6(a)(1)", "massachusetts:1.play")
def test_an_ante_alone_and_play_of_its_size() -> None:
    for ante in (500, 1234):
        round_ = settled(BOOK, BANK, at(1, WINS, ante=ante))
        assert [(line["wager"], line["stake"]) for line in round_.lines] == [("ante", ante), ("play", ante)]
    assert refusal(BOOK, BANK, at(1, WINS, play=500)) == ("unknown_key", "positions[0].wagers.play")


@clause("massachusetts:6(a)(2)")
def test_a_pair_plus_alone_against_the_posted_odds() -> None:
    for bank_hand in (BANK, "Ac Ad As"):
        assert settled(BOOK, bank_hand, at(1, "9s 9c 3d", ante=0, pair_plus=500))["net"] == {"seat 1": 500}
    decided = {**at(1, WINS, ante=0, pair_plus=500), "decision": "play"}
    assert refusal(BOOK, BANK, decided) == ("decision_not_allowed", "positions[0].decision")


@clause("massachusetts:6(a)(3)")
def test_both_are_settled_each_by_its_own_rules() -> None:
    round_ = settled(BOOK, "Th Td 2c", at(1, "9s 9c 3d", pair_plus=500))
    assert round_.outcomes(1) == {"ante": "lose", "play": "lose", "pair_plus": "win"}
    assert round_["net"] == {"seat 1": -2000 + 500}


@clause("massachusetts:6(b)")
@pytest.mark.parametrize(
    ("amount", "code"), [(0, "bad_amount"), (-500, "bad_amount"), (12.5, "bad_amount"), ("500", "wrong_type")]
)
def test_wagers_are_chips_on_their_spots(amount: Any, code: str) -> None:
    found = refused_bets(bets({"seat": 1, "wagers": {"ante": 500, "pair_plus": amount}}))
    assert found == (code, "positions[0].wagers.pair_plus")
    coupon = refused_bets(bets({"seat": 1, "wagers": {"ante": 500, "match_play": 500}}))
    assert coupon == ("unknown_key", "positions[0].wagers.match_play")


@clause("massachusetts:6(b).2")
def test_a_wager_that_was_only_spoken_has_no_place_on_a_sheet() -> None:
    for key in ("cash", "verbal", "call"):
        found = refused_bets(bets({"seat": 1, "wagers": {"ante": 500}, key: 500}))
        assert found == ("unknown_key", f"positions[0].{key}")


@clause("massachusetts:6(c)")
def test_only_seats_of_the_table_wager() -> None:
    for seat in (0, 8, -1):
        assert refusal(BOOK, BANK, at(seat, WINS)) == ("bad_seat", "positions[0].seat")
    document = sheet(BOOK, BANK, at(1, WINS))
    del document["positions"][0]["seat"]
    with pytest.raises(Refusal) as refused:
        read_sheet(document)
    assert (refused.value.code, refused.value.path) == ("missing_key", "positions[0].seat")


@clause("massachusetts:6(e)")
class TestPositionsOfOnePlayer:
    HANDS = (WINS, LOSES, "9s 9c 3d", "Ts Td 5h")

    def of_ana(self, *seats: int) -> list[dict[str, Any]]:
        return [at(seat, hand, player="Ana") for seat, hand in zip(seats, self.HANDS, strict=False)]

    def test_two_or_three_side_by_side(self) -> None:
        assert set(settled(BOOK, BANK, *self.of_ana(4, 3))["net"]) == {"Ana"}
        assert set(settled(BOOK, BANK, *self.of_ana(3, 5, 4))["net"]) == {"Ana"}

    def test_not_apart(self) -> None:
        assert refusal(BOOK, BANK, *self.of_ana(2, 4)) == ("too_many_positions", "positions[1]")
        assert refusal(BOOK, BANK, *self.of_ana(2, 3, 5)) == ("too_many_positions", "positions[2]")
        assert refusal(BOOK, BANK, *self.of_ana(1, 7)) == ("too_many_positions", "positions[1]"), (
            "ends of the table"
        )

    def test_not_four(self) -> None:
        assert refusal(BOOK, BANK, *self.of_ana(2, 3, 4, 5)) == ("too_many_positions", "positions[3]")


class TestVersions:
    RATIO = ("wager_ratio", "positions[0].wagers.pair_plus")

    def bet(self, version: str, ante: int, pair_plus: int) -> tuple[str, str] | None:
        wagers = {"pair_plus": pair_plus} if pair_plus else {}
        position = at(1, WINS, ante=ante, **wagers)
        try:
            settled(BOOK, BANK, position, version=version)
        except Refusal as refused:
            return refused.code, refused.path
        return None

    @clause("massachusetts:6(f)")
    def test_in_the_standard_game_neither_binds_the_other(self) -> None:
        for ante, pair_plus in ((100, 100_000), (100_000, 100), (0, 500), (500, 0)):
            assert self.bet("standard", ante, pair_plus) is None
        assert refusal(BOOK, BANK, at(1, WINS), version="6(f)") == ("bad_option", "options.version")

    @clause("massachusetts:6(f)(1)")
    def test_one_asks_for_an_ante_no_smaller_than_the_pair_plus(self) -> None:
        assert self.bet("ante_covers_pair_plus", 500, 500) is None
        assert self.bet("ante_covers_pair_plus", 500, 501) == self.RATIO
        assert self.bet("ante_covers_pair_plus", 500, 0) is None
        assert self.bet("ante_covers_pair_plus", 0, 500) == ("wager_needs_ante", self.RATIO[1])

    @clause("massachusetts:6(f)(2)")
    def test_one_asks_for_an_ante_of_half_the_pair_plus(self) -> None:
        assert self.bet("ante_covers_half", 500, 1000) is None
        assert self.bet("ante_covers_half", 500, 1001) == self.RATIO
        assert self.bet("ante_covers_half", 500, 0) is None
        assert self.bet("ante_covers_half", 0, 500) == ("wager_needs_ante", self.RATIO[1])

    @clause("massachusetts:6(f)(3)")
    def test_one_makes_both_compulsory_neither_above_five_times_the_other(self) -> None:
        for ante, pair_plus in ((500, 2500), (2500, 500), (500, 500)):
            assert self.bet("both_within_five", ante, pair_plus) is None
        for ante, pair_plus in ((500, 2501), (2501, 500), (500, 0)):
            assert self.bet("both_within_five", ante, pair_plus) == self.RATIO
        assert self.bet("both_within_five", 0, 500) == ("wager_needs_ante", self.RATIO[1])


@clause("massachusetts:6(g)")
def test_the_6_card_bonus_may_be_left_out() -> None:
    assert not settled(BOOK, BANK, at(1, WINS)).all(1, "six_card_bonus")
    assert settled(BOOK, BANK, at(1, WINS, six_card_bonus=100)).line(1, "six_card_bonus")["stake"] == 100


@clause("massachusetts:6(g)(3)")
def test_the_6_card_bonus_takes_the_standard_wager() -> None:
    for wagers in ({"six_card_bonus": 100}, {"six_card_bonus": 100, "pair_plus": 500}):
        found = refusal(BOOK, BANK, at(1, WINS, ante=0, **wagers))
        assert found == ("wager_needs_ante", "positions[0].wagers.six_card_bonus")


@clause("massachusetts:10(b)")
def test_an_ante_is_matched_or_given_up() -> None:
    assert refusal(BOOK, BANK, at(1, WINS, None)) == ("decision_required", "positions[0].decision")
    assert refusal(BOOK, BANK, at(1, WINS, "wait")) == ("decision_not_allowed", "positions[0].decision")
    stakes = {
        decision: [line["stake"] for line in settled(BOOK, BANK, at(1, WINS, decision)).lines]
        for decision in ("play", "fold", "surrender")
    }
    assert stakes == {"play": [1000, 1000], "fold": [1000], "surrender": [1000]}


@clause("massachusetts:13(a)")
def test_a_progressive_takes_the_regular_wager() -> None:
    found = refusal(BOOK, BANK, at(1, WINS, ante=0, progressive=100), meter=METER)
    assert found == ("no_wager", "positions[0].wagers")
    settled(BOOK, BANK, at(1, WINS, ante=0, pair_plus=500, progressive=100), meter=METER)


@clause("massachusetts:13(a).2")
def test_side_bets_and_progressive_are_optional() -> None:
    assert [line["wager"] for line in settled(BOOK, BANK, at(1, WINS), meter=METER).lines] == ["ante", "play"]
    sides = {"pair_plus": 100, "six_card_bonus": 100, "cover_all": 100, "progressive": 100}
    round_ = settled(BOOK, BANK, at(1, WINS, **sides), meter=METER)
    assert set(round_.outcomes(1)) == {"ante", "play", *sides}
    assert refusal(BOOK, BANK, at(1, WINS, progressive=100)) == ("meter_required", "meter")
