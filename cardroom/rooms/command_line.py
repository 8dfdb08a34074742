"""What commands of the command line are given of a room: its code, and gaming days."""

from __future__ import annotations

import datetime

from django.core.management.base import CommandError

from .models import Room


def room_given(code: str) -> Room:
    """Return the room of a code. Raises CommandError, which names the rooms that there are."""
    room = Room.objects.filter(code=code).first()
    if room is None:
        raise CommandError(f"There is no room {code!r}. {rooms_known()}")
    return room


def rooms_known() -> str:
    """Name the rooms of the site by their codes."""
    codes = ", ".join(Room.objects.order_by("code").values_list("code", flat=True))
    return f"Rooms of this site: {codes or 'none'}."


def day_given(text: str) -> datetime.date:
    """Return a gaming day. Raises CommandError."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise CommandError(f"{text!r} is no gaming day: write it as 2026-11-20.") from None


def days_given(first: str, last: str) -> tuple[datetime.date, datetime.date]:
    """Return the first and the last of some gaming days. Raises CommandError."""
    begins, ends = day_given(first), day_given(last)
    if ends < begins:
        raise CommandError(f"{ends} is before {begins}. Give the first gaming day, then the last.")
    return begins, ends
