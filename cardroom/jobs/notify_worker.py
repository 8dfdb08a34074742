"""Wakes the worker: a message that a job may be due. The database says which; the message may get lost."""

from __future__ import annotations

import logging
from typing import Any

from celery import current_app, signals

from cardroom.core.notifications import notify_on_commit

logger = logging.getLogger(__name__)

#: The task of `.tasks` that looks in the database for what is due.
DUE_TASK = "cardroom.jobs.tasks.run_due_jobs"


def wake_worker() -> None:
    """Have the worker look for due jobs once this transaction is committed.

    A broker that is down is only logged: beat starts the same task every minute.
    """
    notify_on_commit(_send_task)


def _send_task() -> None:
    try:
        current_app.send_task(DUE_TASK, retry=False)
    except Exception:  # kombu raises the errors of the transport in use
        logger.warning("the broker did not take the message; beat will ask within a minute", exc_info=True)


def wake_when_ready() -> None:
    """Have a worker of this process look for due jobs once it takes messages: beat first asks a minute after its own start."""
    signals.worker_ready.connect(_worker_is_ready)


def _worker_is_ready(**kwargs: Any) -> None:
    _send_task()
