"""Boxes that are open as a shift is closed (`cardroom.floor.open_items`)."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.floor.models import Shift
from cardroom.floor.open_items import OpenItem, named

from .models import DropBox


def boxes_open(shift: Shift) -> Iterator[OpenItem]:
    """Name the boxes that hang at tables, and those that were taken off and wait for their count."""
    boxes = DropBox.objects.filter(room=shift.room, counted_at__isnull=True).select_related("table")
    boxes = boxes.order_by("table__number", "pk")
    hanging = [box for box in boxes if box.dropped_at is None]
    waiting = [box for box in boxes if box.dropped_at is not None]
    if hanging:
        names = named(f"{box} at {box.table}" for box in hanging)
        yield OpenItem("boxes_on_tables", len(hanging), f"Boxes not pulled: {names}. Two people pull them.")
    if waiting:
        names = named(f"{box} of {box.table}" for box in waiting)
        yield OpenItem("boxes_not_counted", len(waiting), f"Boxes not counted: {names}.")
