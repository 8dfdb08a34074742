"""Report on the drop count: what was counted in the boxes compared with what was collected, by shift, table and box."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse

from cardroom.documents.answering import Told, off_text
from cardroom.documents.document import Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.drop.models import DropBox
from cardroom.drop.reads.boxes import BoxCount, Boxes, shift_counts
from cardroom.people.rights import Right

from ..queries.query import Report, ReportQuery
from ..sections.count import HELD, SUMS, count_drawn, count_figures

_TABLES = (Column("table", "Table", Kind.COUNT), *SUMS, *HELD)
_WAITING = (
    Column("box", "Box"),
    Column("table", "Table", Kind.COUNT),
    Column("shift", "Shift"),
    Column("placed_at", "Put on", Kind.INSTANT),
    Column("state", "State"),
)
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
    """Compare counted with expected for the boxes of the shifts asked about: the section, and boxes by table and not counted."""
    counts = shift_counts(query.shifts, query.table)
    every = [each for count in counts for each in count.boxes]
    drop = Boxes([each for each in every if each.box.kind == DropBox.Kind.DROP])
    drawn = count_drawn(count_figures(counts))
    by_shift, *others = drawn.grids
    tables = Grid("tables", "By table", _TABLES, list(_tables(drop)), empty="No box was put on.")
    waiting = [_waiting(each) for each in every if not each.stands]
    return query.document(
        "count",
        "Drop counted against expected",
        answers=drawn.answers,
        grids=[
            by_shift,
            tables,
            *others,
            *([Grid("waiting", "Not counted", _WAITING, waiting)] if waiting else []),
        ],
        notes=_NOTES,
    )


def _tables(boxes: Boxes) -> Iterator[Row]:
    for table in boxes.tables:
        yield Row(
            {
                "table": table.number,
                "boxes": len(table.boxes),
                "counted": len(table.counted),
                "expected_cents": table.expected_cents,
                "counted_cents": table.counted_cents,
                "difference_cents": table.difference_cents,
            }
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


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    boxes = figures.number("shifts.boxes") + figures.number("jackpot_shifts.boxes")
    if not boxes:
        return f"{figures.several('shifts.boxes', 'box').capitalize()} was hung in this time"
    waiting = figures.number("waiting")
    open_ = f"{figures.several('waiting', 'box')} not counted" if waiting else ""
    if waiting == boxes:
        return f"Nothing is counted yet: {open_}"
    said = figures.number("unexplained")
    unsaid = f", {figures.several('unexplained', 'variance')} not explained" if said else ""
    short = off_text(figures, "difference_cents")
    held = f"The boxes held {figures.text('counted_cents')} of {figures.text('expected_cents')} expected"
    return f"{held}, {short}{unsaid}" + (f"; {open_}" if open_ else "")


DROP_COUNT = Report(
    name="count",
    title="Drop counted against expected",
    text="Does what was counted in the boxes tie to what was collected, and who explains the difference?",
    right=Right.SEE_REPORTS,
    make=drop_count,
    answer=_answer,
    by_shift=True,
)
