"""Reviews of a record by its rotation profile: each deviation with its rule and clause; a proper game has none."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest

from games.registry import load_rulebook
from games.rotation.record import RULES, Deviation, Held, Offered, Played, Record, Seated, Stopped
from games.rotation.review import deviations

START = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
NAMES = {1: "Ana", 3: "Cy", 5: "Eve"}
CALIFORNIA = load_rulebook("california")


@dataclass
class Floor:
    """A table whose facts are written by hand, a minute after one another, as somebody might who is past the floor."""

    profile: str = "two_rounds"
    providers: tuple[str, ...] = ()
    house: tuple[str, ...] = ()
    minute: int = 0
    cycle: int = 1
    seated: list[Seated] = field(default_factory=list)
    offers: list[Offered] = field(default_factory=list)
    turns: list[Held] = field(default_factory=list)
    rounds: list[Played] = field(default_factory=list)
    stops: list[Stopped] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.seated = [Seated(seat, name, START, None) for seat, name in NAMES.items()]

    def tick(self, minutes: int = 1) -> datetime:
        self.minute += minutes
        return START + timedelta(minutes=self.minute)

    def offer(self, seat: int, answer: str = "declined") -> None:
        self.offers.append(Offered(len(self.offers) + 1, self.cycle, seat, NAMES[seat], answer, self.tick()))

    def bank(self, seat: int, *, renewed: bool = False) -> None:
        """A turn begins; the one before ends as it does."""
        now = self.tick(0)
        if self.turns and self.turns[-1].ended_at is None:
            self.turns[-1] = self.turns[-1]._replace(ended_at=now)
        name = NAMES[seat]
        self.turns.append(
            Held(
                id=len(self.turns) + 1,
                cycle=self.cycle,
                seat=seat,
                player=name,
                provider=name in self.providers,
                house=name in self.house,
                renewed=renewed,
                began_at=now,
                ended_at=None,
                left=False,
                closed=False,
                profile=self.profile,
            )
        )
        self.cycle += 1

    def takes(self, seat: int) -> None:
        self.offer(seat, "accepted")
        self.bank(seat)

    def leaves(self, *, closed: bool = False) -> None:
        """The bank gives up its turn."""
        self.turns[-1] = self.turns[-1]._replace(ended_at=self.tick(), left=True, closed=closed)
        self.cycle += 1

    def play(self, times: int = 1, *, dealt: bool = True, settled: bool = True, minutes: int = 1) -> None:
        for _ in range(times):
            number, turn = len(self.rounds) + 1, self.turns[-1]
            self.rounds.append(
                Played(
                    id=number,
                    name=str(number),
                    turn=turn.id,
                    seat=turn.seat,
                    player=turn.player,
                    at=self.tick(minutes),
                    dealt=dealt,
                    settled=settled,
                    profile=self.profile,
                    rulebook=CALIFORNIA,
                )
            )

    def stop(self) -> None:
        self.stops.append(Stopped(len(self.stops) + 1, self.cycle, self.turns[-1].id, self.tick()))

    def found(self) -> list[Deviation]:
        record = Record(self.seated, self.offers, self.turns, self.rounds, self.stops)
        return deviations(record, profile=self.profile, rulebook=CALIFORNIA)

    def kinds(self) -> list[str]:
        return [each.kind for each in self.found()]


@pytest.fixture
def floor() -> Floor:
    """Seat 1 declined, and seat 3 banks."""
    made = Floor()
    made.offer(1)
    made.takes(3)
    return made


def test_a_proper_game_has_no_deviation(floor: Floor) -> None:
    floor.play(2)
    floor.offer(5)
    floor.offer(1)
    floor.bank(3, renewed=True)
    floor.play()
    floor.play(settled=False)
    floor.play()
    floor.takes(5)
    floor.play()
    floor.leaves()
    floor.offer(1)
    floor.offer(3, "absent")
    floor.offer(5, "accepted")
    floor.bank(5)
    floor.play()
    floor.leaves(closed=True)
    floor.takes(1)
    assert floor.found() == []


@pytest.mark.clause("california:type.5")
def test_a_third_round_in_a_row_without_an_offer_is_over_the_limit(floor: Floor) -> None:
    floor.play(3)
    [found] = floor.found()
    assert (found.kind, found.seat, found.player, found.round, found.turn) == ("over_limit", 3, "Cy", 3, 1)
    assert found.clause == "california:type.5" and found.rule == RULES["over_limit"]
    assert found.text == "Cy banked round 3 as the 3rd in a row; the bank goes round after 2."
    assert found.at == floor.rounds[2].at


def test_every_round_over_the_limit_is_named_and_voids_do_not_count(floor: Floor) -> None:
    floor.play(2, settled=False)
    floor.play(4)
    assert [(each.kind, each.round) for each in floor.found()] == [("over_limit", 5), ("over_limit", 6)]


def test_a_void_before_the_deal_is_no_round_that_was_dealt(floor: Floor) -> None:
    floor.play(2)
    floor.play(dealt=False, settled=False)
    assert floor.found() == []
    floor.play(settled=False)
    assert floor.kinds() == ["over_limit"]


def test_an_offer_to_one_seat_alone_does_not_make_a_third_round_right(floor: Floor) -> None:
    floor.play(2)
    floor.offer(5)
    floor.play()
    assert floor.kinds() == ["over_limit"]


def test_an_offer_out_of_order_is_told_once_a_run(floor: Floor) -> None:
    floor.play(2)
    floor.offer(1)
    floor.offer(5)
    [found] = floor.found()
    assert (found.kind, found.offer, found.seat) == ("out_of_order", 3, 1)
    assert found.text == "The bank was offered to seat 1 when seat 5 was next."


def test_a_turn_that_was_renewed_before_everybody_declined_names_the_seats(floor: Floor) -> None:
    floor.play(2)
    floor.offer(5)
    floor.bank(3, renewed=True)
    [found] = floor.found()
    assert (found.kind, found.turn, found.clause) == ("renewed_early", 2, "ruling 40")
    assert found.text == "Cy took a new turn, and seat 1 had not answered."


def test_a_turn_that_was_renewed_with_nobody_asked(floor: Floor) -> None:
    floor.play(2)
    floor.bank(3, renewed=True)
    assert [each.text for each in floor.found()] == [
        "Cy took a new turn, and seats 1 and 5 had not answered."
    ]


def test_a_turn_that_nobody_accepted(floor: Floor) -> None:
    floor.play(2)
    floor.offer(5)
    floor.bank(1)
    [found] = floor.found()
    assert (found.kind, found.seat, found.turn) == ("not_accepted", 1, 2)


def test_a_new_turn_of_somebody_who_did_not_bank(floor: Floor) -> None:
    floor.play(2)
    floor.offer(5)
    floor.offer(1)
    floor.bank(1, renewed=True)
    assert floor.kinds() == ["not_accepted"]


def test_a_round_banked_by_somebody_else_than_the_turn(floor: Floor) -> None:
    floor.play()
    floor.rounds[-1] = floor.rounds[-1]._replace(player="Eve", seat=5)
    [found] = floor.found()
    assert found.kind == "other_bank"
    assert found.text == "Eve banked round 1, and Cy held the turn."


def test_a_round_after_the_bank_was_given_up(floor: Floor) -> None:
    floor.play()
    floor.leaves()
    floor.play()
    assert [each.text for each in floor.found()] == ["Cy banked round 2, and nobody held a turn."]


@pytest.mark.clause("california:winners.4.3")
def test_the_house_at_the_bank() -> None:
    floor = Floor(house=("Ana",))
    floor.takes(1)
    [found] = floor.found()
    assert (found.kind, found.clause, found.turn) == ("house_banked", "ruling 41", 1)


def test_whoever_gave_the_bank_up_and_is_asked_before_the_others_is_out_of_order(floor: Floor) -> None:
    floor.play(2)
    floor.leaves()
    floor.takes(3)
    assert floor.kinds() == ["out_of_order"]


def test_who_sits_down_behind_the_last_that_was_asked_is_asked_after_the_others(floor: Floor) -> None:
    floor.seated.append(Seated(7, "Gus", START, None))
    floor.play(2)
    floor.offer(5)
    floor.offers.append(Offered(4, floor.cycle, 7, "Gus", "declined", floor.tick()))
    floor.seated.append(Seated(6, "Fay", floor.tick(), None))
    floor.takes(1)
    assert floor.found() == []


def test_who_leaves_as_the_turn_is_renewed_is_none_of_those_to_be_asked(floor: Floor) -> None:
    floor.play(2)
    floor.offer(5)
    gone = floor.tick()
    floor.seated[0] = floor.seated[0]._replace(until=gone)
    floor.bank(3, renewed=True)
    floor.play()
    assert floor.turns[-1].began_at == gone
    assert floor.found() == []


class TestNothingElseStartsTheCountAnew:
    """Cy has banked two rounds at seat 3, and seats 5 and 1 are to be asked before a third (ruling 40)."""

    @pytest.fixture
    def floor(self) -> Floor:
        made = Floor()
        made.offer(1)
        made.takes(3)
        made.play(2)
        return made

    def everybody_leaves(self, floor: Floor) -> None:
        gone = floor.tick()
        floor.seated = [stay._replace(until=stay.until or gone) for stay in floor.seated]

    def sits(self, floor: Floor, seat: int, name: str) -> None:
        floor.seated.append(Seated(seat, name, floor.tick(), None))

    @pytest.mark.clause("california:type.5")
    @pytest.mark.parametrize("closed", [False, True])
    def test_a_bank_that_is_back_at_the_table_before_anybody_else(self, floor: Floor, closed: bool) -> None:
        floor.leaves(closed=closed)
        self.everybody_leaves(floor)
        self.sits(floor, 3, "Cy")
        floor.takes(3)
        self.sits(floor, 1, "Ana")
        floor.play(2)
        floor.leaves(closed=closed)
        self.everybody_leaves(floor)
        self.sits(floor, 3, "Cy")
        floor.takes(3)
        self.sits(floor, 5, "Eve")
        floor.play(3)
        found = floor.found()
        assert [(each.kind, each.round) for each in found] == [("over_limit", n) for n in range(3, 8)]
        assert found[-1].text == "Cy banked round 7 as the 7th in a row; the bank goes round after 2."

    def test_a_bank_that_moves_to_another_seat(self, floor: Floor) -> None:
        floor.leaves()
        self.everybody_leaves(floor)
        for seat, name in ((4, "Cy"), (1, "Ana"), (5, "Eve")):
            self.sits(floor, seat, name)
        floor.offers.append(Offered(3, floor.cycle, 4, "Cy", "accepted", floor.tick()))
        floor.bank(3)
        floor.turns[-1] = floor.turns[-1]._replace(seat=4)
        floor.play()
        assert floor.kinds() == ["out_of_order", "over_limit"]

    def test_another_player_who_holds_the_bank_and_settles_no_round(self, floor: Floor) -> None:
        floor.takes(5)
        floor.play(settled=False)
        floor.leaves()
        floor.offer(1)
        floor.takes(3)
        floor.play()
        # Eve, who gave the bank up, has not been asked again.
        assert floor.kinds() == ["out_of_order", "over_limit"]

    def test_offers_go_on_after_a_closing_and_hold_for_the_players_who_answered(self, floor: Floor) -> None:
        floor.offer(5)
        floor.turns[-1] = floor.turns[-1]._replace(ended_at=floor.tick(), left=True, closed=True)
        self.everybody_leaves(floor)
        for seat, name in ((5, "Ana"), (3, "Cy"), (6, "Eve")):
            self.sits(floor, seat, name)
        at = floor.tick()
        floor.offers.append(Offered(9, floor.cycle, 5, "Ana", "declined", at))
        floor.takes(3)
        floor.play(2)
        assert floor.found() == []
        floor.play()
        assert floor.kinds() == ["over_limit"]

    def test_a_player_who_sat_down_behind_the_offers_is_asked_too(self, floor: Floor) -> None:
        floor.offer(5)
        self.sits(floor, 4, "Dee")
        floor.offer(1)
        floor.bank(3, renewed=True)
        floor.play()
        found = floor.found()
        assert [each.kind for each in found] == ["renewed_early", "over_limit"]
        assert found[0].text == "Cy took a new turn, and seat 4 had not answered."

    def test_a_renewal_with_nobody_else_at_the_table(self, floor: Floor) -> None:
        gone = floor.tick()
        floor.seated = [stay._replace(until=None if stay.player == "Cy" else gone) for stay in floor.seated]
        floor.bank(3, renewed=True)
        self.sits(floor, 1, "Ana")
        floor.play()
        assert floor.kinds() == ["renewed_early", "over_limit"]

    def test_another_players_settled_round_does(self, floor: Floor) -> None:
        floor.takes(5)
        floor.play()
        floor.leaves()
        floor.offer(1)
        floor.takes(3)
        floor.play(2)
        assert floor.found() == []


class TestOtherProfiles:
    def test_a_turn_without_somebody_in_between(self) -> None:
        floor = Floor("intervening")
        floor.takes(1)
        floor.play(2)
        for seat in (3, 5):
            floor.offer(seat)
        floor.bank(1, renewed=True)
        [found] = floor.found()
        assert (found.kind, found.clause) == ("no_intervening", "Oliver v. County of Los Angeles (1998)")

    def test_giving_the_bank_up_and_taking_it_again_is_no_way_around(self) -> None:
        floor = Floor("intervening")
        floor.takes(1)
        floor.play(2)
        floor.leaves()
        for seat in (3, 5):
            floor.offer(seat)
        floor.takes(1)
        assert floor.kinds() == ["no_intervening"]

    def test_a_providers_player_who_goes_on(self) -> None:
        floor = Floor("forty_minutes", providers=("Ana",))
        floor.takes(1)
        floor.play()
        for seat in (3, 5):
            floor.offer(seat)
        floor.bank(1, renewed=True)
        assert floor.kinds() == ["provider_renewed"]

    def test_a_round_after_the_game_was_over(self) -> None:
        floor = Floor("forty_minutes", providers=("Ana",))
        floor.takes(1)
        floor.play(minutes=39)
        assert floor.found() == []
        floor.rounds[-1] = floor.rounds[-1]._replace(at=START + timedelta(minutes=41))
        [found] = floor.found()
        assert found.kind == "game_over" and "0 of the 2 players" in found.text

    def test_two_others_who_have_banked_keep_the_game_going_and_one_of_them_does_not(self) -> None:
        """The game begins in minute 2 and Cy's turn ends in minute 4; so it may go on until minute 44."""
        floor = Floor("forty_minutes", providers=("Ana",))
        floor.offer(1)
        floor.takes(3)
        floor.play()
        floor.takes(5)
        floor.play()
        floor.takes(1)
        floor.play(minutes=37)
        assert (floor.minute, floor.found()) == (43, [])
        floor.rounds[-1] = floor.rounds[-1]._replace(at=START + timedelta(minutes=45))
        [found] = floor.found()
        assert found.kind == "game_over" and "1 of the 2 players" in found.text

    def test_a_new_hour_without_a_stop_and_one_that_was_too_short(self) -> None:
        floor = Floor("every_hour")
        floor.takes(1)
        floor.play(minutes=60)
        for seat in (3, 5):
            floor.offer(seat)
        floor.bank(1, renewed=True)
        # The round in the sixtieth minute was one too many as well.
        assert floor.kinds() == ["offer_due", "pause_missing"]

    def test_a_stop_of_two_minutes_begins_a_new_hour(self) -> None:
        floor = Floor("every_hour")
        floor.takes(1)
        floor.play(59)
        floor.tick()
        for seat in (3, 5):
            floor.offer(seat)
        floor.stop()
        floor.tick(2)
        floor.bank(1, renewed=True)
        floor.play(59)
        assert floor.found() == []

    def test_the_next_hour_needs_a_stop_of_its_own(self) -> None:
        floor = Floor("every_hour")
        floor.takes(1)
        for _ in range(2):
            floor.tick(60)
            for seat in (3, 5):
                floor.offer(seat)
            if not floor.stops:
                floor.stop()
                floor.tick(2)
            floor.bank(1, renewed=True)
        assert floor.kinds() == ["pause_missing"]


