"""A verification in pieces as background work: a job that plans its pieces, waits for them and puts together what they found.

Pieces are jobs too (`Job.part_of`), so whatever is lost is found in the database again: a worker that is killed leaves a
claim that runs out, a message that is lost is sent again within a minute. What a piece has found is kept, and done once.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypedDict, cast

from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import QuerySet

from cardroom.jobs.kinds import JobKind, JobLabels, WriteEnd
from cardroom.jobs.lifecycle import OPEN, job_ask
from cardroom.jobs.models import Job
from cardroom.jobs.pieces import PiecesFailed, pieces_done, pieces_leave
from cardroom.jobs.progress import Progress
from cardroom.people.models import Staff
from cardroom.rooms.models import Room

from ..background.lifecycle import VERIFICATION, end_journaled
from ..models import PieceScratch
from .merging import Merged, done_of, merged
from .pieces import Piece, piece_done, pieces_planned
from .verify import checkpoint_make

PIECE: Final = "verification_piece"
#: A worker over a piece writes nothing, so it is taken for lost after the longest that a piece may take.
_PIECE_PATIENCE: Final = datetime.timedelta(minutes=3)


class VerificationResult(TypedDict):
    """The merged answer: the first breaks with the room that each was found in, how many there are, what was looked at.

    `counts` are fields of `Checked`. `heads` and `last` are where this proof has ended, as a `Checkpoint` keeps them.
    """

    breaks: list[tuple[str, int | None]]
    broken: int
    counts: dict[str, int]
    heads: list[dict[str, Any]]
    last: dict[str, int]


def verification_ask(room: Room, at: datetime.datetime, asked_by: Staff | None, cause: str) -> Job:
    """Return the verification of the whole database that is under way, or leave one to workers, in the caller's transaction.

    It belongs to the room where it was asked for.
    """
    if (under_way := verification_under_way()) is not None:
        return under_way
    return job_ask(
        VERIFICATION,
        room=room,
        at=at,
        cause=cause,
        arguments={},
        key="whole",
        at_most_one=Job.AtMostOne.OPEN,
        asked_by=asked_by,
    )


def verification_under_way() -> Job | None:
    """Return the verification that has not ended, if there is one."""
    return Job.objects.filter(kind=VERIFICATION, state__in=OPEN).order_by("pk").first()


def verifications_of(room: Room) -> QuerySet[Job]:
    """Return the verifications that were asked for in a room, the latest first."""
    return Job.objects.filter(room=room, kind=VERIFICATION).select_related("asked_by").order_by("-pk")


def result_of(job: Job) -> VerificationResult | None:
    """Return what a finished verification has found."""
    return cast("VerificationResult | None", job.result)


def _run(job: Job, progress: Progress) -> Mapping[str, Any] | None:
    if not job.pieces.exists():
        pieces_leave(job, PIECE, pieces_planned())
        return None
    pieces = pieces_done(job)
    if pieces is None:
        return None  # another worker has planned it while this one was taken for lost
    whole = merged([done_of(piece) for piece in pieces])
    if job.asked_by is not None and not whole.checked.breaks:
        checkpoint_make(whole.checked, job.asked_at)  # manage.py verify is told whether to
    return _stored(whole)


def _stored(whole: Merged) -> Mapping[str, Any]:
    return VerificationResult(
        breaks=[(line.text, line.room) for line in whole.lines],
        broken=whole.checked.breaks,
        counts=whole.checked.counts,
        heads=[dataclasses.asdict(head) for head in whole.checked.heads],
        last=whole.checked.last,
    )


def _error(error: Exception) -> str:
    if isinstance(error, SoftTimeLimitExceeded):
        return "It took longer than a task may."
    if isinstance(error, PiecesFailed):
        return f"Nothing is proved yet: {error}"
    return "It failed; the server's log says why."


def _end(job: Job, write: WriteEnd) -> bool:
    """Write how it ended, with an entry of the room's journal; what the pieces said to one another goes once it is done."""
    ended = end_journaled(job, write)
    if ended:
        PieceScratch.objects.filter(piece__part_of__kind=VERIFICATION).exclude(
            piece__part_of__state__in=(*OPEN, Job.State.FAILED)
        ).delete()
    return ended


def _labels(jobs: Sequence[Job]) -> list[JobLabels]:
    return [
        JobLabels(
            "verify the records",
            "the whole database",
            f"/rooms/{job.at_room.code}/verification/",
            "manage.py verify" if job.asked_by is None else "a person asked for it",
        )
        for job in jobs
    ]


def _run_piece(job: Job, progress: Progress) -> Mapping[str, Any]:
    result, scratch = piece_done(cast("Piece", job.arguments))
    if scratch is not None:
        PieceScratch.objects.update_or_create(piece=job, defaults={"data": scratch.data()})
    return result


def _piece_labels(jobs: Sequence[Job]) -> list[JobLabels]:
    return [
        JobLabels(
            "verify a part of the records",
            job.arguments["about"],
            f"/rooms/{job.at_room.code}/verification/",
            "a piece",
        )
        for job in jobs
    ]


VERIFICATION_KINDS = (
    JobKind(
        name=VERIFICATION,
        run=_run,
        labels=_labels,
        most_tries=1,
        patience=datetime.timedelta(minutes=6),
        error=_error,
        write_end=_end,
    ),
    JobKind(
        name=PIECE,
        run=_run_piece,
        labels=_piece_labels,
        most_tries=3,
        patience=_PIECE_PATIENCE,
        error=_error,
        is_piece=True,
    ),
)
