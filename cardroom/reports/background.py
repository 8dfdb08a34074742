"""What the background has to do for a room, what it is at, and what became of it: for managers, on page and at the API."""

from __future__ import annotations

import dataclasses
import datetime
import logging

import redis
from django.conf import settings
from django.db.models import Q, QuerySet

from cardroom.documents.formatting import span
from cardroom.floor.acts.jobs import why_not_cancel
from cardroom.floor.models import Errand
from cardroom.floor.models.outbox import Work
from cardroom.jobs.kinds import words_of
from cardroom.jobs.models import Job
from cardroom.rooms.models import Room
from cardroom.works.models import LastRun
from cardroom.works.readiness import Check, broker, checks_made
from cardroom.works.task_log import noted_tasks

from .long_runs import asked_for_since
from .models import Letter
from .periods import period_asked_for

logger = logging.getLogger(__name__)

#: Jobs that have ended, as many as are shown.
MOST_ENDED = 30
State = Job.State


@dataclasses.dataclass(frozen=True)
class Shown:
    """A job as pages and the API show it. Instants are UTC; `tries` counts failures, `error` is that of the last one.

    `link` is the page of what it is about, `next_at` when it is tried next, None where it is not. `done` of `total` says
    how far it has come, in rounds, where that is known.
    """

    kind: str
    pk: int
    what: str
    about: str
    link: str
    cause: str
    state: Job.State
    asked_at: datetime.datetime
    began_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    next_at: datetime.datetime | None
    tries: int
    error: str
    done: int | None = None
    total: int | None = None
    may_be_tried_again: bool = False
    may_be_cancelled: bool = False

    @property
    def has_failed(self) -> bool:
        """Whether it waits for a person, or for another try."""
        return self.state == State.FAILED or (self.state == State.WAITING and self.tries > 0)

    @property
    def seconds(self) -> float | None:
        """How long it took, or None where that is not known."""
        if self.began_at is None or self.ended_at is None:
            return None
        return max(0.0, (self.ended_at - self.began_at).total_seconds())


@dataclasses.dataclass(frozen=True)
class Asked:
    """A question that beat asks again and again, and when a worker looked for the answer last (None: never)."""

    task: str
    says: str
    every_seconds: int
    last: LastRun | None

    @property
    def every(self) -> str:
        """The interval in words."""
        return span(self.every_seconds)


@dataclasses.dataclass(frozen=True)
class Background:
    """The whole: who works, what lies there, what it is at, what failed and what ended, at one moment.

    `messages` is how many lie at the broker, None where it does not answer. Checks, messages and questions are those of
    the house; jobs are the room's own.
    """

    at: datetime.datetime
    checks: list[Check]
    messages: int | None
    asked: list[Asked]
    open: list[Shown]
    ended: list[Shown]

    @property
    def waiting(self) -> list[Shown]:
        return [job for job in self.open if job.state == State.WAITING and not job.has_failed]

    @property
    def under_way(self) -> list[Shown]:
        return [job for job in self.open if job.state == State.RUNNING]

    @property
    def failures(self) -> list[Shown]:
        return [job for job in self.open if job.has_failed]

    @property
    def oldest_at(self) -> datetime.datetime | None:
        """Since when the oldest job that is not done has been asked for."""
        return min((job.asked_at for job in self.open), default=None)

    @property
    def is_well(self) -> bool:
        """Whether all who work are there, and nothing failed."""
        return all(check["ok"] for check in self.checks) and not self.failures


