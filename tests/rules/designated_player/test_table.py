"""Seats, cards, wagers and order of play: `004`, its introduction and paragraphs 1 to 9."""

from __future__ import annotations

import pytest

from games.engine import read_sheet
from games.refusal import Refusal
from games.registry import load_rulebook
from games.rotation.offers import Answer
from games.rotation.play import Turn
from games.rotation.profile import profile_under
from games.rotation.steps import next_step
from tests.rules.rounds import assert_descending, at, refusal, settled, sheet

clause = pytest.mark.clause

BOOK = "designated_player"
BANK = "Kh 7d 4c"
WINS, LOSES = "Ah Qd 2c", "Qs 8s 3h"


@clause("designated_player:intro.2")
def test_eight_seats_of_which_one_banks() -> None:
    for seat in range(1, 8):
        settled(BOOK, BANK, at(seat, WINS), bank_seat=8)
    settled(BOOK, BANK, at(8, WINS), bank_seat=1)
    assert refusal(BOOK, BANK, at(9, WINS)) == ("bad_seat", "positions[0].seat")
    assert refusal(BOOK, BANK, at(1, WINS), bank_seat=9) == ("bad_seat", "bank.seat")
    assert refusal(BOOK, BANK, at(8, WINS), bank_seat=8) == ("bank_has_wagers", "positions[0].seat")


@clause("designated_player:intro.3")
def test_a_round_takes_a_bank_and_a_player_against_it() -> None:
    assert refusal(BOOK, BANK) == ("no_wager", "positions")
    document = sheet(BOOK, BANK, at(1, WINS))
    del document["bank"]
    with pytest.raises(Refusal) as refused:
        read_sheet(document)
    assert refused.value.code == "bank_required"


@clause("designated_player:intro.4")
def test_the_cards_are_the_52_and_each_lies_once() -> None:
    assert refusal(BOOK, BANK, at(1, "Ah 1d 2c")) == ("bad_card", "positions[0].hand")
    assert refusal(BOOK, BANK, at(1, "Ah JK 2c")) == ("bad_card", "positions[0].hand")
    assert refusal(BOOK, BANK, at(1, "Kh Qd 2c")) == ("duplicate_card", "positions[0].hand")
    assert refusal(BOOK, BANK, at(1, WINS), at(2, "9s 2c 3d")) == ("duplicate_card", "positions[1].hand")


@clause("designated_player:intro.7", "designated_player:play.3")
@pytest.mark.parametrize("hand", ["Ah Qd", "Ah Qd 2c 9d", ""])
def test_everybody_has_three_cards_the_designated_player_too(hand: str) -> None:
    assert refusal(BOOK, BANK, at(1, hand)) == ("hand_size", "positions[0].hand")
    assert refusal(BOOK, hand, at(1, WINS)) == ("hand_size", "bank_hand")


@clause("designated_player:play.1")
def test_action_goes_clockwise_from_the_first_position_after_the_designated_player() -> None:
    positions = (at(2, WINS), at(5, LOSES), at(8, "9s 9c 3d"))

    def seats(**terms: int) -> list[int]:
        return [seat for seat, wager in settled(BOOK, BANK, *positions, **terms).order if wager == "ante"]

    assert seats(bank_seat=3) == [5, 8, 2]
    assert seats(bank_seat=7) == [8, 2, 5]
    assert seats(bank_seat=7, action_seat=4) == [5, 8, 2]


@clause("designated_player:play.6")
def test_each_hand_is_settled_whole_before_the_next_beginning_after_the_button() -> None:
    positions = (at(2, WINS, pair_plus=100), at(5, LOSES, pair_plus=100))
    own = ["ante", "play", "pair_plus"]
    order = settled(BOOK, BANK, *positions, bank_seat=4).order
    assert order == [*((5, wager) for wager in own), *((2, wager) for wager in own)]


@clause("designated_player:play.1.2")
def test_the_base_bet_is_posted_by_everyone_in_the_round() -> None:
    assert load_rulebook(BOOK).wagers["ante"].name == "Base Bet"
    assert refusal(BOOK, BANK, at(1, WINS, ante=0)) == ("no_wager", "positions[0].wagers")
    alone = at(1, WINS, ante=0, pair_plus=500)
    assert refusal(BOOK, BANK, alone) == ("wager_needs_ante", "positions[0].wagers.pair_plus")


@clause("designated_player:play.2")
def test_pair_plus_may_stand_beside_the_base_bet() -> None:
    assert set(settled(BOOK, BANK, at(1, WINS)).outcomes(1)) == {"ante", "play"}
    assert set(settled(BOOK, BANK, at(1, WINS, pair_plus=500)).outcomes(1)) == {"ante", "play", "pair_plus"}


@clause("designated_player:play.4")
def test_a_player_chooses_to_fold_or_to_call() -> None:
    assert refusal(BOOK, BANK, at(1, WINS, None)) == ("decision_required", "positions[0].decision")
    assert refusal(BOOK, BANK, at(1, WINS, "surrender")) == ("decision_not_allowed", "positions[0].decision")


@clause("designated_player:play.4.b")
def test_a_call_is_of_the_base_bets_size() -> None:
    assert load_rulebook(BOOK).wagers["play"].name == "Call"
    for cents in (500, 1234):
        assert settled(BOOK, BANK, at(1, WINS, ante=cents)).line(1, "play")["stake"] == cents


@clause("designated_player:play.9")
def test_nobody_plays_two_hands() -> None:
    twice = (at(1, WINS, player="Ana"), at(2, LOSES, player="Ana"))
    assert refusal(BOOK, BANK, *twice) == ("too_many_positions", "positions[1]")


@clause("designated_player:play.6.4")
def test_classes_stand_in_the_printed_order() -> None:
    ladder = ["4c 3c 2c", "2h 2d 2s", "4h 3d 2c", "5h 3h 2h", "2s 2d 3c", "Ad Kh Js"]
    assert_descending(BOOK, ladder)


@clause("designated_player:play.6.2")
def test_the_bank_is_offered_on_after_every_hand_and_stays_only_when_all_waive() -> None:
    profile = profile_under(load_rulebook(BOOK))

    def step(rounds: int, *answers: Answer) -> tuple[str, int | None]:
        found = next_step(profile, turn=Turn(7, "Gus", rounds), occupied=[2, 5, 7], answers=answers)
        return found.kind, found.seat

    assert step(0) == ("keep", 7)
    assert step(1) == ("offer", 2)
    assert step(1, Answer(2, "declined")) == ("offer", 5)
    assert step(1, Answer(2, "ineligible"), Answer(5, "accepted")) == ("taken", 5)
    assert step(1, Answer(2, "ineligible"), Answer(5, "declined")) == ("renew", 7)
