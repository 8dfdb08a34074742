"""Commands on items: who is to explain one, notes, explanation, referral, closing by two, and reopening.

Each is given for one item or for several at once, as the voids of a month; every item gets a step of its own. What says something
of several is of one kind; given to somebody and closed, they may be of any. They are taken on any version of the room: people who work items off at once are not behind because of one another.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import Annotated, TypedDict

from cardroom.core.dates import minute_text
from cardroom.core.json_types import Id, Label, Signature, Size, Text
from cardroom.floor.commands.second_person import check_second_person
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow, WhyNot
from cardroom.floor.execution.carry_out import room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.people.journal import person_data
from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may

from ..checks import (
    why_not_camera,
    why_not_close,
    why_not_explain,
    why_not_refer,
    why_not_reopen,
    why_not_work,
)
from ..kinds import kind_of
from ..models import Item, ItemStep
from ..steps import step_note

#: The heading of these commands.
TAG = "Exceptions"
NOTE_LENGTH = 500
#: So many are worked off in one act.
MOST_AT_ONCE = 200
Said = Annotated[str, Text(NOTE_LENGTH), Label("Note")]
Chosen = Annotated[list[Id], Size(1, MOST_AT_ONCE), "Ids of items; several are of one kind."]
ChosenOfAny = Annotated[list[Id], Size(1, MOST_AT_ONCE), "Ids of items, of any kinds."]
#: Who signs for the closing of an item.
Closer = Annotated[Staff, Signature(right=Right.WORK_ITEMS)]
State, What = Item.State, ItemStep.What


class ItemsAnswer(TypedDict):
    """The items that were worked on, and the state that they are in now."""

    items: list[int]
    state: str


@room_command(
    "POST items/owner",
    Right.WORK_ITEMS,
    bumps_version=False,
    no_check="it depends on the items: why_not_work",
    title="Give items to somebody",
    tag=TAG,
    example={"items": [1], "owner_id": 1},
)
def items_give(tx: RoomTransaction, *, items: ChosenOfAny, owner_id: Id) -> ItemsAnswer:
    """Say who is to explain items: somebody who may work items off here."""
    owner = Staff.objects.filter(pk=owner_id).first()
    if owner is None or (why := why_not_may(owner, Right.WORK_ITEMS, tx.room)):
        message = f"There is no member of staff {owner_id}." if owner is None else why
        raise BadInput("unknown_owner", message or "", path="owner_id")
    found = _found(tx, items, why_not_work, of_any=True)
    for item in found:
        item.owner = owner
    return _step(tx, found, What.OWNER, owner=owner)


@room_command(
    "POST items/note",
    Right.WORK_ITEMS,
    bumps_version=False,
    no_check="it depends on the items: why_not_work",
    title="Note something about items",
    tag=TAG,
    example={"items": [1], "note": "the dealer is asked on Monday"},
)
def items_note_down(tx: RoomTransaction, *, items: Chosen, note: Said) -> ItemsAnswer:
    """Note something about items; their state stays."""
    return _step(tx, _found(tx, items, why_not_work), What.NOTE, note=_said(note))


@room_command(
    "POST items/explain",
    Right.WORK_ITEMS,
    bumps_version=False,
    no_check="it depends on the items: why_not_explain",
    title="Explain items",
    tag=TAG,
    example={"items": [1], "note": "misdeal; the camera agrees"},
)
def items_explain(tx: RoomTransaction, *, items: Chosen, note: Said) -> ItemsAnswer:
    """Say what explains items. Whoever does may not sign for their closing; one without an owner is theirs from then on."""
    found = _found(tx, items, why_not_explain)
    for item in found:
        item.state, item.explained_by = State.EXPLAINED, tx.actor
        item.owner = item.owner or tx.actor
    return _step(tx, found, What.EXPLAIN, note=_said(note))


@room_command(
    "POST items/refer",
    Right.WORK_ITEMS,
    bumps_version=False,
    no_check="it depends on the items: why_not_refer",
    title="Refer items",
    tag=TAG,
    example={"items": [1], "to": "Bureau of Gambling Control", "note": "letter of today"},
)
def items_refer(
    tx: RoomTransaction,
    *,
    items: Chosen,
    to: Annotated[str, Text(80), Label("Refer to"), "To whom, in words."],
    note: Said,
) -> ItemsAnswer:
    """Say to whom items go further, in words, and why. What comes back explains them."""
    to = to.strip()
    if not to:
        raise BadInput("bad_referral", "Say to whom it is referred.", path="to")
    found = _found(tx, items, why_not_refer)
    for item in found:
        item.state = State.REFERRED
    return _step(tx, found, What.REFER, note=_said(note), to=to)


@room_command(
    "POST items/close",
    Right.WORK_ITEMS,
    bumps_version=False,
    no_check="it depends on the items: why_not_close",
    title="Close items",
    tag=TAG,
    example={"items": [1]},
)
def items_close(
    tx: RoomTransaction,
    *,
    items: ChosenOfAny,
    note: Annotated[str, Text(NOTE_LENGTH, blank=True), Label("Note")] = "",
    approver: Closer,
) -> ItemsAnswer:
    """Close items that are explained; a second person signs: neither who explained one of them, nor whom one is about."""
    found = _found(tx, items, why_not_close, of_any=True)
    check_second_person(tx, approver, Right.WORK_ITEMS, "closes an item")
    for item in found:
        if why := why_not_sign(item, approver, alone=len(found) == 1):
            raise Forbidden(why.code, why.message, path="approver")
        item.state, item.closed_at = State.CLOSED, tx.now
    return _step(tx, found, What.CLOSE, note=note.strip(), approver=approver)


def why_not_sign(item: Item, approver: Staff, *, alone: bool) -> WhyNot | None:
    """Why somebody does not sign for the closing of an item; None if they may. It is named where it is not `alone`."""
    other = (
        "another person signs."
        if alone
        else f"untick {_named(item)}, or let another person sign for all of them."
    )
    if item.explained_by_id == approver.pk:
        return WhyNot("signer_explained", f"{approver} has explained it: {other}")
    if item.people.filter(staff=approver).exists():
        return WhyNot("signer_concerned", f"It is about {approver}: {other}")
    return None


def _named(item: Item) -> str:
    """An item as a refusal names it: "the void at Table 8, Sat Oct 24, 2026, 8:22 PM PDT"."""
    kind = kind_of(item.kind)
    name = item.kind if kind is None else kind.name
    place = "" if item.table is None else f" at {item.table}"
    return f"the {name.lower()}{place}, {minute_text(item.happened_at, item.room.zone)}"


@room_command(
    "POST items/reopen",
    Right.WORK_ITEMS,
    bumps_version=False,
    no_check="it depends on the items: why_not_reopen",
    title="Reopen items",
    tag=TAG,
    example={"items": [1], "note": "the camera shows something else"},
)
def items_reopen(tx: RoomTransaction, *, items: Chosen, note: Said) -> ItemsAnswer:
    """Open items again that were explained, referred or closed, with the reason. What was said of them stays."""
    found = _found(tx, items, why_not_reopen)
    for item in found:
        item.state, item.explained_by, item.closed_at = State.OPEN, None, None
    return _step(tx, found, What.REOPEN, note=_said(note))


@room_command(
    "POST items/{item_id}/camera",
    Right.WORK_ITEMS,
    bumps_version=False,
    no_check="it depends on the item: why_not_camera",
    title="Note the camera",
    tag=TAG,
    example={"camera": "T14-B", "minute": "20:41", "kept_until": "2026-12-24"},
)
def item_camera_note(
    tx: RoomTransaction,
    *,
    item_id: Id,
    camera: Annotated[str, Text(60), Label("Camera")],
    minute: Annotated[str, Text(5, blank=True), Label("Minute"), "On the room's clock, `20:41`."] = "",
    kept_until: Annotated[datetime.date | None, Label("Kept until")] = None,
) -> ItemsAnswer:
    """Note on which camera an item is seen, at which minute, and until when the recording is kept."""
    [item] = _found(tx, [item_id], why_not_camera)
    item.camera = camera.strip()
    if not item.camera:
        raise BadInput("bad_camera", "Name the camera.", path="camera")
    item.camera_at = _at_minute(item, tx, minute)
    item.kept_until = kept_until
    kept = "" if kept_until is None else f", kept until {kept_until.isoformat()}"
    return _step(tx, [item], What.CAMERA, note=f"{item.camera} {minute}".strip() + kept)


def _at_minute(item: Item, tx: RoomTransaction, minute: str) -> datetime.datetime:
    """The instant at a minute of the room's clock that is nearest to the item's; the item's own without one. Raises BadInput."""
    if not minute.strip():
        return item.happened_at
    try:
        time = datetime.time.fromisoformat(minute.strip())
    except ValueError:
        raise BadInput("bad_minute", "Write the minute as 20:41.", path="minute") from None
    local = item.happened_at.astimezone(tx.room.zone)
    days = (local.date() + datetime.timedelta(days=number) for number in (-1, 0, 1))
    instants = (datetime.datetime.combine(day, time, tzinfo=tx.room.zone) for day in days)
    nearest = min(instants, key=lambda instant: abs(instant - item.happened_at))
    return nearest.astimezone(datetime.UTC)


