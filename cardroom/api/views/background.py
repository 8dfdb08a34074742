"""API reads: background jobs, periodic tasks and system checks of a room."""

from __future__ import annotations

from typing import Annotated, TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant, OneOf
from cardroom.floor.reads.access import get_room_for
from cardroom.jobs.models import Job
from cardroom.people.rights import Right
from cardroom.reports.background.overview import PeriodicTask, Shown, background_of
from cardroom.rooms.models import Room

from ..base import SignedInView
from ..operations import reads

_TAG = "Background"


class SystemCheck(TypedDict):
    """A service that the whole site depends on."""

    name: Annotated[str, "database, broker, beat or worker."]
    ok: bool
    text: str
    age: Annotated[int | None, "Seconds since the last sign of life, of beat and worker."]


class JobRow(TypedDict):
    """Something that the background does for the room."""

    kind: Annotated[str, "What is done, as a word: `shift_report`, `email`, `background_report`."]
    id: int
    what: str
    about: Annotated[str, "The shift or the days that it is about."]
    link: Annotated[str, "The page of what it is about, on the site."]
    cause: str
    state: Annotated[
        str,
        OneOf(Job.State),
        "`waiting` with failures: it is tried again at `next_at`. `failed`: when a person asks for that.",
    ]
    asked_at: Instant
    began_at: Instant | None
    ended_at: Instant | None
    next_at: Annotated[Instant | None, "When it is tried next; null: not by itself."]
    tries: Annotated[int, "Failures so far."]
    error: Annotated[str, "That of the last failure."]
    done: Annotated[int | None, "Rounds gone through, where it is known."]
    total: int | None
    may_be_tried_again: bool
    may_be_cancelled: bool


class PeriodicTaskRow(TypedDict):
    """A question that beat asks again and again, for the whole site."""

    task: str
    text: str
    every_seconds: int
    began_at: Annotated[Instant | None, "When it ran last; null: not yet."]
    ended_at: Annotated[Instant | None, "Null while it runs."]
    error: Annotated[str, "The kind of error of the last run."]


class BackgroundRecord(TypedDict):
    """The background at one moment."""

    at: Instant
    checks: list[SystemCheck]
    messages: Annotated[
        int | None, "Messages at the broker that no worker has taken; null where it does not answer."
    ]
    oldest_at: Annotated[Instant | None, "Since when the oldest job has been asked for that is not done."]
    open: Annotated[list[JobRow], "What is not done, the oldest first."]
    ended: Annotated[list[JobRow], "What ended last, the latest first."]
    asked: list[PeriodicTaskRow]


class Background(SignedInView):
    @reads(
        "Read what the background does",
        BackgroundRecord,
        description="Who works there, what waits, what is under way, what failed and why, what was done last.",
        access=get_room_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room) -> Response:
        found = background_of(room, timezone.now())
        return Response(
            {
                "at": utc_text(found.at),
                "checks": found.checks,
                "messages": found.messages,
                "oldest_at": utc_text(found.oldest_at),
                "open": [_job(each) for each in found.open],
                "ended": [_job(each) for each in found.ended],
                "asked": [_asked(each) for each in found.asked],
            }
        )


def _job(each: Shown) -> JobRow:
    job, begun = each.job, each.job.claimed_at is not None
    return {
        "kind": job.kind,
        "id": job.pk,
        "what": each.labels.what,
        "about": each.labels.about,
        "link": each.labels.link,
        "cause": each.labels.cause,
        "state": job.state,
        "asked_at": utc_text(job.asked_at),
        "began_at": utc_text(job.claimed_at),
        "ended_at": utc_text(job.ended_at),
        "next_at": utc_text(job.next_at),
        "tries": job.tries,
        "error": job.error,
        "done": job.done if begun and job.total else None,
        "total": job.total if begun and job.total else None,
        "may_be_tried_again": each.may_be_tried_again,
        "may_be_cancelled": each.may_be_cancelled,
    }


def _asked(asked: PeriodicTask) -> PeriodicTaskRow:
    last = asked.last
    return {
        "task": asked.task,
        "text": asked.text,
        "every_seconds": asked.every_seconds,
        "began_at": None if last is None else utc_text(last.claimed_at),
        "ended_at": None if last is None else utc_text(last.ended_at),
        "error": "" if last is None else last.error,
    }
