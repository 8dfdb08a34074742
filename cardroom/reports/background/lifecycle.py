"""Lifecycle of a background report, and of a verification: from its request to its end, each an entry of the journal.

The journal keeps the request, and with the hash of all that came out the end, so that a record which was changed past
the database's triggers shows (`cardroom.reports.verification.verify`).
"""

from __future__ import annotations

import datetime
from typing import Any, Final

from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import Exists, OuterRef, Q

from cardroom.core.canonical import canonical_hash
from cardroom.core.dates import utc_text
from cardroom.floor.commands.watch import clock_account
from cardroom.floor.errors import BadInput, Busy
from cardroom.floor.execution.clock import command_time
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.jobs.kinds import WriteEnd
from cardroom.jobs.models import Job
from cardroom.jobs.pieces import PiecesFailed
from cardroom.rooms.models import Room

BACKGROUND_REPORT: Final = "background_report"
VERIFICATION: Final = "verification"
#: The commands under which the journal keeps the end, by kind of job.
END_COMMANDS: Final = {BACKGROUND_REPORT: "background_report_end", VERIFICATION: "verification_end"}
#: So often the end waits for the room's lock, two seconds each time.
_LOCK_TRIES: Final = 30


def error_of_run(error: Exception) -> str:
    """Say why a run has failed: in words for the person who asked; the rest is in the worker's log."""
    if isinstance(error, SoftTimeLimitExceeded):
        return "It took longer than a task may. Ask for fewer days."
    if isinstance(error, BadInput):
        return error.message
    if isinstance(error, PiecesFailed):
        return str(error)
    return "It failed; the server's log says why."


def end_journaled(job: Job, write: WriteEnd) -> bool:
    """Write how a run ended, and the hash of that into the room's journal, unless another worker is at it."""
    for tries_left in reversed(range(_LOCK_TRIES)):
        try:
            with locked(Room, job.at_room.pk) as room:
                now = command_time(room).now
                if not write(now):
                    return False
                ended = Job.objects.get(pk=job.pk)
                data = {
                    job.kind: job.pk,
                    "state": ended.state,
                    "content_hash": run_hash(ended),
                }
                RoomTransaction(room=room, actor=clock_account(), now=now).journal(
                    END_COMMANDS[job.kind], data
                )
                return True
        except Busy:  # the floor works on: what was computed is worth waiting for
            if not tries_left:
                raise
    raise AssertionError("unreachable: the last try raises")


def run_hash(run: Job) -> str:
    """Return the hex SHA-256 of a run that has ended: what was asked, how it ended, and all that came out."""
    # A column that 0.1.0 did not have is hashed where it says something: what ended before has the hash of then.
    columns = sorted(
        field.attname
        for field in run._meta.concrete_fields
        if field.attname != "part_of_id" or run.part_of_id is not None
    )
    return canonical_hash({column: _plain(getattr(run, column)) for column in columns})


def _plain(value: Any) -> Any:
    return utc_text(value) if isinstance(value, datetime.datetime) else value


def asked_for_since() -> Q:
    """The condition that the same was asked for again after a job."""
    later = Job.objects.filter(
        room=OuterRef("room"), kind=OuterRef("kind"), arguments=OuterRef("arguments"), pk__gt=OuterRef("pk")
    )
    return Q(Exists(later), asked_by__isnull=False)
