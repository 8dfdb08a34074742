"""Heartbeats of the tables' screens: which tables have one, and which have fallen silent.

Kept in the cache alone: it is worth nothing after a minute, and a site that has lost its cache has worse problems. A
screen that is closed says so; one that falls silent has lost its line, its power or its dealer.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.core.cache import cache

#: A screen without a heartbeat for so long is offline: it has missed three.
SILENCE = datetime.timedelta(seconds=90)
#: A screen without a heartbeat for so long is no longer reported: yesterday's tablet lies in a drawer.
MISSED = datetime.timedelta(hours=12)
#: Heartbeats are forgotten after this (seconds); until then a tablet that is back learns how long it was away.
FORGET = 30 * 24 * 60 * 60


def screen_heard(table_id: int, screen: str, now: datetime.datetime) -> datetime.datetime | None:
    """Note that a screen of the table is there; answer since when it had been silent, None where it had not.

    `screen` is the name that it gave itself.
    """
    heard = _heard(table_id)
    # Two that call at the same instant may lose one call between them; they call again before it matters.
    cache.set(_key(table_id), {**heard, screen: now}, FORGET)
    last = heard.get(screen)
    return last if last is not None and last < now - SILENCE else None


def screen_closed(table_id: int, screen: str) -> None:
    """Note that a screen of the table was closed by its own people: it is no longer expected."""
    left = {name: at for name, at in _heard(table_id).items() if name != screen}
    cache.set(_key(table_id), left, FORGET)


def silent_tables(table_ids: Iterable[int], now: datetime.datetime) -> dict[int, datetime.datetime]:
    """Return, for tables whose screens have all stopped sending heartbeats, when the last one came."""
    keys = {_key(table_id): table_id for table_id in table_ids}
    silent = {}
    for key, heard in cache.get_many(keys).items():
        if heard and now - MISSED < (last := max(heard.values())) < now - SILENCE:
            silent[keys[key]] = last
    return silent


def silent_screens(
    table_ids: Iterable[int], now: datetime.datetime
) -> dict[int, dict[str, datetime.datetime]]:
    """Return by table the screens that stopped sending heartbeats and were not closed, each with its last one."""
    keys = {_key(table_id): table_id for table_id in table_ids}
    return {
        keys[key]: {screen: last for screen, last in heard.items() if last < now - SILENCE}
        for key, heard in cache.get_many(keys).items()
    }


def _heard(table_id: int) -> dict[str, datetime.datetime]:
    found: dict[str, datetime.datetime] = cache.get(_key(table_id), {})
    return found


def _key(table_id: int) -> str:
    return f"screens:{table_id}"
