"""Who may not play in a room: exclusions in force, and the instant at which the last of a person's ends."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from django.db.models import Q, QuerySet

from cardroom.rooms.models import Room

from .models import FOR_GOOD, Exclusion, Player
from .permits import local_day
from .players import same_person


def in_force(room: Room, now: datetime.datetime) -> QuerySet[Exclusion]:
    """Return the exclusions of a room that hold at `now`, the latest first."""
    rows = Exclusion.objects.filter(room=room, lifted_at__isnull=True)
    return rows.filter(Q(ends_on__isnull=True) | Q(ends_on__gte=local_day(room, now)))


def end_of(exclusion: Exclusion) -> datetime.datetime:
    """Return the instant at which an exclusion ends: the midnight after its last day in the room's zone."""
    if exclusion.ends_on is None:
        return FOR_GOOD
    midnight = datetime.datetime.combine(exclusion.ends_on, datetime.time(), exclusion.room.zone)
    # The wall's clock goes on by a day, however many hours that has.
    return (midnight + datetime.timedelta(days=1)).astimezone(datetime.UTC)


def excluded_until_set(entries: Iterable[Player]) -> None:
    """Write on each entry of a person when the last of that person's exclusions ends; None where there is none."""
    for entry in entries:
        rows = Exclusion.objects.filter(same_person(entry, "player__"), lifted_at__isnull=True)
        until = max((end_of(row) for row in rows.select_related("room")), default=None)
        if entry.excluded_until != until:
            entry.excluded_until = until
            entry.save(update_fields=["excluded_until"])
