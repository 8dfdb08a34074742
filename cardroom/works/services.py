"""Signs of life."""

from __future__ import annotations

import datetime

from .models import Heartbeat


def heartbeat_write(kind: Heartbeat.Kind, *, now: datetime.datetime) -> None:
    """Note that the program of this kind works, at `now`."""
    Heartbeat.objects.update_or_create(kind=kind, defaults={"at": now})
