"""The clock of the suite: every test begins at noon of the same day, wherever and whenever it runs.

A gaming day begins at 06:00 of the room's clock, round numbers start anew then, and a test that ran across it would meet
another day than it began in. So each test is taken to `NOON` before its fixtures are set up (time_machine), and time goes
on from there. `time.monotonic()` and `time.perf_counter()` stay real, so that durations and timeouts are.

Another process has the machine's clock. Tests that start one on their database (fixture `site_environ`) or a browser
(`chromium`), and those marked `real_time`, keep the machine's clock too; where the gaming day is about to end, such a
test waits for the next.
"""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pytest
import time_machine

#: Where the rooms of the suite are: the zone that a room has unless it is given another.
ZONE = ZoneInfo("America/Los_Angeles")
#: A Wednesday on which every rule of the rule documents is in force, away from the ends of weeks, months and years.
NOON = datetime.datetime(2026, 11, 18, 12, tzinfo=ZONE).astimezone(datetime.UTC)
#: When a gaming day begins on the room's clock.
DAY_BEGINS = datetime.time(6)
#: The fixtures that bring another process.
_OTHER_PROCESSES = {"site_environ", "chromium"}
#: No test of the real clock lasts longer.
_LONGEST = 90.0


@pytest.fixture(autouse=True)
def at_noon(request: pytest.FixtureRequest) -> Iterator[None]:
    """Begin the test at noon; one that needs the real clock, not in the last seconds of a gaming day."""
    if _OTHER_PROCESSES & set(request.fixturenames) or request.node.get_closest_marker("real_time"):
        wait_for_day()
        yield
        return
    # A number and not a datetime: that one's zone would become the process's.
    with time_machine.travel(NOON.timestamp()):
        yield


def wait_for_day() -> None:
    """Return at once, or where the gaming day is about to end, when the next one has begun."""
    now = datetime.datetime.now(ZONE)
    begins = datetime.datetime.combine(now.date(), DAY_BEGINS, tzinfo=ZONE)
    left = (begins.astimezone(datetime.UTC) - now.astimezone(datetime.UTC)).total_seconds()
    if 0 <= left < _LONGEST:
        time.sleep(left + 1)
