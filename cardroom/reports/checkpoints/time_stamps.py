"""Requests RFC 3161 time stamps on the last checkpoint of each gaming day, where the site names an authority.

The authority signs the SHA-256 of the checkpoint's text with the time of its own clock. Its response is verified against
the root certificate that the site was given (`CARDROOM_TSA_CERTIFICATE`) before it is kept, delivered where the
checkpoint was, and verified again by `verify`.
"""

from __future__ import annotations

import base64
import datetime
from collections.abc import Mapping, Sequence
from typing import Final

import cryptography.x509
from django.conf import settings
from rfc3161_client import (
    HashAlgorithm,
    PKIStatus,
    TimestampRequestBuilder,
    TimeStampResponse,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from cardroom.floor.commands.watch import clock_account
from cardroom.floor.execution.clock import command_time
from cardroom.floor.execution.locks import locked, run_again
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.jobs.kinds import JobKind, JobLabels
from cardroom.jobs.lifecycle import job_ask
from cardroom.jobs.models import Job
from cardroom.jobs.progress import Progress
from cardroom.rooms.models import Room

from ..models import SignedCheckpoint, TimeStamp
from .deliveries import MOST_TRIES, NotDelivered, deliveries_ask, format_error, posted

STAMP: Final = "checkpoint_stamp"
#: The command by which the room's journal keeps that a time stamp was given.
STAMP_COMMAND: Final = "checkpoint_stamp"


def stamp_ask(room: Room, checkpoint: SignedCheckpoint, now: datetime.datetime) -> None:
    """Leave the time stamp of a checkpoint to a worker, where the site names an authority; in the same transaction."""
    if settings.TSA_URL is not None:
        job_ask(
            STAMP,
            room=room,
            at=now,
            cause="day_over",
            arguments={"checkpoint": checkpoint.pk},
            key=f"checkpoint {checkpoint.number}",
            at_most_one=Job.AtMostOne.EVER,
        )


def _run(job: Job, progress: Progress) -> Mapping[str, int]:
    checkpoint = SignedCheckpoint.objects.get(pk=job.arguments["checkpoint"])
    stamp = TimeStamp.objects.filter(checkpoint=checkpoint).first()
    if stamp is None:
        token, stamped_at = stamp_fetch(checkpoint.document.encode())
        stamp = _stamp_keep(checkpoint, token, stamped_at)
    return {"stamp": stamp.pk}


def stamp_fetch(message: bytes) -> tuple[bytes, datetime.datetime]:
    """Have the authority stamp a message: return its verified response and the time in it. Raises NotDelivered."""
    if settings.TSA_URL is None:
        raise NotDelivered("The site names no time stamp authority any more (CARDROOM_TSA_URL).")
    request = TimestampRequestBuilder().data(message).hash_algorithm(HashAlgorithm.SHA256).build()
    _, answer = posted(settings.TSA_URL, request.as_bytes(), "application/timestamp-query")
    return answer, stamp_time(answer, message, VerifierBuilder.from_request(request))


def stamp_time(token: bytes, message: bytes, builder: VerifierBuilder | None = None) -> datetime.datetime:
    """Verify a response over a message against the authority's root certificate, and return the time that it says.

    Raises NotDelivered.
    """
    builder = builder or VerifierBuilder()
    if settings.TSA_CERTIFICATE is None:
        raise NotDelivered("The site names no certificate of an authority (CARDROOM_TSA_CERTIFICATE).")
    try:
        roots = cryptography.x509.load_pem_x509_certificates(settings.TSA_CERTIFICATE.read_bytes())
        for root in roots:
            builder = builder.add_root_certificate(root)
        response: TimeStampResponse = decode_timestamp_response(token)
        if PKIStatus(response.status) != PKIStatus.GRANTED:
            raise NotDelivered(f"The authority grants no time stamp: {', '.join(response.status_string)}")
        builder.build().verify_message(response, message)
    except (VerificationError, ValueError, OSError) as fault:
        raise NotDelivered(f"The authority's time stamp does not verify: {fault}") from fault
    return response.tst_info.gen_time


@run_again
def _stamp_keep(checkpoint: SignedCheckpoint, token: bytes, stamped_at: datetime.datetime) -> TimeStamp:
    with locked(Room, checkpoint.room_id) as room:
        tx = RoomTransaction(room=room, actor=clock_account(), now=command_time(room).now)
        stamp = TimeStamp.objects.create(
            checkpoint=checkpoint,
            service=str(settings.TSA_URL),
            stamped_at=stamped_at,
            token=base64.b64encode(token).decode(),
        )
        tx.journal(STAMP_COMMAND, {"stamp": stamp.pk, "checkpoint": checkpoint.pk})
        deliveries_ask(room, checkpoint, tx.now, stamp)
    return stamp


def _labels(jobs: Sequence[Job]) -> list[JobLabels]:
    return [
        JobLabels(
            "get a time stamp",
            job.key,
            f"/rooms/{job.at_room.code}/checkpoints/",
            "its gaming day is over",
        )
        for job in jobs
    ]


STAMP_KIND = JobKind(name=STAMP, run=_run, labels=_labels, error=format_error, most_tries=MOST_TRIES)
