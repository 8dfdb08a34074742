"""Work in the background. A message is a doorbell: the database says what is due. Tasks may run twice."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone

from cardroom.floor.services.commands import stored_answers_purge

from .recomputations import recomputation_run, recomputations_due
from .selectors import reports_due
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
    """Make every report that is due, and have the fees computed again that wait for it.

    One that fails is logged, and beat tries it again within a minute.
    """
    for shift_id in reports_due(timezone.now()):
        try:
            make_shift_report(shift_id)
        except Exception:
            logger.exception("the report of shift %s could not be made", shift_id)
    for recomputation_id in recomputations_due(timezone.now()):
        compute_fees_again.delay(recomputation_id)


@shared_task(name="cardroom.reports.tasks.compute_fees_again", ignore_result=True)
def compute_fees_again(recomputation_id: int) -> None:
    """Compute the fees of a period again; of two that are asked to, one does."""
    recomputation_run(recomputation_id)


@shared_task(name="cardroom.reports.tasks.purge_stored_answers", ignore_result=True)
def purge_stored_answers() -> None:
    """Forget stored answers to idempotency keys that are older than seven days."""
    purged = stored_answers_purge(now=timezone.now())
    logger.info("%d stored answers purged", purged)
