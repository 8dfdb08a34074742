"""What a worker does over many rounds because a person asked: claimed by one, told of while it goes on, ended once.

A row of a model that is a `LongRun`. A message is a doorbell alone: the database says what is due.
"""

from __future__ import annotations

import datetime
import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from celery.exceptions import SoftTimeLimitExceeded
from django.db.models import F, Q
from django.utils import timezone

from cardroom.floor.acts.commands import AtRoom
from cardroom.floor.acts.watch import house_clock
from cardroom.floor.clock import moment_at
from cardroom.floor.errors import BadInput, Busy, WhyNot
from cardroom.floor.locks import locked
from cardroom.rooms.models import Room

from .inputs import instant, plain_hash
from .models import LongRun

logger = logging.getLogger(__name__)

#: A worker says every second how far it has come; one that is silent for so long is gone.
SILENCE: Final = datetime.timedelta(seconds=90)
UNDER_WAY: Final = (LongRun.State.WAITING, LongRun.State.RUNNING)

#: What the journal's entry about a request says since its end is journaled too, with a hash.
ENDS_JOURNALED: Final = "end_journaled"
#: So often the end waits for the room's lock, two seconds each time.
_LOCK_TRIES: Final = 30

Run = TypeVar("Run", bound=LongRun)


class Telling:
    """Notes how far a run has come: at most once a second, for each word is a write."""

    def __init__(self, run: LongRun) -> None:
        self._running = type(run)._default_manager.filter(pk=run.pk, state=LongRun.State.RUNNING)
        self._told = time.monotonic()
        self._done = 0

    def total(self, rounds: int) -> None:
        """Note how many rounds there are to go through."""
        self._running.update(total=rounds)

    def done(self, rounds: int) -> None:
        """Say how many are done."""
        self._done = rounds
        if time.monotonic() - self._told >= 1:
            self._told = time.monotonic()
            self._running.update(done=rounds, told_at=timezone.now())

    def more(self, rounds: int) -> None:
        """Say how many more are done."""
        self.done(self._done + rounds)


def runs_due(model: type[Run], now: datetime.datetime) -> list[int]:
    """Return the ids of those that wait, and of those whose worker has fallen silent."""
    return list(model._default_manager.filter(_due(now)).order_by("pk").values_list("pk", flat=True))


def why_not_again(run: LongRun) -> WhyNot | None:
    """What has failed may be asked for anew."""
    if run.state != LongRun.State.FAILED:
        return WhyNot("not_failed", "It has not failed. There is nothing to try again.")
    return None


def _due(now: datetime.datetime) -> Q:
    """It waits, or its worker has fallen silent."""
    return Q(state=LongRun.State.WAITING) | Q(state=LongRun.State.RUNNING, told_at__lt=now - SILENCE)


def run_carried_out(model: type[Run], pk: int, work: Callable[[Run, Telling], Mapping[str, Any]]) -> bool:
    """Do the `work` of a run and keep the columns that it returns; False when somebody else is at it or has been.

    May be called twice: who takes it is settled by a conditional update. One over which workers were lost too often has
    failed, and so has one whose work raises; nobody but a person asks for it again.
    """
    now = timezone.now()
    row = model._default_manager.filter(pk=pk)
    if not row.filter(_due(now)).update(
        state=LongRun.State.RUNNING, started_at=now, told_at=now, done=0, begun=F("begun") + 1
    ):
        return False
    run = row.get()
    if run.begun > run.MOST_BEGUN:
        lost = f"A worker was lost over it {run.MOST_BEGUN} times. See the workers' log and memory, then ask again."
        return _end(run, state=LongRun.State.FAILED, says=lost)
    try:
        made = work(run, Telling(run))
    except SoftTimeLimitExceeded:
        return _end(
            run, state=LongRun.State.FAILED, says="It took longer than a task may. Ask for fewer days."
        )
    except BadInput as refused:
        return _end(run, state=LongRun.State.FAILED, says=refused.message[:200])
    except Exception:
        logger.exception("%s %s failed", model._meta.verbose_name, pk)
        return _end(run, state=LongRun.State.FAILED, says="It failed; the worker's log says why.")
    return _end(run, state=LongRun.State.FINISHED, **made)


def _end(run: LongRun, **columns: Any) -> bool:
    """Write how it ended, and the hash of that into the journal, unless another worker has ended it meanwhile."""
    for tries_left in reversed(range(_LOCK_TRIES)):
        try:
            with locked(Room, run.room_id) as room:
                row = type(run)._default_manager.filter(pk=run.pk)
                now = moment_at(room).now
                running = row.filter(state=LongRun.State.RUNNING)
                if not running.update(ended_at=now, **columns):
                    return False
                ended = row.get()
                key = run_key(type(run))
                said = {key: run.pk, "state": ended.state, "content_hash": run_hash(ended)}
                AtRoom(room=room, actor=house_clock(), now=now).journal(f"{key}_end", said)
                return True
        except Busy:  # the floor works on: what was computed is worth waiting for
            if not tries_left:
                raise
    raise AssertionError("unreachable: the last try raises")


def run_key(model: type[LongRun]) -> str:
    """Return what the journal calls a run of this kind: "long_report"."""
    return {"LongReport": "long_report", "Recomputation": "recomputation"}[model.__name__]


def run_hash(run: LongRun) -> str:
    """Return the hex SHA-256 of a run that has ended: what was asked, how it ended, and all that came out."""
    columns = sorted(field.attname for field in run._meta.concrete_fields)
    return plain_hash({column: _plain(getattr(run, column)) for column in columns})


def _plain(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return instant(value)
    return value.isoformat() if isinstance(value, datetime.date) else value
