"""The player-dealer: what they bank, how far their wager reaches, and who may bank."""

from __future__ import annotations

import pytest

from games.engine import read_sheet
from games.refusal import Refusal
from games.registry import load_rulebook
from games.rotation.offers import Answer
from games.rotation.play import Turn
from games.rotation.profile import profile_under
from games.rotation.steps import next_step
from tests.rules.rounds import Settled, at, refusal, settled, sheet

clause = pytest.mark.clause

BANK = "Kh 7d 4c"
WINS, LOSES, TIES = "Ah Qd 2c", "Qs 8s 3h", "Kd 7s 4h"


@clause("california:type.1")
def test_a_round_without_a_player_dealer_is_refused() -> None:
    document = sheet("california", BANK, at(1, WINS))
    del document["bank"]
    with pytest.raises(Refusal) as refused:
        read_sheet(document)
    assert (refused.value.code, refused.value.path) == ("bank_required", "bank")


@clause("california:type.2")
def test_the_player_dealer_takes_what_loses_and_pays_what_wins() -> None:
    round_ = settled("california", BANK, at(1, WINS, ante=2000), at(2, LOSES, ante=1500, pair_plus=500))
    # Seat 1 wins ante and play; seat 2 loses both and the pair plus of a hand without a pair.
    assert (round_["bank"]["won"], round_["bank"]["lost"]) == (1500 + 1500 + 500, 2000 + 2000)
    assert round_["net"] == {"seat 1": 4000, "seat 2": -3500}
    assert round_["bank"]["net"] == -sum(round_["net"].values()), "what players win is what the bank loses"


class TestCoverage:
    """`001` type of game: neither win nor lose more than the wager; once exhausted, the rest goes back."""

    def round(self, *, coverage: str, bank: int, hands: tuple[str, str, str]) -> Settled:
        positions = [at(seat, hand) for seat, hand in zip((1, 2, 3), hands, strict=True)]
        return settled("california", BANK, *positions, bank=bank, coverage=coverage)

    @clause("california:type.3")
    @pytest.mark.parametrize("coverage", ["gross", "net"])
    def test_the_bank_loses_no_more_than_its_wager(self, coverage: str) -> None:
        # Three hands win ante and play of $10: $60 owed, $25 put up.
        hands = (WINS, "Ad Qh 3c", "As Qc 5d")
        round_ = self.round(coverage=coverage, bank=2500, hands=hands)
        assert (round_["bank"]["won"], round_["bank"]["lost"], round_["bank"]["net"]) == (0, 2500, -2500)

    @clause("california:type.3")
    @pytest.mark.parametrize("coverage", ["gross", "net"])
    def test_the_bank_wins_no_more_than_its_wager(self, coverage: str) -> None:
        hands = (LOSES, "Qh 8d 5h", "Jh 8c 3d")
        round_ = self.round(coverage=coverage, bank=2500, hands=hands)
        assert (round_["bank"]["won"], round_["bank"]["lost"], round_["bank"]["net"]) == (2500, 0, 2500)

    @clause("california:type.3")
    def test_gross_counts_both_ways_and_net_lets_winnings_cover_again(self) -> None:
        # Seat 1 loses $20, seat 2 wins $20; the bank put up $20.
        hands = (LOSES, WINS, "Ad Qh 3c")
        gross = self.round(coverage="gross", bank=2000, hands=hands)
        assert (gross["bank"]["won"], gross["bank"]["lost"]) == (2000, 0)
        assert gross.outcome(2, "ante") == "uncovered"
        net = self.round(coverage="net", bank=2000, hands=hands)
        assert (net["bank"]["won"], net["bank"]["lost"]) == (2000, 4000), (
            "$20 won and $20 put up pay both hands"
        )
        assert net["bank"]["net"] == -2000

    @clause("california:type.4")
    def test_stakes_that_are_not_covered_go_back(self) -> None:
        round_ = self.round(coverage="gross", bank=2000, hands=(WINS, LOSES, "Ad Qh 3c"))
        for seat in (2, 3):
            for wager in ("ante", "play"):
                line = round_.line(seat, wager)
                assert (line["outcome"], line["returned"], line["uncovered"]) == ("uncovered", 1000, 1000)
                assert (line["paid"], line["taken"], line["owed"]) == (0, 0, 0)
        assert round_["bank"]["exhausted"] and round_["net"] == {"seat 1": 2000, "seat 2": 0, "seat 3": 0}

    @clause("california:type.4")
    def test_the_wager_that_runs_the_bank_dry_is_covered_in_part(self) -> None:
        losing = self.round(coverage="gross", bank=2700, hands=(WINS, LOSES, TIES))
        assert losing.line(2, "ante") | {"taken": 700, "returned": 300, "uncovered": 300} == losing.line(
            2, "ante"
        )
        assert losing.outcome(2, "play") == "uncovered"

    @clause("california:dealing.7.4")
    def test_who_is_covered_goes_by_the_order_of_settling(self) -> None:
        def first_from(action_seat: int) -> dict[int, str]:
            round_ = settled(
                "california", BANK, at(1, WINS), at(2, "Ad Qh 3c"), bank=2000, action_seat=action_seat
            )
            return {seat: round_.outcome(seat, "play") for seat in (1, 2)}

        assert first_from(1) == {1: "win", 2: "uncovered"}
        assert first_from(2) == {1: "uncovered", 2: "win"}

    @clause("california:winners.2.c", "california:winners.1.a")
    def test_what_pushes_or_has_no_action_uses_no_coverage(self) -> None:
        tie = self.round(coverage="gross", bank=2000, hands=(TIES, WINS, LOSES))
        assert tie.outcomes(1) == {"ante": "push", "play": "push"}
        assert tie.line(1, "play")["bank_remaining"] == 2000 and tie.outcome(2, "play") == "win"
        idle = settled("california", "Jh 7d 4c", at(1, "Th 8s 2d"), at(2, "Ah Qd 2c"), bank=1000)
        assert idle.outcomes(1) == {"ante": "push", "play": "no_action"}
        assert idle.line(2, "ante")["paid"] == 1000


