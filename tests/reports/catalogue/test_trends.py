"""Trends over weeks: the shift reports added up week by week, with the time at the bank as in its own report."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import pytest
import time_machine
from django.utils import timezone

from cardroom.documents.document import Mark, Shade
from cardroom.documents.formatting import charted
from cardroom.floor.commands.bank import turn_end
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.models import Shift
from cardroom.reports.catalogue import trends as trends_module
from cardroom.reports.models import ShiftReport
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.summary.key_figures import rounds_an_hour
from tests.cast import Cast, closed_cast, sheet
from tests.kept import kept

from ..handmade import report_at
from ..house import LOW, House, at
from ..played_shift import answers, drawn, question, rows

SATURDAY = datetime.datetime(2026, 11, 7, 18, 10, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)
DAY = datetime.timedelta(days=1)
PERIOD = {"first": datetime.date(2026, 11, 2), "last": datetime.date(2026, 11, 22)}


def close(cast: Cast) -> Shift:
    shift = Shift.objects.get(room=cast.room, closed_at__isnull=True)
    cast.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
    return shift


def play(cast: Cast, clock: time_machine.Traveller, *wagers: int) -> None:
    """A round an hour, each under another bank with so much put up."""
    for wager in wagers:
        seat = cast.state().step.seat
        assert seat is not None
        cast.bank_to(seat)
        antes = {4 if seat != 4 else 5: 1500}
        cast.send(round_record, "dealer", sheet=sheet(antes, wager=wager, bank=seat))
        cast.send(turn_end, "floor", reason="the next one banks")
        clock.shift(HOUR)


@pytest.fixture
def three_weeks(db: None) -> Iterator[Cast]:
    """A shift of one Saturday, none of the next week, and two of the week after, of which one is not reported."""
    with time_machine.travel(SATURDAY, tick=False) as clock:
        cast, over = kept(three_weeks_played)
        clock.move_to(over)
        yield cast


def three_weeks_played() -> tuple[Cast, datetime.datetime]:
    """Play them; return the cast and when the last shift was over."""
    with time_machine.travel(SATURDAY, tick=False) as clock:
        cast = Cast()
        cast.open()
        play(cast, clock, 20000, 1000)
        shift_report_make(close(cast).pk)
        for days in (14, 15):
            clock.move_to(SATURDAY + days * DAY)
            cast.send_room(shift_open, "shift_manager", name="Swing")
            play(cast, clock, *[20000] * 3)
            shift = close(cast)
            if days == 14:
                shift_report_make(shift.pk)
        return cast, timezone.now()


def test_a_week_is_its_shift_reports_added_up(three_weeks: Cast) -> None:
    document = drawn(three_weeks, "trends", **PERIOD)
    first, between, last = rows(document, "weeks")
    assert [row["week_of"].day for row in (first, between, last)] == [2, 9, 16]
    assert (between["shifts"], between["rounds_settled"], between["rounds_an_hour"]) == (0, 0, "none")
    for row, report in zip((first, last), ShiftReport.objects.order_by("pk"), strict=True):
        total, said = report.typed_figures["total"], answers(shift_document_of(report))
        for name in ("rounds_settled", "drop_expected_cents", "uncovered_cents", "exhausted_banks"):
            assert row[name] == total[name], name  # type: ignore[literal-required]
        assert row["rounds_an_hour"] == said["rounds_an_hour"]
        assert row["rounds_an_hour"] == rounds_an_hour(row["rounds_settled"], row["table_seconds"])
        assert (row["days"], row["shifts"]) == (1, 1)
    assert first["uncovered_cents"] > 0
    summed = answers(document)
    assert summed["drop_expected_cents"] == first["drop_expected_cents"] + last["drop_expected_cents"]
    [waiting] = [answer for answer in document.answers if answer.name == "not_reported"]
    assert (waiting.value, waiting.mark) == (1, Mark.LOOK)
    charts = {chart.name: list(chart.values) for chart in document.charts}
    assert charts["drop_expected"] == [row["drop_expected_cents"] for row in (first, between, last)]
    assert charts["uncovered"] == [first["uncovered_cents"], 0, 0]
    assert charts["paces"] == [10, 0, 10], "in tenths, as the table has them"
    [paces] = [chart for chart in document.charts if chart.name == "paces"]
    assert charted(paces, paces.values[0]) == first["rounds_an_hour"] == "1.0"
    assert [row["standing"] for row in (first, between)] == ["whole", "whole"]
    assert last["standing"] == "in part, 1 of 7 days: Sat; 1 shift not reported"


def test_a_week_that_is_not_over_is_marked_and_held_against_the_same_days_of_other_weeks(db: None) -> None:
    """Mondays have a round less than Saturdays: two Mondays alone are no fall."""
    monday = SATURDAY - 5 * DAY
    with time_machine.travel(monday, tick=False) as clock:
        cast = Cast()
        cast.open()
        for days, wagers in ((0, 1), (5, 3), (7, 1), (12, 3), (14, 2)):
            clock.move_to(monday + days * DAY)
            if days:
                cast.send_room(shift_open, "shift_manager", name="Swing")
            play(cast, clock, *[20000] * wagers)
            shift_report_make(close(cast).pk)
        document = drawn(cast, "trends", **PERIOD)
    weeks, a_day = rows(document, "weeks"), rows(document, "a_day")
    assert [week["standing"] for week in weeks] == ["whole", "whole", "in part, 1 of 7 days: Mon"]
    # A round drops $2: $4 on this Monday against the usual $2; weeks of $8 have $4 a day.
    assert [day["day_drop_expected_cents"] for day in a_day] == [400, 400, 400]
    assert [day["usual_drop_expected"] for day in a_day] == ["$4", "$4", "$2"]
    assert [day["against_drop_expected"] for day in a_day] == ["±0.0%", "±0.0%", "+100.0%"]
    [drop] = [chart for chart in document.charts if chart.name == "drop_expected"]
    assert (list(drop.values), list(drop.before)) == ([400, 400, 400], [400, 400, 200])
    assert list(drop.in_part) == [False, False, True]
    [table] = rows(document, "tables")
    names = [f"week_2026_11_{monday:02}_cents" for monday in (2, 9, 16)]
    assert [table[name] for name in names] == [week["drop_expected_cents"] for week in weeks]
    assert (table["table"], table["total_cents"], table["against"]) == (7, 2000, "+100.0%")
    games = rows(document, "games")
    assert [game["drop_cents"] for game in games] == [week["drop_expected_cents"] for week in weeks]
    assert {game["filing"] for game in games} == {"1, version 1"}


def test_the_time_at_the_bank_is_that_of_its_own_report(three_weeks: Cast) -> None:
    document = drawn(three_weeks, "trends", **PERIOD)
    for monday in (2, 16):
        days = {"first": datetime.date(2026, 11, monday), "last": datetime.date(2026, 11, monday + 6)}
        wanted = rows(drawn(three_weeks, "bank-time", **days), "providers")
        mine = [row for row in rows(document, "providers") if row["week_of"].day == monday]
        assert [
            {name: row[name] for name in ("provider", "turns", "rounds", "bank_seconds", "share")}
            for row in mine
        ] == [{name: row[name] for name in row if name != "players"} for row in wanted]
        assert mine


def test_so_many_turns_at_the_bank_are_not_waited_for(
    three_weeks: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trends_module, "MOST_TURNS", 4)
    document = drawn(three_weeks, "trends", **PERIOD)
    providers = document.grid("providers")
    assert providers is not None
    assert not providers.rows
    assert "ask for fewer weeks" in providers.empty
    assert "shares" not in {chart.name for chart in document.charts}
    assert rows(document, "weeks")


def test_without_days_it_is_about_thirteen_weeks(three_weeks: Cast) -> None:
    query = question(three_weeks, "trends")
    assert query.first.weekday() == 0
    assert (query.first, query.last) == (datetime.date(2026, 8, 24), datetime.date(2026, 11, 22))


def test_a_week_of_the_house_shows_win_and_hold_and_nothing_of_banks(db: None) -> None:
    with time_machine.travel(SATURDAY, tick=False) as clock:
        house = House()
        house.open()
        house.slip("opener", 500_000)
        house.buy_in(4, 20_000)
        house.record(at(4, LOW, {"ante": 1000}))
        clock.shift(HOUR)
        house.slip("closer", 482_000, "counted twice")
        report = shift_report_make(close(house).pk)
        document = drawn(house, "trends", **PERIOD)
    [week] = rows(document, "weeks")
    total = report.typed_figures["total"]
    assert week["win_by_slips_cents"] == total["win_by_slips_cents"] == 2000
    assert (week["buy_ins_cents"], week["hold"]) == (20_000, "10.0%")


def test_a_table_that_has_fallen_is_marked_and_a_new_one_is_held_against_nothing(db: None) -> None:
    cast = closed_cast()
    monday = datetime.date(2026, 11, 2)
    for week, drop in enumerate((20000, 22000, 17850)):
        report_at(cast, monday + 7 * week * DAY, drop=drop, rounds=10)
    with time_machine.travel(SATURDAY + 14 * DAY, tick=False):
        grid = drawn(cast, "trends", **PERIOD).grid("tables")
        first = drawn(cast, "trends", first=monday, last=monday + 13 * DAY)
    assert grid is not None
    [row] = grid.rows
    assert (row.values["against"], row.mark) == ("−15.0%", Mark.LOOK)
    assert list(row.shades.values()) == [Shade.FAR_BELOW]
    assert grid.footer is not None and grid.footer["against"] == "−15.0%"
    assert grid.columns[3].heading == "Nov 16 ◐"
    assert row.links["table"].endswith("/reports/collection/?from=2026-11-02&to=2026-11-22&table=7")
    assert [row["against"] for row in rows(first, "tables")] == ["none"], "one week before is no usual one"
