"""The state machine of jobs: ask, claim, progress, finish, fail, retry, cancel. Nothing else changes a job's state.

The row is what counts; the message to a worker may get lost. A worker claims a job by a conditional update, so that of two
workers one runs it. A worker that is killed leaves its claim, which runs out; beat has the job looked at again. One that
was taken for lost and comes back may still finish the job, but not fail it for the worker that has it now.

A job may leave pieces, which are jobs too: it waits, is due again when each of them has ended, and its second run puts
together what came of them.
"""

from __future__ import annotations

import datetime
import logging
import os
import socket
from collections.abc import Collection, Mapping
from typing import Any, Final

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from cardroom.people.models import Staff
from cardroom.rooms.models import Room

from .kinds import KINDS
from .models import Job
from .notify_worker import wake_worker
from .progress import Progress, claimed, running

logger = logging.getLogger(__name__)

#: The first wait after a failure; each further failure doubles it.
FIRST_WAIT: Final = datetime.timedelta(seconds=30)
LONGEST_WAIT: Final = datetime.timedelta(hours=1)
#: How many workers may be lost over a job: one that brings its worker down would bring every other down as well.
MOST_LOST: Final = 5
#: Of the pieces that are due, so many are tried before a worker that finds each of them taken gives up.
_MOST_LOOKED_AT: Final = 32
OPEN: Final = (Job.State.WAITING, Job.State.RUNNING)


def job_ask(
    kind: str,
    *,
    room: Room,
    at: datetime.datetime,
    cause: str,
    arguments: Mapping[str, Any],
    key: str = "",
    at_most_one: Job.AtMostOne = Job.AtMostOne.NO,
    asked_by: Staff | None = None,
    wait: datetime.timedelta = datetime.timedelta(),
    part_of: Job | None = None,
) -> Job:
    """Leave a job to a worker and wake one once this transaction is committed. Refuses to run outside one.

    It is due after the `wait`; beat finds it then.
    """
    if not connection.in_atomic_block:
        raise RuntimeError(
            "a job without the transaction that causes it could be there alone, or be lost alone"
        )
    job = Job.objects.create(
        kind=kind,
        room=room,
        arguments=dict(arguments),
        key=key,
        at_most_one=at_most_one,
        cause=cause,
        asked_at=at,
        asked_by=asked_by,
        # By the server's clock, to which a command may be ahead (`cardroom.floor.execution.clock`).
        next_try_at=min(at, timezone.now()) + wait,
        part_of=part_of,
    )
    if part_of is None:  # pieces are told of once all of them are there
        wake_worker()
    return job


def is_due(now: datetime.datetime) -> Q:
    """The condition that a worker may claim a job: it waits and its time has come, or its worker is lost.

    A job that has left pieces waits for every one of them.
    """
    pieces = Job.objects.filter(part_of=OuterRef("pk"), state__in=OPEN)
    return Q(Q(state=Job.State.WAITING, next_try_at__lte=now), ~Exists(pieces)) | Q(
        state=Job.State.RUNNING, claimed_until__lt=now
    )


def jobs_due(now: datetime.datetime, *kinds: str) -> QuerySet[Job]:
    """Return the jobs of these kinds that a worker may claim by now, the oldest first."""
    return Job.objects.filter(is_due(now), kind__in=kinds).order_by("pk")


def job_run(pk: int) -> bool:
    """Claim a job, run it and write how that went; False when another worker is at it or has been.

    May be called twice.
    """
    job = job_claim(pk)
    if job is None:
        return False
    if job.claims - job.tries > MOST_LOST:
        return _fail(
            job,
            f"It was broken off {MOST_LOST} times. See the server's log and memory, then ask again.",
            for_good=True,
        )
    progress = Progress(job, KINDS[job.kind].patience)
    try:
        result = KINDS[job.kind].run(job, progress)
    except Exception as error:  # any error is kept, shown, and retried
        logger.exception("job %s (%s) has failed", job.pk, job.kind)
        return _fail(job, KINDS[job.kind].error(error))
    if result is None:
        return _wait_for_pieces(job)
    return _finish(job, progress, result)


def piece_run(kinds: Collection[str]) -> bool:
    """Run the oldest piece of these kinds that is due and that no other worker takes first; False where there is none."""
    for pk in jobs_due(timezone.now(), *kinds).values_list("pk", flat=True)[:_MOST_LOOKED_AT]:
        if job_run(pk):
            _wake_for_whole(pk)
            return True
    return False


def _wake_for_whole(pk: int) -> None:
    """Have the job looked at whose last piece has just ended."""
    whole = Job.objects.filter(pieces=pk).values_list("pk", flat=True).first()
    if whole is not None and not Job.objects.filter(part_of=whole, state__in=OPEN).exists():
        wake_worker()


