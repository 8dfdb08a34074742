"""Commands that count boxes: two blind counts, a recount where they differ, and corrections of a verified count.

Which count stands is in `cardroom.drop.agreement`.
"""

from __future__ import annotations

import secrets
from typing import Annotated, TypedDict

from django.db import IntegrityError, transaction

from cardroom.core.json_types import REASON_LENGTH, Id, Note, Signature
from cardroom.floor.commands.boxes import box_found
from cardroom.floor.errors import BadInput, Forbidden, NotNow
from cardroom.floor.execution.carry_out import room_command
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may

from ..agreement import count_that_stands
from ..checks import why_not_correct, why_not_count, why_not_kind
from ..models import CountSheet, DropBox
from ..pieces import Pieces, pieces_read
from .variances import variance_check

_Approval = Annotated[Staff, Signature(right=Right.CORRECT_COUNTS)]

_COUNTED = {
    "pieces": [{"kind": "chip", "cents": 100, "pieces": 214}, {"kind": "coin", "cents": 1, "pieces": 50}]
}


class CountAnswer(TypedDict):
    """A count was entered. The answer holds no figure."""

    box: int
    sheet: int
    stands: bool
    counts: int


class CorrectionAnswer(TypedDict):
    """A count was corrected."""

    box: int
    sheet: int


@room_command(
    "POST boxes/{box_id}/count",
    Right.COUNT,
    bumps_version=False,
    no_check="it depends on the box: why_not_count, why_not_kind",
    title="Enter the first or the second count of a box",
    tag="Drop and count",
    example=_COUNTED,
)
def count_enter(tx: RoomTransaction, *, box_id: Id, pieces: Pieces) -> CountAnswer:
    """Enter the first or the second count of a dropped box.

    Blind: no answer of the API holds a figure of it before the count stands. It stands when both agree in every
    denomination.
    """
    return _counted(tx, box_id, pieces, recount=False)


@room_command(
    "POST boxes/{box_id}/recount",
    Right.RECOUNT,
    bumps_version=False,
    no_check="it depends on the box: why_not_count, why_not_kind",
    title="Enter the recount of a box whose two counts differ",
    tag="Drop and count",
    example=_COUNTED,
)
def count_again(tx: RoomTransaction, *, box_id: Id, pieces: Pieces) -> CountAnswer:
    """Enter the recount of a box whose two counts differ: by a third person, afresh. It always stands."""
    return _counted(tx, box_id, pieces, recount=True)


@room_command(
    "POST boxes/{box_id}/correct",
    Right.CORRECT_COUNTS,
    bumps_version=False,
    no_check="it depends on the box: why_not_correct",
    title="Correct a verified count",
    tag="Drop and count",
    example={**_COUNTED, "corrects": 88, "reason": "one stack overlooked"},
)
def count_correct(
    tx: RoomTransaction,
    *,
    box_id: Id,
    corrects: Annotated[Id, "The id of the sheet that stands."],
    pieces: Pieces,
    reason: Note,
    approver: _Approval,
) -> CorrectionAnswer:
    """Strike through the sheet that stands and put another in its place; the old one stays. A second person signs.

    Instead of a version, `corrects` names the sheet: refused where another one stands by now.
    """
    box = box_found(tx, box_id)
    if why := why_not_correct(box):
        raise NotNow.because(why)
    reason = reason.strip()
    if not reason or len(reason) > REASON_LENGTH:
        raise BadInput(
            "bad_reason",
            f"A correction needs a reason of 1 to {REASON_LENGTH} characters: what was wrong, and how it was found.",
            path="reason",
        )
    if approver.pk == tx.actor.pk:
        raise Forbidden(
            "same_person", "A correction takes two people. Somebody else signs for it.", path="approver"
        )
    if why_not := why_not_may(approver, Right.CORRECT_COUNTS, tx.room):
        raise Forbidden("approver_may_not", why_not, path="approver")
    current = box.sheets.latest("seq")
    if current.pk != corrects:
        raise NotNow(
            "corrected_before",
            f"The count of {box} was corrected meanwhile, by {current.made_by}. Review the current count.",
            path="corrects",
        )
    read, total_cents = pieces_read(pieces)
    if read == current.pieces:
        raise BadInput(
            "nothing_changed", f"This is already the count of {box}. Change what was wrong.", path="pieces"
        )
    sheet = _written(
        tx,
        CountSheet(
            box=box,
            seq=current.seq + 1,
            kind=CountSheet.Kind.CORRECTION,
            pieces=read,
            total_cents=total_cents,
            corrects=current,
            reason=reason,
            approved_by=approver,
        ),
    )
    tx.journal(
        "count_correct",
        {
            "box": box.pk,
            "number": box.number,
            "sheet": sheet.pk,
            "before_cents": current.total_cents,
            "after_cents": total_cents,
            "before": current.pieces,
            "after": read,
            "approved_by": approver.pk,
            "approved_by_name": str(approver),
        },
        reason=reason,
    )
    variance_check(tx, box, sheet)
    return {"box": box.pk, "sheet": sheet.pk}


def _counted(tx: RoomTransaction, box_id: int, pieces: Pieces, *, recount: bool) -> CountAnswer:
    box = box_found(tx, box_id)
    sheets = list(box.sheets.order_by("seq"))
    if why := why_not_count(box, sheets, tx.actor) or why_not_kind(box, sheets, recount):
        raise NotNow.because(why)
    read, total_cents = pieces_read(pieces)
    kinds = (CountSheet.Kind.FIRST, CountSheet.Kind.SECOND, CountSheet.Kind.RECOUNT)
    sheet = _written(
        tx,
        CountSheet(
            box=box, seq=len(sheets) + 1, kind=kinds[len(sheets)], pieces=read, total_cents=total_cents
        ),
    )
    # No figure: the entry's digest of the row, which nobody guesses for its salt, holds the count until it stands.
    tx.journal(
        "count_enter",
        {
            "box": box.pk,
            "number": box.number,
            "sheet": sheet.pk,
            "kind": str(sheet.kind),
        },
    )
    sheets.append(sheet)
    if count_that_stands(sheets) is not None:
        _stands(tx, box, sheets)
    return {"box": box.pk, "sheet": sheet.pk, "stands": box.counted_at is not None, "counts": len(sheets)}


def _written(tx: RoomTransaction, sheet: CountSheet) -> CountSheet:
    """Write one sheet, made by the actor now."""
    sheet.room, sheet.made_at, sheet.made_by = tx.room, tx.now, tx.actor
    sheet.salt = secrets.token_hex(32)
    try:
        with transaction.atomic():
            sheet.save(force_insert=True)
    except IntegrityError as error:  # the database's own word, should the checks ever have read too early
        raise NotNow(
            "counted_meanwhile", f"{sheet.box} was counted meanwhile. Review and try again."
        ) from error
    return sheet


def _stands(tx: RoomTransaction, box: DropBox, sheets: list[CountSheet]) -> None:
    """Let the last of `sheets` stand, and write the figures of all in the journal."""
    box.counted_at = max(tx.now, box.dropped_at or tx.now)
    box.save(update_fields=["counted_at"])
    tx.journal(
        "count_stands",
        {
            "box": box.pk,
            "number": box.number,
            "cents": sheets[-1].total_cents,
            "sheets": [
                {
                    "sheet": sheet.pk,
                    "kind": str(sheet.kind),
                    "made_by": sheet.made_by_id,
                    "total_cents": sheet.total_cents,
                    "pieces": sheet.pieces,
                }
                for sheet in sheets
            ],
        },
    )
    variance_check(tx, box, sheets[-1])
