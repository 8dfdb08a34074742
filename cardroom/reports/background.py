"""What the background has to do for a room, what it is at, and what became of it: for managers, on page and at the API."""

from __future__ import annotations

import dataclasses
import datetime
import logging
from enum import StrEnum

import redis
from django.conf import settings

from cardroom.documents.formatting import span
from cardroom.floor.models import Errand
from cardroom.floor.models.outbox import Work
from cardroom.rooms.models import Room
from cardroom.works.models import LastRun
from cardroom.works.readiness import Check, broker, checks_made
from cardroom.works.task_log import noted_tasks

from .long_reports import long_report_about, long_report_title, long_reports_failed
from .models import Letter, LongReport, LongRun, Recomputation
from .periods import period_asked_for
from .recomputations import recomputations_failed

logger = logging.getLogger(__name__)

#: Jobs that have ended, as many as are shown.
MOST_ENDED = 30


class State(StrEnum):
    """Where a job has come to."""

    WAITING = "waiting"
    UNDER_WAY = "under way"
    #: It failed and is tried again by itself.
    FAILED = "failed"
    #: It failed so often that it waits for a person; or it is never tried again, and is asked for anew.
    GIVEN_UP = "given up"
    DONE = "done"


class Kind(StrEnum):
    """What a job is, as addresses call it."""

    ERRAND = "errand"
    LETTER = "letter"
    RECOMPUTATION = "recomputation"
    LONG_REPORT = "long_report"


@dataclasses.dataclass(frozen=True)
class Job:
    """Something that the background does. Instants are UTC; `tries` counts failures, `error` is that of the last one.

    `link` is the page of what it is about, `next_at` when it is tried next, None where it is not. `done` of `total` says how far it has come, in rounds,
    where that is known.
    """

    kind: Kind
    pk: int
    what: str
    about: str
    link: str
    cause: str
    state: State
    asked_at: datetime.datetime
    began_at: datetime.datetime | None
    ended_at: datetime.datetime | None
    next_at: datetime.datetime | None
    tries: int = 0
    error: str = ""
    done: int | None = None
    total: int | None = None

    @property
    def may_be_tried_again(self) -> bool:
        """Whether a person may have it tried at once."""
        return self.state in (State.FAILED, State.GIVEN_UP)

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
    open: list[Job]
    ended: list[Job]

    def of(self, *states: State) -> list[Job]:
        """The open jobs in one of `states`, the oldest first."""
        return [job for job in self.open if job.state in states]

    @property
    def waiting(self) -> list[Job]:
        return self.of(State.WAITING)

    @property
    def under_way(self) -> list[Job]:
        return self.of(State.UNDER_WAY)

    @property
    def failures(self) -> list[Job]:
        return self.of(State.FAILED, State.GIVEN_UP)

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
    computed = Recomputation.objects.filter(room=room).select_related("room")
    drawn = LongReport.objects.filter(room=room).defer("paper")
    drawn = drawn.select_related("room", "provider", "table", "shift")
    failed = list(long_reports_failed(room))
    uncomputed = list(recomputations_failed(room))
    undone: list[Job] = [
        *map(_errand, errands.filter(done_at__isnull=True)),
        *map(_letter, letters.filter(done_at__isnull=True)),
        *map(_recomputation, computed.filter(ended_at__isnull=True)),
        *map(_long_report, drawn.filter(ended_at__isnull=True)),
        *map(_long_report, failed),
        *map(_recomputation, uncomputed),
    ]
    ended: list[Job] = [
        *map(_errand, errands.filter(done_at__isnull=False).order_by("-done_at")[:MOST_ENDED]),
        *map(_letter, letters.filter(done_at__isnull=False).order_by("-done_at")[:MOST_ENDED]),
        *map(
            _recomputation,
            computed.filter(ended_at__isnull=False)
            .exclude(pk__in=[run.pk for run in uncomputed])
            .order_by("-ended_at")[:MOST_ENDED],
        ),
        *map(
            _long_report,
            drawn.filter(ended_at__isnull=False)
            .exclude(pk__in=[run.pk for run in failed])
            .order_by("-ended_at")[:MOST_ENDED],
        ),
    ]
    return Background(
        at=now,
        checks=checks_made(now),
        messages=_messages(),
        asked=_asked(),
        open=sorted(undone, key=lambda job: (job.asked_at, job.kind, job.pk)),
        ended=sorted(ended, key=lambda job: (job.ended_at, job.pk), reverse=True)[:MOST_ENDED],
    )


def _errand(errand: Errand) -> Job:
    return _job(
        errand,
        kind=Kind.ERRAND,
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


def _letter(letter: Letter) -> Job:
    return _job(
        letter,
        kind=Kind.LETTER,
        what=f"letter to {letter.address}",
        about=letter.about,
        link=letter.path,
        cause=f"subscribed to {letter.subscription.get_what_display()}",
    )


def _job(work: Work, *, kind: Kind, what: str, about: str, link: str, cause: str) -> Job:
    state = _state(work)
    return Job(
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
        next_at=work.not_before if state in (State.WAITING, State.FAILED) else None,
        tries=work.tries,
        error=work.error,
    )


def _state(work: Work) -> State:
    if work.done_at is not None:
        return State.DONE
    if work.gave_up:
        return State.GIVEN_UP
    if work.begun_at is not None:
        return State.UNDER_WAY
    return State.FAILED if work.tries else State.WAITING


_OF_RUN = {
    LongRun.State.WAITING: State.WAITING,
    LongRun.State.RUNNING: State.UNDER_WAY,
    LongRun.State.FINISHED: State.DONE,
    LongRun.State.FAILED: State.GIVEN_UP,
}


def _recomputation(run: Recomputation) -> Job:
    return _run(
        run,
        kind=Kind.RECOMPUTATION,
        what="compute fees again",
        about=f"{run.first} to {run.last}",
        link=f"/rooms/{run.room.code}/recomputations/{run.pk}/",
    )


def _long_report(run: LongReport) -> Job:
    return _run(
        run,
        kind=Kind.LONG_REPORT,
        what=f"draw “{long_report_title(run)}”",
        about=long_report_about(run),
        link=f"/rooms/{run.room.code}/long-reports/{run.pk}/",
    )


def _run(run: LongRun, *, kind: Kind, what: str, about: str, link: str) -> Job:
    failed = run.state == LongRun.State.FAILED
    return Job(
        kind=kind,
        pk=run.pk,
        what=what,
        about=about,
        link=link,
        cause="a person asked for it",
        state=_OF_RUN[LongRun.State(run.state)],
        asked_at=run.asked_at,
        began_at=run.started_at,
        ended_at=run.ended_at,
        next_at=None,
        tries=min(run.begun, run.MOST_BEGUN) if failed else 0,
        error=run.says,
        done=run.done if run.started_at else None,
        total=run.total if run.started_at else None,
    )


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
