"""Signs of life, and of the last runs."""

from __future__ import annotations

import datetime

from .models import Heartbeat, LastRun


def heartbeat_write(kind: Heartbeat.Kind, *, now: datetime.datetime) -> None:
    """Note that the program of this kind works, at `now`."""
    Heartbeat.objects.update_or_create(kind=kind, defaults={"at": now})


def run_begun(task: str, *, now: datetime.datetime) -> None:
    """Note that a task has begun."""
    LastRun.objects.update_or_create(task=task, defaults={"began_at": now, "ended_at": None, "error": ""})


def run_ended(task: str, *, now: datetime.datetime, error: str = "") -> None:
    """Note that it has ended, and the kind of error where it failed."""
    LastRun.objects.filter(task=task).update(ended_at=now, error=error[:100])
