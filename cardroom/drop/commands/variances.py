"""Commands on variance checks: what was counted compared with what was collected, and the explanation of a difference."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.json_types import Id, OneOf, Text
from cardroom.floor.commands.boxes import box_found
from cardroom.floor.errors import BadInput, NotNow
from cardroom.floor.execution.carry_out import room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may

from ..agreement import is_disputed
from ..checks import why_not_answer, why_not_correct
from ..items import note_followed, variance_item
from ..models import CountSheet, DropBox, VarianceCheck, VarianceNote
from ..reads.expected import box_expected_cents
from ..variance_notes import note_told, note_write, tell_reports

SAYS_LENGTH = 500


class NoteAnswer(TypedDict):
    """A variance was answered."""

    box: int
    note: int


class VarianceCheckAnswer(TypedDict):
    """A box's variance was checked again."""

    box: int
    variance_check: int


@room_command(
    "POST boxes/{box_id}/variance",
    Right.ANSWER_VARIANCES,
    bumps_version=False,
    no_check="it depends on the box: why_not_answer",
    title="Answer for a variance",
    tag="Drop and count",
    example={"status": "explained", "text": "One chip found under the rail."},
)
def variance_answer(
    tx: RoomTransaction,
    *,
    box_id: Id,
    status: Annotated[str, OneOf(VarianceNote.Status)],
    text: Annotated[str, Text(SAYS_LENGTH, blank=True), "Required to explain and to escalate."] = "",
    owner_id: Annotated[Id, "Who is to explain it; left out, the owner stays."] | None = None,
) -> NoteAnswer:
    """Set the state of a box's variance: who is to explain it, what explains it, or that it goes further up.

    The owner is a person who may answer variances here; the first one is the person who answers.
    """
    if status not in VarianceNote.Status.values:
        raise BadInput(
            "unknown_status",
            f"There is no status {status!r}. Choose one of {', '.join(VarianceNote.Status.values)}.",
            path="status",
        )
    text = text.strip()
    if len(text) > SAYS_LENGTH or (not text and status != VarianceNote.Status.OPEN):
        raise BadInput(
            "bad_explanation",
            f"Say in 1 to {SAYS_LENGTH} characters what explains the difference, or to whom it goes and why.",
            path="text",
        )
    box = box_found(tx, box_id)
    check = box.variance_checks.order_by("pk").last()
    counters = list(box.sheets.values_list("made_by", flat=True))
    if why := why_not_answer(box, check, counters, tx.actor):
        raise NotNow.because(why)
    assert check is not None  # or why
    last = VarianceNote.objects.filter(variance_check__box=box).select_related("owner").order_by("pk").last()
    owner = _owner(tx, owner_id) or (None if last is None else last.owner) or tx.actor
    note = _noted(tx, check, status=VarianceNote.Status(status), owner=owner, text=text)
    return {"box": box.pk, "note": note.pk}


def variance_escalate(tx: RoomTransaction, check: VarianceCheck) -> VarianceNote | None:
    """Escalate a variance that was not explained in time, in the name of the account that acts for the clock.

    `at` holds the room's row. None when it was answered or checked again meanwhile.
    """
    box = check.box
    last = VarianceNote.objects.filter(variance_check__box=box).select_related("owner").order_by("pk").last()
    if box.variance_checks.latest("pk") != check or check.status != VarianceNote.Status.OPEN:
        return None
    return _noted(
        tx,
        check,
        status=VarianceNote.Status.ESCALATED,
        owner=None if last is None else last.owner,
        text=f"Nobody explained it within {tx.room.variance_hours} hours.",
    )


def _noted(
    tx: RoomTransaction,
    check: VarianceCheck,
    *,
    status: VarianceNote.Status,
    owner: Staff | None,
    text: str,
) -> VarianceNote:
    """Write what is said of a variance; its item follows."""
    note = note_write(tx, check, status=status, owner=owner, text=text)
    note_followed(tx, note)
    note_told(tx, note)
    return note


@room_command(
    "POST boxes/{box_id}/check-variance",
    Right.SEE_COUNTS,
    bumps_version=False,
    no_check="it depends on the box: why_not_correct",
    title="Check a variance again",
    tag="Drop and count",
)
def variance_check_again(tx: RoomTransaction, *, box_id: Id) -> VarianceCheckAnswer:
    """Check a counted box's variance again, since what is expected of it has changed: a round was corrected or voided later."""
    box = box_found(tx, box_id)
    if why := why_not_correct(box):
        raise NotNow.because(why)
    before = box.variance_checks.latest("pk")
    if box_expected_cents(box) == before.expected_cents:
        raise NotNow(
            "nothing_changed", f"What is expected of {box} is what it was at the last variance check."
        )
    return {"box": box.pk, "variance_check": variance_check(tx, box, before.sheet).pk}


def variance_check(tx: RoomTransaction, box: DropBox, sheet: CountSheet) -> VarianceCheck:
    """Compare `sheet`, which stands, with what the box's table collected, and store the difference."""
    expected = box_expected_cents(box)
    threshold = tx.room.variance_threshold_cents
    disputed = is_disputed(list(box.sheets.order_by("seq")))
    check = VarianceCheck.objects.create(
        room=tx.room,
        box=box,
        sheet=sheet,
        expected_cents=expected,
        counted_cents=sheet.total_cents,
        threshold_cents=threshold,
        disputed=disputed,
        is_over=disputed or abs(sheet.total_cents - expected) > threshold,
        made_at=tx.now,
    )
    tx.journal(
        "variance_check",
        {
            "box": box.pk,
            "number": box.number,
            "variance_check": check.pk,
            "sheet": sheet.pk,
            "expected_cents": expected,
            "counted_cents": sheet.total_cents,
            "threshold_cents": threshold,
            "disputed": disputed,
            "over": check.is_over,
        },
    )
    variance_item(tx, check)
    tell_reports(tx, box)
    return check


def _owner(tx: RoomTransaction, owner_id: int | None) -> Staff | None:
    if owner_id is None:
        return None
    owner = Staff.objects.filter(pk=owner_id).first()
    if owner is None or (why := why_not_may(owner, Right.ANSWER_VARIANCES, tx.room)):
        message = f"There is no member of staff {owner_id}." if owner is None else why
        raise BadInput("unknown_owner", message or "", path="owner_id")
    return owner
