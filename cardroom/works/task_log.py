"""Noting when the tasks that beat asks for ran last: a worker does it by itself, whatever the task is."""

from __future__ import annotations

from typing import Any

from celery import Task, signals, states
from django.conf import settings
from django.utils import timezone

from .services import run_begun, run_ended

#: The heartbeat is its own sign.
_LEFT_OUT = frozenset({"cardroom.works.tasks.show_life"})


def noted_tasks() -> dict[str, str]:
    """Return the tasks whose runs are noted, each with what beat calls it."""
    asked = {str(entry["task"]): said for said, entry in settings.CELERY_BEAT_SCHEDULE.items()}
    return {task: said for task, said in asked.items() if task not in _LEFT_OUT}


def connect() -> None:
    """Listen to the worker of this process, if there is one."""
    signals.task_prerun.connect(_begun)
    signals.task_postrun.connect(_ended)


def _begun(sender: Task[..., Any], **kwargs: Any) -> None:
    if sender.name in noted_tasks():
        run_begun(sender.name, now=timezone.now())


def _ended(sender: Task[..., Any], state: str, retval: object, **kwargs: Any) -> None:
    if sender.name in noted_tasks():
        error = "" if state == states.SUCCESS else type(retval).__name__
        run_ended(sender.name, now=timezone.now(), error=error)
