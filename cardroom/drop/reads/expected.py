"""What should be in a box: the cents that the floor's transfers dropped at its table while it hung there.

Cash for chips (buy-ins) is among them where the house banks.

A transfer belongs to the last box of its table and shift that was put on before it; to the first one, where it came
before all of them. So the boxes of a table and shift together expect exactly what the table collected in that shift,
late refunds and corrections included. Each kind of box is for transfers of its own: the jackpot's collection and the
other fees never meet.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Case, Count, F, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from cardroom.floor.models import Round, Shift, Table, Transfer

from ..models import DropBox

#: Which kinds of transfer touch which kind of box; named, so that the sums come from an index alone.
KINDS: dict[str, tuple[str, ...]] = {
    DropBox.Kind.DROP: Transfer.DROP_KINDS,
    DropBox.Kind.JACKPOT: Transfer.JACKPOT_KINDS,
}
#: The account of the floor's transfers that a kind of box holds.
ACCOUNTS: dict[str, str] = {
    DropBox.Kind.DROP: Transfer.Account.DROP,
    DropBox.Kind.JACKPOT: Transfer.Account.JACKPOT,
}


def _dropped() -> Coalesce:
    """Sum up what went into boxes less what came out of them, in cents."""
    into = Case(
        When(target__in=ACCOUNTS.values(), then=F("cents")),
        default=-F("cents"),
        output_field=BigIntegerField(),
    )
    return Coalesce(Sum(into), 0)


def table_cents(shift: Shift, kind: str = DropBox.Kind.DROP) -> dict[int, int]:
    """Return what each table of a shift collected for boxes of `kind`, in cents by the table's id; 0 is left out."""
    return {table: cents for (_, table, wanted), cents in collected_cents([shift]).items() if wanted == kind}


def collected_cents(shifts: Collection[Shift], table: Table | None = None) -> dict[tuple[int, int, str], int]:
    """Return what was collected in each of `shifts`, in cents by the ids of shift and table and the kind of box.

    In one query, at all tables or at one; what comes to nothing is left out.
    """
    places = {"shift__in": shifts} if table is None else {"shift__in": shifts, "table": table}
    return {place: cents for place, cents in _sums(places).items() if cents}


def _sums(places: dict[str, Any]) -> defaultdict[tuple[int, int, str], int]:
    """Sum up by shift, table and kind of box."""
    box_kinds = {made: kind for kind, kinds in KINDS.items() for made in kinds}
    rows = Transfer.objects.filter(**places, kind__in=box_kinds).values_list("shift", "table", "kind")
    sums: defaultdict[tuple[int, int, str], int] = defaultdict(int)
    for shift, table, made, cents in rows.order_by().annotate(dropped=_dropped()):
        sums[shift, table, box_kinds[made]] += cents
    return sums


def expected_cents(boxes: Iterable[DropBox]) -> dict[int, int]:
    """Return what each of `boxes` should hold, in cents by the box's id.

    Two queries for all of them, and one for each box that shared its table with another of its kind in one shift.
    """
    wanted = list(boxes)
    places = {"shift__in": {box.shift_id for box in wanted}, "table__in": {box.table_id for box in wanted}}
    hung: defaultdict[tuple[int, int, str], list[DropBox]] = defaultdict(list)
    for box in DropBox.objects.filter(**places).order_by("placed_at", "pk"):
        hung[box.shift_id, box.table_id, box.kind].append(box)
    sums = _sums(places)
    expected: dict[int, int] = {}
    for box in wanted:
        place = (box.shift_id, box.table_id, box.kind)
        if len(hung[place]) == 1:
            expected[box.pk] = sums[place]
        else:
            expected[box.pk] = transfers_of(box, hung[place]).aggregate(cents=_dropped())["cents"]
    return expected


def box_expected_cents(box: DropBox) -> int:
    """Return what one box should hold, in cents."""
    return expected_cents([box])[box.pk]


def transfers_of(box: DropBox, hung: list[DropBox]) -> QuerySet[Transfer]:
    """Return the transfers into and out of `box`; `hung` are those of its kind, table and shift, as they were put on."""
    mine = Transfer.objects.filter(shift_id=box.shift_id, table_id=box.table_id, kind__in=KINDS[box.kind])
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
    hung = DropBox.objects.filter(table_id=box.table_id, shift_id=box.shift_id, kind=box.kind)
    account = ACCOUNTS[box.kind]
    rows = (
        transfers_of(box, list(hung.order_by("placed_at", "pk")))
        .filter(round__isnull=False)
        .values("round", "round__gaming_day", "round__number", "round__state")
        .annotate(
            into=Coalesce(Sum("cents", filter=Q(target=account)), 0),
            out=Coalesce(Sum("cents", filter=~Q(target=account)), 0),
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


def bought_in_cents(box: DropBox) -> int:
    """Return the cash for chips in `box`, less what was taken back, in cents."""
    hung = DropBox.objects.filter(table_id=box.table_id, shift_id=box.shift_id, kind=box.kind)
    rows = transfers_of(box, list(hung.order_by("placed_at", "pk"))).filter(buy_in__isnull=False)
    cents: int = rows.aggregate(cents=_dropped())["cents"]
    return cents


class TimeDrop(NamedTuple):
    """What one collection of time put into a box, or took back out of it (below 0), in cents."""

    collection: int
    made_at: datetime.datetime
    seats: int
    cents: int


def times_of(box: DropBox) -> list[TimeDrop]:
    """Return the collections of time that make the expected figure of `box`, in their order."""
    hung = DropBox.objects.filter(table_id=box.table_id, shift_id=box.shift_id, kind=box.kind)
    rows = (
        transfers_of(box, list(hung.order_by("placed_at", "pk")))
        .filter(time_collection__isnull=False)
        .values_list("time_collection", "time_collection__made_at")
        .annotate(seats=Count("id"), cents=_dropped())
        .order_by("time_collection")
    )
    return [TimeDrop(*row) for row in rows]