def _found(
    tx: RoomTransaction,
    ids: Sequence[int],
    why_not: Callable[[Item], WhyNot | None],
    *,
    of_any: bool = False,
) -> list[Item]:
    """Return items of the room, of one kind where several are not `of_any`. Raises what refuses one of them."""
    wanted = sorted(set(ids))
    rows = Item.objects.filter(pk__in=wanted, room=tx.room).select_related(
        "room", "table", "owner", "explained_by"
    )
    items = list(rows.order_by("pk"))
    if len(items) != len(wanted):
        missing = min(set(wanted) - {item.pk for item in items})
        raise NotFound("unknown_item", f"This room has no item {missing}.", path="items")
    if not of_any and len({item.kind for item in items}) > 1:
        raise BadInput(
            "several_kinds", "One note explains items of one kind: choose those of one.", path="items"
        )
    for item in items:
        if why := why_not(item):
            raise NotNow.because(why)
    return items


def _said(note: str) -> str:
    note = note.strip()
    if not note or len(note) > NOTE_LENGTH:
        raise BadInput("note_required", f"Write a note of 1 to {NOTE_LENGTH} characters.", path="note")
    return note


def _step(
    tx: RoomTransaction,
    items: Sequence[Item],
    what: ItemStep.What,
    *,
    note: str = "",
    to: str = "",
    owner: Staff | None = None,
    approver: Staff | None = None,
) -> ItemsAnswer:
    """Save items and write a step of each, and one entry of the journal."""
    before = dict(Item.objects.filter(pk__in=[item.pk for item in items]).values_list("pk", "state"))
    steps = [
        step_note(tx, item, what, before[item.pk], note=note, to=to, owner=owner, approver=approver)
        for item in items
    ]
    kinds = sorted({item.kind for item in items})
    data: dict[str, object] = {"items": [item.pk for item in items], "kind": ", ".join(kinds)}
    if to:
        data["to"] = to
    if owner is not None:
        data["owner"] = person_data(owner)
    if approver is not None:
        data["approved_by"] = person_data(approver)
    tx.journal(f"item_{what}", data, reason=note[:200])
    for item, step in zip(items, steps, strict=True):
        kind = kind_of(item.kind)
        if kind is not None and kind.worked is not None:
            kind.worked(tx, item, step)
    return {"items": [item.pk for item in items], "state": str(items[0].state)}
