"""The first page of a stored report: its key figures, each of which its detail gives too, and the shift of a week before."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from cardroom.documents.document import Mark, ReportDocument
from cardroom.drop.models import DropBox
from cardroom.floor.commands.bank import turn_end
from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.models import Shift
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.shift.trays import format_hold
from cardroom.reports.summary.comparison import percent
from cardroom.reports.summary.key_figures import rounds_an_hour
from games.money import dollars
from tests.cast import Cast, closed_cast, sheet
from tests.kept import kept

from ..commands import drop_and_count
from ..house import LOW, PAIR, House, at
from ..played_shift import answers, play_hours, play_shift, rows

MORNING = datetime.datetime(2026, 11, 14, 18, 10, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)
WEEK = datetime.timedelta(days=7)


def closed(cast: Cast) -> ReportDocument:
    """Close the open shift and report it."""
    shift = Shift.objects.get(room=cast.room, closed_at__isnull=True)
    cast.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
    return shift_document_of(shift_report_make(shift.pk))


@pytest.fixture
def two_weeks(db: None) -> Iterator[tuple[ReportDocument, ReportDocument]]:
    """The Swing shift of two Saturdays, the second with one round in each of three hours, as documents."""
    with time_machine.travel(MORNING, tick=False) as clock:
        first, second, over = kept(two_weeks_played)
        clock.move_to(over)
        yield first, second


def two_weeks_played() -> tuple[ReportDocument, ReportDocument, datetime.datetime]:
    """Play them; return the documents and when the second shift was over."""
    with time_machine.travel(MORNING, tick=False) as clock:
        cast = closed_cast()
        play_shift(cast)
        clock.shift(2 * HOUR)
        cast.send(turn_end, "floor", reason="the shift is over")
        first = closed(cast)
        clock.move_to(MORNING + WEEK)
        cast.send_room(shift_open, "shift_manager", name="Swing")
        play_hours(cast, clock, 3)
        return first, closed(cast), timezone.now()


def total(document: ReportDocument, grid: str, column: str) -> Any:
    found = document.grid(grid)
    assert found is not None, [each.name for each in document.grids]
    return (found.totals or {})[column]


def looked_at(document: ReportDocument) -> dict[str, dict[str, Any]]:
    return {row["what"]: row for row in rows(document, "to_look_at")}


def test_every_key_figure_is_one_of_the_detail(two_weeks: tuple[ReportDocument, ReportDocument]) -> None:
    for document in two_weeks:
        said = answers(document)
        assert said["drop_expected_cents"] == total(document, "fees", "drop_expected_cents")
        assert said["drop_expected_cents"] == total(document, "collection_hours", "drop_cents") > 0
        assert said["tips_cents"] == total(document, "tips_dealers", "brought_cents")
        rounds, seconds = (total(document, "paces", name) for name in ("rounds", "table_seconds"))
        assert rounds == total(document, "fees", "rounds_settled") > 0
        assert seconds == total(document, "tips_downs", "worked_seconds") > 0
        assert said["rounds_an_hour"] == rounds_an_hour(rounds, seconds)
        marked = [
            row
            for row in document.grid("to_look_at").rows
            if row.mark in (Mark.LOOK, Mark.STOP)  # type: ignore[union-attr]
        ]
        assert said["to_look_at"] == len(marked) > 0


def test_every_exception_is_counted_as_its_table_counts_it(
    two_weeks: tuple[ReportDocument, ReportDocument],
) -> None:
    document, _ = two_weeks
    found = looked_at(document)
    assert found["Rounds void"]["count"] == len(rows(document, "exceptions_voids")) == 2
    assert found["Corrections"]["count"] == len(rows(document, "exceptions_corrections")) == 1
    assert found["Banks exhausted"]["count"] == len(rows(document, "coverage_banks")) == 1
    uncovered = total(document, "coverage_wagers", "uncovered_cents")
    assert found["Banks exhausted"]["detail"] == f"{dollars(uncovered)} returned uncovered"
    assert found["Rotation exceptions"]["count"] == len(rows(document, "rotation_exceptions"))
    assert found["Cross-check"]["count"] == 0
    names = {grid.name for grid in document.grids}
    links = [link for row in document.grid("to_look_at").rows for link in row.links.values()]  # type: ignore[union-attr]
    assert {link.removeprefix("#") for link in links} <= names
    assert "#exceptions_voids" in links


def test_a_shift_without_one_a_week_before_says_so(
    two_weeks: tuple[ReportDocument, ReportDocument],
) -> None:
    first, _ = two_weeks
    grid = first.grid("week_before")
    assert grid is not None
    assert not grid.rows
    assert grid.empty == "There was no Swing shift of Sat Nov 7, 2026, so there is nothing to compare with."
    assert not any(chart.before for chart in first.charts)
    assert not any("a week before" in answer.text for answer in first.answers)


def test_the_shift_of_a_week_before_stands_beside_every_figure(
    two_weeks: tuple[ReportDocument, ReportDocument],
) -> None:
    before, document = two_weeks
    grid = document.grid("week_before")
    assert grid is not None
    assert grid.title == "Against the Swing shift of Sat Nov 14, 2026"
    compared = {row["figure"]: row for row in rows(document, "week_before")}
    now, then = answers(document), answers(before)
    drop = compared["Drop expected"]
    assert drop["now"] == dollars(now["drop_expected_cents"])
    assert drop["before"] == dollars(then["drop_expected_cents"])
    change = now["drop_expected_cents"] - then["drop_expected_cents"]
    assert drop["change"].startswith(("+" if change > 0 else "") + dollars(change))
    pace = compared["Rounds an hour"]
    assert (pace["now"], pace["before"]) == (now["rounds_an_hour"], then["rounds_an_hour"])
    text = {answer.name: answer.text for answer in document.answers}
    assert dollars(then["drop_expected_cents"]) in text["drop_expected_cents"]
    assert text["rounds_an_hour"] == f"3 rounds, 3.0 h of table time; {then['rounds_an_hour']} a week before"
    [hourly] = [chart for chart in document.charts if chart.name == "by-hour"]
    assert sum(hourly.values) == now["drop_expected_cents"]
    assert sum(hourly.before) == then["drop_expected_cents"]
    assert hourly.labels == ["10 AM", "11 AM", "12 PM"], "the hours of neither shift are left out"


def test_the_count_is_pending_until_every_box_is_counted(db: None) -> None:
    with time_machine.travel(MORNING, tick=False) as clock:
        cast = closed_cast()
        cast.open()
        box = DropBox.objects.get()
        cast.bank_to(3)
        cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
        clock.shift(HOUR)
        document = closed(cast)
        [over] = [answer for answer in document.answers if answer.name == "count_difference_cents"]
        assert (over.value, over.mark, over.text) == (None, Mark.LOOK, "1 box not counted")
        assert looked_at(document)["Boxes not counted"]["count"] == 1
        expected = answers(document)["drop_expected_cents"]
        drop_and_count(cast, box, expected - 50)
        shift = Shift.objects.get()
        document = shift_document_of(shift_report_make(shift.pk))
        [over] = [answer for answer in document.answers if answer.name == "count_difference_cents"]
        assert (over.value, over.mark) == (-50, Mark.STOP)
        assert over.text == f"counted {dollars(expected - 50)} of {dollars(expected)} in 1 box, $0.50 short"
        assert over.value == total(document, "count_boxes", "difference_cents")
        assert looked_at(document)["Variances to explain"]["count"] == 1


def test_a_house_that_banks_gets_its_win_and_hold_and_no_collection(db: None) -> None:
    with time_machine.travel(MORNING, tick=False) as clock:
        house = House()
        house.open()
        house.slip("opener", 500_000)
        house.buy_in(4, 30_000)
        house.record(at(4, LOW, {"ante": 1000}), at(5, PAIR, {"ante": 500}))
        clock.shift(HOUR)
        house.slip("closer", 531_000, "counted twice")
        document = closed(house)
    said = answers(document)
    assert list(said) == [
        "verdict",
        "win_by_slips_cents",
        "hold",
        "count_difference_cents",
        "rounds_an_hour",
        "tips_cents",
        "to_look_at",
    ]
    assert said["win_by_slips_cents"] == total(document, "house_win", "win_by_slips_cents") == 61_000
    bought = total(document, "house_win", "buy_ins_cents")
    assert said["hold"] == format_hold(said["win_by_slips_cents"], bought)
    assert said["rounds_an_hour"] == "1.0"
    [pace] = [answer.text for answer in document.answers if answer.name == "rounds_an_hour"]
    assert pace == "1 round, 1.0 h of table time"
    variance = total(document, "house_win", "tray_variance_cents")
    assert looked_at(document)["Tray variance"]["detail"].endswith(dollars(variance))
    assert not {"Rotation exceptions", "Banks exhausted"} & set(looked_at(document))


def test_the_first_page_of_a_restatement_begins_with_what_changed(db: None) -> None:
    with time_machine.travel(MORNING, tick=False):
        cast = closed_cast()
        cast.open()
        box = DropBox.objects.get()
        cast.bank_to(3)
        cast.send(round_record, "dealer", sheet=sheet({4: 1000}))
        document = closed(cast)
        drop_and_count(cast, box, answers(document)["drop_expected_cents"])
        again = shift_document_of(shift_report_make(Shift.objects.get().pk))
    assert "Restated" not in looked_at(document)
    assert rows(again, "to_look_at")[0]["what"] == "Restated"
    assert looked_at(again)["Restated"]["count"] == len(rows(again, "changes")) > 0
    assert answers(again)["count_difference_cents"] == 0


@pytest.mark.parametrize(
    ("rounds", "seconds", "text"),
    [(1604, 172_800, "33.4"), (1, 7200, "0.5"), (1, 72_000, "0.1"), (0, 60, "0.0"), (5, 0, None)],
)
def test_rounds_an_hour_have_a_tenth(rounds: int, seconds: int, text: str | None) -> None:
    assert rounds_an_hour(rounds, seconds) == text


@pytest.mark.parametrize(("part", "whole", "text"), [(6, 100, 6), (-1, 200, -1), (1, 3, 33), (0, 5, 0)])
def test_a_change_is_a_whole_per_cent_halves_away_from_0(part: int, whole: int, text: int) -> None:
    assert percent(part, whole) == text
