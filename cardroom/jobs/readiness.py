"""Readiness check: whether database, broker, worker and beat are there, so that the site can do its work.

What is said here is read without signing in: it names no version, path, address or person.
"""

from __future__ import annotations

import datetime
import functools
import logging
from collections.abc import Callable
from typing import TypedDict

import redis
from django.conf import settings
from django.db import DatabaseError, connection

from cardroom.core.migrated import migrations_missing

from .models import Heartbeat

logger = logging.getLogger(__name__)

#: A program whose last heartbeat is older than this counts as dead (seconds). It beats every 30.
OLDEST_SECONDS = 90
#: A broker that does not answer within this is out of reach (seconds).
_BROKER_SECONDS = 1.0


class Check(TypedDict):
    """What was looked at, whether it is as it should be, and what was found. `age` is in whole seconds."""

    name: str
    ok: bool
    text: str
    age: int | None


def checks_made(now: datetime.datetime) -> list[Check]:
    """Look at everything the site depends on: database, broker, beat, worker."""
    return [
        _guarded("database", _database),
        _guarded("broker", _broker),
        *(
            _guarded(kind.value, functools.partial(_heartbeat, kind, now))
            for kind in (Heartbeat.Kind.BEAT, Heartbeat.Kind.WORKER)
        ),
    ]


def heartbeat_ages(now: datetime.datetime) -> dict[str, float]:
    """Return the seconds since the last heartbeat, by kind; a kind that never beat is left out. Raises DatabaseError."""
    return {beat.kind: max(0.0, (now - beat.at).total_seconds()) for beat in Heartbeat.objects.all()}


def broker() -> redis.Redis:
    """Return a connection to the broker that waits a second at most. Use it as a context manager."""
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=_BROKER_SECONDS, socket_timeout=_BROKER_SECONDS
    )


def _guarded(name: str, look: Callable[[], Check]) -> Check:
    """Make one check; what makes it fail is logged in full and said in general."""
    try:
        return look()
    except (DatabaseError, redis.RedisError) as fault:
        logger.warning("the check of %s failed: %s", name, fault)
        where = "message queue" if isinstance(fault, redis.RedisError) else "database"
        return Check(name=name, ok=False, text=f"the {where} cannot be reached", age=None)


def _database() -> Check:
    missing = len(migrations_missing(connection))
    text = (
        f"{missing} migrations are not applied: run manage.py migrate" if missing else "reached and migrated"
    )
    return Check(name="database", ok=not missing, text=text, age=None)


def _broker() -> Check:
    with broker() as asked:
        asked.ping()
    return Check(name="broker", ok=True, text="answers", age=None)


def _heartbeat(kind: Heartbeat.Kind, now: datetime.datetime) -> Check:
    age = heartbeat_ages(now).get(kind)
    if age is None:
        return Check(name=kind.value, ok=False, text="has shown no life yet", age=None)
    if age > OLDEST_SECONDS:
        text = f"has shown no life for more than {OLDEST_SECONDS} seconds"
        return Check(name=kind.value, ok=False, text=text, age=int(age))
    return Check(name=kind.value, ok=True, text="alive", age=int(age))
