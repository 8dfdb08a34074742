"""Rotation profiles that go by time or ask for somebody in between: dated data, each step with its reason."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import games
from games.datafile import DataFileError
from games.registry import load_rulebook
from games.rotation.offers import Answer
from games.rotation.play import Play, Stint, Turn, game_lasts_until
from games.rotation.profile import (
    HOUSE_BANKS,
    PROFILES,
    load_profile,
    profile_id_of,
    read_profile,
    why_not_play_by,
)
from games.rotation.review import seat_due
from games.rotation.steps import Step, next_step

START = datetime(2026, 4, 10, 18, 0, tzinfo=UTC)
NO = [Answer(5, "declined"), Answer(1, "declined")]


def minute(number: int) -> datetime:
    return START + timedelta(minutes=number)


def step(profile: str, *, rounds: int, answers: list[Answer] | None = None, play: Play | None = None) -> Step:
    """Seat 3, Cy, holds the bank; seats 5 and 1 may be asked."""
    turn = Turn(3, "Cy", rounds)
    return next_step(load_profile(profile), turn=turn, occupied=[1, 3, 5], answers=answers or [], play=play)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_has_its_clauses_and_is_in_force_on_any_day_without_a_date(profile: str) -> None:
    found = load_profile(profile)
    assert found.id == profile and found.clause and found.renew_clause
    for day in (date(1990, 1, 1), date(2026, 10, 31), date(2090, 1, 1)):
        dated = found.in_force_from is not None or found.in_force_until is not None
        assert dated or found.in_force(day) is not found.suspended


def test_ruling_59_no_rules_file_has_a_date_that_its_document_does_not_print() -> None:
    folder = Path(games.__file__).parent
    dated = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.toml")
        if "in_force_from" in (text := path.read_text()) or "date_printed" in text
    }
    south_dakota = {
        f"three_card_poker/{kind}/south_dakota.toml" for kind in ("rulebooks", "procedures", "placard")
    }
    assert dated == {"rotation/forty_minutes.toml", *south_dakota}


def test_a_game_is_played_by_the_filed_profile_else_by_its_rulebooks_own_and_by_none_where_the_house_banks() -> (
    None
):
    california, massachusetts = load_rulebook("california"), load_rulebook("massachusetts")
    assert profile_id_of("", california) == california.rotation == "two_rounds"
    assert profile_id_of("every_hand", california) == "every_hand"
    assert profile_id_of("", massachusetts) == HOUSE_BANKS


@pytest.mark.parametrize(
    ("profile", "rulebook", "day", "why"),
    [
        ("", "california", "2001-01-01", None),
        ("two_rounds", "california", "2001-01-01", None),
        ("", "massachusetts", "2026-04-10", None),
        ("forty_minutes", "california", "2026-04-01", None),
        ("forty_minutes", "california", "2026-03-31",
         "in force from 2026-04-01 until 2026-05-21: it is not on 2026-03-31. Enjoined"),
        ("forty_minutes", "california", "2026-05-21",
         "in force from 2026-04-01 until 2026-05-21: it is not on 2026-05-21. Enjoined"),
        ("every_hour", "california", "2026-04-10",
         "was in force and is suspended: it is not on 2026-04-10. Of 2016"),
        ("two_rounds", "massachusetts", "2026-04-10", "the house banks: nothing rotates"),
        ("each_full_moon", "california", "2026-04-10", "There is no rotation profile 'each_full_moon'"),
    ],
)  # fmt: skip
def test_why_a_game_may_not_be_played_by_a_profile_on_a_day(
    profile: str, rulebook: str, day: str, why: str | None
) -> None:
    found = why_not_play_by(profile, load_rulebook(rulebook), date.fromisoformat(day))
    assert found is None if why is None else re.search(why, found)


@pytest.mark.parametrize(
    ("seconds", "left"), [(1, "1 minute 59 seconds"), (60, "1 minute"), (61, "59 seconds"), (119, "1 second")]
)
def test_what_is_left_of_a_stop_is_said_to_the_second(seconds: int, left: str) -> None:
    now = minute(60) + timedelta(seconds=seconds)
    found = step("every_hour", rounds=9, answers=NO, play=Play(now, (Stint("Cy", False, START),), minute(60)))
    assert found.kind == "pause" and found.reason.endswith(f"may go on in {left}")
    assert "Cy has banked for 61 minutes" in found.reason or "Cy has banked for 60 minutes" in found.reason


class TestAnInterveningPlayerDealer:
    def test_two_rounds_then_an_offer_as_elsewhere(self) -> None:
        assert step("intervening", rounds=1).kind == "keep"
        assert step("intervening", rounds=2)[:2] == ("offer", 5)
        taken = step("intervening", rounds=2, answers=[Answer(5, "accepted")])
        assert taken[:2] == ("taken", 5)

    def test_when_all_decline_the_last_bank_may_not_go_on(self) -> None:
        found = step("intervening", rounds=2, answers=NO)
        assert found.kind == "vacant"
        assert "another player must bank before Cy does again" in found.reason
        for rule, kind in (("two_rounds", "renew"), ("intervening", "vacant")):
            assert step(rule, rounds=2, answers=NO).kind == kind


class TestOnceAnHour:
    def played(self, now: int, *stints: Stint, paused: int | None = None) -> Play:
        past = stints or (Stint("Cy", provider=False, began_at=START),)
        return Play(minute(now), past, None if paused is None else minute(paused))

    def test_the_bank_goes_on_for_an_hour_however_many_rounds_it_has(self) -> None:
        found = step("every_hour", rounds=40, play=self.played(59))
        assert found[:3] == ("keep", 3, "Cy may bank 1 more minute before an offer is due")
        assert step("every_hour", rounds=1, play=self.played(60))[:2] == ("offer", 5)

    def test_when_all_decline_the_game_stops_for_two_minutes_and_then_goes_on(self) -> None:
        assert step("every_hour", rounds=40, answers=NO, play=self.played(61)).kind == "pause"
        assert step("every_hour", rounds=40, answers=NO, play=self.played(62, paused=61)).kind == "pause"
        assert step("every_hour", rounds=40, answers=NO, play=self.played(63, paused=61))[:2] == ("renew", 3)

    def test_after_the_pause_a_new_hour_begins(self) -> None:
        stints = (Stint("Cy", False, START, minute(63)), Stint("Cy", False, minute(63)))
        assert step("every_hour", rounds=0, play=self.played(122, *stints, paused=61)).kind == "keep"
        assert step("every_hour", rounds=30, play=self.played(123, *stints, paused=61)).kind == "offer"

    def test_giving_the_bank_up_and_taking_it_again_begins_no_new_hour(self) -> None:
        stints = (Stint("Cy", False, START, minute(50)), Stint("Cy", False, minute(51)))
        assert step("every_hour", rounds=0, play=self.played(60, *stints)).kind == "offer"
        after_somebody_else = (*stints[:1], Stint("Eve", False, minute(50), minute(51)), *stints[1:])
        assert step("every_hour", rounds=0, play=self.played(60, *after_somebody_else)).kind == "keep"

    @pytest.mark.parametrize(("closed", "kind"), [(1, "offer"), (2, "keep"), (45, "keep")])
    def test_a_table_that_was_closed_for_less_than_the_stop_goes_on_with_the_hour(
        self, closed: int, kind: str
    ) -> None:
        stints = (Stint("Cy", False, START, minute(50)), Stint("Cy", False, minute(50 + closed)))
        assert step("every_hour", rounds=0, play=self.played(61 + closed, *stints)).kind == kind


class TestFortyMinutes:
    def test_the_bank_is_offered_before_every_hand(self) -> None:
        play = Play(minute(5), (Stint("Cy", False, START),))
        assert step("forty_minutes", rounds=0, play=play).kind == "keep"
        assert step("forty_minutes", rounds=1, play=play)[:2] == ("offer", 5)
        assert step("forty_minutes", rounds=1, answers=NO, play=play).kind == "renew"

    def test_after_a_provider_somebody_else_takes_the_next_turn(self) -> None:
        play = Play(minute(5), (Stint("Cy", True, START),))
        found = step("forty_minutes", rounds=1, answers=NO, play=play)
        assert found.kind == "vacant" and "banks for a provider" in found.reason

    @pytest.mark.parametrize(
        ("others", "kind"),
        [
            (["Ana", "Eve"], "keep"),
            (["Ana", "Ana"], "end"),
            (["Ana"], "end"),
            ([], "end"),
        ],
    )
    def test_two_players_other_than_a_providers_bank_in_forty_minutes_or_the_game_ends(
        self, others: list[str], kind: str
    ) -> None:
        between = [Stint(name, False, minute(10 * n), minute(10 * n + 5)) for n, name in enumerate(others, 1)]
        play = Play(
            minute(40), (Stint("Pro", True, START, minute(10)), *between, Stint("Pro", True, minute(35)))
        )
        found = step("forty_minutes", rounds=0, play=play)
        assert found.kind == kind
        if kind == "end":
            assert found.seat is None and "the game ends" in found.reason

    def test_a_game_younger_than_forty_minutes_does_not_end_for_it(self) -> None:
        assert (
            step("forty_minutes", rounds=0, play=Play(minute(39), (Stint("Pro", True, START),))).kind
            == "keep"
        )
        assert (
            step("forty_minutes", rounds=0, play=Play(minute(40), (Stint("Pro", True, START),))).kind == "end"
        )

    def test_who_banked_longer_ago_does_not_count(self) -> None:
        stints = (
            Stint("Ana", False, START, minute(5)),
            Stint("Eve", False, minute(5), minute(50)),
            Stint("Pro", True, minute(50)),
        )
        assert step("forty_minutes", rounds=0, play=Play(minute(44), stints)).kind == "keep"
        assert step("forty_minutes", rounds=0, play=Play(minute(60), stints)).kind == "end"

    def test_it_is_dated_and_its_standing_is_said(self) -> None:
        profile = load_profile("forty_minutes")
        assert (profile.in_force_from, profile.in_force_until) == (date(2026, 4, 1), date(2026, 5, 21))
        assert "njoined" in profile.note


@pytest.mark.parametrize("profile", ["every_hour", "forty_minutes"])
def test_a_profile_that_goes_by_time_asks_for_the_time(profile: str) -> None:
    with pytest.raises(ValueError, match="what was played when"):
        step(profile, rounds=1)


def test_by_the_hour_the_bank_goes_on_to_the_last_minute_whatever_the_rounds() -> None:
    for now, kind, seat in ((59, "keep", 3), (60, "offer", 5)):
        play = Play(minute(now), (Stint("Cy", False, START),))
        assert step("every_hour", rounds=40, play=play)[:2] == (kind, seat)


def test_the_last_turn_says_whether_a_providers_player_may_renew_and_what_was_banked() -> None:
    """By a profile that goes by rounds and by who banked when; the bank before was none of a provider's."""
    stints = (Stint("Ann", False, minute(0), minute(10)), Stint("Cy", True, minute(10)))
    found = step("forty_minutes", rounds=1, answers=NO, play=Play(minute(20), stints))
    assert (found.kind, found.seat, found.clause) == ("vacant", None, "11 CCR 2077")
    assert found.reason == (
        "Cy has banked 1 round and every other seat has answered no: "
        "Cy banks for a provider: somebody else must take the next turn"
    )


