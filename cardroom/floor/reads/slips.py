"""Queries on the slips of trays and the buy-ins, as lists and as plain data.

Money is integer cents, instants are ISO 8601 in UTC.
"""

from __future__ import annotations

from typing import Annotated, TypedDict

from django.db.models import QuerySet

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant, OneOf

from ..models import BuyIn, Table, TraySlip
from .tray import Tray


def slips_of(rows: QuerySet[TraySlip]) -> QuerySet[TraySlip]:
    """Return slips with the people and slips that they name, the latest first."""
    named = ("table", "shift", "made_by", "approved_by", "reverses", "reversal")
    return rows.select_related(*named).order_by("-id")


def buy_ins_of(table: Table) -> QuerySet[BuyIn]:
    """Return the buy-ins at a table, those that were taken back too, the latest first."""
    named = ("player", "recorded_by", "approved_by", "reversal")
    return BuyIn.objects.filter(table=table).select_related(*named).order_by("-id")


class TrayRecord(TypedDict):
    """What lies in a tray since its opener, or lay there until the last closer; null where there was no opener yet."""

    table: int
    is_open: bool
    shift: Annotated[int | None, "The shift of its opener."]
    opener: Annotated[int | None, "The slip that opened it."]
    closer: Annotated[int | None, "The slip that closed it; null while it is open."]
    opened_cents: int | None
    filled_cents: int | None
    credited_cents: int | None
    bought_in_cents: int | None
    won_cents: Annotated[int | None, "Wagers taken into the tray."]
    lost_cents: Annotated[int | None, "Paid out of the tray."]
    expected_cents: Annotated[int | None, "Opened + filled - credited - bought in + won - lost."]
    counted_cents: Annotated[int | None, "What the closer counted."]
    variance_cents: Annotated[int | None, "Over / (short)."]


def tray_record(table: Table, tray: Tray | None) -> TrayRecord:
    """Return the tray of a table; of one that was never opened the figures are null."""
    closer = None if tray is None else tray.closer
    return {
        "table": table.pk,
        "is_open": tray is not None and closer is None,
        "shift": None if tray is None else tray.opener.shift_id,
        "opener": None if tray is None else tray.opener.pk,
        "closer": None if closer is None else closer.pk,
        "opened_cents": None if tray is None else tray.opened_cents,
        "filled_cents": None if tray is None else tray.filled_cents,
        "credited_cents": None if tray is None else tray.credited_cents,
        "bought_in_cents": None if tray is None else tray.bought_in_cents,
        "won_cents": None if tray is None else tray.won_cents,
        "lost_cents": None if tray is None else tray.lost_cents,
        "expected_cents": None if tray is None else tray.expected_cents,
        "counted_cents": None if tray is None else tray.counted_cents,
        "variance_cents": None if tray is None else tray.variance_cents,
    }


class SlipRow(TypedDict):
    """A slip of a tray; one that reverses another has its chips and cents below 0."""

    id: int
    number: Annotated[int, "Counts the slips of the room, without gaps."]
    table: int
    table_number: int
    shift: int
    kind: Annotated[str, OneOf(TraySlip.Kind)]
    chips: Annotated[dict[str, int], "Number of chips by their worth in cents."]
    cents: int
    expected_cents: Annotated[int | None, "What should lie there, of an opener or closer."]
    difference_cents: Annotated[int | None, "Over / (short)."]
    note: str
    made_at: Instant
    made_by: str
    approved_by: str
    reverses: int | None
    taken_back: Annotated[int | None, "The slip that reverses this one."]
    reason: str


def slip_row(slip: TraySlip) -> SlipRow:
    """Return a slip as plain data; `taken_back` is the id of the one that reverses it."""
    reversal: TraySlip | None = getattr(slip, "reversal", None)
    return {
        "id": slip.pk,
        "number": slip.number,
        "table": slip.table_id,
        "table_number": slip.table.number,
        "shift": slip.shift_id,
        "kind": slip.kind,
        "chips": slip.chips,
        "cents": slip.cents,
        "expected_cents": slip.expected_cents,
        "difference_cents": slip.difference_cents,
        "note": slip.note,
        "made_at": utc_text(slip.made_at),
        "made_by": str(slip.made_by),
        "approved_by": str(slip.approved_by),
        "reverses": slip.reverses_id,
        "taken_back": None if reversal is None else reversal.pk,
        "reason": slip.reason,
    }


class BuyInRow(TypedDict):
    """Cash for chips at a seat; a buy-in that reverses another has its cents below 0."""

    id: int
    table: int
    shift: int
    seat: int
    player: str
    cents: int
    made_at: Instant
    recorded_by: str
    reverses: int | None
    taken_back: Annotated[int | None, "The buy-in that reverses this one."]
    reason: str
    approved_by: str | None


def buy_in_row(bought: BuyIn) -> BuyInRow:
    """Return a buy-in as plain data; `taken_back` is the id of the one that reverses it."""
    reversal: BuyIn | None = getattr(bought, "reversal", None)
    return {
        "id": bought.pk,
        "table": bought.table_id,
        "shift": bought.shift_id,
        "seat": bought.seat,
        "player": bought.player.known_as,
        "cents": bought.cents,
        "made_at": utc_text(bought.made_at),
        "recorded_by": str(bought.recorded_by),
        "reverses": bought.reverses_id,
        "taken_back": None if reversal is None else reversal.pk,
        "reason": bought.reason,
        "approved_by": None if bought.approved_by is None else str(bought.approved_by),
    }
