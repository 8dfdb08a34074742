"""The outbox: errands for the background, put in with the act that causes them and taken out when they are done.

The row is what counts; the message that follows the commit is a doorbell. A worker that is killed leaves the row as it
was, and beat has it looked at again within a minute.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable

from django.db import connection
from django.db.models import F
from django.utils import timezone

from cardroom.jobs.notify_worker import ring

from .errors import WhyNot
from .models import Errand, Shift
from .models.outbox import Work

#: The first wait after a failure; each further failure doubles it.
FIRST_WAIT = datetime.timedelta(seconds=30)
LONGEST_WAIT = datetime.timedelta(hours=1)


def errand_put(
    shift: Shift,
    cause: Errand.Cause,
    at: datetime.datetime,
    kind: Errand.Kind = Errand.Kind.SHIFT_REPORT,
    *,
    wait: datetime.timedelta = datetime.timedelta(),
) -> None:
    """Leave an errand for `shift` and ring once this transaction is committed. Refuses to run outside one.

    It is due after the `wait`; beat finds it then.
    """
    if not connection.in_atomic_block:
        raise RuntimeError(
            "an errand without the transaction that causes it could be there alone, or be lost alone"
        )
    Errand.objects.create(
        kind=kind,
        cause=cause,
        room_id=shift.room_id,
        shift=shift,
        made_at=at,
        # By the server's clock, to which an act may be ahead (`cardroom.floor.clock`).
        not_before=min(at, timezone.now()) + wait,
    )
    ring()


def errands_due(now: datetime.datetime) -> list[Errand]:
    """Return what is to be done by now, the oldest first; what was given up is not."""
    open_ones = Errand.objects.filter(done_at__isnull=True, not_before__lte=now, tries__lt=Errand.MOST_TRIES)
    return list(open_ones.select_related("shift__room").order_by("id"))


def work_tried(
    work: Work, do: Callable[[], object], clock: Callable[[], datetime.datetime]
) -> Exception | None:
    """Do what was left to the background and note how it went; return the error of a failure.

    It is done when `do` returns. After a failure it is tried again later, each time after twice the wait.
    """
    undone = type(work)._default_manager.filter(pk=work.pk, done_at__isnull=True)
    undone.update(begun_at=clock())
    try:
        do()
    except Exception as error:  # noqa: BLE001  # whatever it is, it is kept, shown, and tried again
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2**work.tries)
        undone.update(
            tries=F("tries") + 1,
            not_before=clock() + wait,
            begun_at=None,
            error=f"{type(error).__name__}: {error}"[:500],
        )
        return error
    undone.update(done_at=max(clock(), work.made_at), error="")
    return None


def why_not_again(work: Work) -> WhyNot | None:
    """What has failed and is not done may be tried at once, however often it failed."""
    if work.done_at is not None:
        return WhyNot("done", "It is done. There is nothing to try again.")
    if work.tries == 0:
        return WhyNot("not_failed", "It has not failed. It is done as soon as a worker is free.")
    return None


def work_again(work: Work, now: datetime.datetime) -> bool:
    """Let work that was given up, or waits, be tried at once; False when it is done by now."""
    waiting = type(work)._default_manager.filter(pk=work.pk, done_at__isnull=True)
    return waiting.update(tries=0, not_before=min(now, timezone.now())) == 1
