"""Commands on obligations. What was done about one is a step of it; done, or not applicable, it is followed by the next.

They are taken on any version of the room: people who keep the calendar at once are not behind because of one another.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Annotated, Any, Final, TypedDict

from cardroom.core.json_types import Id, Label, OneOf, Signature, Text, Whole
from cardroom.filings.models.documents import NAME_LENGTH
from cardroom.floor.commands.filed_documents import EXAMPLE, Content, document_of
from cardroom.floor.commands.second_person import check_second_person
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow, WhyNot
from cardroom.floor.execution.carry_out import room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.people.journal import person_data
from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may
from cardroom.rooms.gaming_day import why_no_day

from ..checks import why_not_done, why_not_reopen, why_not_work
from ..models import Obligation, ObligationStep
from ..models.obligations import (
    MOST_REMIND_DAYS,
    NOTE_LENGTH,
    REFERENCE_LENGTH,
    REMIND_DAYS,
    RESTS_ON_LENGTH,
    TITLE_LENGTH,
)
from ..recurrence import is_last_of_month, next_due

#: The heading of these commands.
TAG: Final = "Obligations"
_OPEN: Final = "it depends on the obligation: why_not_work"
_EXAMPLE: Final = {
    "kind": "tax",
    "title": "City statement of gross revenue",
    "rests_on": "Municipal code 5.20.110",
    "due_on": "2027-01-31",
    "every": "quarter",
    "last_day": True,
}
#: Kinds of which a second person signs that they are done, where the room says nothing else.
PAID_BY_TWO: Final = frozenset({Obligation.Kind.TAX, Obligation.Kind.TABLE_FEE})
Said = Annotated[str, Text(NOTE_LENGTH), Label("Note")]
Titled = Annotated[str, Text(TITLE_LENGTH), Label("What is to be done")]
RestsOn = Annotated[
    str,
    Text(RESTS_ON_LENGTH, blank=True),
    Label("Rests on"),
    "The clause or contract that it rests on, as the room has it.",
]
Due = Annotated[datetime.date, Label("Due on"), "A day of the room's calendar, by whose end it is done."]
Recurs = Annotated[str, OneOf(Obligation.Every), Label("Recurs")]
LastDay = Annotated[bool, Label("Always on the last day of the month"), "Of one that recurs."]
Reminds = Annotated[int, Whole(0, MOST_REMIND_DAYS), Label("Remind, days before")]
TakesTwo = Annotated[
    bool | None,
    Label("A second person signs that it is done"),
    "Left out: of taxes and table fees a second person signs, and of nothing else.",
]
#: Who signs that an obligation is done.
Confirmer = Annotated[Staff, Signature(right=Right.KEEP_OBLIGATIONS)]
State, What = Obligation.State, ObligationStep.What


class ObligationAnswer(TypedDict):
    """An obligation, and the state that it is in now."""

    obligation: int
    state: Annotated[str, OneOf(Obligation.State)]


class ObligationClosed(ObligationAnswer):
    """The same, and the obligation that follows it."""

    next: Annotated[
        int | None, "None for one that does not recur, and where the next has been opened before."
    ]


@room_command(
    "POST obligations",
    Right.KEEP_OBLIGATIONS,
    bumps_version=False,
    no_check="an obligation is added at any time",
    title="Add an obligation",
    tag=TAG,
    example=_EXAMPLE,
)
def obligation_add(
    tx: RoomTransaction,
    *,
    kind: Annotated[str, OneOf(Obligation.Kind), Label("Kind")],
    title: Titled,
    due_on: Due,
    rests_on: RestsOn = "",
    every: Recurs = Obligation.Every.ONCE,
    last_day: LastDay = False,
    remind_days: Reminds = REMIND_DAYS,
    takes_two: TakesTwo = None,
    owner_id: Annotated[Id | None, Label("Owner")] = None,
) -> ObligationAnswer:
    """Add an obligation to the room's calendar. Its owner is somebody who keeps obligations here."""
    obligation = Obligation(room=tx.room, made_at=tx.now, made_by=tx.actor)
    _say(
        obligation,
        kind=kind,
        title=title,
        rests_on=rests_on,
        due_on=due_on,
        every=every,
        last_day=last_day,
        remind_days=remind_days,
        takes_two=takes_two,
    )
    if owner_id is not None:
        obligation.owner = _owner(tx, owner_id)
    obligation.save()
    return _step(tx, obligation, What.ADD, State.OPEN, owner=obligation.owner, more=obligation.said())


