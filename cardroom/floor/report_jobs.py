"""Enqueues report jobs in the transaction of a command: making or restating the report of a shift, and of its day and month.

The floor asks for them in the transaction of the command that causes them; `cardroom.reports` says how they are made.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.db.models import QuerySet, TextChoices

from cardroom.jobs.lifecycle import job_ask
from cardroom.jobs.models import Job

from .models import Shift


class ReportKind(TextChoices):
    """The kinds of these jobs, and what they do."""

    SHIFT_REPORT = "shift_report", "make or restate the report of a shift"
    DAY_REPORT = "day_report", "make or restate the report of the day of a shift"
    MONTH_REPORT = "month_report", "make or restate the report of the month of a shift"


class Cause(TextChoices):
    """Why a report is to be made."""

    SHIFT_CLOSED = "shift_closed", "the shift was closed"
    ROUND_CORRECTED = "round_corrected", "a round of it was corrected later"
    DROP_COUNTED = "drop_counted", "its drop is counted"
    TRAY_COUNTED = "tray_counted", "a tray of it was counted later"
    TIPS_CLOSED = "tips_closed", "its tip sheet was closed"
    ALERT_ANSWERED = "alert_answered", "an alert of it was answered later"
    GIVEN_OFFLINE = "given_offline", "an entry given in it came after its close"
    PERIOD_OVER = "period_over", "the day or month is over"
    REPORT_RESTATED = "report_restated", "the report of the shift was made again"


def report_ask(
    shift: Shift,
    cause: Cause,
    at: datetime.datetime,
    kind: ReportKind = ReportKind.SHIFT_REPORT,
    *,
    wait: datetime.timedelta = datetime.timedelta(),
    day: datetime.date | None = None,
) -> Job:
    """Leave the making of a report to a worker, in the transaction that causes it; it is due after the `wait`.

    `day` is the gaming day whose report it is where the shift has run into it from its own.
    """
    return job_ask(
        kind,
        room=shift.room,
        at=at,
        cause=cause,
        arguments={"shift": shift.pk} | ({} if day is None else {"day": day.isoformat()}),
        key=_key(shift, day),
        wait=wait,
    )


def _key(shift: Shift, day: datetime.date | None) -> str:
    return f"shift {shift.pk}" if day is None else f"shift {shift.pk} in {day}"


def reports_asked_for(
    shifts: Iterable[Shift], kind: ReportKind, day: datetime.date | None = None
) -> QuerySet[Job]:
    """Return the jobs about reports of these shifts that are not done, given up or not, the oldest first.

    With a `day`, those about the report of that day, which they ran into.
    """
    keys = [_key(shift, day) for shift in shifts]
    undone = (Job.State.WAITING, Job.State.RUNNING, Job.State.FAILED)
    return Job.objects.filter(kind=kind, key__in=keys, state__in=undone).order_by("pk")
