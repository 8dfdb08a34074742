"""The same facts under another profile: what would have been a breach, and what would not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.rotation.record import Deviation, Record, Seated
from games.rotation.review import deviations, deviations_under

from .test_rotation_review import START, Floor


def under(floor: Floor, profile: str) -> list[Deviation]:
    """What would deviate under `profile`, of rounds that took half a minute each."""
    rounds = [each._replace(ended_at=each.at + timedelta(seconds=30)) for each in floor.rounds]
    return deviations_under(
        Record(floor.seated, floor.offers, floor.turns, rounds, floor.stops), profile=profile
    )


def begin(floor: Floor) -> None:
    """Seat 1 declines, and seat 3 banks."""
    floor.offer(1)
    floor.takes(3)


def kinds(floor: Floor, profile: str) -> list[str]:
    return [each.kind for each in under(floor, profile)]


@pytest.fixture
def floor() -> Floor:
    """Seat 1 declined, seat 3 banked two rounds, everybody declined, and seat 3 banked two more."""
    made = Floor()
    begin(made)
    made.play(2)
    made.offer(5)
    made.offer(1)
    made.bank(3, renewed=True)
    made.play(2)
    return made


def test_what_was_right_under_its_own_profile_is_right_under_it_again(floor: Floor) -> None:
    assert floor.found() == [] and under(floor, "two_rounds") == []


def test_under_an_offer_after_every_hand_each_second_round_is_a_breach(floor: Floor) -> None:
    found = under(floor, "every_hand")
    assert [(each.kind, each.round) for each in found] == [("over_limit", 2), ("over_limit", 4)]
    assert {each.clause for each in found} == {"ruling 40"}


def test_under_an_intervening_bank_the_renewal_is_a_breach(floor: Floor) -> None:
    assert kinds(floor, "intervening") == ["no_intervening"]


def test_what_was_played_by_longer_turns_is_a_breach_of_shorter_ones() -> None:
    floor = Floor("every_hour")
    begin(floor)
    floor.play(5)
    assert floor.found() == []
    assert kinds(floor, "two_rounds") == ["over_limit"] * 3


class TestTheForty:
    def test_a_providers_renewal_and_each_round_without_two_others_are_breaches(self) -> None:
        floor = Floor(providers=("Cy",))
        begin(floor)
        floor.play(2)
        floor.offer(5)
        floor.offer(1)
        floor.bank(3, renewed=True)
        floor.play(1)
        floor.play(1, minutes=45)
        assert floor.found() == []
        assert kinds(floor, "forty_minutes") == ["over_limit", "provider_renewed", "game_over"]

    def test_with_two_others_at_the_bank_the_game_goes_on(self) -> None:
        floor = Floor(providers=("Cy",))
        for _ in range(3):
            for seat in (1, 3, 5):
                floor.takes(seat)
                floor.play(1, minutes=10)
        assert under(floor, "forty_minutes") == []

    def test_a_player_who_banked_four_hours_ago_counts_no_more(self) -> None:
        floor = Floor()
        floor.takes(1)
        floor.play()
        floor.takes(3)
        floor.play(minutes=300)
        floor.takes(5)
        floor.play(minutes=10)
        assert kinds(floor, "forty_minutes") == ["game_over"]


class TestTheHour:
    def play_on(self, floor: Floor, minutes: int, every: int = 5) -> None:
        """Seat 3 goes on from turn to turn, and everybody else declines, a round each `every` minutes."""
        for _ in range(minutes // (2 * every)):
            floor.play(2, minutes=every - 1)
            floor.offer(5)
            floor.offer(1)
            floor.bank(3, renewed=True)

    def test_turns_renewed_sooner_than_it_asks_break_nothing(self) -> None:
        floor = Floor()
        begin(floor)
        self.play_on(floor, 50, every=2)
        assert under(floor, "every_hour") == []

    def test_an_hour_without_a_stop_is_a_breach_and_one_with_a_stop_is_none(self) -> None:
        floor = Floor()
        begin(floor)
        for _ in range(40):
            floor.play(2)
            floor.bank(3, renewed=True)
        found = under(floor, "every_hour")
        assert found and {each.kind for each in found} == {"offer_due", "renewed_early"}
        assert found[0].at == START + timedelta(minutes=62)

    def test_two_minutes_between_two_rounds_are_a_stop(self) -> None:
        floor = Floor()
        begin(floor)
        for _ in range(4):
            floor.play(40)
            floor.play(1, minutes=4)
        assert under(floor, "every_hour") == []
        # The same without the pauses: the hour is over at the sixty-first minute, and every round since breaks it.
        floor = Floor()
        begin(floor)
        floor.play(80)
        assert [each.kind for each in under(floor, "every_hour")] == ["offer_due"] * 21


class TestTwoOfOneProvider:
    def found(self, *seated: Seated) -> list[Deviation]:
        return deviations(Record(seated, [], [], [], []), profile="two_rounds")

    def test_the_second_of_a_provider_at_the_table_is_told_whatever_the_profile(self) -> None:
        later = START + timedelta(minutes=5)
        first, second = Seated(1, "Ana", START, None, 7), Seated(4, "Dee", later, None, 7)
        [found] = self.found(second, first)
        assert (found.kind, found.at, found.seat, found.player) == ("two_of_provider", later, 4, "Dee")
        assert found.text == "Dee sat down at seat 4, and Ana of the same provider sat at seat 1."
        assert found.clause == "4 CCR 12270(b)(5)"
        record = Record([first, second], [], [], [], [])
        assert deviations_under(record, profile="forty_minutes") == [found]

    def test_one_after_the_other_two_providers_and_nobodys_players_are_none(self) -> None:
        noon, one = START, START + timedelta(hours=1)
        assert self.found(Seated(1, "Ana", noon, one, 7), Seated(1, "Dee", one, None, 7)) == []
        assert self.found(Seated(1, "Ana", noon, None, 7), Seated(2, "Dee", noon, None, 8)) == []
        assert self.found(Seated(1, "Ana", noon, None), Seated(2, "Dee", noon, None)) == []

    def test_a_player_who_moves_a_seat_on_is_one_player(self) -> None:
        noon, one = START, START + timedelta(hours=1)
        assert self.found(Seated(1, "Ana", noon, one, 7), Seated(2, "Ana", one, None, 7)) == []
