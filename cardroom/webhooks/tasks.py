"""Celery tasks of webhooks."""

from __future__ import annotations

from celery import shared_task

from .delivery import deliveries_ask


@shared_task(name="cardroom.webhooks.tasks.hand_out", ignore_result=True)
def hand_out() -> None:
    """Look for new entries, many times a minute; without a webhook that is one query."""
    deliveries_ask()
