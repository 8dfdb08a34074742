"""Commands on background jobs: retrying one that has failed, and cancelling one that is no longer wanted."""

from __future__ import annotations

from typing import TypedDict

from cardroom.core.json_types import Id
from cardroom.jobs import lifecycle
from cardroom.jobs.kinds import KINDS, labels_of
from cardroom.jobs.models import Job
from cardroom.people.rights import Right

from ..errors import NotFound, NotNow, WhyNot
from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction

#: The commands of this module, in whose entries the journal keeps a job as `job`.
TRY_AGAIN_COMMAND, CANCEL_COMMAND = "job_try_again", "job_cancel"


class JobAnswer(TypedDict):
    """A job of the background."""

    job: int


def why_not_try_again(job: Job) -> WhyNot | None:
    """What has failed may be tried at once, however often it failed, unless the same is under way."""
    if job.state == Job.State.FINISHED:
        return WhyNot("done", "It is done. There is nothing to try again.")
    if job.state == Job.State.CANCELLED:
        return WhyNot("cancelled", "It was cancelled. Ask for it again.")
    if job.tries == 0:
        return WhyNot("not_failed", "It has not failed. It runs as soon as the server is free.")
    if job.state == Job.State.RUNNING:
        return WhyNot("under_way", "It is being tried again now.")
    if job.state == Job.State.FAILED and job.at_most_one == Job.AtMostOne.OPEN:
        same = Job.objects.filter(
            room=job.room_id,
            kind=job.kind,
            key=job.key,
            at_most_one=job.at_most_one,
            state__in=lifecycle.OPEN,
        )
        if same.exists():
            return WhyNot("under_way", "The same is under way already. Wait until it has ended.")
    return None


def why_not_cancel(job: Job) -> WhyNot | None:
    """What waits or has failed may be cancelled, unless what it makes is owed."""
    if not KINDS[job.kind].may_be_cancelled:
        return WhyNot("owed", "What it makes is owed. It may be tried again, and not cancelled.")
    if job.state == Job.State.RUNNING:
        return WhyNot("under_way", "It is running. Wait until it has ended.")
    if job.state in (Job.State.FINISHED, Job.State.CANCELLED):
        return WhyNot("ended", "It has ended. There is nothing to cancel.")
    return None


@room_command(
    "POST jobs/{job_id}/try-again",
    Right.TRY_AGAIN,
    bumps_version=False,
    no_check="it depends on the job: why_not_try_again",
    title="Have a job that failed tried again",
    tag="Background",
    done="It is tried again now.",
)
def job_try_again(tx: RoomTransaction, *, job_id: Id) -> JobAnswer:
    """Have a job that failed tried at once, whether it waits or was given up. Its failures are counted anew."""
    job = _job(tx, job_id)
    if why := why_not_try_again(job):
        raise NotNow.because(why)
    lifecycle.job_retry(job, tx.now)
    tx.journal(TRY_AGAIN_COMMAND, {**_job_data(job), "tries": job.tries, "error": job.error})
    return {"job": job.pk}


@room_command(
    "POST jobs/{job_id}/cancel",
    Right.TRY_AGAIN,
    bumps_version=False,
    no_check="it depends on the job: why_not_cancel",
    title="Cancel a job that waits or has failed",
    tag="Background",
    done="It is cancelled.",
)
def job_cancel(tx: RoomTransaction, *, job_id: Id) -> JobAnswer:
    """Cancel a job that waits or has failed. It stays on record. Reports of shifts, days and months are owed, and are not cancelled."""
    job = _job(tx, job_id)
    if why := why_not_cancel(job):
        raise NotNow.because(why)
    if not lifecycle.job_cancelled(job, tx.now):
        raise NotNow("under_way", "It has just begun. Wait until it has ended.")
    tx.journal(CANCEL_COMMAND, _job_data(job))
    return {"job": job.pk}


def _job(tx: RoomTransaction, job_id: int) -> Job:
    job = Job.objects.filter(room=tx.room, pk=job_id).select_related("room").defer("result").first()
    if job is None:
        raise NotFound("not_found", f"This room has no job {job_id}.")
    return job


def _job_data(job: Job) -> dict[str, object]:
    words = labels_of([job])[job.pk]
    return {"job": job.pk, "kind": job.kind, "what": words.what, "about": words.about}
