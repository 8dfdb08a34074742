"""Creates checkpoints: hourly and at each shift's close, by a worker, under the lock of the room for an instant."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Sequence
from typing import Any, Final

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from cardroom.config.checkpoint_key import private_key_read
from cardroom.core.dates import utc_exact
from cardroom.floor.commands.watch import clock_account
from cardroom.floor.execution.clock import command_time
from cardroom.floor.execution.locks import locked, run_again
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.journal import Head, chain_name
from cardroom.floor.models import JournalEntry, Shift
from cardroom.jobs.kinds import JobKind, JobLabels
from cardroom.jobs.lifecycle import OPEN, job_ask
from cardroom.jobs.models import Job
from cardroom.jobs.progress import Progress
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..exports.making import EXPORT_COMMAND
from ..models import SignedCheckpoint
from ..periods.making import PERIOD_REPORT_COMMAND
from ..shift.making import REPORT_COMMAND
from ..stored.store import heads_now
from .deliveries import MOST_TRIES, deliveries_ask, format_error
from .document import SignedDocument, signed
from .time_stamps import stamp_ask

logger = logging.getLogger(__name__)

Cause = SignedCheckpoint.Cause
#: The kind of job that makes one.
MAKE: Final = "checkpoint"
#: The command by which the room's journal keeps that a checkpoint was signed.
CHECKPOINT_COMMAND: Final = "checkpoint"
EVERY: Final = datetime.timedelta(hours=1)


def checkpoints_ask() -> None:
    """Leave a checkpoint of each room where one is due to a worker. A room that fails is logged; beat asks again."""
    for room in Room.objects.order_by("pk"):
        try:
            if cause := cause_due(room, timezone.now()):
                _ask(room, cause)
        except Exception:
            logger.exception("it cannot be told whether a checkpoint of %s is due", room)


def cause_due(room: Room, now: datetime.datetime) -> Cause | None:
    """Return why a checkpoint of a room is due now; None where none is.

    Before the first one, nothing is due while there is no key. After it a key that is gone is a fault, which shows.
    """
    last = SignedCheckpoint.objects.filter(room=room).first()
    if last is None:
        has_begun = JournalEntry.objects.filter(room=room).exists()
        return Cause.HOUR if has_begun and settings.CHECKPOINT_KEY_FILE.exists() else None
    if Shift.objects.filter(room=room, closed_at__gt=last.made_at).exists():
        return Cause.SHIFT
    return Cause.HOUR if now - last.made_at >= EVERY else None


def _ask(room: Room, cause: Cause) -> None:
    if Job.objects.filter(room=room, kind=MAKE, state__in=OPEN).exists():
        return
    after = SignedCheckpoint.objects.filter(room=room).values_list("number", flat=True).first() or 0
    try:
        with transaction.atomic():
            job_ask(
                MAKE,
                room=room,
                at=timezone.now(),
                cause=cause,
                arguments={"after": after},
                at_most_one=Job.AtMostOne.OPEN,
            )
    except IntegrityError:  # another worker has just asked
        logger.info("a checkpoint of %s was asked for twice", room)


@run_again
def checkpoint_make(room_id: int, cause: str, after: int) -> SignedCheckpoint:
    """Sign the heads of a room's chains, keep the checkpoint, and leave its delivery to workers.

    It follows the number `after`; where another one does already, that is returned. Raises KeyRefused.
    """
    key = private_key_read(settings.CHECKPOINT_KEY_FILE)
    with locked(Room, room_id) as room:
        last = SignedCheckpoint.objects.filter(room=room).first()
        if last is not None and last.number > after:
            return last
        tx = RoomTransaction(room=room, actor=clock_account(), now=command_time(room).now)
        heads = [head for head in heads_now(room) if head.seq]
        document = signed(_facts(room, tx.now, cause, heads, last), key)
        made = _keep(document, room, tx, cause)
        deliveries_ask(room, made, tx.now)
        if last is not None and last.gaming_day < made.gaming_day:
            stamp_ask(room, last, tx.now)
    return made


def _facts(
    room: Room, now: datetime.datetime, cause: str, heads: list[Head], last: SignedCheckpoint | None
) -> dict[str, Any]:
    return {
        "number": 1 if last is None else last.number + 1,
        "room": {"id": room.pk, "code": room.code, "name": room.name},
        "at": utc_exact(now),
        "gaming_day": gaming_day(room, now).isoformat(),
        "cause": str(cause),
        "heads": [{"chain": head.chain, "seq": head.seq, "hash": head.hash} for head in heads],
        "reports": _reports_since(room, last),
        "exports": _exports_since(room, last),
        "previous": "" if last is None else last.hash,
    }


def _reports_since(room: Room, last: SignedCheckpoint | None) -> list[dict[str, Any]]:
    """What the room's journal says of the reports that were stored since the last checkpoint."""
    return [
        {
            "command": entry.command,
            "seq": entry.seq,
            "report": entry.data["report"],
            "content_hash": entry.data["content_hash"],
        }
        for entry in _entries_since(room, last, REPORT_COMMAND, PERIOD_REPORT_COMMAND)
    ]


def _exports_since(room: Room, last: SignedCheckpoint | None) -> list[dict[str, Any]]:
    """What it says of the gaming days that were written as Parquet: the SHA-256 of each manifest and file."""
    names = ("export", "day", "version", "manifest", "files")
    return [
        {"seq": entry.seq, **{name: entry.data[name] for name in names}}
        for entry in _entries_since(room, last, EXPORT_COMMAND)
    ]


def _entries_since(room: Room, last: SignedCheckpoint | None, *commands: str) -> QuerySet[JournalEntry]:
    heads = [] if last is None else last.signed.heads
    since = next((head.seq for head in heads if head.chain == chain_name(room)), 0)
    found = JournalEntry.objects.filter(chain=chain_name(room), seq__gt=since, command__in=commands)
    return found.order_by("seq")


def _keep(document: SignedDocument, room: Room, tx: RoomTransaction, cause: str) -> SignedCheckpoint:
    facts = document.facts
    made = SignedCheckpoint.objects.create(
        room=room,
        number=facts["number"],
        made_at=tx.now,
        gaming_day=datetime.date.fromisoformat(facts["gaming_day"]),
        cause=cause,
        document=document.text,
        hash=document.hash,
        signature=document.signature,
    )
    tx.journal(
        CHECKPOINT_COMMAND,
        {"checkpoint": made.pk, "number": made.number, "hash": made.hash, "key": facts["key"]},
    )
    return made


def _run(job: Job, progress: Progress) -> dict[str, int]:
    return {"checkpoint": checkpoint_make(job.at_room.pk, job.cause, job.arguments["after"]).pk}


def _labels(jobs: Sequence[Job]) -> list[JobLabels]:
    return [
        JobLabels(
            "sign a checkpoint",
            str(job.at_room),
            f"/rooms/{job.at_room.code}/checkpoints/",
            Cause(job.cause).label,
        )
        for job in jobs
    ]


CHECKPOINT_KIND = JobKind(
    name=MAKE, run=_run, labels=_labels, error=format_error, most_tries=MOST_TRIES, may_be_cancelled=False
)
