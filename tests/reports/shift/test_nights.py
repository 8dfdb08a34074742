"""The nights when clocks change, and the same nights where they never do: shifts, hours, reports and period reports of them.

One site is played through each: a shift a week before, then a gaming day of two shifts with a round an hour over the
night, one of which straddles the change of shift. The clock is frozen; what is said of time is UTC.
"""

from __future__ import annotations

import datetime
import io
from typing import Any, NamedTuple

import pytest
import time_machine
from django.core.management import call_command

from cardroom.documents.document import ReportDocument
from cardroom.floor.commands.rounds import (
    bets_close,
    bets_place,
    round_deal,
    round_open,
    round_record,
    round_settle,
)
from cardroom.floor.commands.shifts import shift_close, shift_open
from cardroom.floor.models import Round, Shift
from cardroom.reports.models import PeriodReport
from cardroom.reports.periods.document import period_report_document
from cardroom.reports.periods.period import day_of, month_of
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.stored.selectors import period_report_of, report_of
from cardroom.reports.tasks import make_due_reports
from cardroom.rooms.gaming_day import gaming_day
from tests.cast import BANK_HAND, HANDS, Cast, sheet

from ..played_shift import rows

HOUR = datetime.timedelta(hours=1)


class Night(NamedTuple):
    """A gaming day, its hours, and the hours of the clock from midnight on at which a round is played each real hour."""

    zone: str
    day: datetime.date
    hours: int
    played: list[str]


SPRING, AUTUMN = datetime.date(2026, 3, 7), datetime.date(2026, 10, 31)
NIGHTS = {
    "spring": Night("America/Los_Angeles", SPRING, 23, ["12 AM", "1 AM", "3 AM", "4 AM", "5 AM"]),
    "autumn": Night("America/Los_Angeles", AUTUMN, 25, ["12 AM", "1 AM", "1 AM again", "2 AM", "3 AM"]),
    "spring, no change": Night("America/Phoenix", SPRING, 24, ["12 AM", "1 AM", "2 AM", "3 AM", "4 AM"]),
    "autumn, no change": Night("America/Phoenix", AUTUMN, 24, ["12 AM", "1 AM", "2 AM", "3 AM", "4 AM"]),
}


@pytest.mark.parametrize("name", NIGHTS)
def test_a_night_is_told_by_its_real_hours_in_shifts_and_period_reports(name: str, db: None) -> None:
    night = NIGHTS[name]
    cast = Cast()
    cast.room.time_zone = night.zone
    cast.room.save()
    today = day_of(cast.room, night.day)
    assert today.until - today.since == night.hours * HOUR
    midnight = datetime.datetime.combine(
        night.day + datetime.timedelta(days=1), datetime.time(), cast.room.zone
    )

    with time_machine.travel(today.before.since + 10 * HOUR, tick=False) as clock:
        cast.open()  # the Swing shift of a week before
        play(cast)
        clock.shift(HOUR)
        close(cast)
        clock.move_to(today.since)
        cast.send_room(shift_open, "shift_manager", name="Swing")
        clock.move_to(midnight - HOUR / 2)
        straddle(cast)  # bets closed in Swing, settled in Graveyard
        for hour in range(5):
            clock.move_to(midnight.astimezone(datetime.UTC) + hour * HOUR + HOUR / 4)
            play(cast)
        clock.move_to(today.until - datetime.timedelta(seconds=1))
        assert gaming_day(cast.room, datetime.datetime.now(datetime.UTC)) == night.day
        close(cast)
        make_due_reports()
        assert not PeriodReport.objects.filter(kind="day", first=night.day).exists(), "the day is not over"
        clock.move_to(today.until)
        make_due_reports()
        check(cast, night)


def play(cast: Cast) -> None:
    """A round with one fee of each: whoever must be offered the bank takes it."""
    bank = bank_seat(cast)
    cast.send(round_record, "dealer", sheet=sheet({1 if bank != 1 else 2: 1000}, bank=bank))


def bank_seat(cast: Cast) -> int:
    state = cast.state()
    if state.turn is None or state.step.kind == "offer":
        assert state.step.seat is not None
        cast.bank_to(state.step.seat)
        state = cast.state()
    assert state.turn is not None
    return state.turn.seat


def straddle(cast: Cast) -> None:
    """A round whose bets close in one shift and which is settled in the next."""
    seat = 1 if bank_seat(cast) != 1 else 2
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    cast.send(bets_place, "dealer", positions=[{"seat": seat, "wagers": {"ante": 1000}}])
    cast.send(bets_close, "dealer")
    close(cast)
    cast.send_room(shift_open, "shift_manager", name="Graveyard")
    cast.send(round_deal, "dealer")
    positions = [{"seat": seat, "hand": HANDS[seat], "decision": "play"}]
    cast.send(round_settle, "dealer", bank_hand=BANK_HAND, positions=positions)


def close(cast: Cast) -> None:
    shift = Shift.objects.get(room=cast.room, closed_at__isnull=True)
    cast.send_room(shift_close, "shift_manager", confirmed=True, shift_id=shift.pk)