def job_claim(pk: int) -> Job | None:
    """Waiting → running, or from a lost worker to this one. None where it is not due, or another worker has it."""
    now = timezone.now()
    row = Job.objects.filter(pk=pk)
    kind = row.values_list("kind", flat=True).get()
    claimed = row.filter(is_due(now)).update(
        state=Job.State.RUNNING,
        claims=F("claims") + 1,
        claimed_by=_worker(),
        claimed_at=now,
        claimed_until=now + KINDS[kind].patience,
        done=0,
        total=0,
    )
    return row.select_related("room", "asked_by").get() if claimed else None


def _wait_for_pieces(job: Job) -> bool:
    """Running → waiting, until its pieces have ended; no failure."""
    waiting = {"state": Job.State.WAITING, "next_try_at": timezone.now()}
    left = claimed(job).update(claimed_at=None, claimed_until=None, **waiting) == 1
    wake_worker()
    return left


def _finish(job: Job, progress: Progress, result: Mapping[str, Any]) -> bool:
    """Running → finished."""

    def write(now: datetime.datetime) -> bool:
        columns = {"state": Job.State.FINISHED, "ended_at": now, "error": "", "result": dict(result)}
        return running(job).update(done=progress.done, total=progress.total, **columns) == 1

    return KINDS[job.kind].write_end(job, write)


def _fail(job: Job, error: str, *, for_good: bool = False) -> bool:
    """Running → waiting, to be tried again after twice the wait, or → failed once it was tried often enough."""
    kind, tries = KINDS[job.kind], job.tries + 1
    if tries < kind.most_tries and not for_good:
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2**job.tries)
        return claimed(job).update(
            state=Job.State.WAITING,
            tries=tries,
            error=error[:500],
            next_try_at=timezone.now() + wait,
            claimed_at=None,
            claimed_until=None,
        ) == 1  # fmt: skip

    def write(now: datetime.datetime) -> bool:
        failed = {"state": Job.State.FAILED, "ended_at": now, "tries": tries, "error": error[:500]}
        return claimed(job).update(**failed) == 1

    return kind.write_end(job, write)


def job_retry(job: Job, now: datetime.datetime) -> None:
    """Failed → waiting, or at once what waits for its next try; failures are counted anew.

    The caller has asked `cardroom.floor.commands.jobs.why_not_try_again` under the lock of the room. Its pieces that
    have failed are tried again with it; what the others have found is kept.
    """
    of_it = Q(pk=job.pk, state=Job.State.WAITING) | Q(Q(pk=job.pk) | Q(part_of=job), state=Job.State.FAILED)
    Job.objects.filter(of_it).update(
        state=Job.State.WAITING,
        tries=0,
        claims=0,
        next_try_at=min(now, timezone.now()),
        claimed_at=None,
        claimed_until=None,
        ended_at=None,
    )
    wake_worker()


def job_cancelled(job: Job, now: datetime.datetime) -> bool:
    """Waiting or failed → cancelled, and its pieces that wait with it; False when a worker has claimed it meanwhile."""
    waiting = Job.objects.filter(state__in=[Job.State.WAITING, Job.State.FAILED])
    cancelled = {"state": Job.State.CANCELLED, "ended_at": max(now, job.asked_at)}
    if waiting.filter(pk=job.pk).update(**cancelled) != 1:
        return False
    waiting.filter(part_of=job, asked_at__lte=cancelled["ended_at"]).update(**cancelled)
    return True


def recurring_begun(task: str, every: datetime.timedelta, *, now: datetime.datetime) -> None:
    """Waiting → running, of a task that beat sends again and again; also where its last worker was lost."""
    asked = {"cause": "beat", "asked_at": now}
    begun = {
        "state": Job.State.RUNNING,
        "next_try_at": now + every,
        "claimed_by": _worker(),
        "claimed_at": now,
        "claimed_until": now + every,
        "ended_at": None,
        "error": "",
    }
    Job.objects.update_or_create(kind=task, room=None, defaults=begun, create_defaults={**asked, **begun})


def recurring_ended(task: str, *, now: datetime.datetime, error: str = "") -> None:
    """Running → waiting, until beat sends the task again. `error` is the kind of error alone: its words may be of any room."""
    run = Job.objects.filter(kind=task, room=None, state=Job.State.RUNNING)
    run.update(state=Job.State.WAITING, ended_at=now, error=error[:500])


def _worker() -> str:
    return f"{socket.gethostname()} {os.getpid()}"[:200]
