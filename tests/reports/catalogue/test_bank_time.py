"""Time at the bank is added up exactly and rounded once."""

from __future__ import annotations

import datetime

import time_machine
from django.utils import timezone

from cardroom.documents.formatting import charted
from cardroom.floor.commands.bank import turn_end
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.parser import report_query_of
from tests.cast import closed_cast

EVENING = datetime.datetime(2026, 11, 20, 18, 0, tzinfo=datetime.UTC)


def test_turns_of_part_of_a_second_lose_nothing(db: None) -> None:
    """Two players hold the bank in turn, three times ten and a half seconds each: 63 seconds, and not six times ten."""
    with time_machine.travel(EVENING, tick=False) as clock:
        cast = closed_cast()
        cast.open(seats=(3, 5))
        for _ in range(3):
            for seat in (3, 5):
                cast.bank_to(seat)
                clock.shift(datetime.timedelta(seconds=10.5))
                cast.send(turn_end)
        report = REPORTS["bank-time"]
        made = report.make(report_query_of(report, cast.room, cast.people["compliance"], timezone.now()))
    people = made.grid("people")
    assert people is not None and people.totals is not None
    assert [row.values["bank_seconds"] for row in people.rows] == [32, 32]
    [bank] = [answer.value for answer in made.answers if answer.name == "bank_seconds"]
    assert bank == people.totals["bank_seconds"] == 63


def test_the_time_of_each_provider_and_table_is_drawn_in_tenths_of_an_hour(db: None) -> None:
    with time_machine.travel(EVENING, tick=False) as clock:
        cast = closed_cast()
        cast.open(seats=(3, 5))
        cast.bank_to(3)
        clock.shift(datetime.timedelta(minutes=93))
        cast.send(turn_end)
        report = REPORTS["bank-time"]
        made = report.make(report_query_of(report, cast.room, cast.people["compliance"], timezone.now()))
    by_provider, by_table = made.charts
    assert [charted(by_provider, value) for value in by_provider.values] == ["1.6"], "an hour and 33 minutes"
    assert (by_table.labels, by_table.values) == (["7", "8"], [16, 0])
