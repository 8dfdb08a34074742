"""Rules whose document prints no date are in force on any day, and no report says otherwise (ruling 59)."""

from __future__ import annotations

import datetime

import time_machine
from django.utils import timezone

from cardroom.documents.document import Mark
from cardroom.reports.catalogue.questions import REPORTS
from cardroom.reports.queries.parser import report_query_of
from tests.cast import Cast


def test_ruling_59_a_rule_without_a_printed_date_is_in_force_on_every_day(db: None) -> None:
    october = datetime.datetime(2025, 10, 20, 18, 0, tzinfo=datetime.UTC)
    with time_machine.travel(october, tick=False) as clock:
        cast = Cast()
        cast.open(seats=(1, 3, 5))
        cast.bank_to(3)
        for _ in range(2):
            cast.deal({1: 1000})
            clock.shift(datetime.timedelta(minutes=1))
            cast.settle({1: 1000})
        report, days = REPORTS["rotation"], {"first": october.date(), "last": october.date()}
        made = report.make(
            report_query_of(report, cast.room, cast.people["compliance"], timezone.now(), **days)  # type: ignore[index,arg-type]
        )
    assert "out_of_force" not in {each.name for each in made.answers}
    rules = made.grid("rules")
    assert rules is not None
    [rule] = rules.rows
    assert (rule.values["in_force"], rule.mark) == ("no date printed", Mark.NONE)
