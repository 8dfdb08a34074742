"""Queries on what a table charges, what is waived there and what time is owed and was collected, as plain data.

Money is integer cents, instants are ISO 8601 in UTC.
"""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from django.db.models import QuerySet

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant, OneOf
from fees.document import BOXES, COVERS, PERIODS, WaiverRule
from fees.rates import Tariff

from ..models import Table, TimeCollection, Waiver
from ..places import place_as_json
from ..seat_time import TimeDue, rate_of, time_due
from .table_state import TableState


class TariffRow(TypedDict):
    """One posted fee."""

    payer: str
    due: Annotated[str, "What it is due for each of."]
    wager: str
    band: str
    cents: int
    clause: str
    box: Annotated[str, OneOf(BOXES)]
    text: Annotated[str, "Who pays, and for each of what, in words."]


class WaiverRuleRow(TypedDict):
    """A published rule by which fees may be waived."""

    key: str
    title: str
    text: str
    covers: Annotated[str, OneOf(COVERS)]
    most_positions: int | None
    portion_cents: Annotated[int | None, "How much of each fee it lets go; null: all of it."]


class WaiverRow(TypedDict):
    """A waiver; one that was withdrawn says by whom and when."""

    id: int
    table: int
    round: int
    schedule: int
    rule: str
    title: str
    covers: Annotated[str, OneOf(COVERS)]
    seat: int | None
    behind: Annotated[int, "Above 0, the fee of the bettor at that place of the seat's back line."]
    portion_cents: Annotated[int | None, "How much of each fee the rule lets go; null: all of it."]
    returned_cents: Annotated[int, 'What went back from the drop as it was made; 0 before "no more bets".']
    reason: str
    made_at: Instant
    recorded_by: str
    ordered_by: str
    withdrawn_at: Instant | None
    withdrawn_by: str | None


class SeatTimeDue(TypedDict):
    """The time that one bettor owes."""

    seat: int
    behind: NotRequired[Annotated[int, "Of a back-line bettor: the place behind the seat, from 1."]]
    player: str
    periods: int
    since: Annotated[Instant, "When the first of them began."]
    cents: int


class TimeRecord(TypedDict):
    """What each seat pays by the clock, and what is due now."""

    period: Annotated[str, OneOf(PERIODS)]
    fee_cents: int
    due: list[SeatTimeDue]


class ChargesRecord(TypedDict):
    """The fees of a table as posted, its waivers, and the time that is due."""

    table: int
    version: int
    tariff: list[TariffRow]
    waiver_rules: list[WaiverRuleRow]
    waivers: Annotated[list[WaiverRow], "Those of the round in play."]
    time: Annotated[TimeRecord | None, "Null where no time is collected."]


def charges_record(state: TableState) -> ChargesRecord:
    """Return the fees of a table's schedule, its published waivers, those of the round in play, and the time that is due."""
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


def waiver_row(waiver: Waiver) -> WaiverRow:
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
        "portion_cents": waiver.portion_cents,
        "returned_cents": waiver.returned_cents,
        "reason": waiver.reason,
        "made_at": utc_text(waiver.made_at),
        "recorded_by": str(waiver.recorded_by),
        "ordered_by": str(waiver.ordered_by),
        "withdrawn_at": utc_text(waiver.withdrawn_at),
        "withdrawn_by": None if waiver.withdrawn_by is None else str(waiver.withdrawn_by),
    }


class SeatTime(TypedDict):
    """The time that one bettor paid."""

    seat: int
    behind: NotRequired[Annotated[int, "Of a back-line bettor: the place behind the seat, from 1."]]
    payer: str
    periods: int
    cents: int
    paid_to: Annotated[Instant, "When the last period that it pays for began."]


class CollectionRow(TypedDict):
    """Time collected in one command; one that reverses another has its sums below 0."""

    id: int
    table: int
    shift: int
    schedule: int
    schedule_version: int
    period: Annotated[str, OneOf(PERIODS)]
    fee_cents: int
    fees: list[SeatTime]
    periods: int
    cents: int
    made_at: Instant
    recorded_by: str
    reverses: int | None
    taken_back: Annotated[int | None, "The collection that reverses this one."]
    reason: str
    approved_by: str | None


def collection_row(collected: TimeCollection) -> CollectionRow:
    """Return a collection of time as plain data, as it is kept; `taken_back` is the id of the one that reverses it."""
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
            {key: fee[key] for key in SeatTime.__annotations__ if key in fee}  # type: ignore[misc]
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


def _tariff(row: Tariff) -> TariffRow:
    return {
        "payer": row.payer,
        "due": row.due,
        "wager": row.wager,
        "band": row.band,
        "cents": row.cents,
        "clause": row.clause,
        "box": row.box,
        "text": f"{row.who}, for each {row.for_each}",
    }


def _rule(rule: WaiverRule) -> WaiverRuleRow:
    return {
        "key": rule.key,
        "title": rule.title,
        "text": rule.text,
        "covers": rule.covers,
        "most_positions": rule.most_positions,
        "portion_cents": rule.portion_cents,
    }


def _due(due: TimeDue) -> SeatTimeDue:
    return {
        **place_as_json(due.place),
        "player": due.sitting.player.known_as,
        "periods": len(due.begun),
        "since": utc_text(due.begun[0]),
        "cents": due.cents,
    }
