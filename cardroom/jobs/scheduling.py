"""Beat's scheduler: Celery's own, with a heartbeat."""

from __future__ import annotations

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


class PulseScheduler(PersistentScheduler):
    """Sends what is due as its parent does, and shows every 30 seconds that it is alive.

    It writes for itself, and not through a worker: where the worker is dead and beat is not, the two rows say so.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._next_pulse = time.monotonic()
        super().__init__(*args, **kwargs)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        wait = super().tick(*args, **kwargs)
        if time.monotonic() >= self._next_pulse:
            self._next_pulse = time.monotonic() + PULSE_SECONDS
            self.pulse()
        return float(min(wait, max(0.0, self._next_pulse - time.monotonic())))

    def pulse(self) -> None:
        """Write beat's heartbeat. A database that is away does not keep beat from ringing."""
        try:
            heartbeat_write(Heartbeat.Kind.BEAT, now=timezone.now())
        except DatabaseError as fault:
            logger.warning("beat could not write its heartbeat: %s", fault)
        finally:
            # Beat asks the database once in a while: it keeps no connection for it, and so never finds one dead.
            connection.close()
