"""Celery tasks of reports: making what is due, in order, and what beat asks for. Tasks may run twice."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Collection, Sequence
from typing import NamedTuple

from celery import shared_task
from django.utils import timezone

from cardroom.floor.errors import WhyNot
from cardroom.floor.execution.carry_out import stored_answers_purge
from cardroom.floor.models import Shift
from cardroom.floor.report_jobs import Cause, ReportKind
from cardroom.jobs.kinds import JobKind, JobLabels
from cardroom.jobs.lifecycle import job_run, jobs_due
from cardroom.jobs.models import Job
from cardroom.jobs.progress import Progress
from cardroom.people.lockouts import strangers_purged
from cardroom.webhooks.delivery import deliveries_purge

from .emails.overdue import rooms_with_variances, variances_watch
from .models import PeriodReport, ShiftReport
from .periods.making import period_report_make, period_reports_ask
from .periods.period import Period, period_asked_for
from .shift.making import shift_report_make
from .stored.selectors import reports_due, why_not_period_report, why_not_report

logger = logging.getLogger(__name__)


def make_due_reports() -> None:
    """Run the jobs for reports that are due, and make every report that the database lacks.

    What is due is read from the database again after each report, and the report of a shift that was just closed comes
    before everything else: a shift that closes while a worker goes through a backlog waits for one report, not for all.
    A report needs no job to be due: a closed shift without a report is due by itself, and so are the period reports of a day
    and of a month that are over and have all their reports. What fails is kept with its error and
    tried again, in the end by a person's leave alone.
    """
    tried: set[Due] = set()
    _make_all(tried)
    period_reports_ask(
        timezone.now()
    )  # after the shift reports: with the last of a period its own is due as well
    _make_all(tried)


def _make_all(tried: set[Due]) -> None:
    while (due := _next_due(tried)) is not None:
        tried.add(due)
        _make(due)


class Due(NamedTuple):
    """One report to make: by its job, or of a shift that lacks one and has no job."""

    job_id: int | None
    shift_id: int


def _next_due(tried: Collection[Due]) -> Due | None:
    """Return what to make next, or None: asked-for shift reports first, of the last shift before others, then those that are lacking, then period reports.

    Left out is what was `tried` in this run, and what waits for a round still in play or an open shift: the command that
    ends that enqueues the task again.
    """
    now = timezone.now()
    jobs = list(jobs_due(now, *ReportKind.values))
    shifts = _shifts_of(jobs)

    def newest_first(job: Job) -> float:
        """As for the shifts that have no job: after a past that was simulated, what is asked about is the last shift."""
        return -(shifts[job.arguments["shift"]].closed_at or now).timestamp()

    def first(of_shifts: bool) -> Due | None:
        for job in sorted(jobs, key=newest_first) if of_shifts else jobs:
            due = Due(job.pk, job.arguments["shift"])
            if due in tried or (job.kind == ReportKind.SHIFT_REPORT) is not of_shifts:
                continue
            if _why_not(job, shifts[due.shift_id], now) is None:
                return due
        return None

    if (asked_for := first(True)) is not None:
        return asked_for
    for shift_id in reports_due(now):
        if (due := Due(None, shift_id)) not in tried:
            return due
    return first(False)


def _make(due: Due) -> None:
    """Make one report. What fails is kept with its error where there is a job, and logged."""
    if due.job_id is not None:
        job_run(due.job_id)
        return
    try:
        _made(shift_report_make(due.shift_id))
    except Exception:
        logger.exception("the report of shift %s could not be made", due.shift_id)


def _why_not(job: Job, shift: Shift, now: datetime.datetime) -> WhyNot | None:
    if job.kind == ReportKind.SHIFT_REPORT:
        return why_not_report(shift)
    return why_not_period_report(_period_of(job, shift), now)


def _period_of(job: Job, shift: Shift) -> Period:
    return period_asked_for(job.kind, shift, job.arguments.get("day"))


def _run(job: Job, progress: Progress) -> dict[str, int]:
    """Make the report that a job is for; its result is the report's id."""
    shift = _shifts_of([job])[job.arguments["shift"]]
    if job.kind == ReportKind.SHIFT_REPORT:
        return {"report": _made(shift_report_make(shift.pk))}
    return {"period_report": _made(period_report_make(_period_of(job, shift)))}


def _made(report: ShiftReport | PeriodReport) -> int:
    if report.typed_figures["differences"]:
        logger.error("%s has figures that do not tie out; see its differences", report)
    return report.pk


def _shifts_of(jobs: Sequence[Job]) -> dict[int, Shift]:
    return Shift.objects.select_related("room").in_bulk({job.arguments["shift"] for job in jobs})


def _labels(jobs: Sequence[Job]) -> list[JobLabels]:
    shifts = _shifts_of(jobs)
    return [_labels_of(job, shifts[job.arguments["shift"]]) for job in jobs]


def _labels_of(job: Job, shift: Shift) -> JobLabels:
    if job.kind == ReportKind.SHIFT_REPORT:
        link = f"/shifts/{shift.pk}/report/"
    else:
        link = f"/rooms/{shift.room.code}/roll-ups/{_period_of(job, shift).name}/"
    return JobLabels(ReportKind(job.kind).label, str(shift), link, Cause(job.cause).label)


#: They are owed. A worker that is lost over one makes it late by a minute.
REPORT_KINDS = tuple(
    JobKind(
        name=kind,
        run=_run,
        labels=_labels,
        patience=datetime.timedelta(minutes=1),
        may_be_cancelled=False,
        in_turn=True,
    )
    for kind in ReportKind.values
)


@shared_task(name="cardroom.reports.tasks.escalate_variances", ignore_result=True)
def escalate_variances() -> None:
    """Escalate variances that were not explained in time. A room that fails is logged; beat asks again in a minute."""
    for room_id in rooms_with_variances():
        try:
            if escalated := variances_watch(room_id, timezone.now()):
                logger.info("%d variances escalated in room %s", escalated, room_id)
        except Exception:
            logger.exception("the variances of room %s could not be looked at", room_id)


@shared_task(name="cardroom.reports.tasks.purge_stored_answers", ignore_result=True)
def purge_stored_answers() -> None:
    """Forget old answers to idempotency keys, wrong tries at names that are nobody's, and old deliveries of webhooks with their tries."""
    purged = stored_answers_purge(now=timezone.now())
    logger.info("%d stored answers purged", purged)
    logger.info("%d counts of names that are nobody's purged", strangers_purged())
    logger.info("%d tries and %d deliveries of webhooks purged", *deliveries_purge(now=timezone.now()))
