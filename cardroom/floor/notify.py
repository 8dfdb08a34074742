"""Publishes changes to live pages (pub/sub): one short message on the broker, after the commit.

A message says which table (or room) and how far it has come, nothing more: a subscriber reads again, under their
own rights. How far is two numbers: `version`, which goes up with every command that the table's screens must know of, and
`entry`, the last one of its journal, which goes up with everything. A message that gets lost makes a page late, never
wrong for good: pages get the current versions whenever they connect, and now and then. A broker that is down
never fails a command.
"""

from __future__ import annotations

import functools
import json
import logging
import os
from typing import Any

import redis
from django.conf import settings

from cardroom.core.notifications import notify_on_commit
from cardroom.rooms.models import Room

from .models import MeterMovement, ProgressiveMeter, Table

logger = logging.getLogger(__name__)

#: Seconds that a command may lose to a broker that does not answer.
PATIENCE = 0.5
#: Every message of the floor goes by this channel; listeners pick out the rooms.
CHANNEL = "cardroom:live"

#: What can happen: a table moved on, an alert of a table changed, a shift of a room opened or closed.
TABLE, ALERT, ROOM = "table", "alert", "room"
#: A meter moved: sent to each table that plays for it.
METER = "meter"
#: The plan, a meal or a push of a room has changed.
LINE_UP = "line_up"


def table_changed(table: Table) -> None:
    """Tell, once this transaction is committed, that the table has moved on."""
    # The version is read then: an alert is raised in the midst of a command that has yet to count the version up.
    notify_on_commit(lambda: _publish(TABLE, table.room_id, current_version_of(table)))


def alert_changed(table: Table) -> None:
    """Tell, once this transaction is committed, that an alert of the table was raised, answered, or is over."""
    notify_on_commit(lambda: _publish(ALERT, table.room_id, current_version_of(table)))


def room_changed(room: Room) -> None:
    """Tell, once this transaction is committed, that a shift of the room was opened or closed."""
    notify_on_commit(lambda: _publish(ROOM, room.pk, current_version_of(room)))


def line_up_changed(room: Room) -> None:
    """Tell, once this transaction is committed, that the plan, a meal or a push of the room has changed."""
    notify_on_commit(lambda: _publish(LINE_UP, room.pk, current_version_of(room)))


def meter_changed(meter: ProgressiveMeter) -> None:
    """Tell, once this transaction is committed, every table that plays for the meter that it has moved.

    No version of theirs goes up: another table than theirs has moved on.
    """

    def publish() -> None:
        for table in Table.objects.filter(meter=meter).only("pk", "meter").order_by("pk"):
            _publish(METER, meter.room_id, current_movement_of(table))

    notify_on_commit(publish)


def current_movement_of(table: Table) -> dict[str, int]:
    """Return the id of the last movement of a table's meter, as events carry it; 0 where there is none."""
    last = (
        MeterMovement.objects.filter(meter=table.meter_id)
        .order_by("-id")
        .values_list("pk", flat=True)
        .first()
    )
    return {TABLE: table.pk, "movement": last or 0}


def current_version_of(holder: Table | Room) -> dict[str, int]:
    """Return version and last journal entry of a table or room, as events carry them."""
    name = TABLE if isinstance(holder, Table) else ROOM
    return {name: holder.pk, "version": holder.version, "entry": holder.chain_seq}


def _publish(event: str, room_id: int, data: dict[str, int]) -> None:
    message: dict[str, Any] = {"event": event, "room": room_id, "data": data}
    try:
        _broker(os.getpid()).publish(CHANNEL, json.dumps(message))
    except redis.RedisError as fault:
        logger.warning("the broker took no news (%s %s), and pages are behind: %s", event, data, fault)


@functools.cache
def _broker(process: int) -> redis.Redis:
    """Return the connections of this process; a worker that was forked makes its own."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_connect_timeout=PATIENCE, socket_timeout=PATIENCE)
