"""Which games a room has filed, and which are in force."""

from __future__ import annotations

import datetime

from django.db.models import Q, QuerySet

from cardroom.rooms.models import Room

from .models import GameFiling


def games_filed(room: Room, on: datetime.date) -> QuerySet[GameFiling]:
    """Return the versions in force in `room` on the day `on`, by number: at most one of each."""
    return (
        GameFiling.objects.exclude(status=GameFiling.Status.DRAFT)
        .filter(Q(effective_to__isnull=True) | Q(effective_to__gt=on), room=room, effective_from__lte=on)
        .order_by("number")
    )


def game_versions(room: Room) -> QuerySet[GameFiling]:
    """Return every version of every game of `room`, drafts too: by number, the newest version first."""
    return (
        GameFiling.objects.filter(room=room)
        .select_related("filed_by", "approved_by", "room")
        .order_by("number", "-version")
    )