def test_a_stop_is_a_step_without_a_seat_and_says_when_play_may_go_on() -> None:
    hourly = load_profile("every_hour")
    stints = (Stint("Cy", False, START),)
    stops = step("every_hour", rounds=9, answers=NO, play=Play(minute(61), stints))
    assert stops == Step(
        "pause",
        None,
        "Cy has banked for 61 minutes and every other seat has answered no: the game stops for 2 minutes",
        hourly.renew_clause,
    )
    stopped = step("every_hour", rounds=9, answers=NO, play=Play(minute(62), stints, minute(61)))
    assert stopped == Step(
        "pause",
        None,
        "Cy has banked for 62 minutes and every other seat has answered no: "
        "the game has stopped, and may go on in 1 minute",
        hourly.renew_clause,
    )


def test_before_a_new_turn_is_recorded_nobody_banks_and_the_last_bank_may_take_it() -> None:
    found = step("two_rounds", rounds=2, answers=NO)
    assert (found.kind, found.seat) == ("renew", 3)
    assert found.reason == (
        "Cy has banked 2 rounds in a row and every other seat has answered no: Cy may take a new turn"
    )


def changed(folder: Path, profile: str, written: str, instead: str) -> Path:
    """A copy of a profile's file that says something else in one place."""
    text = (Path(games.__file__).parent / f"rotation/{profile}.toml").read_text(encoding="utf-8")
    assert written in text
    copy = folder / f"{profile}.toml"
    copy.write_text(text.replace(written, instead), encoding="utf-8")
    return copy


