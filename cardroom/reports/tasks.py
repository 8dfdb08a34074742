"""Work in the background. A message is a doorbell: the database says what is due. Tasks may run twice."""

from __future__ import annotations

import functools
import logging

from celery import shared_task
from django.utils import timezone

from cardroom.floor.outbox import errands_due, work_tried
from cardroom.floor.services.commands import stored_answers_purge

from .letters import letter_send, letters_due
from .overdue import rooms_with_variances, variances_watch
from .recomputations import recomputation_run, recomputations_due
from .selectors import reports_due, why_not_report
from .services import shift_report_make

logger = logging.getLogger(__name__)


@shared_task(name="cardroom.reports.tasks.make_shift_report", ignore_result=True)
def make_shift_report(shift_id: int) -> None:
    """Make the report of one shift."""
    report = shift_report_make(shift_id)
    if report.sums["differences"]:
        logger.error("%s has figures that do not tie out; see its differences", report)


@shared_task(name="cardroom.reports.tasks.make_due_reports", ignore_result=True)
def make_due_reports() -> None:
    """Run the errands that are due, make every report that the database lacks, have letters sent and recomputations begun.

    A report needs no errand to be due: a closed shift without a report is due by itself. What fails is kept with its error and
    tried again, in the end by a person's leave alone.
    """
    for errand in errands_due(timezone.now()):
        if why_not_report(errand.shift) is not None:
            continue  # a round of it is still in play; whoever ends that rings again
        error = work_tried(errand, functools.partial(make_shift_report, errand.shift_id), timezone.now)
        if error is not None:
            logger.error("%s has failed and is tried again", errand, exc_info=error)
    for shift_id in reports_due(timezone.now()):
        try:
            make_shift_report(shift_id)
        except Exception:
            logger.exception("the report of shift %s could not be made", shift_id)
    for letter_id in letters_due(timezone.now()):
        send_letter.delay(letter_id)
    for recomputation_id in recomputations_due(timezone.now()):
        compute_fees_again.delay(recomputation_id)


@shared_task(name="cardroom.reports.tasks.send_letter", ignore_result=True)
def send_letter(letter_id: int) -> None:
    """Send a letter to a subscriber; of two that are asked to, one does."""
    letter_send(letter_id)


@shared_task(name="cardroom.reports.tasks.compute_fees_again", ignore_result=True)
def compute_fees_again(recomputation_id: int) -> None:
    """Compute the fees of a period again; of two that are asked to, one does."""
    recomputation_run(recomputation_id)


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