@clause("california:type.6")
@pytest.mark.parametrize(
    ("wager", "hand", "odds"), [("pair_plus", "9h 9d 2c", 1), ("six_card_bonus", "7c 7h 2d", 7)]
)
def test_bonus_bets_draw_on_the_same_wager_of_the_bank(wager: str, hand: str, odds: int) -> None:
    # Ante and play of $10 each come first: the pair wins both, and a wager of $20 is spent on them.
    bank_hand = "Kh 7d 4c"
    whole = settled("california", bank_hand, at(1, hand, **{wager: 500}), bank=100_000)
    assert whole.line(1, wager)["paid"] == 500 * odds
    before = whole.line(1, "play")["bank_remaining"]
    assert whole.line(1, wager)["bank_remaining"] == before - 500 * odds
    nothing_left = settled("california", bank_hand, at(1, hand, **{wager: 500}), bank=2000)
    assert nothing_left.outcome(1, wager) == "uncovered"


@clause("california:pairplus.6", "california:pairplus.8")
def test_pair_plus_is_banked_by_the_player_dealer_as_far_as_the_wager_goes() -> None:
    loses = settled("california", BANK, at(1, "Qs 8s 3h", "fold", pair_plus=700), bank=1700)
    assert (loses["bank"]["won"], loses["bank"]["remaining"]) == (1700, 0)
    wins = settled(
        "california", BANK, at(1, "9h 9d 2c", pair_plus=700), at(2, "8h 8d 2s", pair_plus=300), bank=2700
    )
    assert wins.line(1, "pair_plus")["paid"] == 700 and wins["bank"]["lost"] == 2700
    line = wins.line(2, "pair_plus")
    assert (line["outcome"], line["returned"], line["paid"]) == ("uncovered", 300, 0)


