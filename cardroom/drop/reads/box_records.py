"""Boxes, counts and variances as plain data, for the API."""

from __future__ import annotations

from typing import Any

from cardroom.core.dates import utc_text

from ..models import CountSheet, VarianceNote
from .boxes import BoxCount, Boxes, KindCount, ShiftCount


def box_row(each: BoxCount, *, figures: bool) -> dict[str, Any]:
    """Return a box as plain data. Without `figures` it is for a user who may not see what was counted."""
    box = each.box
    state = {
        "id": box.pk,
        "number": box.number,
        "kind": str(box.kind),
        "table": box.table_id,
        "table_number": box.table.number,
        "shift": box.shift_id,
        "state": str(box.state),
        "placed_at": utc_text(box.placed_at),
        "placed_by": str(box.placed_by),
        "dropped_at": utc_text(box.dropped_at),
        "dropped_by": None if box.dropped_by is None else str(box.dropped_by),
        "witness": None if box.witness is None else str(box.witness),
        "counted_at": utc_text(box.counted_at),
        "counts": len(each.counters),
        "recount_due": each.differs,
    }
    shown = figures and each.stands
    return {
        **state,
        "expected_cents": each.expected_cents if shown else None,
        "counted_cents": each.counted_cents if shown else None,
        "difference_cents": each.difference_cents if shown else None,
        "of_other_shifts": [
            {"shift": share.shift.pk, "cents": share.cents} for share in each.of_other_shifts if shown
        ],
        "variance": each.status or None if shown else None,
        "owner": str(each.owner) if shown and each.owner else None,
    }


def count_record(count: ShiftCount) -> dict[str, Any]:
    """Return what was counted in a shift as plain data, for a user who may see it."""
    return {
        "shift": count.shift.pk,
        "complete": count.complete,
        **_kind_state(count.drop),
        "jackpot": _kind_state(count.jackpot),
        "boxes": [box_row(each, figures=True) for each in count.boxes],
        "without_box": [
            {"table_number": bare.number, "cents": bare.cents, "kind": str(bare.kind)}
            for bare in count.without_box
        ],
        "over_change": [
            {"box": each.box.pk, "other_shift": each.other.pk, "cents": each.cents}
            for each in count.changes_known
        ],
    }


def _kind_state(count: KindCount) -> dict[str, Any]:
    return {
        "dropped_cents": count.dropped_cents if count.whole else None,
        "over_change_cents": count.change_cents,
        "without_box_cents": count.without_box_cents,
        "waiting": count.waiting,
        **_sums(count),
        "tables": [{"table_number": table.number, **_sums(table)} for table in count.tables],
    }


def _sums(boxes: Boxes) -> dict[str, int]:
    return {
        "counted": len(boxes.counted),
        "counted_cents": boxes.counted_cents,
        "expected_cents": boxes.expected_cents,
        "difference_cents": boxes.difference_cents,
    }


def count_sheet_row(sheet: CountSheet) -> dict[str, Any]:
    """Return a sheet of a count that stands as plain data."""
    return {
        "id": sheet.pk,
        "seq": sheet.seq,
        "kind": str(sheet.kind),
        "pieces": sheet.pieces,
        "total_cents": sheet.total_cents,
        "made_at": utc_text(sheet.made_at),
        "made_by": str(sheet.made_by),
        "corrects": sheet.corrects_id,
        "reason": sheet.reason,
        "approved_by": None if sheet.approved_by is None else str(sheet.approved_by),
    }


def variance_note_row(note: VarianceNote) -> dict[str, Any]:
    """Return what was said of a variance as plain data."""
    return {
        "status": str(note.status),
        "owner": None if note.owner is None else str(note.owner),
        "text": note.text,
        "made_at": utc_text(note.made_at),
        "made_by": str(note.made_by),
    }
