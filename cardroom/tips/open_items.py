"""Open items at the close of a shift: tips that are not shared out (`cardroom.floor.open_items`)."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.floor.models import Shift
from cardroom.floor.open_items import OpenItem, named
from games.money import dollars

from .models import HandIn, PoolSheet
from .reads.earned import tips_brought


def tips_open(shift: Shift) -> Iterator[OpenItem]:
    """Name the shift's tips that are not shared out, and earlier shifts whose tips never were."""
    if not PoolSheet.objects.filter(shift=shift).exists() and (cents := tips_brought(shift)):
        text = f"Tips of {dollars(cents)} are not shared out: their sheet is made once the shift is closed."
        yield OpenItem("tips", 1, text)
    handed = HandIn.objects.filter(room=shift.room, shift__pool_sheet__isnull=True).exclude(shift=shift)
    earlier = Shift.objects.filter(pk__in=handed.values("shift"), closed_at__isnull=False).order_by(
        "opened_at"
    )
    if shifts := list(earlier):
        yield OpenItem("tips_of_earlier_shifts", len(shifts), f"Tips not shared out: {named(shifts)}.")
