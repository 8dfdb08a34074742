"""Computes what each seat owes by the clock where the table's schedule collects time. Nothing is written here."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable
from typing import Any

from cardroom.filings.models import FeeSchedule
from cardroom.people.models import Staff
from fees.document import HOUR
from fees.rates import Schedule
from fees.seat_time import TimeRate, periods_begun
from games.money import dollars
from games.phrases import Phrase, plural

from .models import Seating, Shift, Table, TimeCollection, Transfer
from .places import Place, place_as_json
from .reads.table_state import TableState


@dataclasses.dataclass(frozen=True)
class TimeDue:
    """What one place owes: `begun` are the starts of the periods that are not collected yet, in UTC, the first first."""

    sitting: Seating
    rate: TimeRate
    begun: list[datetime.datetime]

    @property
    def seat(self) -> int:
        return self.sitting.seat

    @property
    def place(self) -> Place:
        return self.sitting.place

    @property
    def cents(self) -> int:
        return self.rate.fee_cents * len(self.begun)


def paid_to(sitting: Seating) -> datetime.datetime:
    """Return the instant up to which a stay owes nothing."""
    return sitting.time_paid_to or sitting.seated_at


def rate_of(state: TableState) -> TimeRate | None:
    """Return what the table collects by time; None where it collects by the round, or time costs nothing."""
    return rate_by(state.schedule)


def rate_by(schedule: Schedule | None) -> TimeRate | None:
    """The same of a schedule; None where no fee is collected."""
    if schedule is None or schedule.time is None or schedule.time.fee_cents == 0:
        return None
    return schedule.time


def time_due(state: TableState) -> list[TimeDue]:
    """Return what is owed at an open table now, place by place; places that owe nothing are left out."""
    rate = rate_of(state)
    if rate is None or state.table.state != Table.State.OPEN:
        return []
    return places_due(rate, state.places.values(), state.now)


def places_due(rate: TimeRate, stays: Iterable[Seating], now: datetime.datetime) -> list[TimeDue]:
    """Return what those who are there owe by `rate` at `now`, in their order; who owes nothing is left out."""
    found = [
        TimeDue(sitting, rate, periods_begun(rate, after=paid_to(sitting), until=now)) for sitting in stays
    ]
    return [due for due in found if due.begun]


def fee_of(due: TimeDue) -> dict[str, Any]:
    """Return what a place pays as a collection of time and the journal keep it."""
    sitting = due.sitting
    return {
        **place_as_json(due.place),
        "payer": sitting.player.ref,
        "player": sitting.player_id,
        "seating": sitting.pk,
        "periods": len(due.begun),
        "cents": due.cents,
        "before": paid_to(sitting).isoformat(),
        "paid_to": due.begun[-1].isoformat(),
    }


def collection_of(
    dues: Iterable[TimeDue],
    *,
    table: Table,
    shift: Shift,
    schedule: FeeSchedule,
    actor: Staff,
    now: datetime.datetime,
) -> TimeCollection:
    """Return the collection of `dues`, one of them at least, which is yet to be saved."""
    paying = list(dues)
    fees, rate = [fee_of(due) for due in paying], paying[0].rate
    return TimeCollection(
        room=table.room,
        table=table,
        shift=shift,
        schedule=schedule,
        schedule_version=schedule.version,
        period=rate.per,
        fee_cents=rate.fee_cents,
        fees=fees,
        periods=sum(fee["periods"] for fee in fees),
        cents=sum(fee["cents"] for fee in fees),
        made_at=now,
        recorded_by=actor,
    )


def movements_of(collected: TimeCollection, box: int | None) -> list[dict[str, Any]]:
    """Return the transfers of a saved collection, each as its columns by name: every seat's fee into the drop.

    `box` is the id of the drop box that hangs at the table.
    """
    return [
        {
            "room_id": collected.room_id,
            "table_id": collected.table_id,
            "shift_id": collected.shift_id,
            "round_id": None,
            "time_collection_id": collected.pk,
            "buy_in_id": None,
            "box_id": box,
            "kind": Transfer.Kind.TIME,
            "source": Transfer.Account.SEAT,
            "target": Transfer.Account.DROP,
            "seat": fee["seat"],
            "player_id": fee["player"],
            "wager": "",
            "line": None,
            "cents": fee["cents"],
            "reverses_id": None,
            "made_at": collected.made_at,
        }
        for fee in collected.fees
    ]


def format_due(dues: list[TimeDue]) -> str:
    """Say what is owed: "5 seats, $30 for the half hour", with what was missed before it."""
    cents, seats = sum(due.cents for due in dues), len(dues)
    missed = sum(len(due.begun) - 1 for due in dues)
    period = dues[0].rate.period
    owed = plural(
        "{n} seat, {cents} for the {period}",
        "{n} seats, {cents} for the {period}",
        seats,
        cents=dollars(cents),
        period=period,
    )
    if not missed:
        return owed
    carried = (
        plural("{n} hour carried from before", "{n} hours carried from before", missed)
        if dues[0].rate.per == HOUR
        else plural("{n} half hour carried from before", "{n} half hours carried from before", missed)
    )
    return Phrase("{owed}, {carried}", owed=owed, carried=carried)
