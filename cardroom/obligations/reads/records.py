"""Obligations as plain data, for the API: a line of the calendar, and one obligation with each step."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, TypedDict

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf

from ..models import Obligation, ObligationStep
from ..recurrence import next_due
from ..sources import Entry


class CalendarRow(TypedDict):
    """A line of the calendar: typed, with the id of its obligation, or derived from the record that `key` names."""

    key: Annotated[str, "obligation 4, badge 12, permit 4, contract 3, game 5 begins, item 7 due …"]
    obligation: int | None
    kind: Annotated[str, "filing, licence, permit, contract, tax, table_fee, other; claim, recording …"]
    due_on: DayText
    what: str
    rests_on: str
    owner: int | None
    state: Annotated[str, "open, done, not_applicable; date: something begins or ends by itself."]
    days_left: Annotated[int, "From today to its day, by the room's calendar; below 0 once that is over."]
    overdue: bool


class CalendarRecord(TypedDict):
    """The calendar of a time, and what was due before it and is overdue."""

    today: DayText
    overdue: list[CalendarRow]
    entries: list[CalendarRow]


class ObligationStepRow(TypedDict):
    """What was done about an obligation."""

    what: Annotated[str, OneOf(ObligationStep.What)]
    before: Annotated[str, OneOf(Obligation.State)]
    after: Annotated[str, OneOf(Obligation.State)]
    note: str
    reference: str
    document: Annotated[str, "Checksum of the document; empty for none."]
    owner: int | None
    changes: Annotated[dict[str, Any], "What was changed, by its name: before and after."]
    made_at: Instant
    made_by: int
    approved_by: Annotated[int | None, "Who signed that it is done."]


class ProofDocument(TypedDict):
    """The document that proves an obligation."""

    name: str
    sha256: str
    size: Annotated[int, "Its bytes."]


class ObligationRecord(TypedDict):
    """An obligation with its proof and its steps."""

    id: int
    kind: Annotated[str, OneOf(Obligation.Kind)]
    title: str
    rests_on: str
    due_on: DayText
    every: Annotated[str, OneOf(Obligation.Every)]
    last_day: Annotated[bool, "It recurs on the last day of the month."]
    next_due_on: Annotated[
        DayText | None, "On which day the next one is due; null for one that does not recur."
    ]
    remind_days: int
    takes_two: bool
    owner: int | None
    state: Annotated[str, OneOf(Obligation.State)]
    reference: str
    document: ProofDocument | None
    reason: Annotated[str, "Why it does not apply."]
    closed_at: Instant | None
    closed_by: int | None
    confirmed_by: int | None
    follows: Annotated[int | None, "The obligation after which it was opened."]
    next: Annotated[int | None, "The one that was opened after it."]
    made_at: Instant
    made_by: int
    steps: list[ObligationStepRow]


def calendar_row(entry: Entry, today: datetime.date) -> CalendarRow:
    """Return a line of the calendar as plain data; it refers to players (`cardroom.people.names`)."""
    return {
        "key": entry.key,
        "obligation": entry.obligation,
        "kind": str(entry.kind),
        "due_on": entry.due_on.isoformat(),
        "what": entry.what,
        "rests_on": entry.rests_on,
        "owner": entry.owner,
        "state": str(entry.state),
        "days_left": entry.days_left(today),
        "overdue": entry.is_overdue(today),
    }


def obligation_record(obligation: Obligation) -> ObligationRecord:
    """Return an obligation with all that is on record about it."""
    following = Obligation.objects.filter(follows=obligation).values_list("pk", flat=True).first()
    due = next_due(obligation)
    document = obligation.document
    return {
        "id": obligation.pk,
        "kind": obligation.kind,
        "title": obligation.title,
        "rests_on": obligation.rests_on,
        "due_on": obligation.due_on.isoformat(),
        "every": obligation.every,
        "last_day": obligation.last_day,
        "next_due_on": None if due is None else due.isoformat(),
        "remind_days": obligation.remind_days,
        "takes_two": obligation.takes_two,
        "owner": obligation.owner_id,
        "state": obligation.state,
        "reference": obligation.reference,
        "document": None
        if document is None
        else {"name": document.name, "sha256": document.sha256, "size": document.size},
        "reason": obligation.reason,
        "closed_at": utc_text(obligation.closed_at),
        "closed_by": obligation.closed_by_id,
        "confirmed_by": obligation.confirmed_by_id,
        "follows": obligation.follows_id,
        "next": following,
        "made_at": utc_text(obligation.made_at),
        "made_by": obligation.made_by_id,
        "steps": [_step_row(step) for step in obligation.steps.select_related("document")],
    }


def _step_row(step: ObligationStep) -> ObligationStepRow:
    return {
        "what": step.what,
        "before": step.before,
        "after": step.after,
        "note": step.note,
        "reference": step.reference,
        "document": "" if step.document is None else step.document.sha256,
        "owner": step.owner_id,
        "changes": step.changes,
        "made_at": utc_text(step.made_at),
        "made_by": step.made_by_id,
        "approved_by": step.approved_by_id,
    }
