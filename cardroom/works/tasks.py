"""Work in the background. A message is a doorbell: the database says what is due. Tasks may run twice."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from .models import Heartbeat
from .services import heartbeat_write


@shared_task(name="cardroom.works.tasks.show_life", ignore_result=True)
def show_life() -> None:
    """Note that a worker takes messages and reaches the database: it has just done both."""
    heartbeat_write(Heartbeat.Kind.WORKER, now=timezone.now())
