"""Beat's scheduler: Celery's own, with a heartbeat."""

from __future__ import annotations

import datetime
import logging
import time
from typing import Any

from celery.beat import PersistentScheduler
from django.db import DatabaseError, connection
from django.utils import timezone

from .models import Heartbeat, heartbeat_write

logger = logging.getLogger(__name__)

#: Seconds between two heartbeats of beat.
PULSE_SECONDS = 30.0
#: By how much a clock is set back before that counts: less than any interval, more than a clock drifts.
_STEP = datetime.timedelta(seconds=5)


class PulseScheduler(PersistentScheduler):
    """Sends what is due as its parent does, and shows every 30 seconds that it is alive.

    It writes for itself, and not through a worker: where the worker is dead and beat is not, the two rows say so.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._next_pulse = time.monotonic()
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        self.follow_clock()
        wait = super().tick(*args, **kwargs)
        if time.monotonic() >= self._next_pulse:
            self._next_pulse = time.monotonic() + PULSE_SECONDS
            self.pulse()
        return float(min(wait, max(0.0, self._next_pulse - time.monotonic())))

    def follow_clock(self) -> None:
        """Where the clock was set back, count each interval from now: its parent waits until it has caught up.

        A task that was sent in what is the future now would not be sent again for as long as the clock was wrong.
        """
        now = self.app.now()
        ahead = [
            each for each in self.schedule.values() if each.last_run_at and each.last_run_at > now + _STEP
        ]
        if ahead:
            logger.warning(
                "the clock was set back: %d tasks are sent at their intervals from now on", len(ahead)
            )
            for entry in ahead:
                entry.last_run_at = now
            self.populate_heap()

    def pulse(self) -> None:
        """Write beat's heartbeat. A database that is away does not keep beat from ringing."""
        try:
            heartbeat_write(Heartbeat.Kind.BEAT, now=timezone.now())
        except DatabaseError as fault:
            logger.warning("beat could not write its heartbeat: %s", fault)
        finally:
            # Beat asks the database once in a while: it keeps no connection for it, and so never finds one dead.
            connection.close()
