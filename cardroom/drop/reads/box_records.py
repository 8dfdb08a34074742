"""Serializes boxes, counts and variances as plain data, for the API."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant, OneOf

from ..models import CountSheet, DropBox, VarianceNote
from .boxes import BoxCount, Boxes, KindCount, ShiftCount


class ShareOfShift(TypedDict):
    """What a shift put into a box, less what it took out of it."""

    shift: int
    cents: int


class BoxRow(TypedDict):
    """A drop box's stay at a table. What was counted, and what is expected, is null until the count stands."""

    id: int
    number: Annotated[int, "The number painted on it."]
    kind: Annotated[str, OneOf(DropBox.Kind)]
    table: int
    table_number: int
    shift: int
    state: Annotated[str, OneOf(DropBox.State)]
    placed_at: Instant
    placed_by: str
    dropped_at: Instant | None
    dropped_by: str | None
    witness: str | None
    counted_at: Annotated[Instant | None, "When its count came to stand."]
    counts: Annotated[int, "How many counts are in, corrections left out."]
    recount_due: Annotated[bool, "Two counts are in and differ."]
    expected_cents: int | None
    counted_cents: int | None
    difference_cents: Annotated[
        int | None, "Over / (short): what was counted, with what was expected taken off."
    ]
    of_other_shifts: Annotated[
        list[ShareOfShift],
        "What the rounds of other shifts than its own put into it: it hung over a change of shift.",
    ]
    variance: Annotated[str | None, OneOf(VarianceNote.Status), "Null where there is none."]
    owner: Annotated[str | None, "Who is to explain the variance."]


def box_row(each: BoxCount, *, figures: bool) -> BoxRow:
    """Return a box as plain data. Without `figures` it is for a user who may not see what was counted."""
    box = each.box
    shown = figures and each.stands
    return {
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
        "expected_cents": each.expected_cents if shown else None,
        "counted_cents": each.counted_cents if shown else None,
        "difference_cents": each.difference_cents if shown else None,
        "of_other_shifts": [
            {"shift": share.shift.pk, "cents": share.cents} for share in each.of_other_shifts if shown
        ],
        "variance": each.status or None if shown else None,
        "owner": str(each.owner) if shown and each.owner else None,
    }


class TableWithoutBox(TypedDict):
    """A table that collected in a shift without a box."""

    table_number: int
    cents: Annotated[int, "What it collected; below 0 what it gave back, more than it collected."]
    kind: Annotated[str, OneOf(DropBox.Kind), "The kind of box that it lacked."]


class CountSums(TypedDict):
    """Sums over the boxes whose count stands."""

    counted: Annotated[int, "Boxes counted."]
    counted_cents: int
    expected_cents: int
    difference_cents: int


class TableCountRow(CountSums):
    """The boxes of a table."""

    table_number: int


class KindCountRecord(CountSums):
    """The boxes of one kind that were hung in a shift.

    Once all are counted, `expected_cents` is `dropped_cents` + `over_change_cents` - `without_box_cents`.
    """

    dropped_cents: Annotated[
        int | None,
        "Null until every box with money of the shift is counted. What the shift dropped, "
        "into whichever box or none, less what it gave back.",
    ]
    over_change_cents: Annotated[
        int | None,
        "What other shifts dropped into these boxes, less what this shift dropped into boxes of others; "
        "null while one of them is not counted.",
    ]
    without_box_cents: int
    waiting: Annotated[int, "Boxes not counted."]
    tables: list[TableCountRow]


class BoxOverChange(TypedDict):
    """A box that hung over a change of shift and is counted."""

    box: int
    other_shift: int
    cents: Annotated[
        int,
        "Above 0: the other shift dropped it into a box of this one. Below 0: this one into a box of the other.",
    ]


class CountRecord(KindCountRecord):
    """The boxes that were hung in a shift: its drop boxes, and beside them the jackpot's, in no sum of theirs."""

    shift: int
    complete: Annotated[
        bool, "Every box with money of the shift is counted, and no table collected without one."
    ]
    jackpot: KindCountRecord
    boxes: list[BoxRow]
    without_box: list[TableWithoutBox]
    over_change: list[BoxOverChange]


def count_record(count: ShiftCount) -> CountRecord:
    """Return what was counted in a shift as plain data, for a user who may see it."""
    return {
        "shift": count.shift.pk,
        "complete": count.complete,
        **_kind(count.drop),
        "jackpot": _kind(count.jackpot),
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


def _kind(count: KindCount) -> KindCountRecord:
    return {
        "dropped_cents": count.dropped_cents if count.whole else None,
        "over_change_cents": count.change_cents,
        "without_box_cents": count.without_box_cents,
        "waiting": count.waiting,
        **_sums(count),
        "tables": [{"table_number": table.number, **_sums(table)} for table in count.tables],
    }


def _sums(boxes: Boxes) -> CountSums:
    return {
        "counted": len(boxes.counted),
        "counted_cents": boxes.counted_cents,
        "expected_cents": boxes.expected_cents,
        "difference_cents": boxes.difference_cents,
    }


class PieceCount(TypedDict):
    """Pieces of one denomination."""

    kind: str
    cents: int
    pieces: int


class CountSheetRow(TypedDict):
    """One count of a box."""

    id: int
    seq: int
    kind: Annotated[str, OneOf(CountSheet.Kind)]
    pieces: list[PieceCount]
    total_cents: int
    made_at: Instant
    made_by: str
    corrects: Annotated[int | None, "The sheet that it strikes through."]
    reason: str
    approved_by: str | None


def count_sheet_row(sheet: CountSheet) -> CountSheetRow:
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


class VarianceNoteRow(TypedDict):
    """What was said of a variance."""

    status: Annotated[str, OneOf(VarianceNote.Status)]
    owner: Annotated[str | None, "Null where nobody had taken it on when the clock escalated it."]
    text: str
    made_at: Instant
    made_by: str


def variance_note_row(note: VarianceNote) -> VarianceNoteRow:
    """Return what was said of a variance as plain data."""
    return {
        "status": str(note.status),
        "owner": None if note.owner is None else str(note.owner),
        "text": note.text,
        "made_at": utc_text(note.made_at),
        "made_by": str(note.made_by),
    }
