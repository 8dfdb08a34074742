"""The slips of trays and the buy-ins, as lists and as plain data.

Money is integer cents, instants are ISO 8601 in UTC.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from cardroom.core.dates import utc_text

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


def tray_record(table: Table, tray: Tray | None) -> dict[str, Any]:
    """Return the tray of a table as plain data; of one that was never opened the figures are null."""
    names = ("opened", "filled", "credited", "bought_in", "won", "lost", "expected", "counted", "variance")
    figures = {f"{name}_cents": None if tray is None else getattr(tray, f"{name}_cents") for name in names}
    return {
        "table": table.pk,
        "is_open": tray is not None and tray.closer is None,
        "shift": None if tray is None else tray.opener.shift_id,
        "opener": None if tray is None else tray.opener.pk,
        "closer": None if tray is None or tray.closer is None else tray.closer.pk,
        **figures,
    }


def slip_row(slip: TraySlip) -> dict[str, Any]:
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


def buy_in_row(bought: BuyIn) -> dict[str, Any]:
    """Return a buy-in as plain data; `taken_back` is the id of the one that reverses it."""
    reversal: BuyIn | None = getattr(bought, "reversal", None)
    return {
        "id": bought.pk,
        "table": bought.table_id,
        "shift": bought.shift_id,
        "seat": bought.seat,
        "player": bought.player.name,
        "cents": bought.cents,
        "made_at": utc_text(bought.made_at),
        "recorded_by": str(bought.recorded_by),
        "reverses": bought.reverses_id,
        "taken_back": None if reversal is None else reversal.pk,
        "reason": bought.reason,
        "approved_by": None if bought.approved_by is None else str(bought.approved_by),
    }
