"""Records when the tasks that beat sends ran last: the worker writes it, in the task's one row among the jobs."""

from __future__ import annotations

import datetime
from typing import Any

from celery import Task, signals, states
from django.conf import settings
from django.utils import timezone

from .lifecycle import recurring_begun, recurring_ended

#: The heartbeat is its own sign.
_LEFT_OUT = frozenset({"cardroom.jobs.tasks.show_life"})


def noted_tasks() -> dict[str, tuple[str, datetime.timedelta]]:
    """Return the tasks whose runs are noted, each with what beat calls it and how often it is sent."""
    return {
        str(entry["task"]): (name, datetime.timedelta(seconds=entry["schedule"]))
        for name, entry in settings.CELERY_BEAT_SCHEDULE.items()
        if entry["task"] not in _LEFT_OUT
    }


def connect() -> None:
    """Listen to the worker of this process, if there is one."""
    signals.task_prerun.connect(_begun)
    signals.task_postrun.connect(_ended)


def _begun(sender: Task[..., Any], **kwargs: Any) -> None:
    if sender.name in (noted := noted_tasks()):
        recurring_begun(sender.name, noted[sender.name][1], now=timezone.now())


def _ended(sender: Task[..., Any], state: str, retval: object, **kwargs: Any) -> None:
    if sender.name in noted_tasks():
        error = "" if state == states.SUCCESS else type(retval).__name__
        recurring_ended(sender.name, now=timezone.now(), error=error)