@room_command(
    "PUT obligations/{obligation_id}",
    Right.KEEP_OBLIGATIONS,
    bumps_version=False,
    no_check=_OPEN,
    title="Change an obligation",
    tag=TAG,
    example={**_EXAMPLE, "rests_on": "Municipal code 5.20.120"},
)
def obligation_change(
    tx: RoomTransaction,
    *,
    obligation_id: Id,
    kind: Annotated[str, OneOf(Obligation.Kind), Label("Kind")],
    title: Titled,
    due_on: Due,
    rests_on: RestsOn = "",
    every: Recurs = Obligation.Every.ONCE,
    last_day: LastDay = False,
    remind_days: Reminds = REMIND_DAYS,
    takes_two: TakesTwo = None,
) -> ObligationAnswer:
    """Say an obligation that is open anew, the whole of it. Its step keeps what was said before."""
    obligation = _found(tx, obligation_id, why_not_work)
    before = obligation.said()
    _say(
        obligation,
        kind=kind,
        title=title,
        rests_on=rests_on,
        due_on=due_on,
        every=every,
        last_day=last_day,
        remind_days=remind_days,
        takes_two=takes_two,
    )
    after = obligation.said()
    changes = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    if not changes:
        raise NotNow("nothing_changed", f"“{obligation}” says that already.")
    obligation.save()
    return _step(tx, obligation, What.CHANGE, State.OPEN, changes=changes, more={"changes": changes})


@room_command(
    "POST obligations/{obligation_id}/owner",
    Right.KEEP_OBLIGATIONS,
    bumps_version=False,
    no_check=_OPEN,
    title="Give an obligation to somebody",
    tag=TAG,
    example={"owner_id": 1},
)
def obligation_give(tx: RoomTransaction, *, obligation_id: Id, owner_id: Id) -> ObligationAnswer:
    """Say who is to do it: somebody who keeps obligations here."""
    obligation = _found(tx, obligation_id, why_not_work)
    obligation.owner = _owner(tx, owner_id)
    obligation.save()
    return _step(tx, obligation, What.OWNER, State.OPEN, owner=obligation.owner)


@room_command(
    "POST obligations/{obligation_id}/note",
    Right.KEEP_OBLIGATIONS,
    bumps_version=False,
    no_check="something may be noted of an obligation in any state",
    title="Note something about an obligation",
    tag=TAG,
    example={"note": "the form came today"},
)
def obligation_note_down(tx: RoomTransaction, *, obligation_id: Id, note: Said) -> ObligationAnswer:
    """Note something about an obligation; its state stays."""
    obligation = _found(tx, obligation_id)
    return _step(tx, obligation, What.NOTE, obligation.state, note=_said(note))


@room_command(
    "PUT obligations/{obligation_id}/document",
    Right.KEEP_OBLIGATIONS,
    bumps_version=False,
    no_check=_OPEN,
    title="Attach the proof of an obligation",
    tag=TAG,
    example={**EXAMPLE, "name": "receipt.pdf"},
)
def obligation_document_attach(
    tx: RoomTransaction, *, obligation_id: Id, name: Annotated[str, Text(NAME_LENGTH)], content: Content
) -> ObligationAnswer:
    """A PDF by its content, in the place of the one before, which its step keeps. It proves that the obligation is done."""
    obligation = _found(tx, obligation_id, why_not_work)
    document = document_of(tx, name, content)
    if document.pk is None:
        document.save()
    obligation.document = document
    obligation.save()
    return _step(
        tx, obligation, What.DOCUMENT, State.OPEN, document=document, more={"document": document.named}
    )


