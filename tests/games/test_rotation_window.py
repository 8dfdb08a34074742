"""What is left of the time that a rotation profile gives: the hour at the bank, a stop, the forty minutes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from games.rotation.play import Play, Stint, Turn
from games.rotation.profile import PROFILES, load_profile
from games.rotation.steps import goes_on, next_step
from games.rotation.window import window_of

START = datetime(2026, 4, 10, 18, 0, tzinfo=UTC)
TURN = Turn(3, "Cy", 0)


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def left(profile: str, now: float, *stints: Stint, paused: float | None = None) -> tuple[int, str]:
    found = window_of(
        load_profile(profile),
        turn=TURN,
        play=Play(at(now), stints, None if paused is None else at(paused)),
    )
    assert found is not None
    return found.minutes_left, found.text


@pytest.mark.parametrize("profile", ["two_rounds", "every_hand", "intervening"])
def test_profiles_that_count_rounds_have_no_window(profile: str) -> None:
    play = Play(at(5), (Stint("Cy", False, START),))
    assert window_of(load_profile(profile), turn=TURN, play=play) is None


def test_before_anybody_banks_no_time_runs() -> None:
    for profile in ("every_hour", "forty_minutes"):
        assert window_of(load_profile(profile), turn=None, play=Play(at(5), ())) is None


def test_the_hour_runs_from_where_somebody_holds_the_bank_and_has_begun() -> None:
    rule = load_profile("every_hour")
    assert window_of(rule, turn=None, play=Play(at(5), (Stint("Cy", False, START, at(3)),))) is None
    assert window_of(rule, turn=TURN, play=Play(at(5), ())) is None


@pytest.mark.parametrize(("now", "minutes"), [(0, 60), (0.5, 60), (1, 59), (59, 1), (60, 0), (75, 0)])
def test_the_hour_at_the_bank_runs_down_as_the_step_says(now: float, minutes: int) -> None:
    stint = Stint("Cy", False, START)
    found, text = left("every_hour", now, stint)
    assert found == minutes
    step = next_step(
        load_profile("every_hour"), turn=TURN, occupied=[1, 3], answers=[], play=Play(at(now), (stint,))
    )
    assert (step.kind == "offer") is (found == 0)
    assert text == (
        "the bank is due to go round"
        if not found
        else f"the bank goes round in {found} minute{'s' * (found > 1)}"
    )


def test_a_stop_runs_down_and_is_over() -> None:
    stint = Stint("Cy", False, START)
    assert left("every_hour", 61, stint, paused=61) == (2, "the game has stopped and may go on in 2 minutes")
    assert left("every_hour", 62.5, stint, paused=61) == (1, "the game has stopped and may go on in 1 minute")
    assert left("every_hour", 63, stint, paused=61) == (0, "the game has stopped and may go on")
    went_on = (stint._replace(ended_at=at(63)), Stint("Cy", False, at(63)))
    assert left("every_hour", 64, *went_on, paused=61)[0] == 59


class TestUntilTheGameEnds:
    PRO = Stint("Pro", True, START)

    def ends(self, *stints: Stint) -> float:
        """The first minute at which the rule ends the game, if nobody else banks."""
        return next(
            now
            for now in range(200)
            if stints[-1].began_at <= at(now)
            and next_step(
                load_profile("forty_minutes"),
                turn=TURN,
                occupied=[1, 3],
                answers=[],
                play=Play(at(now), stints),
            ).kind
            == "end"
        )

    @pytest.mark.parametrize(
        "stints",
        [
            (PRO,),
            (PRO._replace(ended_at=at(10)), Stint("Ana", False, at(10), at(15)), Stint("Pro", True, at(15))),
            (
                Stint("Ana", False, START, at(5)),
                Stint("Eve", False, at(5), at(12)),
                Stint("Pro", True, at(12)),
            ),
            (
                Stint("Ana", False, START, at(5)),
                Stint("Eve", False, at(5), at(12)),
                Stint("Ana", False, at(12), at(20)),
                Stint("Pro", True, at(20)),
            ),
        ],
        ids=["nobody else", "one other", "two others", "one of them again"],
    )
    def test_the_window_says_when_the_rule_would_end_it(self, stints: tuple[Stint, ...]) -> None:
        end = self.ends(*stints)
        for now in (22, end - 1, end):
            found, text = left("forty_minutes", now, *stints)
            assert found == end - now
            assert ("the game ends in" in text) is (now < end)

    def test_it_says_how_many_others_have_banked(self) -> None:
        stints = (Stint("Ana", False, START, at(5)), Stint("Pro", True, at(5)))
        assert left("forty_minutes", 10, *stints)[1] == (
            "1 of 2 players other than a provider's have banked within 40 minutes: "
            "the game ends in 30 minutes unless others bank"
        )

    @pytest.mark.parametrize(("now", "counted"), [(44, 1), (45, 0)])
    def test_who_banked_before_that_is_counted_no_more(self, now: int, counted: int) -> None:
        stints = (Stint("Ana", False, START, at(5)), Stint("Pro", True, at(5)))
        assert left("forty_minutes", now, *stints)[1].startswith(f"{counted} of 2 players")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_turn_goes_on_where_the_step_is_to_keep_it_and_nowhere_else(profile: str) -> None:
    rule, seen = load_profile(profile), set()
    before = Stint("Bo", False, at(-90), at(-45))
    other = Stint("Ana", True, at(-45), START)
    for rounds in range(4):
        for minutes in (0, 5, 39, 40, 59, 60, 95):
            for stints in ((), (before,), (before, other)):
                play = Play(at(minutes), (*stints, Stint("Cy", False, START)))
                turn = Turn(3, "Cy", rounds)
                step = next_step(rule, turn=turn, occupied=[1, 3], answers=[], play=play)
                assert goes_on(rule, turn, play) is (step.kind == "keep")
                seen.add(step.kind)
    assert {"keep", "offer"} <= seen
