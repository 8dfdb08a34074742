"""What a table charges, what is waived there and what time is owed and was collected, as plain data.

Money is integer cents, instants are ISO 8601 in UTC.
"""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from cardroom.core.dates import utc_text
from fees.document import WaiverRule
from fees.rates import Tariff

from ..models import Table, TimeCollection, Waiver
from ..places import place_as_json
from ..seat_time import TimeDue, rate_of, time_due
from .table_state import TableState


def charges_record(state: TableState) -> dict[str, Any]:
    """Return the fees of a table's schedule, its published waivers, those that stand, and the time that is due."""
    schedule, rate = state.schedule, rate_of(state)
    return {
        "table": state.table.pk,
        "version": state.table.version,
        "tariff": []
        if schedule is None
        else [_tariff(row) for row in schedule.tariff_at(state.terms.rulebook)],
        "waiver_rules": [] if schedule is None else [_rule(rule) for rule in schedule.waivers],
        "waivers": [waiver_row(waiver) for waiver in state.waivers],
        "time": None
        if rate is None
        else {
            "period": rate.per,
            "fee_cents": rate.fee_cents,
            "due": [_due(due) for due in time_due(state)],
        },
    }


def waivers_at(table: Table) -> QuerySet[Waiver]:
    """Return the waivers of a table, withdrawn ones too, the latest first."""
    people = ("recorded_by", "ordered_by", "withdrawn_by")
    return Waiver.objects.filter(table=table).select_related(*people).order_by("-id")


def collections_at(table: Table) -> QuerySet[TimeCollection]:
    """Return the collections of time at a table, the latest first."""
    people = ("recorded_by", "approved_by", "reversal")
    return TimeCollection.objects.filter(table=table).select_related(*people).order_by("-id")


def waiver_row(waiver: Waiver) -> dict[str, Any]:
    """Return a waiver as plain data."""
    return {
        "id": waiver.pk,
        "table": waiver.table_id,
        "round": waiver.round_id,
        "schedule": waiver.schedule_id,
        "rule": waiver.rule,
        "title": waiver.title,
        "covers": waiver.covers,
        "seat": waiver.seat,
        "behind": waiver.behind,
        "reason": waiver.reason,
        "made_at": utc_text(waiver.made_at),
        "recorded_by": str(waiver.recorded_by),
        "ordered_by": str(waiver.ordered_by),
        "withdrawn_at": utc_text(waiver.withdrawn_at),
        "withdrawn_by": None if waiver.withdrawn_by is None else str(waiver.withdrawn_by),
    }


def collection_row(collected: TimeCollection) -> dict[str, Any]:
    """Return a collection of time as plain data; `taken_back` is the id of the one that reverses it."""
    reversal: TimeCollection | None = getattr(collected, "reversal", None)
    return {
        "id": collected.pk,
        "table": collected.table_id,
        "shift": collected.shift_id,
        "schedule": collected.schedule_id,
        "schedule_version": collected.schedule_version,
        "period": collected.period,
        "fee_cents": collected.fee_cents,
        "fees": [
            {
                key: fee[key]
                for key in ("seat", "behind", "payer", "periods", "cents", "paid_to")
                if key in fee
            }
            for fee in collected.fees
        ],
        "periods": collected.periods,
        "cents": collected.cents,
        "made_at": utc_text(collected.made_at),
        "recorded_by": str(collected.recorded_by),
        "reverses": collected.reverses_id,
        "taken_back": None if reversal is None else reversal.pk,
        "reason": collected.reason,
        "approved_by": None if collected.approved_by is None else str(collected.approved_by),
    }


def _tariff(row: Tariff) -> dict[str, Any]:
    said = row._asdict()
    del said["main"]
    return {**said, "text": f"{row.who}, for each {row.for_each}"}


def _rule(rule: WaiverRule) -> dict[str, Any]:
    return {
        "key": rule.key,
        "title": rule.title,
        "text": rule.text,
        "covers": rule.covers,
        "most_positions": rule.most_positions,
    }


def _due(due: TimeDue) -> dict[str, Any]:
    return {
        **place_as_json(due.place),
        "player": due.sitting.player.name,
        "periods": len(due.begun),
        "since": utc_text(due.begun[0]),
        "cents": due.cents,
    }
