"""A period of a report: a gaming day of a room, or a calendar month of them, named by ISO 8601."""

from __future__ import annotations

import calendar
import dataclasses
import datetime
import re

from django.db.models import Q, QuerySet

from cardroom.core.dates import day_text
from cardroom.floor.models import Shift
from cardroom.floor.report_jobs import ReportKind
from cardroom.rooms.gaming_day import gaming_day_bounds, why_no_day
from cardroom.rooms.models import Room

from ..models import PeriodReport, period_name

_NAME = re.compile(r"[0-9]{4}-[0-9]{2}(-[0-9]{2})?", re.ASCII)
_DAY = datetime.timedelta(days=1)


@dataclasses.dataclass(frozen=True)
class Period:
    """A gaming day of `room`, or the gaming days of a month; `first` is the day, or the first of the month."""

    room: Room
    kind: PeriodReport.Kind
    first: datetime.date

    @property
    def last(self) -> datetime.date:
        """The last gaming day, included."""
        if self.kind == PeriodReport.Kind.DAY:
            return self.first
        return self.first.replace(day=calendar.monthrange(self.first.year, self.first.month)[1])

    @property
    def since(self) -> datetime.datetime:
        """When it began, UTC."""
        return gaming_day_bounds(self.room, self.first)[0]

    @property
    def until(self) -> datetime.datetime:
        """When it is over, UTC, excluded."""
        return gaming_day_bounds(self.room, self.last)[1]

    @property
    def days(self) -> list[datetime.date]:
        """Its gaming days."""
        return [self.first + _DAY * number for number in range((self.last - self.first).days + 1)]

    @property
    def name(self) -> str:
        """What it is called in an address: "2026-11-20", "2026-11"."""
        return period_name(self.kind, self.first)

    @property
    def before(self) -> Period:
        """What it is compared with: the same day a week before, or the month before."""
        if self.kind == PeriodReport.Kind.DAY:
            return day_of(self.room, self.first - 7 * _DAY)
        return month_of(self.room, self.first - _DAY)

    @property
    def shifts(self) -> QuerySet[Shift]:
        """Its shifts, in the order in which they were opened."""
        days = Shift.objects.filter(room=self.room, gaming_day__range=(self.first, self.last))
        return days.order_by("opened_at", "pk")

    @property
    def ran_in(self) -> QuerySet[Shift]:
        """The shifts of earlier gaming days that were open when it began, or are still (ruling 60)."""
        earlier = Shift.objects.filter(room=self.room, gaming_day__lt=self.first, opened_at__lt=self.since)
        over = earlier.filter(Q(closed_at__gt=self.since) | Q(closed_at__isnull=True))
        return over.order_by("opened_at", "pk")

    def __str__(self) -> str:
        """In words: "gaming day 2026-11-20", "gaming days of November 2026"."""
        if self.kind == PeriodReport.Kind.DAY:
            return f"gaming day {day_text(self.first)}"
        return f"gaming days of {self.first:%B %Y}"


def day_of(room: Room, day: datetime.date) -> Period:
    """Return a gaming day."""
    return Period(room, PeriodReport.Kind.DAY, day)


def month_of(room: Room, day: datetime.date) -> Period:
    """Return the month in which a gaming day lies."""
    return Period(room, PeriodReport.Kind.MONTH, day.replace(day=1))


def period_of(period_report: PeriodReport) -> Period:
    """Return what a period report is about."""
    return Period(period_report.room, PeriodReport.Kind(period_report.kind), period_report.first)


def period_asked_for(kind: str, shift: Shift, day: str | None = None) -> Period:
    """Return the period whose report a job of this kind makes: of the shift's gaming day, or of a `day` that it ran into."""
    of = {ReportKind.DAY_REPORT: day_of, ReportKind.MONTH_REPORT: month_of}[ReportKind(kind)]
    return of(shift.room, shift.gaming_day if day is None else datetime.date.fromisoformat(day))


def period_named(room: Room, name: str) -> Period:
    """Return the day or month called `name` in an address. Raises ValueError for what is neither."""
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is neither a day such as 2026-11-20 nor a month such as 2026-11")
    is_month = len(name) == len("2026-11")
    day = datetime.date.fromisoformat(f"{name}-01" if is_month else name)
    if why := why_no_day(day):
        raise ValueError(why)
    return month_of(room, day) if is_month else day_of(room, day)
