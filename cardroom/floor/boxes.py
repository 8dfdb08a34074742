"""Drop boxes at a table: which hang there, and into which the cents of a command go (ruling 58).

A transfer names its box, so that what a box should hold does not depend on clocks or on the shift of a round. Putting a
box on and pulling it lock its table (`cardroom.floor.commands.boxes`): a command at the table sees the box that hangs
until it is done.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count

from django.db.models import Max, Q

from cardroom.rooms.models import Room

from .models import DropBox, Table

#: Kinds of boxes, as the accounts of transfers are called that go into them.
DROP, JACKPOT = "drop", "jackpot"
#: Where a table has no free box of its own, the next number for it is its own, or that and so many more.
STEP = 100


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


def bare_tables(room: Room, kind: str = DropBox.Kind.DROP) -> list[Table]:
    """Return the tables of a room without a box of `kind`, those that are open first, each by its number."""
    hung = DropBox.objects.filter(room=room, kind=kind, dropped_at__isnull=True).values("table")
    tables = Table.objects.filter(room=room).exclude(pk__in=hung).order_by("number")
    return sorted(tables, key=lambda table: table.state != Table.State.OPEN)


def usual_numbers(room: Room, tables: Sequence[Table], kind: str = DropBox.Kind.DROP) -> dict[int, int]:
    """Return the number of a free box for each of `tables`, by the table's id.

    It is the box of that kind that hung there longest ago and is not in use; where there is none, the table's own
    number, or the first free one that is a hundred, two hundred … above it.
    """
    taken = set(DropBox.objects.filter(room=room, counted_at__isnull=True).values_list("number", flat=True))
    known: defaultdict[int, list[int]] = defaultdict(list)
    before = DropBox.objects.filter(room=room, kind=kind, table__in=tables).values_list("table", "number")
    for table, number, _ in before.annotate(last=Max("placed_at")).order_by("last", "number"):
        known[table].append(number)
    chosen: dict[int, int] = {}
    for table in tables:
        own = (number for number in known[table.pk] if number not in taken)
        further = (number for number in count(table.number or STEP, STEP) if number not in taken)
        chosen[table.pk] = next(own, None) or next(further)
        taken.add(chosen[table.pk])
    return chosen
