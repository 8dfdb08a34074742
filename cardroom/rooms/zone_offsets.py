"""UTC offsets of a time zone as rows, for SQL on databases without time zones (SQLite)."""

from __future__ import annotations

import datetime
import functools
import zoneinfo
from collections.abc import Iterator
from typing import Any

from django.db import transaction

#: The years covered. `migrate` updates the rows to the time zone database.
FIRST_YEAR, LAST_YEAR = 2020, 2060

_DAY, _MINUTE = datetime.timedelta(days=1), datetime.timedelta(minutes=1)


@functools.cache
def offsets_of(time_zone: str) -> tuple[tuple[datetime.datetime, int], ...]:
    """Return (instant in UTC, offset in minutes) for each change of the zone, FIRST_YEAR through LAST_YEAR."""
    return tuple(_changes(zoneinfo.ZoneInfo(time_zone)))


def _changes(zone: zoneinfo.ZoneInfo) -> Iterator[tuple[datetime.datetime, int]]:
    at = datetime.datetime(FIRST_YEAR, 1, 1, tzinfo=datetime.UTC)
    end = datetime.datetime(LAST_YEAR + 1, 1, 1, tzinfo=datetime.UTC)
    offset = _offset(zone, at)
    yield at, offset
    while at < end:
        if (later := _offset(zone, at + _DAY)) != offset:
            before, after = at, at + _DAY
            while after - before > _MINUTE:
                middle = before + (after - before) // _MINUTE // 2 * _MINUTE
                before, after = (middle, after) if _offset(zone, middle) == offset else (before, middle)
            offset = later
            yield after, offset
        at += _DAY


def _offset(zone: zoneinfo.ZoneInfo, at: datetime.datetime) -> int:
    offset = at.astimezone(zone).utcoffset()
    assert offset is not None  # a zone of the IANA database has one at every instant
    return offset // _MINUTE


def zone_offsets_keep(time_zone: str, using: str) -> None:
    """Replace the rows of a time zone, unless they are the same."""
    from .models import ZoneOffset

    kept = ZoneOffset.objects.using(using).filter(time_zone=time_zone)
    if list(kept.order_by("begins_at").values_list("begins_at", "offset_minutes")) == [
        *offsets_of(time_zone)
    ]:
        return
    with transaction.atomic(using=using):
        kept.delete()
        ZoneOffset.objects.using(using).bulk_create(
            ZoneOffset(time_zone=time_zone, begins_at=at, offset_minutes=offset)
            for at, offset in offsets_of(time_zone)
        )


def zone_offsets_verify() -> Iterator[str]:
    """Yield each time zone of which other clock changes are kept than the time zone database has."""
    from .models import Room, ZoneOffset

    rooms, kept = Room.objects.order_by(), ZoneOffset.objects.order_by()
    for time_zone in sorted(
        {*rooms.values_list("time_zone", flat=True), *kept.values_list("time_zone", flat=True)}
    ):
        rows = (
            kept.filter(time_zone=time_zone).order_by("begins_at").values_list("begins_at", "offset_minutes")
        )
        try:
            holds = list(rows) == [*offsets_of(time_zone)]
        except (zoneinfo.ZoneInfoNotFoundError, ValueError):
            holds = False
        if not holds:
            yield (
                f"time zone {time_zone}: the clock changes kept of it are not those of the time zone database "
                "(manage.py migrate writes them anew)"
            )


def zone_offsets_renew(using: str, **kwargs: Any) -> None:
    """Update the rows of all rooms' zones: a receiver of `post_migrate`."""
    from .models import Room

    for time_zone in set(Room.objects.using(using).order_by().values_list("time_zone", flat=True)):
        zone_offsets_keep(time_zone, using)
