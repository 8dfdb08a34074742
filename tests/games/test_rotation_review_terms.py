"""A record reviewed by the terms of an approval: who was eligible, a game that had ended, another approval's game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.registry import rulebook_with
from games.rotation.record import Deviation, PlayedGame, Record, Stopped
from games.rotation.review import deviations
from games.rulebook import Rulebook

from .test_rotation_review import START, Floor


def book(direction: str = "clockwise", **said: Any) -> Rulebook:
    sources = {f"may_bank.{term}": f"4.{number}" for number, term in enumerate(said, 1)}
    approval = {"number": "GEGR-1", "may_bank": said, "order": {"direction": direction}, "sources": sources}
    return rulebook_with("california", {"approval": approval})


@dataclass
class TermsFloor(Floor):
    """Seats 1, 3 and 5 of a game with terms of its own; who wagers is said round by round."""

    rulebook: Rulebook = field(default_factory=book)
    approval: str = "GEGR-1"

    def game(self) -> PlayedGame:
        return PlayedGame(self.profile, self.rulebook, self.approval)

    def offer(self, seat: int, answer: str = "declined", *, by_hand: bool = True) -> None:
        super().offer(seat, answer)
        self.offers[-1] = self.offers[-1]._replace(game=self.game(), by_hand=by_hand)

    def bank(self, seat: int, *, renewed: bool = False) -> None:
        super().bank(seat, renewed=renewed)
        self.turns[-1] = self.turns[-1]._replace(rulebook=self.rulebook, approval=self.approval)

    def round(self, *wagered: int) -> None:
        self.play()
        seats = frozenset({*wagered, self.turns[-1].seat})
        changed = {"rulebook": self.rulebook, "approval": self.approval, "wagered": seats}
        self.rounds[-1] = self.rounds[-1]._replace(**changed)

    def game_ends(self) -> None:
        last = self.turns[-1]
        self.stops.append(Stopped(len(self.stops) + 1, self.cycle, last.id, self.tick(), ended=True))
        self.turns[-1] = last._replace(ended_at=self.tick(0), left=True, closed=True)
        self.cycle += 1

    def found(self) -> list[Deviation]:
        record = Record(self.seated, self.offers, self.turns, self.rounds, self.stops, known_from=START)
        return deviations(record, profile=self.profile, rulebook=self.rulebook)


def begun(rulebook: Rulebook, first: int = 1) -> TermsFloor:
    """Seat 3 banks two rounds, after seat `first` declined; seat 5 wagers in both, seat 1 in the first."""
    floor = TermsFloor(rulebook=rulebook)
    floor.offer(first)
    floor.takes(3)
    floor.round(1, 5)
    floor.round(5)
    return floor


ELIGIBLE = book(wagered_rounds=2, previous_round=True)


def test_who_is_not_eligible_is_passed_over_and_the_others_are_asked() -> None:
    floor = begun(ELIGIBLE)
    floor.offer(5)
    floor.offer(1, "ineligible", by_hand=False)
    floor.bank(3, renewed=True)
    floor.round(1, 5)
    assert floor.found() == []


def test_the_bank_offered_to_one_who_is_not_eligible_is_an_exception() -> None:
    floor = begun(ELIGIBLE)
    floor.offer(5)
    floor.offer(1, "accepted")
    floor.bank(1)
    [found] = floor.found()
    assert (found.kind, found.seat, found.clause) == ("not_eligible", 1, "GEGR-1:4.1")
    assert "wagered in 1 of 2 rounds since sitting down" in found.text


def test_ineligible_by_hand_of_one_who_is_eligible_is_an_exception_and_passed_over_is_none() -> None:
    for by_hand, kinds in ((True, ["eligible_passed_over"]), (False, [])):
        floor = begun(ELIGIBLE)
        floor.offer(5, "ineligible", by_hand=by_hand)
        assert floor.kinds() == kinds


def test_a_bank_that_goes_on_after_the_game_has_ended_is_an_exception() -> None:
    floor = begun(book(all_decline="game_ends"))
    floor.offer(5)
    floor.offer(1)
    floor.bank(3, renewed=True)
    [found] = floor.found()
    assert (found.kind, found.clause) == ("game_ended", "GEGR-1:4.1")


def test_after_the_table_has_closed_on_it_a_new_game_begins() -> None:
    floor = begun(book(another_first=True))
    floor.offer(5)
    floor.offer(1)
    floor.game_ends()
    floor.offer(5)
    floor.offer(1)
    floor.offer(3, "accepted")
    floor.bank(3)
    floor.round(1, 5)
    floor.round(1, 5)
    assert floor.found() == []


def test_without_that_the_last_bank_waits_for_another_player() -> None:
    floor = begun(book(another_first=True))
    floor.offer(5)
    floor.offer(1)
    floor.leaves()
    floor.offer(5)
    floor.offer(1)
    floor.takes(3)
    assert [each for each in floor.kinds() if each != "out_of_order"] == ["no_intervening"]


def test_offers_are_judged_by_the_direction_that_they_were_made_in() -> None:
    back = book("counter_clockwise")
    floor = begun(back, first=5)
    floor.offer(1)
    floor.offer(5)
    floor.bank(3, renewed=True)
    floor.round(1, 5)
    assert floor.found() == []
    floor = begun(back, first=5)
    floor.offer(5)
    assert floor.kinds() == ["out_of_order"]


def test_a_count_is_of_one_approval() -> None:
    floor = begun(book())
    floor.leaves()
    floor.approval = "GEGR-2"
    floor.offer(5)
    floor.offer(1)
    floor.takes(3)
    floor.round(1, 5)
    floor.round(1, 5)
    assert floor.found() == []
    floor.round(1, 5)
    assert floor.kinds() == ["over_limit"]