def background_of(room: Room, now: datetime.datetime) -> Background:
    """Look at the background of a room, in as many queries for much work as for little."""
    errands = Errand.objects.filter(room=room).select_related("shift__room")
    letters = Letter.objects.filter(room=room).select_related(
        "room", "subscription", "report__shift", "roll_up", "note__weighing__box"
    )
    jobs = Job.objects.filter(room=room).select_related("room", "asked_by").defer("result")
    # What has failed is open until it is tried again, cancelled, or asked for anew.
    is_open = Q(ended_at__isnull=True) | Q(Q(state=State.FAILED), ~asked_for_since())
    undone: list[Shown] = [
        *map(_errand, errands.filter(done_at__isnull=True)),
        *map(_letter, letters.filter(done_at__isnull=True)),
        *_shown(jobs.filter(is_open)),
    ]
    ended: list[Shown] = [
        *map(_errand, errands.filter(done_at__isnull=False).order_by("-done_at")[:MOST_ENDED]),
        *map(_letter, letters.filter(done_at__isnull=False).order_by("-done_at")[:MOST_ENDED]),
        *_shown(jobs.exclude(is_open).order_by("-ended_at")[:MOST_ENDED]),
    ]
    return Background(
        at=now,
        checks=checks_made(now),
        messages=_messages(),
        asked=_asked(),
        open=sorted(undone, key=lambda job: (job.asked_at, job.kind, job.pk)),
        ended=sorted(ended, key=lambda job: (job.ended_at, job.pk), reverse=True)[:MOST_ENDED],
    )


def _shown(found: QuerySet[Job]) -> list[Shown]:
    jobs = list(found)
    words = words_of(jobs)
    return [
        Shown(
            kind=job.kind,
            pk=job.pk,
            **words[job.pk]._asdict(),
            state=Job.State(job.state),
            asked_at=job.asked_at,
            began_at=job.claimed_at,
            ended_at=job.ended_at,
            next_at=job.next_try_at if job.state == State.WAITING else None,
            tries=job.tries,
            error=job.error,
            done=job.done if job.claimed_at else None,
            total=job.total if job.claimed_at else None,
            may_be_tried_again=job.state in (State.WAITING, State.FAILED) and job.tries > 0,
            may_be_cancelled=why_not_cancel(job) is None,
        )
        for job in jobs
    ]


def _errand(errand: Errand) -> Shown:
    return _work(
        errand,
        kind="errand",
        what=errand.get_kind_display(),
        about=str(errand.shift),
        link=_made_by(errand),
        cause=errand.get_cause_display(),
    )


def _made_by(errand: Errand) -> str:
    """The page of the report that an errand makes."""
    if errand.kind == Errand.Kind.SHIFT_REPORT:
        return f"/shifts/{errand.shift_id}/report/"
    return f"/rooms/{errand.shift.room.code}/roll-ups/{period_asked_for(errand).name}/"


def _letter(letter: Letter) -> Shown:
    return _work(
        letter,
        kind="letter",
        what=f"letter to {letter.address}",
        about=letter.about,
        link=letter.path,
        cause=f"subscribed to {letter.subscription.get_what_display()}",
    )


def _work(work: Work, *, kind: str, what: str, about: str, link: str, cause: str) -> Shown:
    state = _state(work)
    return Shown(
        kind=kind,
        pk=work.pk,
        what=what,
        about=about,
        link=link,
        cause=cause,
        state=state,
        asked_at=work.made_at,
        began_at=work.begun_at,
        ended_at=work.done_at,
        next_at=work.not_before if state == State.WAITING else None,
        tries=work.tries,
        error=work.error,
        may_be_tried_again=work.tries > 0 and work.done_at is None,
    )


def _state(work: Work) -> Job.State:
    if work.done_at is not None:
        return State.FINISHED
    if work.gave_up:
        return State.FAILED
    return State.RUNNING if work.begun_at is not None else State.WAITING


def _messages() -> int | None:
    """How many messages no worker has taken yet, of all rooms."""
    try:
        with broker() as asked:
            return int(asked.llen(settings.CELERY_TASK_DEFAULT_QUEUE))
    except redis.RedisError as fault:
        logger.warning("the broker does not say what lies there: %s", fault)
        return None


def _asked() -> list[Asked]:
    last = LastRun.objects.in_bulk()
    every = {entry["task"]: int(entry["schedule"]) for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    return [Asked(task, says, every[task], last.get(task)) for task, says in noted_tasks().items()]
