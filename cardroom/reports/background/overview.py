"""Queries for the overview of background jobs and periodic tasks of a room: for managers, on page and at the API."""

from __future__ import annotations

import dataclasses
import datetime
import logging

import redis
from django.conf import settings
from django.db.models import Count, Q, QuerySet

from cardroom.core.reading import replica_words
from cardroom.documents.formatting import span
from cardroom.floor.commands.jobs import why_not_cancel
from cardroom.jobs.kinds import KINDS, JobLabels, labels_of
from cardroom.jobs.models import Job
from cardroom.jobs.readiness import Check, broker, checks_made
from cardroom.jobs.task_log import noted_tasks
from cardroom.rooms.models import Room

from .lifecycle import asked_for_since

logger = logging.getLogger(__name__)

#: Jobs that have ended, as many as are shown.
MOST_ENDED = 20
State = Job.State


@dataclasses.dataclass(frozen=True)
class Shown:
    """A job, and what pages and the API say of it."""

    job: Job
    labels: JobLabels
    #: How many of its parts are done, "3 of 40 parts"; "" for a job that has none.
    parts: str = ""

    @property
    def may_be_tried_again(self) -> bool:
        """Whether a person may have it tried at once."""
        return self.job.has_failed

    @property
    def may_be_cancelled(self) -> bool:
        return why_not_cancel(self.job) is None


@dataclasses.dataclass(frozen=True)
class PeriodicTask:
    """A question that beat asks again and again, and when a worker looked for the answer last (None: never)."""

    task: str
    text: str
    every_seconds: int
    last: Job | None

    @property
    def every(self) -> str:
        """The interval in words."""
        return span(self.every_seconds)


@dataclasses.dataclass(frozen=True)
class Background:
    """The whole: who works, what lies there, what it is at, what failed and what ended, at one moment.

    `messages` is how many lie at the broker, None where it does not answer. Checks, messages and questions are those of
    the site; jobs are the room's own. `standby` says how far the standby is from which reports are read, "" where there is none.
    """

    at: datetime.datetime
    checks: list[Check]
    messages: int | None
    asked: list[PeriodicTask]
    open: list[Shown]
    ended: list[Shown]
    standby: str = ""

    @property
    def waiting(self) -> list[Shown]:
        return [each for each in self.open if each.job.state == State.WAITING and not each.job.has_failed]

    @property
    def under_way(self) -> list[Shown]:
        return [each for each in self.open if each.job.state == State.RUNNING]

    @property
    def failures(self) -> list[Shown]:
        return [each for each in self.open if each.job.has_failed]

    @property
    def oldest_at(self) -> datetime.datetime | None:
        """Since when the oldest job that is not done has been asked for."""
        return min((each.job.asked_at for each in self.open), default=None)


def background_of(room: Room, now: datetime.datetime) -> Background:
    """Look at the background of a room, in as many queries for much work as for little."""
    jobs = Job.objects.filter(room=room, part_of=None).select_related("room", "asked_by").defer("result")
    is_open = Q(ended_at__isnull=True) | _given_up()
    return Background(
        at=now,
        checks=checks_made(now),
        messages=_messages(),
        asked=_asked(),
        open=_shown(jobs.filter(is_open).order_by("asked_at", "pk")),
        ended=_shown(
            jobs.exclude(is_open).exclude(kind__in=_not_listed()).order_by("-ended_at", "-pk")[:MOST_ENDED]
        ),
        standby=replica_words(),
    )


def failures_of(room: Room) -> list[Shown]:
    """Return the jobs of a room that wait for a person, or for another try, the oldest first."""
    failed = Q(state=State.WAITING, tries__gt=0) | _given_up()
    jobs = (
        Job.objects.filter(failed, room=room, part_of=None).select_related("room", "asked_by").defer("result")
    )
    return _shown(jobs.order_by("asked_at", "pk"))


def _not_listed() -> list[str]:
    """The kinds that would leave no room for others among what has ended."""
    return [kind.name for kind in KINDS.values() if not kind.is_listed_done]


def _given_up() -> Q:
    """What has failed is open until it is tried again, cancelled, or asked for anew."""
    return Q(Q(state=State.FAILED), ~asked_for_since())


def _shown(found: QuerySet[Job]) -> list[Shown]:
    jobs = list(found)
    labels, parts = labels_of(jobs), _parts_of(jobs)
    return [Shown(job, labels[job.pk], parts.get(job.pk, "")) for job in jobs]


def _parts_of(jobs: list[Job]) -> dict[int, str]:
    pieces = Job.objects.filter(part_of__in=[job.pk for job in jobs if job.state != State.FINISHED])
    counted = (
        pieces.order_by()
        .values("part_of")
        .annotate(done=Count("pk", filter=Q(state=State.FINISHED)), of=Count("pk"))
    )
    return {each["part_of"] or 0: f"{each['done']:,} of {each['of']:,} parts" for each in counted}


def _messages() -> int | None:
    """How many messages no worker has taken yet, of all rooms."""
    try:
        with broker() as asked:
            return int(asked.llen(settings.CELERY_TASK_DEFAULT_QUEUE))
    except redis.RedisError as fault:
        logger.warning("the broker does not say what lies there: %s", fault)
        return None


def _asked() -> list[PeriodicTask]:
    noted = noted_tasks()
    last = {run.kind: run for run in Job.objects.filter(room=None, kind__in=noted)}
    return [
        PeriodicTask(task, text, int(every.total_seconds()), last.get(task))
        for task, (text, every) in noted.items()
    ]
