"""Views of reports of gaming days and months: a month's list of them, and each as a page and as files."""

from __future__ import annotations

import dataclasses
import datetime

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Shift
from cardroom.people.rights import Right
from cardroom.reports.models import PeriodReport
from cardroom.reports.periods.document import period_report_document
from cardroom.reports.periods.period import Period, day_of, month_of, period_named
from cardroom.reports.queries.parser import last_day
from cardroom.reports.stored.selectors import period_reports_of, standing_period_reports, why_not_shown
from cardroom.rooms.models import Room

from ..parts.access import room_for
from .stored import give_stored, show_stored

_TITLES = {PeriodReport.Kind.DAY: "Day report", PeriodReport.Kind.MONTH: "Month report"}


@dataclasses.dataclass(frozen=True)
class Listed:
    """A day or month in the list: its shifts and the current report, or why there is none."""

    period: Period
    shifts: list[Shift]
    period_report: PeriodReport | None
    why_not: WhyNot | None

    @property
    def counted(self) -> bool:
        """Whether every box of it is counted."""
        return self.period_report is not None and all(
            part["counted_cents"] is not None for part in self.period_report.typed_figures["parts"]
        )

    @property
    def difference_cents(self) -> int | None:
        """Counted less expected; None while a box of it is not counted."""
        if self.period_report is None or not self.counted:
            return None
        return sum(part["count_difference_cents"] or 0 for part in self.period_report.typed_figures["parts"])


@login_required
@require_GET
def period_reports_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the days of a month with their shifts and reports; `?month=2026-11` chooses it, by default the last played."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    now = timezone.now()
    wanted = request.GET.get("month")
    month = month_of(room, last_day(room, now)) if wanted is None else _period(room, wanted)
    if month.kind != PeriodReport.Kind.MONTH:
        raise Http404(f"{wanted!r} is no month such as 2026-11.")
    days = _days(month, now)
    return render(
        request,
        "web/reports/period_reports.html",
        {
            "room": room,
            "permissions": permissions,
            "month": _listed(month, [shift for day in days for shift in day.shifts], now),
            "days": days,
            "earlier": month.before,
            "later": month_of(room, month.last + datetime.timedelta(days=1)),
        },
    )


@login_required
@require_GET
def period_report_page(request: HttpRequest, code: str, period: str) -> HttpResponse:
    """Show the report of a day or month, or what it waits for; `?revision=` chooses one of those that were made."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    wanted = _period(room, period)
    is_day = wanted.kind == PeriodReport.Kind.DAY
    context = {
        "room": room,
        "permissions": permissions,
        "title": _TITLES[wanted.kind],
        "what": wanted.name,
        "subject": "" if is_day else f"{wanted.first:%B %Y}",
        "day": wanted.first if is_day else None,
        "month": f"{wanted.first:%Y-%m}",
        "over_at": wanted.until,
        "why_not": why_not_shown(wanted, timezone.now()),
    }
    return show_stored(
        request,
        period_reports_of(wanted),
        period_report_document,
        context,
        address=reverse("web:period_report", args=[room.code, wanted.name]),
        file_address=lambda form: reverse(f"web:period_report_{form}", args=[room.code, wanted.name]),
    )


@login_required
@require_GET
def period_report_file(request: HttpRequest, code: str, period: str, form: str) -> HttpResponse:
    """Give the report of a day or month as a file, one of `FORMS`."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    wanted = _period(room, period)
    name = f"{room.code}-{wanted.name}"
    return give_stored(
        request, period_reports_of(wanted), period_report_document, permissions, form=form, file_name=name
    )


def _period(room: Room, name: str) -> Period:
    try:
        return period_named(room, name)
    except ValueError as error:
        raise Http404(str(error)) from error


def _days(month: Period, now: datetime.datetime) -> list[Listed]:
    """The days of a month on which a shift was opened, the latest first."""
    by_day: dict[datetime.date, list[Shift]] = {}
    for shift in month.shifts:
        by_day.setdefault(shift.gaming_day, []).append(shift)
    within = standing_period_reports(month.room, PeriodReport.Kind.DAY).filter(
        first__range=(month.first, month.last)
    )
    made = {period_report.first: period_report for period_report in within}
    return [
        _listed(day_of(month.room, day), by_day[day], now, made.get(day))
        for day in sorted(by_day, reverse=True)
    ]


def _listed(
    period: Period, shifts: list[Shift], now: datetime.datetime, period_report: PeriodReport | None = None
) -> Listed:
    if period_report is None and period.kind == PeriodReport.Kind.MONTH:
        period_report = next(reversed(period_reports_of(period)), None)
    return Listed(period, shifts, period_report, None if period_report else why_not_shown(period, now))
