"""What should be in a box: the cents that the floor's transfers dropped at its table while it hung there.

A transfer belongs to the last box of its table and shift that was put on before it; to the first one, where it came
before all of them. So the boxes of a table and shift together expect exactly what the table collected in that shift,
late refunds and corrections included.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from cardroom.floor.models import Round, Shift, Transfer

from ..models import DropBox

_DROP = Transfer.Account.DROP
#: Only these kinds touch the drop; named, so that the sums come from an index alone.
_KINDS = (Transfer.Kind.FEE, Transfer.Kind.FEE_REFUND)


def _dropped() -> Coalesce:
    """Sum up what went into the drop less what came out of it, in cents."""
    into = Case(When(target=_DROP, then=F("cents")), default=-F("cents"), output_field=BigIntegerField())
    return Coalesce(Sum(into), 0)


def table_cents(shift: Shift) -> dict[int, int]:
    """Return what each table of a shift collected, in cents by the table's id; tables with nothing are left out."""
    sums = Transfer.objects.filter(shift=shift, kind__in=_KINDS).values_list("table").order_by()
    return {table: cents for table, cents in sums.annotate(dropped=_dropped()) if cents}


def expected_cents(boxes: Iterable[DropBox]) -> dict[int, int]:
    """Return what each of `boxes` should hold, in cents by the box's id.

    Two queries for all of them, and one for each box that shared its table with another in one shift.
    """
    wanted = list(boxes)
    places = {"shift__in": {box.shift_id for box in wanted}, "table__in": {box.table_id for box in wanted}}
    hung: defaultdict[tuple[int, int], list[DropBox]] = defaultdict(list)
    for box in DropBox.objects.filter(**places).order_by("placed_at", "pk"):
        hung[box.shift_id, box.table_id].append(box)
    rows = Transfer.objects.filter(**places, kind__in=_KINDS).values_list("shift", "table").order_by()
    sums = {(shift, table): cents for shift, table, cents in rows.annotate(dropped=_dropped())}
    expected: dict[int, int] = {}
    for box in wanted:
        place = (box.shift_id, box.table_id)
        if len(hung[place]) == 1:
            expected[box.pk] = sums.get(place, 0)
        else:
            expected[box.pk] = transfers_of(box, hung[place]).aggregate(cents=_dropped())["cents"]
    return expected


def box_expected_cents(box: DropBox) -> int:
    """Return what one box should hold, in cents."""
    return expected_cents([box])[box.pk]


def transfers_of(box: DropBox, hung: list[DropBox]) -> QuerySet[Transfer]:
    """Return the transfers into and out of `box`; `hung` are the boxes of its table and shift, as they were put on."""
    mine = Transfer.objects.filter(shift_id=box.shift_id, table_id=box.table_id, kind__in=_KINDS)
    begins, ends = _window(box, hung)
    if begins is not None:
        mine = mine.filter(made_at__gte=begins)
    return mine if ends is None else mine.filter(made_at__lt=ends)


def _window(box: DropBox, hung: list[DropBox]) -> tuple[datetime.datetime | None, datetime.datetime | None]:
    """Return when a box's transfers begin (None: with the shift) and end (None: never)."""
    begins = None if hung[0].pk == box.pk else box.placed_at
    ends = next((after.placed_at for before, after in pairwise(hung) if before.pk == box.pk), None)
    return begins, ends


class RoundDrop(NamedTuple):
    """What one round put into a box: fees, what was given back of them, and what stays, in cents."""

    round: int
    gaming_day: datetime.date
    number: int
    state: str
    in_cents: int
    out_cents: int

    @property
    def cents(self) -> int:
        return self.in_cents - self.out_cents


def rounds_of(box: DropBox) -> list[RoundDrop]:
    """Return the rounds that make the expected figure of `box`, in their order."""
    hung = DropBox.objects.filter(table_id=box.table_id, shift_id=box.shift_id).order_by("placed_at", "pk")
    rows = (
        transfers_of(box, list(hung))
        .values("round", "round__gaming_day", "round__number", "round__state")
        .annotate(
            into=Coalesce(Sum("cents", filter=Q(target=_DROP)), 0),
            out=Coalesce(Sum("cents", filter=~Q(target=_DROP)), 0),
        )
        .order_by("round")
    )
    return [
        RoundDrop(
            row["round"],
            row["round__gaming_day"],
            row["round__number"],
            str(Round.State(row["round__state"]).label),
            row["into"],
            row["out"],
        )
        for row in rows
    ]