class TestTwoOfOneProvider:
    """At one time one player of a provider is seated at a table."""

    def sat(self, *stays: Seated) -> list[Deviation]:
        return deviations(Record(list(stays), [], [], [], []), profile="two_rounds")

    @staticmethod
    def at(minutes: int) -> datetime:
        return START + timedelta(minutes=minutes)

    def test_the_second_to_sit_down_is_named_with_the_first(self) -> None:
        first = Seated(1, "Ana", START, None, firm=7)
        [found] = self.sat(first, Seated(5, "Eve", self.at(9), None, firm=7))
        assert (found.kind, found.seat, found.player, found.at) == ("two_of_provider", 5, "Eve", self.at(9))
        assert found.text == "Eve sat down at seat 5, and Ana of the same provider sat at seat 1."

    def test_who_follows_one_that_has_left_and_who_works_for_another_are_no_deviation(self) -> None:
        left = Seated(1, "Ana", START, self.at(9), firm=7)
        assert self.sat(left, Seated(5, "Eve", self.at(9), None, firm=7)) == []
        assert self.sat(left, Seated(5, "Eve", self.at(5), None, firm=8)) == []
        assert self.sat(left, Seated(5, "Eve", self.at(5), None)) == []
        assert self.sat(left, Seated(5, "Eve", self.at(5), self.at(5), firm=7)) == []

    def test_one_player_on_two_seats_is_one_player(self) -> None:
        assert self.sat(*(Seated(seat, "Ana", START, None, firm=7) for seat in (1, 5))) == []
