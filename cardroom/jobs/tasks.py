"""Celery tasks of jobs. A message names a job alone, or nothing: the database says what is to be done. Tasks may run twice."""

from __future__ import annotations

import logging
from typing import Final

import redis
from celery import group, shared_task
from django.conf import settings
from django.utils import timezone

from .kinds import DUE_WORK, KINDS
from .lifecycle import job_run, jobs_due, piece_run
from .models import Heartbeat, Job, heartbeat_write
from .notify_worker import DUE_TASK
from .readiness import broker

logger = logging.getLogger(__name__)

#: The queue of `run_pieces` (CELERY_TASK_ROUTES); workers take from it and from the common one by turns.
PIECES_QUEUE: Final[str] = settings.CELERY_PIECES_QUEUE
#: So many workers at once work on pieces, of all long jobs together.
PIECES_AT_ONCE: Final = 16


@shared_task(name=DUE_TASK, ignore_result=True)
def run_due_jobs() -> None:
    """Do the work that apps have registered for this task, then hand each other job that is due to a task of its own.

    Pieces have no message each: so many `run_pieces` go out as are missing of `PIECES_AT_ONCE`.
    """
    for work in DUE_WORK:
        work()
    alone = [kind.name for kind in KINDS.values() if not (kind.in_turn or kind.is_piece)]
    for job_id in jobs_due(timezone.now(), *alone).values_list("pk", flat=True):
        run_job.delay(job_id)
    group(run_pieces.si() for _ in range(messages_missing())).apply_async()


@shared_task(name="cardroom.jobs.tasks.run_job", ignore_result=True)
def run_job(job_id: int) -> None:
    """Run a job; of two workers that are asked to, one does."""
    job_run(job_id)


@shared_task(name="cardroom.jobs.tasks.run_pieces", ignore_result=True)
def run_pieces() -> None:
    """Run one piece of a long job, and leave a message for the next: whatever else is due comes between the two."""
    if not piece_run(piece_kinds()):
        return
    if jobs_due(timezone.now(), *piece_kinds()).exists():
        run_pieces.delay()


def piece_kinds() -> list[str]:
    """Return the names of the kinds of pieces."""
    return [kind.name for kind in KINDS.values() if kind.is_piece]


def messages_missing() -> int:
    """Return how many messages are to be sent, so that `PIECES_AT_ONCE` workers have each a piece, and no more are there."""
    now = timezone.now()
    due = jobs_due(now, *piece_kinds())[:PIECES_AT_ONCE].count()
    if not due:
        return 0
    running = Job.objects.filter(
        kind__in=piece_kinds(), state=Job.State.RUNNING, claimed_until__gte=now
    ).count()
    try:
        with broker() as asked:
            waiting = int(asked.llen(PIECES_QUEUE))
    except redis.RedisError as fault:
        logger.warning("the broker does not say how many messages lie there: %s", fault)
        return 0
    return max(0, min(due, PIECES_AT_ONCE) - running - waiting)


@shared_task(name="cardroom.jobs.tasks.show_life", ignore_result=True)
def show_life() -> None:
    """Note that a worker takes messages and reaches the database: it has just done both."""
    heartbeat_write(Heartbeat.Kind.WORKER, now=timezone.now())