@clause("california:sixcard.6", "california:sixcard.8")
def test_the_6_card_bonus_is_banked_by_the_player_dealer_as_far_as_the_wager_goes() -> None:
    positions = [at(1, "Kd Ks 2c", six_card_bonus=100), at(2, "Qs 8s 3h", six_card_bonus=100)]
    round_ = settled("california", BANK, *positions, bank=2000 + 700 + 2000 + 100)
    # Seat 1: ante and play $20, three kings 7:1 for $7. Seat 2 loses ante and play $20 and the bonus $1.
    assert (round_["bank"]["lost"], round_["bank"]["won"]) == (2700, 2100)
    assert round_["bank"]["remaining"] == 0
    short_of_it = settled("california", BANK, *positions, bank=2000 + 700 + 2000)
    line = short_of_it.line(2, "six_card_bonus")
    assert (line["outcome"], line["returned"], line["taken"]) == ("uncovered", 100, 0)


@clause("california:type.5")
def test_two_rounds_running_then_every_other_seat_is_asked_clockwise() -> None:
    profile = profile_under(load_rulebook("california"))

    def step(rounds: int, *answers: Answer) -> tuple[str, int | None]:
        found = next_step(profile, turn=Turn(3, "Cy", rounds), occupied=[1, 2, 3, 4, 6], answers=answers)
        assert found.clause in ("california:type.5", "ruling 40")
        return found.kind, found.seat

    assert step(0) == step(1) == ("keep", 3)
    assert step(2) == ("offer", 4)
    declined: list[Answer] = []
    for seat in (4, 6, 1, 2):
        assert step(2, *declined) == ("offer", seat)
        declined.append(Answer(seat, "declined"))
    assert step(2, *declined) == ("renew", 3)
    assert step(2, Answer(4, "declined"), Answer(6, "accepted")) == ("taken", 6)


@clause("california:type.7")
def test_what_the_house_gets_is_the_same_whatever_the_cards() -> None:
    hands = [WINS, LOSES, TIES, "Ah Kd Qc", "2h 2d 2c"]
    drops = {
        settled("california", BANK, at(1, hand, decision), fee_schedule=1)["drop"]
        for hand in hands
        for decision in ("play", "fold")
    }
    assert drops == {200}
    assert settled("california", BANK, at(1, WINS))["drop"] == 0, "without a schedule the house gets nothing"


@clause("california:table.seats")
def test_seven_seats_of_which_one_banks() -> None:
    for seat in range(1, 7):
        settled("california", BANK, at(seat, WINS), bank_seat=7)
    settled("california", BANK, at(7, WINS), bank_seat=1)
    assert refusal("california", BANK, at(8, WINS)) == ("bad_seat", "positions[0].seat")
    assert refusal("california", BANK, at(1, WINS), bank_seat=8) == ("bad_seat", "bank.seat")
    assert refusal("california", BANK, at(7, WINS)) == ("bank_has_wagers", "positions[0].seat")


@clause("california:winners.4")
def test_the_bank_may_be_small_beside_the_bets() -> None:
    round_ = settled("california", BANK, at(1, WINS, ante=10**6), bank=1)
    assert (round_["bank"]["lost"], round_.line(1, "ante")["short"]) == (1, 10**6 - 1)


@clause("california:winners.4.2")
def test_a_win_is_paid_up_to_what_is_left_and_its_stake_goes_back_whole() -> None:
    line = settled("california", BANK, at(1, "As Ah Ad", pair_plus=1000), bank=2000 + 12_345).line(
        1, "pair_plus"
    )
    assert (line["owed"], line["paid"], line["short"], line["returned"]) == (30_000, 12_345, 17_655, 1000)
    assert line["clause"] == "california:winners.4.2"


@clause("california:winners.4.5")
def test_no_wager_of_the_bank_is_too_large_for_any_table_limit() -> None:
    for schedule in (1, 2):
        round_ = settled("california", BANK, at(1, WINS, ante=5000), bank=10**12, fee_schedule=schedule)
        assert round_["bank"]["wager"] == 10**12