def hours(document: ReportDocument) -> dict[str, int]:
    """The rounds of each hour that stands on a document."""
    return {row["hour"]: row["rounds"] for row in rows(document, "collection_hours")}


def before(document: ReportDocument) -> dict[str, Any]:
    """The row of the table of the week before that compares rounds."""
    [row] = [row for row in rows(document, "week_before") if row["figure"] == "Rounds settled"]
    return row


def check(cast: Cast, night: Night) -> None:
    swing, graveyard = Shift.objects.filter(gaming_day=night.day).order_by("opened_at")
    assert [shift.gaming_day for shift in (swing, graveyard)] == [night.day] * 2
    straddling = Round.objects.get(shift=swing)
    assert straddling.ended_at is not None
    assert straddling.ended_at >= graveyard.opened_at
    evening, nightly = report_of(swing), report_of(graveyard)
    assert evening is not None
    assert nightly is not None
    first, second = shift_document_of(evening), shift_document_of(nightly)
    assert hours(first) == {"11 PM": 1}
    assert hours(second) == dict.fromkeys(night.played, 1)
    assert before(first) == {"figure": "Rounds settled", "now": "1", "before": "1", "change": "0"}
    [nothing] = [grid for grid in second.grids if grid.name == "week_before"]
    assert not nothing.rows
    assert nothing.empty.startswith("There was no Graveyard shift of ")

    day, month = (
        period_report_of(day_of(cast.room, night.day)),
        period_report_of(month_of(cast.room, night.day)),
    )
    assert day is not None
    document = period_report_document(day)
    assert hours(document) == {"11 PM": 1, **dict.fromkeys(night.played, 1)}
    [chart] = document.charts
    assert len(chart.labels) == night.hours
    assert chart.labels[:2] == ["6 AM", "7 AM"] and chart.labels[17:] == ["11 PM", *all_of(night)]
    assert dict(zip(chart.labels, chart.values, strict=True))["11 PM"] > 0
    assert day.typed_figures["total"]["rounds_settled"] == 6
    assert day.typed_figures["total"]["drop_expected_cents"] == sum(chart.values)
    assert before(document)["before"] == "1" and before(document)["change"] == "+5 (+500%)"
    # October ends with the long night: its month is over with it.
    assert (month is not None) == (night.day == AUTUMN)
    if month is not None:
        assert month.typed_figures["total"]["rounds_settled"] == 7
        assert hours(period_report_document(month))["11 PM"] == 1


def all_of(night: Night) -> list[str]:
    """The hours from midnight to the end of the gaming day."""
    later = [f"{hour or 12} AM" for hour in range(6)]
    return [*night.played, *later[later.index(night.played[-1]) + 1 :]]


def test_a_shift_of_fifty_hours_is_an_exception_and_the_days_that_it_ran_into_name_it(db: None) -> None:
    """Over the night when clocks go back: its figures stay with its day, and its later hours have a date (ruling 60)."""
    cast = Cast()
    cast.room.time_zone = "America/Los_Angeles"
    cast.room.save()
    today = day_of(cast.room, AUTUMN)
    with time_machine.travel(today.since + 10 * HOUR, tick=False) as clock:
        cast.open()
        for _ in range(50):
            play(cast)
            clock.shift(HOUR)
        assert not PeriodReport.objects.exists()
        close(cast)
        make_due_reports()
        days = [today.first + datetime.timedelta(days=number) for number in range(3)]
        assert not PeriodReport.objects.filter(first=days[2], kind="day").exists(), "that day lasts"
        clock.shift(24 * HOUR)
        make_due_reports()
        shift = Shift.objects.get()
        report = report_of(shift)
        assert report is not None
        document = shift_document_of(report)
        (past,) = [row for row in exceptions_of(document) if row["what"] == "Open past its gaming day"]
        assert "Sun Nov 1, 2026" in str(past["detail"]) and "Mon Nov 2, 2026" in str(past["detail"])
        hours = [str(row["hour"]) for row in rows(document, "collection_hours")]
        assert len(hours) == len(set(hours)) == 50
        assert hours[0].count(",") == 0 and hours[-1].endswith(", Mon Nov 2, 2026")
        for day in days:
            period_report = period_report_of(day_of(cast.room, day))
            assert period_report is not None, day
            told = [
                str(row["detail"])
                for row in exceptions_of(period_report_document(period_report))
                if "earlier" in str(row["what"])
            ]
            rounds = period_report.typed_figures["total"]["rounds_settled"]
            assert (
                rounds,
                [each.startswith(f"{shift.name}, Sat Oct 31, 2026, until Mon Nov 2") for each in told],
            ) == ((50, []) if day == AUTUMN else (0, [True]))
        call_command("verify", stdout=io.StringIO())  # ends with an error where anything is broken


def exceptions_of(document: ReportDocument) -> list[dict[str, Any]]:
    grid = document.grid("to_look_at")
    assert grid is not None
    return [dict(row.values) for row in grid.rows]
