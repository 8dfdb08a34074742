"""The open shift in figures so far: they come to those of its report, and stand against the week before."""

from __future__ import annotations

import datetime

import pytest
import time_machine
from django.utils import timezone

from cardroom.floor.commands.rounds import round_record
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.models import Shift
from cardroom.reports.shift.making import shift_report_make
from cardroom.reports.shift.open_shift import OpenShift, open_shift_of
from cardroom.reports.summary.comparison import percent
from tests.cast import Cast, closed_cast, sheet

from ..played_shift import play_hours, play_shift

MORNING = datetime.datetime(2026, 11, 14, 18, 10, tzinfo=datetime.UTC)
HOUR = datetime.timedelta(hours=1)
WEEK = datetime.timedelta(days=7)


def so_far(cast: Cast) -> OpenShift:
    shift = Shift.objects.get(room=cast.room, closed_at__isnull=True)
    return open_shift_of(shift, cast.people["shift_manager"], timezone.now())


def reported(cast: Cast) -> dict[str, int]:
    """Close the open shift and return the totals of its report."""
    shift = Shift.objects.get(room=cast.room, closed_at__isnull=True)
    cast.send_room(shift_close, "shift_manager", shift_id=shift.pk, confirmed=True)
    total: dict[str, int] = shift_report_make(shift.pk).figures["total"]
    return total


@pytest.mark.postgresql
def test_the_figures_so_far_are_those_of_the_report_of_the_same_shift(db: None) -> None:
    with time_machine.travel(MORNING, tick=False) as clock:
        cast = closed_cast()
        play_shift(cast)  # with voids, a correction and an exhausted bank
        tipped = sheet({5: 2000}, bank=cast.state().turn.seat)  # type: ignore[union-attr]
        tipped["positions"][0]["tips"] = {"ante": 500}
        clock.shift(HOUR)
        cast.send(round_record, "dealer", sheet=tipped)
        clock.shift(HOUR)
        before = so_far(cast)
        total = reported(cast)
    assert before.uncovered_cents == total["uncovered_cents"] > 0
    assert before.exhausted_banks == total["exhausted_banks"] > 0
    assert before.tips_won_cents == total["tips_cents"] > 0
    assert before.chart is not None
    assert sum(before.chart.values) == total["drop_expected_cents"] > 0
    assert (before.hours, before.minutes) == (2, 0)
    assert before.change is None, "there was no shift a week before"


def test_the_drop_of_the_whole_hours_stands_against_the_same_hours_a_week_before(db: None) -> None:
    with time_machine.travel(MORNING, tick=False) as clock:
        cast = closed_cast()
        cast.open()
        play_hours(cast, clock, 3)
        reported(cast)
        clock.move_to(MORNING + WEEK)
        cast.send_room(shift_open, "shift_manager", name="Swing")
        play_hours(cast, clock, 1)
        first = so_far(cast)
        play_hours(cast, clock, 1)
        cast.bank_to(cast.state().step.seat or 0)
        seats = {seat: 1000 for seat in (1, 2, 4) if seat != cast.state().turn.seat}  # type: ignore[union-attr]
        cast.send(round_record, "dealer", sheet=sheet(seats, bank=cast.state().turn.seat))  # type: ignore[union-attr]
        clock.shift(HOUR)
        last = so_far(cast)
    assert first.chart is not None
    assert first.chart.labels == ["10 AM", "11 AM", "12 PM"]
    assert (first.until, first.weekday, first.change) == ("11 AM", "Saturday", 0)
    assert last.chart is not None
    assert last.chart.before_name == "last Saturday"
    now, then = sum(last.chart.values), sum(last.chart.before)
    assert now > then
    assert (last.until, last.change) == ("1 PM", percent(now - then, then))
    assert last.fall == 0


def test_a_shift_that_has_just_been_opened_has_no_chart(db: None) -> None:
    with time_machine.travel(MORNING, tick=False):
        cast = closed_cast()
        cast.open()
        figures = so_far(cast)
    assert figures.chart is None
    assert figures.change is None
    assert (figures.tips_cents, figures.uncovered_cents, figures.buy_ins_cents) == (0, 0, 0)
