"""Celery tasks of people: what beat asks for. Tasks may run twice."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone

from .sessions import sessions_purged

logger = logging.getLogger(__name__)


@shared_task(name="cardroom.people.tasks.purge_sessions", ignore_result=True)
def purge_sessions() -> None:
    """Delete sessions that have expired; Django keeps each until somebody does."""
    logger.info("%d expired sessions purged", sessions_purged(timezone.now()))