@pytest.mark.parametrize(
    ("written", "instead", "named"),
    [
        ("offer_after_minutes = 60\n", "", "offer_after_rounds"),
        ('renewal = "after_pause"', 'renewal = "sometimes"', "renewal"),
        ("pause_minutes = 2\n", "", "pause_minutes"),
        ('renewal = "after_pause"', 'renewal = "never"', "pause_minutes"),
        ("pause_minutes = 2", "pause_minutes = 0", "pause_minutes"),
    ],
)
def test_a_profile_at_fault_is_refused_with_its_place(
    tmp_path: Path, written: str, instead: str, named: str
) -> None:
    with pytest.raises(DataFileError, match=named):
        read_profile(changed(tmp_path, "every_hour", written, instead))


def test_the_game_stops_by_the_hourly_profile_alone() -> None:
    minutes = {profile: load_profile(profile).pause_minutes for profile in PROFILES}
    assert minutes == {**dict.fromkeys(PROFILES, 0), "every_hour": 2}


def test_a_stop_may_be_of_one_minute(tmp_path: Path) -> None:
    assert (
        read_profile(changed(tmp_path, "every_hour", "pause_minutes = 2", "pause_minutes = 1")).pause_minutes
        == 1
    )


def test_a_rule_on_other_players_has_no_keys_but_its_own(tmp_path: Path) -> None:
    file = changed(tmp_path, "forty_minutes", "within_minutes = 40", "within_minutes = 40, within_rounds = 9")
    with pytest.raises(DataFileError, match=r"others\.within_rounds is not a key that belongs here"):
        read_profile(file)


