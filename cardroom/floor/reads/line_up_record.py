"""The line-up of a room as the API answers it."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf
from cardroom.people.permits import Expiry

from ..models import Down, LineUpPlan, Relief, Table
from .line_up import BREAK, MEAL, Dealer, LineUp, PushSeen, ReliefSeen, permits_ending
from .next_dealers import Row
from .table_record import NamedRow

#: What has become of a relief: it came, was canceled, may begin, or still deals at another table.
DONE, CANCELED, ON_THE_WAY, AFTER = "done", "canceled", "on_the_way", "after"


class StringRecord(TypedDict):
    """Tables that the same dealers deal one after another, and the dealers, each in their order."""

    name: str
    tables: list[int]
    dealers: list[int]


class StartRecord(TypedDict):
    """When a dealer is expected."""

    dealer: int
    at: Instant


class StartingRecord(TypedDict):
    """A dealer of the plan who is expected within the hour, or was and has not dealt yet."""

    dealer: NamedRow
    at: Instant
    not_in: Annotated[bool, "The time is over, and they have not dealt yet."]


class PlanRecord(TypedDict):
    """The plan that is in force; `id` is null where none was set, and its minutes are the usual ones."""

    id: int | None
    set_at: Instant | None
    strings: list[StringRecord]
    starts: Annotated[list[StartRecord], "When dealers are expected, in the order of the strings."]
    down_minutes: int
    break_minutes: int
    rest_minutes: int
    rest_after_minutes: int
    meal_minutes: int
    meal_after_minutes: int


class ReliefRecord(TypedDict):
    """One table of a push that is open, and what has become of it."""

    id: int
    push: int
    dealer: NamedRow
    state: Annotated[str, OneOf((DONE, CANCELED, ON_THE_WAY, AFTER))]
    after: Annotated[int | None, "The table where they still deal."]
    relieved_at: Instant | None
    relieved_by: Annotated[NamedRow | None, "Who came, where that is somebody else too."]


class LineUpRow(TypedDict):
    """A table: who deals there and since when, who comes in by the plan, and its part of the open push."""

    table: int
    number: int
    string: str
    dealer: NamedRow | None
    since: Instant | None
    minutes: int
    over: Annotated[int, "Minutes beyond the time of a down; 0 for none."]
    next: Annotated[NamedRow | None, "Who comes in; null where the table goes on."]
    next_from: Annotated[int | None, "The table where they deal now; null for one on break."]
    instead_of: Annotated[NamedRow | None, "Who would come by the plan."]
    why: Annotated[str, "Why they do not."]
    goes_to: Annotated[str | None, OneOf(("table", BREAK, MEAL))]
    goes_to_table: int | None
    relief: ReliefRecord | None


class BreakRecord(TypedDict):
    """A dealer of the plan who does not deal now."""

    dealer: NamedRow
    since: Annotated[Instant | None, "When their last down of the day ended; null before the first."]
    meal: Annotated[int | None, "The meal that they are at."]
    meal_until: Instant | None


class DueRecord(TypedDict):
    """A rest or a meal that a dealer is to have by an instant, the overdue first."""

    dealer: NamedRow
    what: Annotated[str, OneOf((BREAK, MEAL))]
    by: Instant


class PermitRecord(TypedDict):
    """A work permit or licence of a dealer of the plan that has ended, or will within the days of which the room is reminded."""

    person: str
    what: str
    last_day: DayText
    expired: bool


class PushRecord(TypedDict):
    """A push that is open, or the latest one. While it is open its tables have reliefs."""

    id: int
    started_at: Instant
    open: bool
    relieved: int
    waiting: int
    may_be_reversed: Annotated[bool, "No table that it relieved has had another change since."]


class LineUpRecord(TypedDict):
    """The line-up of a room now, its tables in the order of the strings."""

    room: int
    at: Instant
    plan: PlanRecord
    tables: list[LineUpRow]
    breaks: list[BreakRecord]
    due: list[DueRecord]
    starting: list[StartingRecord]
    permits: list[PermitRecord]
    pushes: list[PushRecord]


def line_up_record(line_up: LineUp, rows: list[Row]) -> LineUpRecord:
    """Return the line-up with who comes next as `rows` have it."""
    expired = [dealer.expired for dealer in line_up.cannot_deal if dealer.expired is not None]
    return {
        "room": line_up.room.pk,
        "at": utc_text(line_up.now),
        "plan": _plan(line_up.plan),
        "tables": [_row(row, line_up.open_reliefs.get(row.table.pk)) for row in rows],
        "breaks": [_break(dealer) for dealer in line_up.on_break],
        "due": [
            {"dealer": _named(dealer), "what": what, "by": utc_text(at)} for dealer, what, at in line_up.due
        ],
        "starting": [
            {
                "dealer": _named(dealer),
                "at": utc_text(dealer.starts_at),
                "not_in": dealer.starts_at <= line_up.now,
            }
            for dealer in line_up.starting
            if dealer.starts_at is not None
        ],
        "permits": [
            *(_permit(each, expired=True) for each in expired),
            *(_permit(each, expired=False) for each in permits_ending(line_up)),
        ],
        "pushes": [_push(push) for push in line_up.pushes],
    }


def _plan(plan: LineUpPlan) -> PlanRecord:
    return {
        "id": plan.pk,
        "set_at": utc_text(plan.set_at),
        "strings": plan.strings,
        "starts": plan.starts,
        "down_minutes": plan.down_minutes,
        "break_minutes": plan.break_minutes,
        "rest_minutes": plan.rest_minutes,
        "rest_after_minutes": plan.rest_after_minutes,
        "meal_minutes": plan.meal_minutes,
        "meal_after_minutes": plan.meal_after_minutes,
    }


def _permit(expiry: Expiry, *, expired: bool) -> PermitRecord:
    return {
        "person": expiry.person,
        "what": expiry.what,
        "last_day": expiry.expires.isoformat(),
        "expired": expired,
    }


def _named(dealer: Dealer) -> NamedRow:
    return {"id": dealer.pk, "name": str(dealer)}


def _of_down(down: Down | None) -> NamedRow | None:
    return None if down is None else {"id": down.dealer_id, "name": str(down.dealer)}


def _row(row: Row, relief: ReliefSeen | None) -> LineUpRow:
    goes = row.goes_to
    return {
        "table": row.table.pk,
        "number": row.table.number,
        "string": row.string,
        "dealer": _of_down(row.down),
        "since": None if row.down is None else utc_text(row.down.started_at),
        "minutes": row.minutes,
        "over": row.over,
        "next": None if row.incoming is None else _named(row.incoming),
        "next_from": None if row.comes_from is None else row.comes_from.pk,
        "instead_of": None if row.instead_of is None else _named(row.instead_of),
        "why": row.why,
        "goes_to": "table" if isinstance(goes, Table) else goes,
        "goes_to_table": goes.pk if isinstance(goes, Table) else None,
        "relief": None if relief is None else _relief(relief.relief, relief),
    }


def _state(seen: ReliefSeen) -> str:
    if not seen.waits:
        return DONE if seen.is_done else CANCELED
    return ON_THE_WAY if seen.after is None else AFTER


def _relief(relief: Relief, seen: ReliefSeen) -> ReliefRecord:
    down = relief.down
    return {
        "id": relief.pk,
        "push": relief.push_id,
        "dealer": {"id": relief.incoming_id, "name": str(relief.incoming)},
        "state": _state(seen),
        "after": None if seen.after is None else seen.after.pk,
        "relieved_at": None if down is None else utc_text(down.started_at),
        "relieved_by": _of_down(down),
    }


def _break(dealer: Dealer) -> BreakRecord:
    return {
        "dealer": _named(dealer),
        "since": utc_text(dealer.away_since),
        "meal": None if dealer.meal is None else dealer.meal.pk,
        "meal_until": utc_text(dealer.meal_until),
    }


def _push(push: PushSeen) -> PushRecord:
    return {
        "id": push.push.pk,
        "started_at": utc_text(push.push.started_at),
        "open": push.is_open,
        "relieved": len(push.done),
        "waiting": len(push.waiting),
        "may_be_reversed": push.may_be_reversed,
    }
