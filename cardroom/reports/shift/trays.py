"""Sums the trays of tables that the house banks, by their slips: what was counted in them, and what moved to and from the cage.

The slips know nothing of rounds. Beside the cash that players bought chips for, they give what the house won a second time.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from django.db.models import Sum

from cardroom.floor.models import BuyIn, MeterMovement, Table, TraySlip


class TrayKey(NamedTuple):
    """A tray in a shift: the ids of both."""

    shift: int
    table: int


@dataclasses.dataclass(frozen=True)
class Tray:
    """A tray in a shift, in cents. `closed_cents` and `noted_cents` are None while it is not closed.

    It is closed when each opener has a closer after it. `noted_cents` is by how much the closers counted more than they
    should have.
    """

    opened_cents: int = 0
    fills_cents: int = 0
    credits_cents: int = 0
    closed_cents: int | None = None
    noted_cents: int | None = None

    @property
    def is_closed(self) -> bool:
        """Whether every opener has its closer."""
        return self.closed_cents is not None

    def win_cents(self, buy_ins_cents: int) -> int | None:
        """What the house won by the slips and the cash bought in; None while the tray is not closed."""
        if self.closed_cents is None:
            return None
        return self.closed_cents + self.credits_cents + buy_ins_cents - self.opened_cents - self.fills_cents


def trays_read(shifts: Iterable[int], table: Table | None = None) -> dict[TrayKey, Tray]:
    """Read the trays of some shifts, at all tables or at one; one query."""
    slips = TraySlip.objects.filter(shift__in=list(shifts))
    if table is not None:
        slips = slips.filter(table=table)
    columns = ("kind", "cents", "expected_cents")
    rows = slips.order_by("shift", "table", "pk").values_list("shift", "table", *columns)
    return {
        TrayKey(*key): _tray([(kind, cents, expected) for _, _, kind, cents, expected in of_tray])
        for key, of_tray in groupby(rows, key=lambda row: row[:2])
    }


def buy_ins_read(shifts: Iterable[int], table: Table | None = None) -> dict[TrayKey, int]:
    """Read the cash that players bought chips for, what was taken back left out; one query."""
    bought = BuyIn.objects.filter(shift__in=list(shifts))
    if table is not None:
        bought = bought.filter(table=table)
    sums = bought.order_by().values("shift", "table").annotate(sum=Sum("cents"))
    return {TrayKey(row["shift"], row["table"]): int(row["sum"]) for row in sums}


def contributions_read(shifts: Iterable[int], table: Table | None = None) -> dict[TrayKey, int]:
    """Read what progressive wagers added to the meters; one query."""
    added = MeterMovement.objects.filter(round__shift__in=list(shifts), kind=MeterMovement.Kind.WAGERED)
    if table is not None:
        added = added.filter(table=table)
    sums = added.order_by().values("round__shift", "table").annotate(sum=Sum("cents"))
    return {TrayKey(row["round__shift"], row["table"]): int(row["sum"]) for row in sums}


def _tray(slips: Iterable[tuple[str, int, int | None]]) -> Tray:
    """Add up the slips of one tray in one shift: kind, cents and what should have been there, in their order."""
    kinds = TraySlip.Kind
    sums: dict[str, int] = dict.fromkeys(kinds.values, 0)
    counts: list[str] = []
    noted: int | None = 0
    for kind, cents, expected in slips:
        sums[kind] += cents
        if kind in TraySlip.COUNTS:
            counts.append(kind)
        if kind == kinds.CLOSER:
            noted = None if noted is None or expected is None else noted + cents - expected
    is_closed = bool(counts) and counts == [kinds.OPENER, kinds.CLOSER] * (len(counts) // 2)
    return Tray(
        opened_cents=sums[kinds.OPENER],
        fills_cents=sums[kinds.FILL],
        credits_cents=sums[kinds.CREDIT],
        closed_cents=sums[kinds.CLOSER] if is_closed else None,
        noted_cents=noted if is_closed else None,
    )


def format_hold(win_cents: int | None, drop_cents: int | None) -> str | None:
    """Return win over drop as a per cent with a tenth, halves away from 0: "23.4%"; "none" without a drop, None: not known."""
    if win_cents is None or drop_cents is None:
        return None
    if drop_cents <= 0:
        return "none"
    tenths = (abs(win_cents) * 2000 + drop_cents) // (2 * drop_cents)
    sign = "−" if win_cents < 0 and tenths else ""
    return f"{sign}{tenths // 10}.{tenths % 10}%"
