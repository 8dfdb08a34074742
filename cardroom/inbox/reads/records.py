"""Items as plain data, for the API: what was found, how far it is, and each step."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf

from ..kinds import says_of
from ..models import Dispute, Item, ItemStep


class ItemRow(TypedDict):
    """An exception as an item."""

    id: int
    kind: Annotated[
        str, "void, correction, waiver, variance, override, rotation, badge, tablet, clock, off_file …"
    ]
    text: Annotated[str, "What the record says, in one sentence."]
    table: int | None
    shift: int | None
    gaming_day: DayText
    happened_at: Instant
    found_at: Instant
    state: Annotated[str, OneOf(Item.State)]
    owner: int | None
    explained_by: int | None
    closed_at: Instant | None
    gone_at: Annotated[Instant | None, "When it was found to hold no longer."]
    due_on: Annotated[DayText | None, "The day by which it is to be answered."]


class ItemStepRow(TypedDict):
    """What was done about an item."""

    what: Annotated[str, OneOf(ItemStep.What)]
    before: Annotated[str, OneOf(Item.State)]
    after: Annotated[str, OneOf(Item.State)]
    note: str
    to: Annotated[str, "To whom it was referred."]
    owner: int | None
    made_at: Instant
    made_by: int
    approved_by: Annotated[int | None, "Who signed for its closing."]


class DisputeRecord(TypedDict):
    """A player's claim, its decision, and the surveillance review of it."""

    id: int
    round: int | None
    seat: int | None
    player: Annotated[int | None, "Id of the player whose claim it is; null for a guest who gave no name."]
    claim: str
    opened_at: Instant
    opened_by: int
    outcome: Annotated[str, OneOf(Dispute.Outcome, blank=True)]
    reason: str
    decided_at: Instant | None
    decided_by: int | None
    review_asked_at: Instant | None
    hold_until: Annotated[DayText | None, "Recordings are held until then."]
    review_ended_at: Instant | None
    review_found: str


class ItemRecord(ItemRow):
    """An item with whom it is about, its evidence by ids, the camera that was noted, and its steps."""

    figures: Annotated[dict[str, Any], "The numbers and names of its sentence."]
    evidence: Annotated[
        dict[str, Any], "Ids by what they are of: round, rounds, box, alert, entry, offer, turn …"
    ]
    staff: list[int]
    players: list[int]
    camera: str
    camera_at: Instant | None
    kept_until: DayText | None
    steps: list[ItemStepRow]
    dispute: Annotated[DisputeRecord | None, "Of a player's claim."]


def item_row(item: Item) -> ItemRow:
    """Return an item as plain data, as it is kept: it refers to players (`cardroom.people.names`)."""
    return {
        "id": item.pk,
        "kind": item.kind,
        "text": says_of([item])[item.pk],
        "table": item.table_id,
        "shift": item.shift_id,
        "gaming_day": item.gaming_day.isoformat(),
        "happened_at": utc_text(item.happened_at),
        "found_at": utc_text(item.found_at),
        "state": item.state,
        "owner": item.owner_id,
        "explained_by": item.explained_by_id,
        "closed_at": utc_text(item.closed_at),
        "gone_at": utc_text(item.gone_at),
        "due_on": None if item.due_on is None else item.due_on.isoformat(),
    }


def item_record(item: Item) -> ItemRecord:
    """Return an item with all that is on record about it."""
    people = list(item.people.all())
    dispute = Dispute.objects.filter(item=item).first()
    return {
        **item_row(item),
        "figures": item.figures,
        "evidence": item.evidence,
        "staff": [person.staff_id for person in people if person.staff_id is not None],
        "players": [person.player_id for person in people if person.player_id is not None],
        "camera": item.camera,
        "camera_at": utc_text(item.camera_at),
        "kept_until": None if item.kept_until is None else item.kept_until.isoformat(),
        "steps": [_step_row(step) for step in item.steps.all()],
        "dispute": None if dispute is None else _dispute_record(dispute),
    }


def _dispute_record(dispute: Dispute) -> DisputeRecord:
    return {
        "id": dispute.pk,
        "round": dispute.round_id,
        "seat": dispute.seat,
        "player": dispute.player_id,
        "claim": dispute.claim,
        "opened_at": utc_text(dispute.opened_at),
        "opened_by": dispute.opened_by_id,
        "outcome": dispute.outcome,
        "reason": dispute.reason,
        "decided_at": utc_text(dispute.decided_at),
        "decided_by": dispute.decided_by_id,
        "review_asked_at": utc_text(dispute.review_asked_at),
        "hold_until": None if dispute.hold_until is None else dispute.hold_until.isoformat(),
        "review_ended_at": utc_text(dispute.review_ended_at),
        "review_found": dispute.review_found,
    }


def _step_row(step: ItemStep) -> ItemStepRow:
    return {
        "what": step.what,
        "before": step.before,
        "after": step.after,
        "note": step.note,
        "to": step.to,
        "owner": step.owner_id,
        "made_at": utc_text(step.made_at),
        "made_by": step.made_by_id,
        "approved_by": step.approved_by_id,
    }
