"""Queries on what a box should hold: the cents dropped into it while it hung, whichever shift counts the rounds (ruling 58).

Each transfer into or out of a box names it (`Transfer.box`), so expected in a box is by box and collected in a shift is by
shift. The two differ by what another shift dropped into a box that hung over a change, and by what was dropped, or given
back, while no box hung. Cash for chips (buy-ins) is among it where the house banks. Each kind of box is for transfers of its
own: the jackpot's collection and the other fees never meet.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

from django.db.models import BigIntegerField, Case, Count, F, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from cardroom.floor.models import DropBox, Round, Shift, Table, Transfer

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


class Collected(NamedTuple):
    """What a table collected in a shift for one kind of box, in cents: into one `box`, or None where none hung."""

    shift: int
    table: int
    kind: str
    box: int | None
    cents: int


def collected_rows(shifts: Collection[Shift], table: Table | None = None) -> list[Collected]:
    """Return what was collected in each of `shifts`, by table, kind of box and box, at all tables or at one.

    In one query, from an index alone. A box into which and out of which the same went has a row of 0.
    """
    places: dict[str, Any] = {"shift__in": shifts} if table is None else {"shift__in": shifts, "table": table}
    box_kinds = {made: kind for kind, kinds in KINDS.items() for made in kinds}
    rows = Transfer.objects.filter(**places, kind__in=box_kinds).values_list("shift", "table", "kind", "box")
    sums: defaultdict[tuple[int, int, str, int | None], int] = defaultdict(int)
    for shift, at, made, box, cents in rows.order_by().annotate(dropped=_dropped()):
        sums[shift, at, box_kinds[made], box] += cents
    return [Collected(*key, cents) for key, cents in sums.items()]


def collected_cents(shifts: Collection[Shift], table: Table | None = None) -> dict[tuple[int, int, str], int]:
    """Return what was collected in each of `shifts`, in cents by the ids of shift and table and the kind of box.

    What comes to nothing is left out.
    """
    sums: defaultdict[tuple[int, int, str], int] = defaultdict(int)
    for row in collected_rows(shifts, table):
        sums[row.shift, row.table, row.kind] += row.cents
    return {place: cents for place, cents in sums.items() if cents}


def table_cents(shift: Shift, kind: str = DropBox.Kind.DROP) -> dict[int, int]:
    """Return what each table of a shift collected for boxes of `kind`, in cents by the table's id; 0 is left out."""
    return {table: cents for (_, table, wanted), cents in collected_cents([shift]).items() if wanted == kind}


def expected_by_shift(boxes: Collection[int]) -> dict[int, dict[int, int]]:
    """Return what each of `boxes` should hold, in cents by the box's id and that of the shift that counts it; one query."""
    found: dict[int, dict[int, int]] = {box: {} for box in boxes}
    rows = Transfer.objects.filter(box__in=boxes).order_by().values_list("box", "shift")
    for box, shift, cents in rows.annotate(dropped=_dropped()):
        found[box][shift] = cents
    return found


def expected_cents(boxes: Iterable[DropBox]) -> dict[int, int]:
    """Return what each of `boxes` should hold, in cents by the box's id; one query for all of them."""
    return {box: sum(shifts.values()) for box, shifts in expected_by_shift([box.pk for box in boxes]).items()}


def box_expected_cents(box: DropBox) -> int:
    """Return what one box should hold, in cents."""
    return expected_cents([box])[box.pk]


def shifts_in(box: DropBox) -> QuerySet[Shift]:
    """Return the shifts that a box concerns, as they were opened: its own, and those that dropped into it."""
    dropped = Transfer.objects.filter(box=box).order_by().values("shift")
    return Shift.objects.filter(Q(pk=box.shift_id) | Q(pk__in=dropped)).order_by("opened_at")


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
    account = ACCOUNTS[box.kind]
    rows = (
        Transfer.objects.filter(box=box, round__isnull=False)
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
    rows = Transfer.objects.filter(box=box, buy_in__isnull=False)
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
    rows = (
        Transfer.objects.filter(box=box, time_collection__isnull=False)
        .values_list("time_collection", "time_collection__made_at")
        .annotate(seats=Count("id"), cents=_dropped())
        .order_by("time_collection")
    )
    return [TimeDrop(*row) for row in rows]
