"""Which box goes on which table next, so that users need not type what the room does every day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import count

from django.db.models import Max

from cardroom.floor.models import Table
from cardroom.rooms.models import Room

from ..models import DropBox

#: Where a table has no free box of its own, the next number for it is its own, or that and so many more.
STEP = 100


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
