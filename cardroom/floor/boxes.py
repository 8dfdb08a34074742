"""Boxes at a table: which hang there, and into which the cents of a command go (ruling 58).

A transfer names its box, so that what a box should hold does not hang on clocks or on the shift of a round. Putting a box
on and pulling it lock its table (`cardroom.drop.commands.boxes`): a command at the table sees the box that hangs until it is done.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from django.db.models import Max, Q

from .models import DropBox, Table

#: Kinds of boxes, as the accounts of transfers are called that go into them.
DROP, JACKPOT = "drop", "jackpot"


def hanging_boxes(tables: Collection[int]) -> Mapping[int, list[DropBox]]:
    """Return by table id the boxes that hang there; one query."""
    found: defaultdict[int, list[DropBox]] = defaultdict(list)
    for box in DropBox.objects.filter(table__in=tables, dropped_at__isnull=True).order_by("kind"):
        found[box.table_id].append(box)
    return found


def boxes_hung(table_id: int, at: datetime.datetime) -> list[DropBox]:
    """Return the boxes that hung at a table at an instant."""
    pulled_later = Q(dropped_at__isnull=True) | Q(dropped_at__gt=at)
    return list(DropBox.objects.filter(pulled_later, table=table_id, placed_at__lte=at).order_by("pk"))


def last_dropped(table: Table) -> datetime.datetime | None:
    """Return when a drop box was last taken off the table."""
    boxes = DropBox.objects.filter(table=table, kind=DropBox.Kind.DROP)
    last: datetime.datetime | None = boxes.aggregate(last=Max("dropped_at"))["last"]
    return last


def box_ids(boxes: Iterable[DropBox]) -> dict[str, int]:
    """Return the ids of the boxes at a table by the account of the transfers that go into each."""
    return {box.kind: box.pk for box in boxes}
