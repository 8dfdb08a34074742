"""A room is run for seven gaming days by its people: nobody asks for the admin, and nobody writes past pages and the API."""

from __future__ import annotations

import contextlib
import datetime
import io
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.core.management import call_command

from . import days
from .floor import Floor
from .opening import first_room, settled_in
from .site import Site

pytestmark = [pytest.mark.django_db, pytest.mark.outside]

#: The Sunday before the week, at noon of the room.
EVE = datetime.datetime(2026, 11, 15, 12, tzinfo=ZoneInfo("America/Los_Angeles"))
MONDAY, SUNDAY = "2026-11-16", "2026-11-22"


@pytest.fixture
def site() -> Iterator[Site]:
    """The site with its clock."""
    with time_machine.travel(EVE.timestamp()) as traveller:
        yield Site(traveller)


def test_a_room_runs_for_a_week_without_the_admin(site: Site) -> None:
    people = first_room()
    with site.watched():
        settled_in(people)
        floor = Floor(site, people)
        for day, happens in enumerate(days.WEEK):
            floor.day = day
            site.at(EVE + datetime.timedelta(days=day + 1))
            for person in people.values():
                person.is_in = False
            happens(floor)
            site.works()
            _is_reported(floor)
        _week_is_reported(floor)
        days.looked_through(floor)
    assert len(site.asked) > 1_000 and not [each for each in site.asked if each.startswith("/admin")]
    said = io.StringIO()
    with contextlib.suppress(SystemExit):  # by which it tells of a break, after it has said which
        call_command("verify", stdout=said)
    assert "all holds" in said.getvalue(), said.getvalue()


def _is_reported(floor: Floor) -> None:
    """The report of the day's shift is there, ties out, and says what was added up apart."""
    report = floor.people["sam"].ask(f"{floor.at_room}/shifts/{floor.shift}/report")
    assert report["figures"]["differences"] == []
    dropped = sum(cents for (day, _table), cents in floor.sums.drop.items() if day == floor.day)
    assert report["figures"]["total"]["drop_expected_cents"] == dropped > 0


def _week_is_reported(floor: Floor) -> None:
    """The week's figures are those that were added up apart: in all, by table, and in the boxes."""
    sums, grace = floor.sums, floor.people["grace"]
    asked = f"from={MONDAY}&to={SUNDAY}"
    trends = grace.ask(f"{floor.at_room}/reports/trends?{asked}")["grids"]
    [week] = trends["weeks"]["rows"]
    assert (week["week_of"], week["days"], week["shifts"]) == (MONDAY, 7, 7)
    assert week["drop_expected_cents"] == sum(sums.drop.values())
    assert week["tips_cents"] == sums.tips_won
    assert week["rounds_settled"] == sums.rounds
    by_table = {row["table"]: row["total_cents"] for row in trends["tables"]["rows"]}
    assert by_table == {n: sum(c for (_day, at), c in sums.drop.items() if at == n) for n in by_table}
    counted = grace.ask(f"{floor.at_room}/reports/count?{asked}")["grids"]
    cents = sum(row["counted_cents"] for row in counted["tables"]["rows"])
    assert cents == sum(sums.drop.values()) - sums.short