@room_command(
    "POST obligations/{obligation_id}/done",
    Right.KEEP_OBLIGATIONS,
    bumps_version=False,
    no_check="it depends on the obligation: why_not_done",
    title="Say that an obligation is done",
    tag=TAG,
    example={"reference": "confirmation 20261031-004"},
)
def obligation_done(
    tx: RoomTransaction,
    *,
    obligation_id: Id,
    reference: Annotated[
        str,
        Text(REFERENCE_LENGTH, blank=True),
        Label("Reference"),
        "By what it is proved, beside a document.",
    ] = "",
    note: Annotated[str, Text(NOTE_LENGTH, blank=True), Label("Note")] = "",
    approver: Confirmer | None = None,
) -> ObligationClosed:
    """Say that an obligation is done, with its proof. Where it takes two, a second person signs; one that recurs is followed by the next."""
    reference = reference.strip()
    obligation = _found(tx, obligation_id, lambda each: why_not_done(each, reference))
    if obligation.takes_two and approver is None:
        raise Forbidden(
            "approver_required",
            f"That “{obligation}” is done takes two: somebody else who keeps obligations signs with their PIN.",
            path="approver",
        )
    if approver is not None:
        check_second_person(tx, approver, Right.KEEP_OBLIGATIONS, "says that an obligation is done")
    obligation.state, obligation.reference = State.DONE, reference
    obligation.closed_at, obligation.closed_by, obligation.confirmed_by = tx.now, tx.actor, approver
    obligation.save()
    following = _next_opened(tx, obligation)
    answer = _step(
        tx,
        obligation,
        What.DONE,
        State.OPEN,
        note=note.strip(),
        reference=reference,
        document=obligation.document,
        approver=approver,
        more={} if following is None else {"next": following},
    )
    return {**answer, "next": following}


@room_command(
    "POST obligations/{obligation_id}/not-applicable",
    Right.KEEP_OBLIGATIONS,
    bumps_version=False,
    no_check=_OPEN,
    title="Say that an obligation does not apply",
    tag=TAG,
    example={"reason": "the room was closed for the whole of the quarter"},
)
def obligation_waive(
    tx: RoomTransaction, *, obligation_id: Id, reason: Annotated[str, Text(NOTE_LENGTH), Label("Reason")]
) -> ObligationClosed:
    """Say why an obligation does not apply this time. One that recurs is followed by the next: change it to once before, if it has ended."""
    obligation = _found(tx, obligation_id, why_not_work)
    reason = reason.strip()
    if not reason:
        raise BadInput("reason_required", "Write why it does not apply.", path="reason")
    obligation.state, obligation.reason = State.NOT_APPLICABLE, reason
    obligation.closed_at, obligation.closed_by = tx.now, tx.actor
    obligation.save()
    following = _next_opened(tx, obligation)
    answer = _step(
        tx,
        obligation,
        What.NOT_APPLICABLE,
        State.OPEN,
        note=reason,
        more={} if following is None else {"next": following},
    )
    return {**answer, "next": following}


@room_command(
    "POST obligations/{obligation_id}/reopen",
    Right.KEEP_OBLIGATIONS,
    bumps_version=False,
    no_check="it depends on the obligation: why_not_reopen",
    title="Reopen an obligation",
    tag=TAG,
    example={"note": "the receipt is of another quarter"},
)
def obligation_reopen(tx: RoomTransaction, *, obligation_id: Id, note: Said) -> ObligationAnswer:
    """Open an obligation again, with the reason. Its proof is taken off it and stays with its step; the one that follows stays."""
    obligation = _found(tx, obligation_id, why_not_reopen)
    before, said = obligation.state, _said(note)
    obligation.state, obligation.reason, obligation.reference, obligation.document = State.OPEN, "", "", None
    obligation.closed_at = obligation.closed_by = obligation.confirmed_by = None
    obligation.save()
    return _step(tx, obligation, What.REOPEN, before, note=said)


