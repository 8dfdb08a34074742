"""Delivers checkpoints and their time stamps to the places that the room names: a directory, a witness, subscribers.

Each is a job of its own, asked for in the transaction that keeps the checkpoint: a witness that does not answer holds up
neither a command nor another place. What fails shows among the failures of the background and is tried again, in the end once
an hour. A delivery may run twice; a file that is there already with the same content is a delivery, with another content
a failure, and is left as it is.
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import os
import urllib.parse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from django.db.models import QuerySet

from cardroom.config.checkpoint_key import KeyRefused
from cardroom.config.values import witness_address
from cardroom.core.outgoing import NotSent, post
from cardroom.jobs.kinds import JobKind, JobLabels, error_words
from cardroom.jobs.lifecycle import job_ask
from cardroom.jobs.models import Job
from cardroom.jobs.progress import Progress
from cardroom.rooms.models import Room

from ..emails.sending import emails_of_checkpoint
from ..models import SignedCheckpoint, TimeStamp
from .document import SUFFIX

DIRECTORY: Final = "checkpoint_to_directory"
WITNESS: Final = "checkpoint_to_witness"
#: Tries with at most an hour between them: six weeks.
MOST_TRIES: Final = 1000
#: Seconds that a witness may take.
PATIENCE_SECONDS: Final = 20
STAMP_SUFFIX: Final = ".tsr"
CHECKPOINT_TYPE: Final = "application/x-ndjson; charset=utf-8"


class NotDelivered(Exception):
    """A place that did not take a checkpoint; the message says why."""


def deliveries_ask(
    room: Room, checkpoint: SignedCheckpoint, now: datetime.datetime, stamp: TimeStamp | None = None
) -> None:
    """Leave the delivery of a checkpoint, or of the time stamp that it has got, to workers, in the same transaction."""
    about = {"checkpoint": checkpoint.pk} if stamp is None else {"stamp": stamp.pk}
    places = {DIRECTORY: room.checkpoint_directory, WITNESS: room.checkpoint_witness}
    for kind, place in places.items():
        if place:
            job_ask(
                kind,
                room=room,
                at=now,
                cause="stamped" if stamp else checkpoint.cause,
                arguments={**about, "to": place},
                key=f"{'stamp of ' if stamp else ''}checkpoint {checkpoint.number}",
                at_most_one=Job.AtMostOne.EVER,
            )
    if stamp is None:
        emails_of_checkpoint(checkpoint, now)


def _about(job: Job) -> tuple[SignedCheckpoint, TimeStamp | None]:
    if "stamp" in job.arguments:
        stamp = TimeStamp.objects.select_related("checkpoint__room").get(pk=job.arguments["stamp"])
        return stamp.checkpoint, stamp
    return SignedCheckpoint.objects.select_related("room").get(pk=job.arguments["checkpoint"]), None


def _content(job: Job) -> tuple[str, bytes, str]:
    """The name, content and media type of what a job delivers."""
    checkpoint, stamp = _about(job)
    if stamp is not None:
        response = base64.b64decode(stamp.token)
        return checkpoint.file_name + STAMP_SUFFIX, response, "application/timestamp-reply"
    return checkpoint.file_name + SUFFIX, checkpoint.signed.file(), CHECKPOINT_TYPE


def _write(job: Job, progress: Progress) -> Mapping[str, str]:
    directory, (name, content, _) = Path(job.arguments["to"]), _content(job)
    return {"file": str(written_once(directory / name, content))}


def written_once(path: Path, content: bytes) -> Path:
    """Write a file whole or not at all, and never over another one. Raises NotDelivered for one with another content."""
    if not path.parent.is_dir():
        raise NotDelivered(f"There is no directory {path.parent}. Make or mount it.")
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(part, path)  # which, unlike a rename, takes the place of no file
    finally:
        part.unlink(missing_ok=True)
    if path.read_bytes() != content:
        raise NotDelivered(f"{path} is there with another content. Compare the two, and move it away.")
    return path


def _send(job: Job, progress: Progress) -> Mapping[str, int]:
    name, content, media_type = _content(job)
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    status, _ = posted(job.arguments["to"], content, media_type, named)
    return {"status": status}


def posted(
    url: str, content: bytes, media_type: str, headers: Mapping[str, str] | None = None
) -> tuple[int, bytes]:
    """POST content to a service and return its status (2xx) and answer; redirects are not followed. Raises NotDelivered."""
    named = {"Content-Type": media_type, **(headers or {})}
    try:
        answer = post(
            witness_address(url), content, named, inside=True, seconds=PATIENCE_SECONDS, most_bytes=1_000_000
        )
    except NotSent as fault:
        raise NotDelivered(str(fault)) from fault
    if not 200 <= answer.status < 300:
        raise NotDelivered(f"{urllib.parse.urlsplit(url).hostname} answers {answer.status} {answer.reason}")
    return answer.status, answer.body


def _labels(jobs: Sequence[Job]) -> list[JobLabels]:
    return [
        JobLabels(
            f"deliver a {'time stamp' if 'stamp' in job.arguments else 'checkpoint'} to {job.arguments['to']}",
            job.key,
            f"/rooms/{job.at_room.code}/checkpoints/",
            "a checkpoint was time-stamped" if job.cause == "stamped" else "a checkpoint was signed",
        )
        for job in jobs
    ]


def format_error(error: Exception) -> str:
    """Return what is kept of an error: of one that says what to do, its words alone."""
    return str(error) if isinstance(error, (NotDelivered, KeyRefused)) else error_words(error)


DELIVERY_KINDS = tuple(
    JobKind(name=name, run=run, labels=_labels, error=format_error, most_tries=MOST_TRIES)
    for name, run in ((DIRECTORY, _write), (WITNESS, _send))
)


def failed_jobs(room: Room) -> QuerySet[Job]:
    """Return the jobs of a room's checkpoints that have failed and are not done: signing, delivery, time stamps."""
    undone = Job.objects.filter(room=room, kind__startswith="checkpoint", tries__gt=0)
    return undone.exclude(state__in=(Job.State.FINISHED, Job.State.CANCELLED))
