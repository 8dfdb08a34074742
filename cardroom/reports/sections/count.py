"""The section on the drop count: its figures, made of the boxes read, drawn as answers and tables, and added up over shifts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, cast

from django.urls import reverse

from cardroom.core.dates import utc_text
from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, Row, Value
from cardroom.documents.stored import instant_read
from cardroom.drop.models import VarianceNote
from cardroom.drop.reads.boxes import (
    BoxCount,
    KindCount,
    ShiftCount,
    format_over_change,
    lacked_box,
    shift_counts,
)
from games.phrases import capital

from ..queries.query import ReportQuery
from ..stored.figure_types import Counted
from .figure_types import (
    BoxesFigures,
    BoxOverChange,
    CollectedWithoutBox,
    CountedBox,
    CountedShift,
    CountedTable,
    CountFigures,
)
from .section import ONE_BY_ONE, Drawn, Span

SUMS: Final = (
    Column("boxes", "Boxes", Kind.COUNT, adds=True),
    Column("counted", "Of them counted", Kind.COUNT, adds=True),
)
HELD: Final = (
    Column("expected_cents", "Expected", Kind.MONEY, adds=True),
    Column("counted_cents", "Counted", Kind.MONEY, adds=True),
    Column("difference_cents", "Difference", Kind.MONEY, adds=True),
)
_SHIFTS: Final = (
    Column("shift", "Shift"),
    *SUMS,
    Column("dropped_cents", "Dropped in the shift", Kind.MONEY, adds=True),
    Column("change_cents", "Boxes over a change", Kind.MONEY, adds=True),
    Column("without_box_cents", "Without a box", Kind.MONEY, adds=True),
    *HELD,
)
_OVER_CHANGE: Final = (
    Column("shift", "Shift"),
    Column("box", "Box"),
    Column("other", "Other shift"),
    Column("change_cents", "Boxes over a change", Kind.MONEY, adds=True),
    Column("text", "What it is"),
)
_BOXES: Final = (
    Column("box", "Box"),
    Column("table", "Table", Kind.COUNT),
    Column("shift", "Shift"),
    Column("dropped_at", "Pulled", Kind.INSTANT),
    Column("counted_by", "Counted by"),
    *HELD,
    Column("status", "Variance"),
    Column("owner", "Owner"),
    Column("text", "Explanation"),
)
_TABLES: Final = (Column("table", "Table", Kind.COUNT), *HELD)
_BARE: Final = (
    Column("shift", "Shift"),
    Column("table", "Table", Kind.COUNT),
    Column("lacked", "Collected without"),
    Column("collected_cents", "Collected", Kind.MONEY, adds=True),
)
_Status = VarianceNote.Status
#: What a variance is marked with, the worst first.
_MARKS: Final = {
    _Status.ESCALATED: Mark.STOP,
    _Status.OPEN: Mark.LOOK,
    _Status.EXPLAINED: Mark.DONE,
    "": Mark.NONE,
}


def count_read(query: ReportQuery) -> CountFigures:
    """Read the figures of the shifts asked about."""
    return count_figures(shift_counts(query.shifts, query.table))


def count_figures(counts: Sequence[ShiftCount]) -> CountFigures:
    """Return the figures of shifts whose boxes were read; of a box without a verified count there is none."""
    every = [each for count in counts for each in count.boxes]
    own = {each.box.pk for each in every}
    elsewhere = {
        each.box.pk for count in counts for each in count.over_change if each.box.counted_at is None
    } - own
    with_jackpot = [count for count in counts if count.has_jackpot]
    return {
        "drop": _boxes_figures([(count, count.drop) for count in counts]),
        "jackpot": _boxes_figures([(count, count.jackpot) for count in with_jackpot])
        if with_jackpot
        else None,
        "over_change": list(_over_change(counts)),
        "without_box": list(_without_box(counts)),
        "waiting": sum(not each.stands for each in every),
        "waiting_elsewhere": len(elsewhere),
        "unexplained": sum(each.status in (_Status.OPEN, _Status.ESCALATED) for each in every),
    }


def _boxes_figures(counts: Sequence[tuple[ShiftCount, KindCount]]) -> BoxesFigures:
    return {
        "shifts": [_shift(count, kind) for count, kind in counts],
        "boxes": [_box(each) for _, kind in counts for each in kind.counted],
        "tables": [],
    }


def _shift(count: ShiftCount, kind: KindCount) -> CountedShift:
    return {
        "shift": count.shift.pk,
        "shift_name": str(count.shift),
        "boxes": len(kind.boxes),
        "counted": len(kind.counted),
        "dropped_cents": kind.dropped_cents if kind.whole else None,
        "change_cents": kind.change_cents,
        "without_box_cents": kind.without_box_cents,
        "expected_cents": kind.expected_cents,
        "counted_cents": kind.counted_cents,
    }


def _box(each: BoxCount) -> CountedBox:
    box, sheet = each.box, each.sheet
    assert sheet is not None  # its count stands
    return {
        "box": box.pk,
        "box_name": str(box),
        "table": box.table.number,
        "shift_name": str(box.shift),
        "dropped_at": utc_text(box.dropped_at),
        "counted_by": [str(staff) for staff in each.counters],
        "expected_cents": each.expected_cents or 0,
        "counted_cents": sheet.total_cents,
        "status": str(each.status),
        "owner": str(each.owner) if each.owner and each.status else "",
        "text": each.notes[-1].text if each.notes and each.status else "",
    }


def _over_change(counts: Iterable[ShiftCount]) -> Iterator[BoxOverChange]:
    for count in counts:
        for each in count.changes_known:
            yield {
                "shift_name": str(count.shift),
                "box": each.box.pk,
                "box_name": str(each.box),
                "kind": each.box.kind,
                "other_name": str(each.other),
                "cents": each.cents,
            }


def _without_box(counts: Iterable[ShiftCount]) -> Iterator[CollectedWithoutBox]:
    for count in counts:
        for bare in count.without_box:
            yield {
                "shift": count.shift.pk,
                "shift_name": str(count.shift),
                "table": bare.number,
                "kind": bare.kind,
                "cents": bare.cents,
            }


def count_added(several: Sequence[CountFigures], span: Span) -> CountFigures:
    """Add the figures of shifts up. A day lists their boxes, a month adds those up by table."""
    jackpots = [figures["jackpot"] for figures in several if figures["jackpot"] is not None]
    changes = [each for figures in several for each in figures["over_change"]]
    return {
        "drop": _boxes_added([figures["drop"] for figures in several], span),
        "jackpot": _boxes_added(jackpots, span) if jackpots else None,
        "over_change": [] if span.is_month else changes,
        "without_box": [each for figures in several for each in figures["without_box"]],
        "waiting": sum(figures["waiting"] for figures in several),
        "waiting_elsewhere": sum(figures["waiting_elsewhere"] for figures in several),
        "unexplained": sum(figures["unexplained"] for figures in several),
    }


def _boxes_added(several: Sequence[BoxesFigures], span: Span) -> BoxesFigures:
    boxes = [each for figures in several for each in figures["boxes"]]
    return {
        "shifts": [each for figures in several for each in figures["shifts"]],
        "boxes": [] if span.is_month else boxes,
        "tables": list(_by_table(boxes)) if span.is_month else [],
    }


def _by_table(boxes: Sequence[CountedBox]) -> Iterator[CountedTable]:
    for table in sorted({each["table"] for each in boxes}):
        at_table = [each for each in boxes if each["table"] == table]
        found = {each["status"] for each in at_table}
        yield {
            "table": table,
            "expected_cents": sum(each["expected_cents"] for each in at_table),
            "counted_cents": sum(each["counted_cents"] for each in at_table),
            "status": str(next(status for status in _MARKS if status in found)),
        }


def count_drawn(figures: CountFigures) -> Drawn:
    """Draw the section."""
    drop, jackpot = figures["drop"], figures["jackpot"]
    grids = [
        _shifts_grid("shifts", "By shift", drop),
        _boxes_grid("boxes", "By box", drop),
    ]
    answers = [
        Answer("expected_cents", "Expected in counted boxes", expected_cents(drop), Kind.MONEY),
        *_answers("", drop),
    ]
    if jackpot is not None:
        grids.append(_shifts_grid("jackpot_shifts", "Jackpot, in boxes of its own", jackpot))
        grids.append(_boxes_grid("jackpot_boxes", "Jackpot, by box", jackpot))
        answers += _answers("jackpot_", jackpot, "Jackpot: ")
    if figures["over_change"]:
        rows = [_over_change_row(each) for each in figures["over_change"]]
        grids.append(Grid("over_change", "Boxes over a change of shift", _OVER_CHANGE, rows))
    if figures["without_box"]:
        rows = [_bare_row(each) for each in figures["without_box"]]
        grids.append(Grid("without_box", "Collected without a box", _BARE, rows))
    return Drawn(answers=[*answers, *_open(figures)], grids=grids)


def _answers(prefix: str, boxes: BoxesFigures, before: str = "") -> Iterator[Answer]:
    """What was counted in the boxes of a kind, and how that differs: the jackpot never with the drop."""
    counted = counted_cents(boxes)
    difference = counted - expected_cents(boxes)
    mark = Mark.STOP if difference else Mark.DONE
    yield Answer(f"{prefix}counted_cents", capital(f"{before}counted"), counted, Kind.MONEY)
    yield Answer(
        f"{prefix}difference_cents",
        capital(f"{before}difference"),
        difference,
        Kind.MONEY,
        mark if any(each["counted"] for each in boxes["shifts"]) else Mark.NONE,
    )


def _open(figures: CountFigures) -> Iterator[Answer]:
    """What is still to be counted or explained."""
    waiting, elsewhere = figures["waiting"], figures["waiting_elsewhere"]
    unexplained = figures["unexplained"]
    yield Answer("waiting", "Boxes not counted", waiting, Kind.COUNT, Mark.LOOK if waiting else Mark.NONE)
    if elsewhere:
        label = "Boxes of other shifts with money of this one, not counted"
        yield Answer("waiting_elsewhere", label, elsewhere, Kind.COUNT, Mark.LOOK)
    mark = Mark.STOP if unexplained else Mark.DONE
    yield Answer("unexplained", "Variances to explain", unexplained, Kind.COUNT, mark)


def expected_cents(boxes: BoxesFigures) -> int:
    """Return what was expected in the counted boxes of a kind."""
    return sum(each["expected_cents"] for each in boxes["shifts"])


def counted_cents(boxes: BoxesFigures) -> int:
    """Return what was counted in the boxes of a kind."""
    return sum(each["counted_cents"] for each in boxes["shifts"])


def counted_of(figures: CountFigures) -> Counted:
    """Return what a period report says of the count of a shift: None of each while a box is not counted."""
    drop, jackpot = figures["drop"], figures["jackpot"]
    sums: dict[str, int] = {
        "boxes_expected_cents": expected_cents(drop),
        "counted_cents": counted_cents(drop),
        "count_difference_cents": counted_cents(drop) - expected_cents(drop),
        "jackpot_counted_cents": 0 if jackpot is None else counted_cents(jackpot),
        "jackpot_difference_cents": 0
        if jackpot is None
        else counted_cents(jackpot) - expected_cents(jackpot),
    }
    return cast("Counted", dict.fromkeys(sums) if figures["waiting"] else sums)


def _shifts_grid(name: str, title: str, boxes: BoxesFigures) -> Grid:
    """From what a shift dropped to what is expected in its boxes of a kind; pending while a box with money of it is not counted."""
    rows = [
        Row(
            {
                "shift": each["shift_name"],
                "boxes": each["boxes"],
                "counted": each["counted"],
                "dropped_cents": each["dropped_cents"],
                "change_cents": each["change_cents"],
                "without_box_cents": each["without_box_cents"],
                **_held(each),
            },
            {"shift": reverse("web:count_sheet", args=[each["shift"]])},
            Mark.STOP
            if each["without_box_cents"]
            else Mark.LOOK
            if each["dropped_cents"] is None
            else Mark.NONE,
        )
        for each in boxes["shifts"]
    ]
    return Grid(name, title, _SHIFTS, rows, empty="No shift in this time.")


def _boxes_grid(name: str, title: str, boxes: BoxesFigures) -> Grid:
    if boxes["tables"]:
        rows = [
            Row({"table": each["table"], **_held(each)}, mark=_MARKS[each["status"]])
            for each in boxes["tables"]
        ]
        return Grid(name, title.replace("box", "table"), _TABLES, rows, text=ONE_BY_ONE)
    rows = [
        Row(
            {
                "box": each["box_name"],
                "table": each["table"],
                "shift": each["shift_name"],
                "dropped_at": instant_read(each["dropped_at"]),
                "counted_by": ", ".join(each["counted_by"]),
                **_held(each),
                "status": str(_Status(each["status"]).label) if each["status"] else "",
                "owner": each["owner"],
                "text": each["text"],
            },
            {"box": reverse("web:box", args=[each["box"]])},
            _MARKS[each["status"]],
        )
        for each in boxes["boxes"]
    ]
    return Grid(name, title, _BOXES, rows, empty="No verified count.")


def _held(each: CountedShift | CountedBox | CountedTable) -> dict[str, Value]:
    return {
        "expected_cents": each["expected_cents"],
        "counted_cents": each["counted_cents"],
        "difference_cents": each["counted_cents"] - each["expected_cents"],
    }


def _over_change_row(each: BoxOverChange) -> Row:
    return Row(
        {
            "shift": each["shift_name"],
            "box": each["box_name"],
            "other": each["other_name"],
            "change_cents": each["cents"],
            "text": over_change_text(each),
        },
        {"box": reverse("web:box", args=[each["box"]])},
    )


def over_change_text(each: BoxOverChange) -> str:
    """Return what a box over a change is: "$4 of Grave in Box 12"."""
    return format_over_change(each["cents"], each["box_name"], each["other_name"])


def _bare_row(each: CollectedWithoutBox) -> Row:
    return Row(
        {
            "shift": each["shift_name"],
            "table": each["table"],
            "lacked": lacked_box(each["kind"]),
            "collected_cents": each["cents"],
        },
        {"shift": reverse("web:count_sheet", args=[each["shift"]])},
        Mark.STOP,
    )
