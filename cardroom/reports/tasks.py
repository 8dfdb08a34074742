"""Work in the background. A message is a doorbell: the database says what is due. Tasks may run twice."""

from __future__ import annotations

import functools
import logging
from collections.abc import Collection
from typing import NamedTuple

from celery import shared_task
from django.utils import timezone

from cardroom.floor.acts.commands import stored_answers_purge
from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Errand
from cardroom.floor.outbox import errands_due, work_tried

from .emails import letter_send, letters_due
from .models import RollUp, ShiftReport
from .overdue import rooms_with_variances, variances_watch
from .periods import period_asked_for
from .roll_ups import roll_up_make, roll_ups_ask
from .selectors import reports_due, why_not_report, why_not_roll_up
from .services import shift_report_make

logger = logging.getLogger(__name__)


@shared_task(name="cardroom.reports.tasks.make_shift_report", ignore_result=True)
def make_shift_report(shift_id: int) -> None:
    """Make the report of one shift."""
    _say_if_it_does_not_tie_out(shift_report_make(shift_id))


def make_due_reports() -> None:
    """Run the errands that are due, and make every report that the database lacks.

    What is due is read from the database again after each report, and the report of a shift that was just closed comes
    before everything else: a shift that closes while this task works through a backlog waits for one report, not for all.
    Letters are sent by tasks of their own.
    A report needs no errand to be due: a closed shift without a report is due by itself, and so are the roll-ups of a day
    and of a month that are over and have all their reports. What fails is kept with its error and
    tried again, in the end by a person's leave alone.
    """
    tried: set[Due] = set()
    _make_all(tried)
    roll_ups_ask(
        timezone.now()
    )  # after the shift reports: with the last of a period its roll-up is due as well
    _make_all(tried)
    for letter_id in letters_due(timezone.now()):
        send_letter.delay(letter_id)


def _make_all(tried: set[Due]) -> None:
    while (due := _next_due(tried)) is not None:
        tried.add(due)
        _make(due)


class Due(NamedTuple):
    """One report to make: by its errand, or of a shift that lacks one and has no errand."""

    errand_id: int | None
    shift_id: int


def _next_due(tried: Collection[Due]) -> Due | None:
    """Return what to make next, or None: asked-for shift reports first, then those that are lacking, then roll-ups.

    Left out is what was `tried` in this run, and what waits for a round still in play or an open shift: whoever ends
    that rings again.
    """
    now = timezone.now()
    errands = errands_due(now)
    for errand in errands:
        if errand.kind == Errand.Kind.SHIFT_REPORT and _is_next(errand, tried):
            return _due(errand)
    for shift_id in reports_due(now):
        if (due := Due(None, shift_id)) not in tried:
            return due
    for errand in errands:
        if errand.kind != Errand.Kind.SHIFT_REPORT and _is_next(errand, tried):
            return _due(errand)
    return None


def _due(errand: Errand) -> Due:
    return Due(errand.pk, errand.shift_id)


def _is_next(errand: Errand, tried: Collection[Due]) -> bool:
    return _due(errand) not in tried and _why_not(errand) is None


def _make(due: Due) -> None:
    """Make one report. What fails is kept with its error where there is an errand, and logged."""
    if due.errand_id is None:
        try:
            make_shift_report(due.shift_id)
        except Exception:
            logger.exception("the report of shift %s could not be made", due.shift_id)
        return
    errand = Errand.objects.select_related("shift__room").get(pk=due.errand_id)
    if errand.done_at is not None:
        return  # another worker was faster
    error = work_tried(errand, functools.partial(_carry_out, errand), timezone.now)
    if error is not None:
        logger.error("%s has failed and is tried again", errand, exc_info=error)


def _why_not(errand: Errand) -> WhyNot | None:
    if errand.kind == Errand.Kind.SHIFT_REPORT:
        return why_not_report(errand.shift)
    return why_not_roll_up(period_asked_for(errand), timezone.now())


def _carry_out(errand: Errand) -> None:
    if errand.kind == Errand.Kind.SHIFT_REPORT:
        make_shift_report(errand.shift_id)
    else:
        _say_if_it_does_not_tie_out(roll_up_make(period_asked_for(errand)))


def _say_if_it_does_not_tie_out(report: ShiftReport | RollUp) -> None:
    if report.sums["differences"]:
        logger.error("%s has figures that do not tie out; see its differences", report)


@shared_task(name="cardroom.reports.tasks.send_letter", ignore_result=True)
def send_letter(letter_id: int) -> None:
    """Send a letter to a subscriber; of two that are asked to, one does."""
    letter_send(letter_id)


@shared_task(name="cardroom.reports.tasks.escalate_variances", ignore_result=True)
def escalate_variances() -> None:
    """Escalate variances that nobody has explained in time. A room that fails is logged; beat asks again in a minute."""
    for room_id in rooms_with_variances():
        try:
            if escalated := variances_watch(room_id, timezone.now()):
                logger.info("%d variances escalated in room %s", escalated, room_id)
        except Exception:
            logger.exception("the variances of room %s could not be looked at", room_id)


@shared_task(name="cardroom.reports.tasks.purge_stored_answers", ignore_result=True)
def purge_stored_answers() -> None:
    """Forget stored answers to idempotency keys that are older than seven days."""
    purged = stored_answers_purge(now=timezone.now())
    logger.info("%d stored answers purged", purged)
