"""Ring for the background: a message that something may be due. The database says what; the message may get lost."""

from __future__ import annotations

import logging

from celery import current_app
from django.db import transaction

logger = logging.getLogger(__name__)

#: The task of `.tasks` that looks in the database for what is due.
DUE_TASK = "cardroom.jobs.tasks.run_due_jobs"


def ring() -> None:
    """Ask, once this transaction is committed, for what is due to be done.

    A broker that is down is logged and nothing else: beat asks the same question every minute.
    """
    transaction.on_commit(_ring)


def _ring() -> None:
    try:
        current_app.send_task(DUE_TASK, retry=False)
    except Exception:  # kombu raises the errors of the transport in use
        logger.warning("the broker did not take the message; beat will ask within a minute", exc_info=True)
