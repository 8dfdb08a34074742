"""Readiness check: whether database, broker, worker and beat are there, so that the site can do its work.

What is said here is read without signing in: it names no version, path, address or person.
"""

from __future__ import annotations

import concurrent.futures
import datetime
import logging
from typing import TypedDict

import redis
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper

from cardroom.config.databases import probe
from cardroom.core.migrated import migrations_missing
from cardroom.core.site_rights import is_read_only, is_waiting_for_standby, tables_without_rights

from .models import Heartbeat

logger = logging.getLogger(__name__)

#: A program whose last heartbeat is older than this counts as dead (seconds). It beats every 30.
OLDEST_SECONDS = 90
#: A broker that does not answer within this is out of reach (seconds).
_BROKER_SECONDS = 1.0
_HEARTBEATS = (Heartbeat.Kind.BEAT.value, Heartbeat.Kind.WORKER.value)


class Check(TypedDict):
    """What was looked at, whether it is as it should be, and what was found. `age` is in whole seconds."""

    name: str
    ok: bool
    text: str
    age: int | None


def checks_made(now: datetime.datetime) -> list[Check]:
    """Look at everything the site depends on: database, broker, beat, worker.

    Database and broker are asked at once, so that it takes no longer than the slower of them.
    """
    with concurrent.futures.ThreadPoolExecutor(max_workers=1) as beside:
        asked = beside.submit(_broker)
        database, *heartbeats = _database(now)
        return [database, asked.result(), *heartbeats]


def heartbeat_ages(now: datetime.datetime, using: str = DEFAULT_DB_ALIAS) -> dict[str, float]:
    """Return the seconds since the last heartbeat, by kind; a kind that never beat is left out. Raises DatabaseError."""
    beats = Heartbeat.objects.using(using)
    return {beat.kind: max(0.0, (now - beat.at).total_seconds()) for beat in beats}


def broker() -> redis.Redis:
    """Return a connection to the broker that waits a second at most. Use it as a context manager."""
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=_BROKER_SECONDS, socket_timeout=_BROKER_SECONDS
    )


def _database(now: datetime.datetime) -> list[Check]:
    """Check the database, and by it the heartbeats."""
    names = ("database", *_HEARTBEATS)
    try:
        with probe() as probing:
            if lacking := len(tables_without_rights(probing)):
                text = f"the site's role lacks rights on {lacking} tables: run manage.py grant_site_role as the owner"
                return [_failed(name, text) for name in names]
            ages = heartbeat_ages(now, probing.alias)
            return [_written_to(probing), *(_heartbeat(kind, ages.get(kind)) for kind in _HEARTBEATS)]
    except DatabaseError as fault:
        logger.warning("the check of database failed: %s", fault)
        return [_failed(name, "the database cannot be reached") for name in names]


def _written_to(probing: BaseDatabaseWrapper) -> Check:
    if missing := len(migrations_missing(probing)):
        return _failed(
            "database", f"{missing} migrations are not applied: run manage.py migrate as the owner"
        )
    if is_read_only(probing):
        return _failed("database", "the database is read-only: a standby, or set so")
    if is_waiting_for_standby(probing):
        return _failed("database", "commands wait for a synchronous standby that does not answer")
    return Check(name="database", ok=True, text="reached and migrated", age=None)


def _broker() -> Check:
    try:
        with broker() as asked:
            asked.ping()
    except redis.RedisError as fault:
        logger.warning("the check of broker failed: %s", fault)
        return _failed("broker", "the message queue cannot be reached")
    return Check(name="broker", ok=True, text="answers", age=None)


def _heartbeat(kind: str, age: float | None) -> Check:
    if age is None:
        return _failed(kind, "has shown no life yet")
    if age > OLDEST_SECONDS:
        return Check(
            name=kind,
            ok=False,
            text=f"has shown no life for more than {OLDEST_SECONDS} seconds",
            age=int(age),
        )
    return Check(name=kind, ok=True, text="alive", age=int(age))


def _failed(name: str, text: str) -> Check:
    """What was said in general; what is known of it in full is in the log."""
    return Check(name=name, ok=False, text=text, age=None)
