"""Exceptions of shifts: the items of the inbox (`cardroom.inbox`), counted by the shift in which they happened."""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from cardroom.floor.models import Shift
from cardroom.inbox.models import Item, Search
from cardroom.rooms.models import Room


class Exceptions(NamedTuple):
    """How many items there are, and how many of them are not closed."""

    found: int
    not_closed: int


def exceptions_of(room: Room, shifts: Sequence[Shift]) -> dict[int, Exceptions]:
    """Count the items of shifts, in the order in which these were opened, by their ids; a shift not searched yet is left out.

    An item that names no shift counts in the one that was open, or opened last, when it happened.
    """
    until = Search.objects.filter(room=room).values_list("until", flat=True).first()
    if until is None or not shifts:
        return {}
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    days = shifts[0].gaming_day, max(shift.gaming_day for shift in shifts)
    items = Item.objects.filter(room=room, gaming_day__range=days).order_by()
    for shift, happened_at, closed_at in items.values_list("shift", "happened_at", "closed_at"):
        own = shift or _open_at(shifts, happened_at)
        if own is not None:
            counts[own][0] += 1
            counts[own][1] += closed_at is None
    searched = [shift for shift in shifts if shift.closed_at is None or shift.closed_at <= until]
    return {shift.pk: Exceptions(*counts[shift.pk]) for shift in searched}


def _open_at(shifts: Sequence[Shift], at: datetime.datetime) -> int | None:
    return next((shift.pk for shift in reversed(shifts) if shift.opened_at <= at), None)
