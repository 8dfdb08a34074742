"""A week or a month day by day, by reports made by hand: rows, the days in all, and those before."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine

from cardroom.documents.document import Mark, ReportDocument
from cardroom.reports.results.played import same_days_before
from tests.cast import Cast, closed_cast

from ..handmade import report_at, shift_at
from ..played_shift import answers, drawn, rows

DAY = datetime.timedelta(days=1)
MONDAY = datetime.date(2026, 11, 16)
NOON = datetime.datetime(2026, 11, 23, 20, tzinfo=datetime.UTC)


@pytest.fixture
def cast(db: None) -> Cast:
    return closed_cast()


def week(cast: Cast, first: datetime.date, last: datetime.date) -> ReportDocument:
    with time_machine.travel(NOON, tick=False):
        return drawn(cast, "days", first=first, last=last)


def changes(document: ReportDocument) -> dict[str, Any]:
    return {row["figure"]: row["change"] for row in rows(document, "in_all")}


def test_a_week_is_told_day_by_day_beside_the_week_before(cast: Cast) -> None:
    for at in range(14):
        day = MONDAY - 7 * DAY + at * DAY
        boxes = [(10000, 9700)] if at == 13 else [(10000, 10000)]
        report_at(cast, day, drop=10000 + 100 * (at // 7), rounds=20 + at // 7, seconds=3600, boxes=boxes)
    document = week(cast, MONDAY, MONDAY + 6 * DAY)
    told = rows(document, "days")
    assert [row["gaming_day"] for row in told] == [MONDAY + at * DAY for at in range(7)]
    assert {row["change"] for row in told} == {"+$1 · +1.0%"}
    assert {row["standing"] for row in told} == {"whole"}
    assert answers(document)["drop_cents"] == sum(row["drop_cents"] for row in told) == 70700
    assert answers(document)["over_short_cents"] == -300
    assert changes(document)["Drop"] == "+$7 · +1.0%"
    assert changes(document)["Rounds an hour"] == "+1.0"
    [chart] = [chart for chart in document.charts if chart.name == "by-day"]
    assert (list(chart.values), list(chart.before)) == ([10100] * 7, [10000] * 7)
    assert chart.before_name == "Nov 9 – 15"


def test_a_day_that_is_not_over_is_marked_and_the_days_are_not_compared_with_whole_ones(cast: Cast) -> None:
    for day in (MONDAY - 7 * DAY, MONDAY, MONDAY + 7 * DAY):
        if day == MONDAY + 7 * DAY:
            shift_at(cast, day, "Day", is_open=True)
        else:
            report_at(cast, day, "Day", drop=10000)
    document = week(cast, MONDAY + 7 * DAY, MONDAY + 7 * DAY)
    [row] = rows(document, "days")
    assert (row["standing"], row["change"]) == ("in play", "none")
    grid = document.grid("days")
    assert grid is not None
    assert grid.rows[0].mark is Mark.LOOK
    assert changes(document)["Drop"] == "none"


def test_days_without_a_shift_and_days_before_the_first_say_so(cast: Cast) -> None:
    report_at(cast, MONDAY + DAY, drop=10000)
    document = week(cast, MONDAY, MONDAY + 6 * DAY)
    assert [row["gaming_day"] for row in rows(document, "days")] == [MONDAY + DAY]
    grid = document.grid("in_all")
    assert grid is not None
    assert grid.text == "Nothing before Tue Nov 17, 2026 to compare with."
    assert rows(week(cast, MONDAY - 7 * DAY, MONDAY - DAY), "days") == []


@pytest.mark.parametrize(
    ("first", "last", "before"),
    [
        ("2026-11-16", "2026-11-22", ("2026-11-09", "2026-11-15")),
        ("2026-11-24", "2026-11-24", ("2026-11-17", "2026-11-17")),
        ("2026-11-16", "2026-11-27", ("2026-11-02", "2026-11-13")),
        ("2026-11-01", "2026-11-24", ("2026-10-01", "2026-10-24")),
        ("2026-03-01", "2026-03-31", ("2026-02-01", "2026-02-28")),
        ("2026-04-01", "2026-04-30", ("2026-03-01", "2026-03-30")),
        ("2026-06-01", "2026-06-07", ("2026-05-25", "2026-05-31")),  # a Monday: a week
        ("2026-01-01", "2026-01-31", ("2025-12-01", "2025-12-31")),
    ],
)
def test_what_days_are_held_against(first: str, last: str, before: tuple[str, str]) -> None:
    found = same_days_before(datetime.date.fromisoformat(first), datetime.date.fromisoformat(last))
    assert tuple(day.isoformat() for day in found) == before