@st.composite
def plays(draw: st.DrawFn) -> Play:
    """Stays at the bank one after the other, the last one still going on or just over."""
    at, stints = 0, []
    for _ in range(draw(st.integers(0, 6))):
        began, at = at, at + draw(st.integers(0, 30))
        ended = minute(at)
        stints.append(Stint(draw(st.sampled_from("ABC")), draw(st.booleans()), minute(began), ended))
    if stints and draw(st.booleans()):
        stints[-1] = stints[-1]._replace(ended_at=None)
    return Play(minute(at + draw(st.integers(0, 50))), tuple(stints))


@given(
    profile=st.sampled_from(PROFILES),
    asked=st.fixed_dictionaries(
        {
            "turn": st.none() | st.builds(Turn, st.integers(1, 7), st.just("Cy"), st.integers(0, 3)),
            "occupied": st.sets(st.integers(1, 7)),
            "answers": st.lists(
                st.builds(Answer, st.integers(1, 7), st.sampled_from(["accepted", "declined"]))
            ),
            "start_seat": st.none() | st.integers(1, 8),
            "play": plays(),
        }
    ),
)
def test_the_seat_that_is_offered_the_bank_is_that_of_the_next_step(
    profile: str, asked: dict[str, Any]
) -> None:
    rule, play = load_profile(profile), asked["play"]
    if asked["turn"] is not None and not play.stints:
        asked["play"] = play._replace(stints=(Stint("Cy", False, play.now),))
    found = next_step(rule, **asked)
    assert seat_due(rule, **asked) == (found.seat if found.kind == "offer" else None)


@pytest.mark.parametrize(
    ("now", "stints", "until"),
    [
        # Within forty minutes of its beginning no game is over, whoever has banked.
        (30, [("Provider", True, 0, None)], 40),
        # Two others: the one whose stay ended first counts for forty minutes more.
        (60, [("Provider", True, 0, 10), ("Ann", False, 10, 30), ("Bo", False, 30, 50)], 70),
        (60, [("Provider", True, 0, 10), ("Ann", False, 10, 30), ("Bo", False, 30, None)], 70),
        # A provider's player among them is none of the two.
        (60, [("Ann", False, 0, 25), ("Bo", False, 25, 30), ("Provider", True, 30, 50)], 65),
        # One other alone, or one whose stay is forty minutes past: not after now.
        (60, [("Provider", True, 0, 40), ("Ann", False, 40, None)], 60),
        (60, [("Ann", False, 0, 20), ("Bo", False, 20, None)], 60),
        (60, [("Ann", False, 0, 21), ("Bo", False, 21, None)], 61),
        # Nobody has banked as yet.
        (60, [], 60),
    ],
)
def test_a_game_of_two_others_in_forty_minutes_lasts_at_least_until(
    now: int, stints: list[tuple[str, bool, int, int | None]], until: int
) -> None:
    """Worked by hand from 11 CCR 2077, as the profile has it."""
    stays = (
        Stint(name, provider, minute(began), None if ended is None else minute(ended))
        for name, provider, began, ended in stints
    )
    play = Play(minute(now), tuple(stays))
    assert game_lasts_until(load_profile("forty_minutes"), play) == minute(until)


@given(play=plays(), later=st.integers(0, 90), gone=st.integers(0, 90), provider=st.booleans())
def test_before_the_instant_up_to_which_a_game_lasts_it_is_never_over(
    play: Play, later: int, gone: int, provider: bool
) -> None:
    """Whoever leaves and whoever banks in between."""
    rule = load_profile("forty_minutes")
    until = game_lasts_until(rule, play)
    now = play.now + timedelta(minutes=later)
    stints = list(play.stints)
    if stints and stints[-1].ended_at is None:
        stints[-1] = stints[-1]._replace(ended_at=min(now, play.now + timedelta(minutes=gone)))
        stints.append(Stint("D", provider, stints[-1].ended_at or now))
    then = Play(now, tuple(stints))
    over = next_step(rule, turn=None, occupied=[1], answers=[], play=then).kind == "end"
    assert not (over and now < until)
