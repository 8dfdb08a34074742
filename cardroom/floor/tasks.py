"""Celery tasks of the floor. A message only wakes a worker: the database says what is due. Tasks may run twice."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone

from .commands.watch import room_watch, rooms_to_watch

logger = logging.getLogger(__name__)


@shared_task(name="cardroom.floor.tasks.watch_floors", ignore_result=True)
def watch_floors() -> None:
    """Look at every floor with a table in play. One that fails is logged; beat asks again within a minute."""
    for room_id in rooms_to_watch(timezone.now()):
        try:
            watch_floor(room_id)
        except Exception:
            logger.exception("the floor of room %s could not be watched", room_id)


@shared_task(name="cardroom.floor.tasks.watch_floor", ignore_result=True)
def watch_floor(room_id: int) -> None:
    """Raise the alerts that time has brought to a room's tables, and say which are over."""
    if changed := room_watch(room_id, timezone.now()):
        logger.info("alerts changed at %d tables of room %s", changed, room_id)
