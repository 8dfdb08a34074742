"""Tell whoever looks on that something has changed: one short message on the broker, once it is committed.

A message says which table and which version, nothing more: whoever hears it reads the page again, under their own
rights. One that gets lost costs a page its freshness until it next asks; a broker that is down never fails an act.
"""

from __future__ import annotations

import functools
import json
import logging
import os

import redis
from django.conf import settings
from django.db import transaction

from .models import Table

logger = logging.getLogger(__name__)

#: Seconds that an act may lose to a broker that does not answer.
PATIENCE = 0.5
#: Every message of the floor goes by this channel; rooms are told apart by those who listen.
CHANNEL = "cardroom:live"


def table_changed(table: Table) -> None:
    """Tell, once this transaction is committed, that the table has reached its present version."""
    _after_commit("table", table)


def alert_changed(table: Table) -> None:
    """Tell, once this transaction is committed, that an alert of the table was raised, answered, or is over."""
    _after_commit("alert", table)


def _after_commit(event: str, table: Table) -> None:
    # The version as it will be then: an alert is raised in the midst of an act that has yet to count it up.
    transaction.on_commit(lambda: _publish(event, table.room_id, table.pk, table.version))


def _publish(event: str, room_id: int, table_id: int, version: int) -> None:
    message = {"event": event, "room": room_id, "table": table_id, "version": version}
    try:
        _broker(os.getpid()).publish(CHANNEL, json.dumps(message))
    except redis.RedisError as fault:
        logger.warning(
            "the broker took no news of table %d; pages that show it are behind: %s", table_id, fault
        )


@functools.cache
def _broker(process: int) -> redis.Redis:
    """Return the connections of this process; a worker that was forked makes its own."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE)
