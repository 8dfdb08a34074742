"""The outbox: errands for the background, put in with the act that causes them and taken out when they are done.

The row is what counts; the message that follows the commit is a doorbell. A worker that is killed leaves the row as it
was, and beat has it looked at again within a minute.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable

from django.db import connection
from django.db.models import F

from .doorbell import ring_for_reports
from .models import Errand, Shift

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
        kind=kind, cause=cause, room_id=shift.room_id, shift=shift, made_at=at, not_before=at + wait
    )
    ring_for_reports()


def errands_due(now: datetime.datetime) -> list[Errand]:
    """Return what is to be done by now, the oldest first; what was given up is not."""
    open_ones = Errand.objects.filter(done_at__isnull=True, not_before__lte=now, tries__lt=Errand.MOST_TRIES)
    return list(open_ones.select_related("shift__room").order_by("id"))


def errand_tried(
    errand: Errand, do: Callable[[], object], clock: Callable[[], datetime.datetime]
) -> Exception | None:
    """Do what an errand asks for and note how it went; return the error of a failure.

    It is done when `do` returns. After a failure it is tried again later, each time after twice the wait.
    """
    try:
        do()
    except Exception as error:  # noqa: BLE001  # whatever it is, it is kept, shown, and tried again
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2**errand.tries)
        Errand.objects.filter(pk=errand.pk, done_at__isnull=True).update(
            tries=F("tries") + 1, not_before=clock() + wait, error=f"{type(error).__name__}: {error}"[:500]
        )
        return error
    Errand.objects.filter(pk=errand.pk, done_at__isnull=True).update(done_at=clock(), error="")
    return None


def errand_again(errand_id: int, now: datetime.datetime) -> bool:
    """Let an errand that was given up, or waits, be tried at once; False when it is done or not there."""
    waiting = Errand.objects.filter(pk=errand_id, done_at__isnull=True)
    return waiting.update(tries=0, not_before=now) == 1
