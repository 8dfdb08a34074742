"""The gaming day on ordinary nights, on both nights when the clocks change, and where they never do."""

from __future__ import annotations

import datetime

import pytest

from cardroom.rooms.gaming_day import gaming_day, gaming_day_bounds
from cardroom.rooms.models import Room

LOS_ANGELES = Room(name="r", code="r")
PHOENIX = Room(name="p", code="p", time_zone="America/Phoenix")
ONE_THIRTY = Room(name="o", code="o", gaming_day_starts=datetime.time(1, 30))


def at(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("room", "instant", "day"),
    [
        (LOS_ANGELES, "2026-07-01T12:59:59", "2026-06-30"),  # 05:59:59 PDT
        (LOS_ANGELES, "2026-07-01T13:00:00", "2026-07-01"),  # 06:00 PDT
        (LOS_ANGELES, "2026-07-02T06:59:00", "2026-07-01"),  # 23:59 PDT
        (LOS_ANGELES, "2026-03-08T12:59:59", "2026-03-07"),  # spring: 05:59:59 PDT, one hour was skipped
        (LOS_ANGELES, "2026-03-08T13:00:00", "2026-03-08"),
        (LOS_ANGELES, "2026-11-01T13:59:59", "2026-10-31"),  # autumn: 05:59:59 PST, one hour came twice
        (LOS_ANGELES, "2026-11-01T14:00:00", "2026-11-01"),
        (PHOENIX, "2026-03-08T12:59:59", "2026-03-07"),
        (PHOENIX, "2026-03-08T13:00:00", "2026-03-08"),
        (PHOENIX, "2026-11-01T13:00:00", "2026-11-01"),
        (ONE_THIRTY, "2026-11-01T08:29:59", "2026-10-31"),  # 01:29:59 PDT
        (ONE_THIRTY, "2026-11-01T08:30:00", "2026-11-01"),  # 01:30 PDT: the day begins
        (ONE_THIRTY, "2026-11-01T09:10:00", "2026-11-01"),  # 01:10 PST: the hour's second passage, same day
    ],
)
def test_an_instant_lies_in_one_gaming_day(room: Room, instant: str, day: str) -> None:
    assert gaming_day(room, at(instant)).isoformat() == day


@pytest.mark.parametrize(
    ("room", "day", "hours"),
    [
        (LOS_ANGELES, "2026-07-01", 24),
        (LOS_ANGELES, "2026-03-07", 23),
        (LOS_ANGELES, "2026-10-31", 25),
        (PHOENIX, "2026-03-07", 24),
        (PHOENIX, "2026-10-31", 24),
    ],
)
def test_a_gaming_day_is_as_long_as_the_clock_makes_it(room: Room, day: str, hours: int) -> None:
    begins, ends = gaming_day_bounds(room, datetime.date.fromisoformat(day))
    assert ends - begins == datetime.timedelta(hours=hours)


def test_the_bounds_and_the_day_agree_at_every_quarter_of_an_hour_of_both_nights() -> None:
    for room in (LOS_ANGELES, PHOENIX, ONE_THIRTY):
        for start in (at("2026-03-07T00:00:00"), at("2026-10-31T00:00:00")):
            for quarter in range(4 * 24 * 3):
                instant = start + datetime.timedelta(minutes=15 * quarter)
                begins, ends = gaming_day_bounds(room, gaming_day(room, instant))
                assert begins <= instant < ends


def test_a_naive_instant_is_refused() -> None:
    with pytest.raises(ValueError, match="aware"):
        gaming_day(LOS_ANGELES, datetime.datetime(2026, 7, 1))  # noqa: DTZ001  (that it is naive is the point)
