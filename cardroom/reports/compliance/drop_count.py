"""What was counted in the boxes held against what was collected, by shift, table and box."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from django.urls import reverse

from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.drop.models import VarianceNote
from cardroom.drop.reads.boxes import BoxCount, Boxes, ShiftCount, shift_counts
from cardroom.people.rights import Right

from ..query import Report, ReportQuery

_SUMS = (
    Column("boxes", "Boxes", Kind.COUNT, adds=True),
    Column("counted", "Of them counted", Kind.COUNT, adds=True),
    Column("expected_cents", "Expected", Kind.MONEY, adds=True),
    Column("counted_cents", "Counted", Kind.MONEY, adds=True),
    Column("difference_cents", "Difference", Kind.MONEY, adds=True),
)
_SHIFTS = (
    Column("shift", "Shift"),
    *_SUMS,
    Column("without_box_cents", "Without a box", Kind.MONEY, adds=True),
)
_TABLES = (Column("table", "Table", Kind.COUNT), *_SUMS)
_BOXES = (
    Column("box", "Box"),
    Column("table", "Table", Kind.COUNT),
    Column("shift", "Shift"),
    Column("dropped_at", "Pulled", Kind.INSTANT),
    Column("counted_by", "Counted by"),
    Column("expected_cents", "Expected", Kind.MONEY, adds=True),
    Column("counted_cents", "Counted", Kind.MONEY, adds=True),
    Column("difference_cents", "Difference", Kind.MONEY, adds=True),
    Column("status", "Variance"),
    Column("owner", "Owner"),
    Column("says", "Explanation"),
)
_WAITING = (
    Column("box", "Box"),
    Column("table", "Table", Kind.COUNT),
    Column("shift", "Shift"),
    Column("placed_at", "Put on", Kind.INSTANT),
    Column("state", "State"),
)
_BARE = (
    Column("shift", "Shift"),
    Column("table", "Table", Kind.COUNT),
    Column("lacked", "Collected without"),
    Column("collected_cents", "Collected", Kind.MONEY, adds=True),
)
_MARKS = {
    VarianceNote.Status.OPEN: Mark.LOOK,
    VarianceNote.Status.ESCALATED: Mark.STOP,
    VarianceNote.Status.EXPLAINED: Mark.DONE,
}
_NOTES = (
    (
        "Expected is what the shift's transfers moved into the box less what they moved out, from when it was put on until the "
        "next one of its kind was; its page lists the rounds that make it. A correction counts in the shift in which it was made."
    ),
    "Counted is the verified count: two people's counts that agree, a recount, or a correction of either.",
    "Sums are over boxes with a verified count. Of the others no figure is shown, nor what is expected in them.",
)


def drop_count(query: ReportQuery) -> ReportDocument:
    """Hold counted against expected for the boxes of the shifts asked about."""
    counts = shift_counts(query.shifts, query.table)
    every = [each for count in counts for each in count.boxes]
    whole = Boxes(every)
    waiting = [_waiting(each) for each in every if not each.stands]
    unexplained = sum(
        each.status in (VarianceNote.Status.OPEN, VarianceNote.Status.ESCALATED) for each in every
    )
    bare = list(_bare(counts))
    grids = [
        Grid(
            "shifts", "By shift", _SHIFTS, [_shift(count) for count in counts], empty="No shift in this time."
        ),
        Grid("tables", "By table", _TABLES, list(_tables(every)), empty="No box was put on."),
        Grid("boxes", "By box", _BOXES, [_box(each) for each in whole.counted], empty="No verified count."),
    ]
    if waiting:
        grids.append(Grid("waiting", "Not counted", _WAITING, waiting))
    if bare:
        grids.append(Grid("without_box", "Collected without a box", _BARE, bare))
    return query.document(
        "count",
        "Drop counted against expected",
        answers=[
            Answer("expected_cents", "Expected in counted boxes", whole.expected_cents, Kind.MONEY),
            Answer("counted_cents", "Counted", whole.counted_cents, Kind.MONEY),
            Answer(
                "difference_cents",
                "Difference",
                whole.difference_cents,
                Kind.MONEY,
                _mark(whole.difference_cents) if whole.counted else Mark.NONE,
            ),
            Answer(
                "waiting", "Boxes not counted", len(waiting), Kind.COUNT, Mark.LOOK if waiting else Mark.NONE
            ),
            Answer(
                "unexplained",
                "Variances to explain",
                unexplained,
                Kind.COUNT,
                Mark.STOP if unexplained else Mark.DONE,
            ),
        ],
        grids=grids,
        notes=_NOTES,
    )


def _sums(boxes: Boxes) -> dict[str, Value]:
    return {
        "boxes": len(boxes.boxes),
        "counted": len(boxes.counted),
        "expected_cents": boxes.expected_cents,
        "counted_cents": boxes.counted_cents,
        "difference_cents": boxes.difference_cents,
    }


def _shift(count: ShiftCount) -> Row:
    without = sum(bare.cents for bare in count.without_box)
    return Row(
        {"shift": str(count.shift), **_sums(count), "without_box_cents": without},
        {"shift": reverse("web:count_sheet", args=[count.shift.pk])},
        Mark.STOP if without else Mark.NONE if count.complete or not count.boxes else Mark.LOOK,
    )


def _tables(every: Iterable[BoxCount]) -> Iterator[Row]:
    by_number: defaultdict[int, list[BoxCount]] = defaultdict(list)
    for each in every:
        by_number[each.box.table.number].append(each)
    for number in sorted(by_number):
        yield Row({"table": number, **_sums(Boxes(by_number[number]))})


def _box(each: BoxCount) -> Row:
    note = each.notes[-1].says if each.notes and each.status else ""
    box = each.box
    return Row(
        {
            "box": str(box),
            "table": box.table.number,
            "shift": str(box.shift),
            "dropped_at": box.dropped_at,
            "counted_by": ", ".join(str(staff) for staff in each.counters),
            "expected_cents": each.expected_cents,
            "counted_cents": each.counted_cents,
            "difference_cents": each.difference_cents,
            "status": each.status_label,
            "owner": str(each.owner) if each.owner and each.status else "",
            "says": note,
        },
        {"box": reverse("web:box", args=[box.pk])},
        _MARKS.get(VarianceNote.Status(each.status), Mark.NONE) if each.status else Mark.NONE,
    )


def _waiting(each: BoxCount) -> Row:
    """A box whose count does not stand: nothing is told of what it holds or should hold."""
    state = (
        "on the table"
        if each.box.dropped_at is None
        else "recount due"
        if each.differs
        else "waits for its count"
    )
    return Row(
        {
            "box": str(each.box),
            "table": each.box.table.number,
            "shift": str(each.box.shift),
            "placed_at": each.box.placed_at,
            "state": state,
        },
        {"box": reverse("web:box", args=[each.box.pk])},
        Mark.LOOK,
    )


def _bare(counts: Iterable[ShiftCount]) -> Iterator[Row]:
    for count in counts:
        for bare in count.without_box:
            yield Row(
                {
                    "shift": str(count.shift),
                    "table": bare.number,
                    "lacked": bare.what,
                    "collected_cents": bare.cents,
                },
                {"shift": reverse("web:count_sheet", args=[count.shift.pk])},
                Mark.STOP,
            )


def _mark(difference_cents: int) -> Mark:
    return Mark.STOP if difference_cents else Mark.DONE


DROP_COUNT = Report(
    name="count",
    title="Drop counted against expected",
    says="Does what was counted in the boxes tie to what was collected, and who explains the difference?",
    right=Right.SEE_REPORTS,
    make=drop_count,
    by_shift=True,
)
