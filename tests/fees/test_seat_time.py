"""Time collection: periods of the clock on the wall, each paid once by whoever sits as it begins."""

from __future__ import annotations

import datetime
import itertools
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fees.rates import read_schedule
from fees.seat_time import TimeRate, periods_begun

from .documents import bank, timed, with_lines

HALF_HOUR = TimeRate("half_hour", 30, 600, "house:time")
HOUR = TimeRate("hour", 60, 1200, "house:time")
PACIFIC = ZoneInfo("America/Los_Angeles")


def at(clock: str, *, day: int = 20) -> datetime.datetime:
    """An instant of November 2026 by the clock on the wall."""
    hour, minute = clock.split(":")
    return datetime.datetime(2026, 11, day, int(hour), int(minute), tzinfo=PACIFIC)


def begun(rate: TimeRate, after: str, until: str) -> list[str]:
    found = periods_begun(rate, after=at(after), until=at(until))
    return [f"{instant.astimezone(PACIFIC):%H:%M}" for instant in found]


@pytest.mark.parametrize(
    ("rate", "sat_down", "now", "due"),
    [
        (HALF_HOUR, "21:07", "21:29", []),
        (HALF_HOUR, "21:07", "21:30", ["21:30"]),
        (HALF_HOUR, "21:07", "22:59", ["21:30", "22:00", "22:30"]),
        (HALF_HOUR, "21:30", "21:59", []),
        (HOUR, "21:07", "21:59", []),
        (HOUR, "21:07", "23:10", ["22:00", "23:00"]),
    ],
)
def test_a_seat_owes_for_each_period_that_begins_while_it_is_taken(
    rate: TimeRate, sat_down: str, now: str, due: list[str]
) -> None:
    assert begun(rate, sat_down, now) == due


def test_the_night_the_clocks_go_back_has_an_hour_more_to_pay_for() -> None:
    before = datetime.datetime(2026, 10, 31, 23, 45, tzinfo=PACIFIC)
    after = datetime.datetime(2026, 11, 1, 3, 15, tzinfo=PACIFIC)
    assert len(periods_begun(HOUR, after=before, until=after)) == 5


@given(st.lists(st.integers(0, 6 * 3600), min_size=2, max_size=6, unique=True))
def test_collecting_in_parts_or_at_once_comes_to_the_same(seconds: list[int]) -> None:
    instants = [at("18:00") + datetime.timedelta(seconds=each) for each in sorted(seconds)]
    whole = periods_begun(HALF_HOUR, after=instants[0], until=instants[-1])
    parts = [
        each
        for earlier, later in itertools.pairwise(instants)
        for each in periods_begun(HALF_HOUR, after=earlier, until=later)
    ]
    assert parts == whole


def test_a_schedule_posts_its_time_first_and_in_words() -> None:
    schedule = read_schedule(
        with_lines(bank("round", 0), timed("hour", 1200)), number=3, title="Schedule option 3"
    )
    first = schedule.tariff[0]
    assert (first.who, first.for_each, first.cents) == (
        "Each player",
        "hour by the clock that begins while they sit here",
        1200,
    )
