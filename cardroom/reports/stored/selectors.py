"""Queries on stored reports, and on reports that are due."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator

from django.db.models import CharField, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat, TruncMonth

from cardroom.core.dates import minute_text
from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Round, Shift
from cardroom.floor.reads.past_day import days_run_into
from cardroom.floor.report_jobs import ReportKind, reports_asked_for
from cardroom.jobs.models import Job
from cardroom.rooms.models import Room

from ..models import PeriodReport, ShiftReport
from ..periods.period import Period, day_of, month_of

#: So long after a shift has closed the days that it ran into are looked for.
_LATELY = datetime.timedelta(days=31)
#: The jobs by which period reports are asked for.
PERIOD_REPORT_KINDS = {
    PeriodReport.Kind.DAY: ReportKind.DAY_REPORT,
    PeriodReport.Kind.MONTH: ReportKind.MONTH_REPORT,
}


def report_of(shift: Shift) -> ShiftReport | None:
    """Return the current report of a shift, restated or not, or None while it has not been made."""
    return ShiftReport.objects.filter(shift=shift).order_by("-revision").first()


def reports_of(shift: Shift) -> list[ShiftReport]:
    """Return every report of a shift as made, the first first; all but the last are superseded."""
    return list(ShiftReport.objects.filter(shift=shift).select_related("shift", "room").order_by("revision"))


def reports_due(now: datetime.datetime) -> list[int]:
    """Return the ids of shifts closed by `now` without a report or a round still in play, newest first.

    After an outage, or with a past that was simulated, what is asked about is the last shift.

    Left out are those whose job has failed: when that is tried again, it says itself.
    """
    in_play = Round.objects.filter(shift=OuterRef("pk"), state=Round.State.BETS_CLOSED)
    failed = Job.objects.filter(
        kind=ReportKind.SHIFT_REPORT,
        key=Concat(Value("shift "), Cast(OuterRef("pk"), CharField())),
        state__in=[Job.State.WAITING, Job.State.RUNNING, Job.State.FAILED],
        tries__gt=0,
    )
    due = Shift.objects.filter(closed_at__lte=now, reports__isnull=True)
    due = due.exclude(Exists(in_play)).exclude(Exists(failed))
    return list(due.order_by("-closed_at", "-pk").values_list("pk", flat=True))


def why_not_report(shift: Shift) -> WhyNot | None:
    """A report is made of a closed shift whose rounds have all ended."""
    if shift.closed_at is None:
        return WhyNot("shift_open", f"{shift} is open. Its report is made when it has been closed.")
    in_play = (
        Round.objects.filter(shift=shift, state=Round.State.BETS_CLOSED)
        .select_related("table")
        .order_by("table", "pk")
        .first()
    )
    if in_play is not None:
        return WhyNot(
            "rounds_in_play",
            f"{in_play} is still in play and belongs to {shift}. Settle it or void it first.",
        )
    return None


def current_reports(period: Period) -> list[ShiftReport]:
    """Return the current reports of the shifts of a period, in the order in which the shifts were opened."""
    current = ShiftReport.objects.filter(shift__in=period.shifts.order_by(), restatement__isnull=True)
    return list(current.select_related("shift__room").order_by("shift__opened_at", "shift"))


def period_report_of(period: Period) -> PeriodReport | None:
    """Return the current report of a period, or None while there is none."""
    return next(reversed(period_reports_of(period)), None)


def period_reports_of(period: Period) -> list[PeriodReport]:
    """Return every report of a period as made, the first first; all but the last are superseded."""
    made = PeriodReport.objects.filter(room=period.room, kind=period.kind, first=period.first)
    return list(made.select_related("room").order_by("revision"))


def standing_period_reports(room: Room, kind: str | None = None) -> QuerySet[PeriodReport]:
    """Return the current period reports of a room, of one kind or both, the last made first; sections are left out."""
    current = PeriodReport.objects.filter(room=room, restatement__isnull=True)
    current = current if kind is None else current.filter(kind=kind)
    return current.select_related("room").defer("sections", "changes").order_by("-id")


def period_reports_due(now: datetime.datetime) -> Iterator[Period]:
    """Find the days and months that are over, whose shifts have their reports, and that are not reported yet.

    The latest come first, for they are waited for.
    """
    day = PeriodReport.objects.filter(
        room=OuterRef("room"), kind=PeriodReport.Kind.DAY, first=OuterRef("gaming_day")
    )
    month = PeriodReport.objects.filter(
        room=OuterRef("room"), kind=PeriodReport.Kind.MONTH, first=OuterRef("month")
    )
    closed = Shift.objects.filter(closed_at__lte=now).annotate(month=TruncMonth("gaming_day"))
    for made, of in ((day, day_of), (month, month_of)):
        lacking = closed.filter(~Exists(made)).select_related("room").order_by("-gaming_day", "room", "pk")
        for period in dict.fromkeys(of(shift.room, shift.gaming_day) for shift in lacking):
            if not jobs_of(period).exists() and why_not_period_report(period, now) is None:
                yield period
    for period in _days_run_into(now):
        if not jobs_of(period).exists() and why_not_period_report(period, now) is None:
            yield period


def _days_run_into(now: datetime.datetime) -> Iterator[Period]:
    """The days without a shift of their own, and without a report, into which one that closed lately had run (ruling 60)."""
    lately = Shift.objects.filter(closed_at__lte=now, closed_at__gt=now - _LATELY).select_related("room")
    days = {
        day_of(shift.room, day) for shift in lately for day in days_run_into(shift, shift.closed_at or now)
    }
    for period in sorted(days, key=lambda period: (-period.first.toordinal(), period.room.pk)):
        if not period.shifts.exists() and not period_reports_of(period):
            yield period


def jobs_of(period: Period) -> QuerySet[Job]:
    """Return the jobs for the report of a period that are not done, given up or not."""
    kind = PERIOD_REPORT_KINDS[period.kind]
    if period.shifts.exists():
        return reports_asked_for(period.shifts, kind)
    return reports_asked_for(period.ran_in, kind, period.first)


def why_not_period_report(period: Period, now: datetime.datetime) -> WhyNot | None:
    """A period is reported when it is over, its shifts are closed and have their reports, and none is to be restated."""
    if now < period.until:
        return WhyNot(
            "period_not_over", f"The {period} last until {minute_text(period.until, period.room.zone)}."
        )
    shifts = list(period.shifts) or list(period.ran_in)
    if not shifts:
        return WhyNot("no_shifts", f"No shift was opened in the {period}.")
    for shift in shifts:
        if shift.closed_at is None:
            return WhyNot("shift_open", f"{shift} is open. Its figures are pending until it is closed.")
    reported = set(ShiftReport.objects.filter(shift__in=shifts).values_list("shift", flat=True))
    query = reports_asked_for(shifts, ReportKind.SHIFT_REPORT)
    waiting = {job.arguments["shift"]: job for job in query}
    for shift in shifts:
        if shift.pk not in reported or shift.pk in waiting:
            text = f"The report of {shift} is still to be made."
            if (job := waiting.get(shift.pk)) is not None and job.state == Job.State.FAILED:
                text = f"{text} {_given_up(job)}"
            return WhyNot("shift_not_reported", text)
    return None


def why_not_shown(period: Period, now: datetime.datetime) -> WhyNot | None:
    """Return why there is no report of a period to be read: it cannot be made yet, or making it was given up."""
    if why := why_not_period_report(period, now):
        return why
    return _why_given_up(jobs_of(period))


def why_not_report_shown(shift: Shift) -> WhyNot | None:
    """Return why there is no report of a shift to be read: it cannot be made yet, or making it was given up."""
    if why := why_not_report(shift):
        return why
    return _why_given_up(reports_asked_for([shift], ReportKind.SHIFT_REPORT))


def _why_given_up(query: Iterable[Job]) -> WhyNot | None:
    """Return why a report is missing: every job for it failed. None while one is still tried."""
    jobs = list(query)
    if jobs and all(job.state == Job.State.FAILED for job in jobs):
        return WhyNot("given_up", _given_up(jobs[-1]))
    return None


def _given_up(job: Job) -> str:
    return (
        f"Making it has failed {job.tries} times and is tried again when somebody asks for that. Why it failed is "
        "under Settings, Background jobs."
    )
