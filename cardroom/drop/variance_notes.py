"""Notes on variances of boxes: how one is written, and what it tells. Who may write one, commands and items decide."""

from __future__ import annotations

from django.db.models import Q

from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Transfer
from cardroom.floor.report_jobs import Cause, report_ask
from cardroom.people.models import Staff

from .models import DropBox, VarianceCheck, VarianceNote
from .reads.expected import shifts_in


def note_write(
    tx: RoomTransaction,
    check: VarianceCheck,
    *,
    status: VarianceNote.Status,
    owner: Staff | None,
    text: str,
) -> VarianceNote:
    """Write what is said of a variance; `note_told` follows in the same transaction."""
    return VarianceNote.objects.create(
        room=tx.room,
        variance_check=check,
        seq=check.notes.count() + 1,
        status=status,
        owner=owner,
        text=text,
        made_at=tx.now,
        made_by=tx.actor,
    )


def note_told(tx: RoomTransaction, note: VarianceNote) -> None:
    """Write the entry of a note, which covers what was written with it, and let the reports know."""
    check, box = note.variance_check, note.variance_check.box
    last = VarianceNote.objects.filter(variance_check__box=box, pk__lt=note.pk).order_by("pk").last()
    tx.journal(
        "variance_answer",
        {
            "box": box.pk,
            "number": box.number,
            "variance_check": check.pk,
            "difference_cents": check.difference_cents,
            "before": None if last is None else str(last.status),
            "after": str(note.status),
            "owner": note.owner_id,
            "owner_name": None if note.owner is None else str(note.owner),
        },
        reason=note.text,
    )
    tell_reports(tx, box)


def tell_reports(tx: RoomTransaction, box: DropBox) -> None:
    """Let the report of each shift whose money is in the box be restated, once all its boxes are counted.

    A report holds the counts of all its boxes or of none.
    """
    for shift in shifts_in(box):
        waiting = DropBox.objects.filter(counted_at__isnull=True).filter(
            Q(shift=shift) | Q(pk__in=Transfer.objects.filter(shift=shift, box__isnull=False).values("box"))
        )
        if not waiting.exists():
            report_ask(shift, Cause.DROP_COUNTED, tx.now)