def _say(
    obligation: Obligation,
    *,
    kind: str,
    title: str,
    rests_on: str,
    due_on: datetime.date,
    every: str,
    last_day: bool,
    remind_days: int,
    takes_two: bool | None,
) -> None:
    """Put what was given into an obligation. Raises BadInput."""
    title = title.strip()
    if not title:
        raise BadInput("title_required", "Write what is to be done.", path="title")
    if why := why_no_day(due_on):
        raise BadInput("bad_day", why, path="due_on")
    if last_day and every == Obligation.Every.ONCE:
        raise BadInput(
            "not_recurring", "Say how it recurs, or leave the last day of the month out.", path="every"
        )
    if last_day and not is_last_of_month(due_on):
        raise BadInput(
            "not_the_last_day",
            "It recurs on the last day of the month: give that as its day too.",
            path="due_on",
        )
    if due_on != obligation.due_on:
        obligation.day_of_month = due_on.day
    obligation.kind, obligation.title, obligation.rests_on = kind, title, rests_on.strip()
    obligation.due_on, obligation.every, obligation.last_day = due_on, every, last_day
    obligation.remind_days = remind_days
    obligation.takes_two = kind in PAID_BY_TWO if takes_two is None else takes_two


def _next_opened(tx: RoomTransaction, obligation: Obligation) -> int | None:
    """Open the one that follows an obligation which was just closed, unless there is one; return its id."""
    due_on = next_due(obligation)
    if due_on is None or Obligation.objects.filter(follows=obligation).exists():
        return None
    following = Obligation.objects.create(
        room=tx.room,
        kind=obligation.kind,
        title=obligation.title,
        rests_on=obligation.rests_on,
        due_on=due_on,
        every=obligation.every,
        last_day=obligation.last_day,
        day_of_month=obligation.day_of_month,
        remind_days=obligation.remind_days,
        takes_two=obligation.takes_two,
        owner=obligation.owner,
        follows=obligation,
        made_at=tx.now,
        made_by=tx.actor,
    )
    _step_made(tx, following, What.ADD, State.OPEN, owner=following.owner)
    return following.pk


def _owner(tx: RoomTransaction, owner_id: int) -> Staff:
    """Return who is to own an obligation. Raises BadInput for somebody who keeps none here."""
    owner = Staff.objects.filter(pk=owner_id).first()
    if owner is None or (why := why_not_may(owner, Right.KEEP_OBLIGATIONS, tx.room)):
        message = f"There is no member of staff {owner_id}." if owner is None else why
        raise BadInput("unknown_owner", message or "", path="owner_id")
    return owner


def _found(
    tx: RoomTransaction, obligation_id: int, why_not: Callable[[Obligation], WhyNot | None] | None = None
) -> Obligation:
    """Return an obligation of the room. Raises what refuses it."""
    rows = Obligation.objects.filter(pk=obligation_id, room=tx.room).select_related("owner", "document")
    obligation = rows.first()
    if obligation is None:
        raise NotFound("unknown_obligation", f"This room has no obligation {obligation_id}.")
    if why_not is not None and (why := why_not(obligation)):
        raise NotNow.because(why)
    return obligation


def _said(note: str) -> str:
    note = note.strip()
    if not note:
        raise BadInput("note_required", f"Write a note of 1 to {NOTE_LENGTH} characters.", path="note")
    return note


def _step(
    tx: RoomTransaction,
    obligation: Obligation,
    what: ObligationStep.What,
    before: str,
    *,
    more: dict[str, Any] | None = None,
    **columns: Any,
) -> ObligationAnswer:
    """Write a step of an obligation, and the entry of the journal."""
    _step_made(tx, obligation, what, before, **columns)
    data: dict[str, Any] = {"obligation": obligation.pk, "title": obligation.title, **(more or {})}
    if columns.get("owner") is not None:
        data["owner"] = person_data(columns["owner"])
    if columns.get("reference"):
        data["reference"] = columns["reference"]
    if columns.get("approver") is not None:
        data["approved_by"] = person_data(columns["approver"])
    tx.journal(f"obligation_{what}", data, reason=columns.get("note", "")[:200])
    return {"obligation": obligation.pk, "state": str(obligation.state)}


def _step_made(
    tx: RoomTransaction,
    obligation: Obligation,
    what: ObligationStep.What,
    before: str,
    *,
    approver: Staff | None = None,
    **columns: Any,
) -> None:
    ObligationStep.objects.create(
        room=tx.room,
        obligation=obligation,
        what=what,
        before=before,
        after=obligation.state,
        made_at=tx.now,
        made_by=tx.actor,
        approved_by=approver,
        **columns,
    )
