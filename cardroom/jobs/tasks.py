"""Celery tasks of jobs. A message names a job alone, or nothing: the database says what is to be done. Tasks may run twice."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from .kinds import DUE_WORK, KINDS
from .lifecycle import job_run, jobs_due
from .models import Heartbeat, heartbeat_write
from .notify_worker import DUE_TASK


@shared_task(name=DUE_TASK, ignore_result=True)
def run_due_jobs() -> None:
    """Do the work that apps have registered for this task, then hand each other job that is due to a task of its own."""
    for work in DUE_WORK:
        work()
    alone = [kind.name for kind in KINDS.values() if not kind.in_turn]
    for job_id in jobs_due(timezone.now(), *alone).values_list("pk", flat=True):
        run_job.delay(job_id)


@shared_task(name="cardroom.jobs.tasks.run_job", ignore_result=True)
def run_job(job_id: int) -> None:
    """Run a job; of two workers that are asked to, one does."""
    job_run(job_id)


@shared_task(name="cardroom.jobs.tasks.show_life", ignore_result=True)
def show_life() -> None:
    """Note that a worker takes messages and reaches the database: it has just done both."""
    heartbeat_write(Heartbeat.Kind.WORKER, now=timezone.now())
