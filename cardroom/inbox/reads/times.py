"""Queries on when shifts were open."""

from __future__ import annotations

import datetime

from cardroom.floor.models import Shift
from cardroom.rooms.models import Room


def shifts_in(room: Room, since: datetime.datetime, until: datetime.datetime) -> list[int]:
    """Return the ids of the shifts that were open in a time."""
    opened = Shift.objects.filter(room=room, opened_at__lt=until)
    over = opened.filter(closed_at__gte=since) | opened.filter(closed_at__isnull=True)
    return list(over.order_by("pk").values_list("pk", flat=True))
