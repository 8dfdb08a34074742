"""Report on the drop count: what was counted in the boxes compared with what was collected, by shift, table and box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.urls import reverse

from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.drop.models import DropBox, VarianceNote
from cardroom.drop.reads.boxes import BoxCount, Boxes, KindCount, OverChange, ShiftCount, shift_counts
from cardroom.people.rights import Right
from games.phrases import capital

from ..queries.query import Report, ReportQuery

_SUMS = (
    Column("boxes", "Boxes", Kind.COUNT, adds=True),
    Column("counted", "Of them counted", Kind.COUNT, adds=True),
)
_HELD = (
    Column("expected_cents", "Expected", Kind.MONEY, adds=True),
    Column("counted_cents", "Counted", Kind.MONEY, adds=True),
    Column("difference_cents", "Difference", Kind.MONEY, adds=True),
)
_SHIFTS = (
    Column("shift", "Shift"),
    *_SUMS,
    Column("dropped_cents", "Dropped in the shift", Kind.MONEY, adds=True),
    Column("change_cents", "Boxes over a change", Kind.MONEY, adds=True),
    Column("without_box_cents", "Without a box", Kind.MONEY, adds=True),
    *_HELD,
)
_TABLES = (Column("table", "Table", Kind.COUNT), *_SUMS, *_HELD)
_OVER_CHANGE = (
    Column("shift", "Shift"),
    Column("box", "Box"),
    Column("other", "Other shift"),
    Column("change_cents", "Boxes over a change", Kind.MONEY, adds=True),
    Column("text", "What it is"),
)
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
    Column("text", "Explanation"),
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
        "Expected in a box is what was dropped into it while it hung, whichever shift the rounds belong to, less what went back out "
        "of it; its page lists the rounds that make it. Dropped in the shift, with the boxes over a change and less what was "
        "collected without a box, is what is expected. A correction counts in the shift in which it was made."
    ),
    "Drop boxes and the jackpot's are in tables of their own, and in no sum together.",
    "Counted is the verified count: two people's counts that agree, a recount, or a correction of either.",
    "Sums are over boxes with a verified count. Of the others no figure is shown, nor what is expected in them.",
)


def drop_count(query: ReportQuery) -> ReportDocument:
    """Compare counted with expected for the boxes of the shifts asked about."""
    counts = shift_counts(query.shifts, query.table)
    every = [each for count in counts for each in count.boxes]
    drop, jackpot = (
        Boxes([each for each in every if each.box.kind == kind])
        for kind in (DropBox.Kind.DROP, DropBox.Kind.JACKPOT)
    )
    waiting = [_waiting(each) for each in every if not each.stands]
    unexplained = sum(
        each.status in (VarianceNote.Status.OPEN, VarianceNote.Status.ESCALATED) for each in every
    )
    bare = list(_bare(counts))
    own = {each.box.pk for each in every}
    elsewhere = {
        each.box.pk for count in counts for each in count.over_change if each.box.counted_at is None
    } - own
    grids = [
        Grid(
            "shifts",
            "By shift",
            _SHIFTS,
            [_shift(count, count.drop) for count in counts],
            empty="No shift in this time.",
        ),
        Grid("tables", "By table", _TABLES, list(_tables(drop)), empty="No box was put on."),
        Grid("boxes", "By box", _BOXES, [_box(each) for each in drop.counted], empty="No verified count."),
    ]
    answers = [
        Answer("expected_cents", "Expected in counted boxes", drop.expected_cents, Kind.MONEY),
        *_answers("", drop),
    ]
    if any(count.has_jackpot for count in counts):
        with_jackpot = [count for count in counts if count.has_jackpot]
        title = "Jackpot, in boxes of its own"
        grids += [
            Grid("jackpot_shifts", title, _SHIFTS, [_shift(count, count.jackpot) for count in with_jackpot]),
            Grid("jackpot_boxes", "Jackpot, by box", _BOXES, [_box(each) for each in jackpot.counted]),
        ]
        answers += _answers("jackpot_", jackpot, "Jackpot: ")
    if over_change := [_change(count, each) for count in counts for each in count.changes_known]:
        grids.append(Grid("over_change", "Boxes over a change of shift", _OVER_CHANGE, over_change))
    if waiting:
        grids.append(Grid("waiting", "Not counted", _WAITING, waiting))
    if bare:
        grids.append(Grid("without_box", "Collected without a box", _BARE, bare))
    return query.document(
        "count",
        "Drop counted against expected",
        answers=[
            *answers,
            Answer(
                "waiting", "Boxes not counted", len(waiting), Kind.COUNT, Mark.LOOK if waiting else Mark.NONE
            ),
            *_elsewhere(len(elsewhere)),
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


def _elsewhere(boxes: int) -> Iterator[Answer]:
    """Boxes that were hung in another shift, hold money of one of these, and are not counted."""
    if boxes:
        label = "Boxes of other shifts with money of this one, not counted"
        yield Answer("waiting_elsewhere", label, boxes, Kind.COUNT, Mark.LOOK)


def _answers(prefix: str, boxes: Boxes, before: str = "") -> list[Answer]:
    """What was counted in the boxes of a kind, and how that differs from what is expected in those that are counted."""
    mark = _mark(boxes.difference_cents) if boxes.counted else Mark.NONE
    return [
        Answer(f"{prefix}counted_cents", capital(f"{before}counted"), boxes.counted_cents, Kind.MONEY),
        Answer(
            f"{prefix}difference_cents",
            capital(f"{before}difference"),
            boxes.difference_cents,
            Kind.MONEY,
            mark,
        ),
    ]


def _sums(boxes: Boxes) -> dict[str, Value]:
    return {
        "boxes": len(boxes.boxes),
        "counted": len(boxes.counted),
        "expected_cents": boxes.expected_cents,
        "counted_cents": boxes.counted_cents,
        "difference_cents": boxes.difference_cents,
    }


def _shift(count: ShiftCount, kind: KindCount) -> Row:
    """From what a shift dropped to what is expected in its boxes of a kind; pending while a box with money of it is not counted."""
    return Row(
        {
            "shift": str(count.shift),
            **_sums(kind),
            "dropped_cents": kind.dropped_cents if kind.whole else None,
            "change_cents": kind.change_cents,
            "without_box_cents": kind.without_box_cents,
        },
        {"shift": reverse("web:count_sheet", args=[count.shift.pk])},
        Mark.STOP if kind.without_box_cents else Mark.NONE if kind.whole else Mark.LOOK,
    )


def _change(count: ShiftCount, each: OverChange) -> Row:
    return Row(
        {
            "shift": str(count.shift),
            "box": str(each.box),
            "other": str(each.other),
            "change_cents": each.cents,
            "text": each.text,
        },
        {"box": reverse("web:box", args=[each.box.pk])},
    )


def _tables(boxes: Boxes) -> Iterator[Row]:
    for table in boxes.tables:
        yield Row({"table": table.number, **_sums(table)})


def _box(each: BoxCount) -> Row:
    note = each.notes[-1].text if each.notes and each.status else ""
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
            "text": note,
        },
        {"box": reverse("web:box", args=[box.pk])},
        _MARKS.get(VarianceNote.Status(each.status), Mark.NONE) if each.status else Mark.NONE,
    )


def _waiting(each: BoxCount) -> Row:
    """A box without a verified count: what it holds or should hold is not shown."""
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
    text="Does what was counted in the boxes tie to what was collected, and who explains the difference?",
    right=Right.SEE_REPORTS,
    make=drop_count,
    by_shift=True,
)
