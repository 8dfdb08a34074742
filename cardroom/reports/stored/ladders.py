"""Computes the sums from fees to over / (short), line by line, each of those before it: one ladder for the drop, one for the jackpot.

Drop and jackpot are compared apart: the jackpot's collection has boxes of its own (4 CCR 12384(a)(2)) and is in no sum of the drop.
Everything is read from the stored report. Where a box hung over a change of shift, what is expected in the boxes of a shift
is not what it dropped (ruling 58): the ladder shows both.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, Final

from cardroom.documents.document import Column, Grid, Kind, Mark, Row
from cardroom.drop.models import DropBox
from games.money import dollars

from ..models import PeriodReport
from ..sections.count import counted_cents, expected_cents, over_change_text
from ..sections.figure_types import BoxesFigures
from .reading import Report, house_banks

_COLUMNS: Final = (
    Column("line", "Line"),
    Column("amount_cents", "Amount", Kind.MONEY),
    Column("detail", "Detail"),
)
#: Boxes that are named where they are over or short; of the others it says how many there are.
_MOST_BOXES: Final = 4


@dataclasses.dataclass(frozen=True)
class Held:
    """What was expected and counted in the boxes of one kind, in cents; None while one with money of the time is not counted.

    `waiting` of its boxes are not counted; those of another kind are none of it. `change_cents` is what boxes that hung over a change of shift bring, `bare_cents` what went into no box. `differing` are
    the boxes, or the tables of a month, that are over or short.
    """

    boxes: int
    waiting: int
    change_cents: int | None
    bare_cents: int
    expected_cents: int | None
    counted_cents: int | None
    differing: Mapping[str, int]

    @property
    def over_short_cents(self) -> int | None:
        """Counted less expected; None too where no box hung, so that nothing was counted."""
        if not self.boxes or self.expected_cents is None or self.counted_cents is None:
            return None
        return self.counted_cents - self.expected_cents

    @property
    def where(self) -> str:
        """The boxes that are over or short: "Box 18 −$5, Box 23 $2"."""
        named = [f"{name} {dollars(cents)}" for name, cents in self.differing.items()]
        left = len(named) - _MOST_BOXES
        return ", ".join(named[:_MOST_BOXES]) + (f" and {left} more" if left > 0 else "")


def held_of(report: Report) -> Held:
    """Return what a report says of its drop boxes."""
    return _held(report.typed_sections["count"]["drop"])


def jackpot_held_of(report: Report) -> Held | None:
    """Return what a report says of the jackpot's boxes; None where nothing was collected for one."""
    jackpot = report.typed_sections["count"]["jackpot"]
    return None if jackpot is None else _held(jackpot)


def _held(figures: BoxesFigures) -> Held:
    shifts = figures["shifts"]
    boxes, counted = sum(each["boxes"] for each in shifts), sum(each["counted"] for each in shifts)
    changes = [each["change_cents"] for each in shifts]
    differing: dict[str, int] = {
        each["box_name"]: each["counted_cents"] - each["expected_cents"] for each in figures["boxes"]
    }
    differing |= {
        f"Table {each['table']}": each["counted_cents"] - each["expected_cents"] for each in figures["tables"]
    }
    return Held(
        boxes=boxes,
        waiting=boxes - counted,
        change_cents=None if None in changes else sum(cents for cents in changes if cents is not None),
        bare_cents=sum(each["without_box_cents"] for each in shifts),
        expected_cents=expected_cents(figures) if boxes == counted else None,
        counted_cents=counted_cents(figures) if boxes == counted else None,
        differing={name: cents for name, cents in differing.items() if cents},
    )


def ladders_of(report: Report) -> Iterator[Grid]:
    """The ladder of the drop, and that of the jackpot where anything was collected for one."""
    total: Mapping[str, Any] = report.typed_figures["total"]
    rows = [*_fees(report, total), *_in_boxes(report, held_of(report), DropBox.Kind.DROP)]
    yield Grid("drop_ladder", "Drop", _COLUMNS, rows)
    if (held := jackpot_held_of(report)) is not None:
        collected = _row("Collected for the jackpot", total["jackpot_expected_cents"], "refunds left out")
        yield Grid(
            "jackpot_ladder",
            "Jackpot, in boxes of its own",
            _COLUMNS,
            [collected, *_in_boxes(report, held, DropBox.Kind.JACKPOT)],
            text="Never part of the drop, nor of its over / (short).",
        )


def _fees(report: Report, total: Mapping[str, Any]) -> Iterator[Row]:
    """From what was due to what was dropped: the lines before the last add up to it."""
    due = (*("player_fees_cents", "bank_fees_cents", "time_fees_cents", "rake_cents"), "fees_waived_cents")
    rounds = total["rounds_settled"]
    yield _row("Fees", sum(total[name] for name in due), f"of {rounds:,} round{'' if rounds == 1 else 's'}")
    if house_banks(report):
        yield _row("+ Cash bought in", total["buy_ins_cents"])
    if waived := total["fees_waived_cents"]:
        yield _row("− Waived", -waived, "by published rules")
    if refunded := total["fees_refunded_cents"]:
        voids = total["voids_before_deal"] + total["voids_after_deal"]
        yield _row("− Refunded", -refunded, f"in {voids:,} void{'' if voids == 1 else 's'}")
    yield _row(
        "= Drop of the shift" if not isinstance(report, PeriodReport) else "= Drop",
        total["drop_expected_cents"],
    )


def _in_boxes(report: Report, held: Held, kind: DropBox.Kind) -> Iterator[Row]:
    """From what was dropped to what is expected in the boxes, what was counted there, and how the two differ."""
    name = "jackpot " if kind == DropBox.Kind.JACKPOT else ""
    if held.change_cents != 0:
        yield _row("+ Boxes over a change of shift", held.change_cents, _changes(report, held, kind))
    if held.bare_cents:
        yield _row(f"− Without a {name or 'drop '}box", -held.bare_cents, "in no count", Mark.STOP)
    boxes = f"{held.boxes:,} {name}box{'' if held.boxes == 1 else 'es'}"
    pending = f"{held.waiting} not counted" if held.waiting else ""
    yield _row(f"= Expected in {boxes}", held.expected_cents, pending)
    yield _row(f"Counted in {boxes}", held.counted_cents, pending)
    over = held.over_short_cents
    mark = Mark.STOP if over else Mark.DONE if over == 0 else Mark.LOOK if held.boxes else Mark.NONE
    text = pending or held.where or ("every box agrees" if held.boxes else "no box hung")
    yield _row("Over / (short)", over, text, mark)


def _changes(report: Report, held: Held, kind: DropBox.Kind) -> str:
    """Which boxes of a kind hung over a change: of a shift; over days the two shifts of a box cancel out."""
    changes = [] if isinstance(report, PeriodReport) else report.typed_sections["count"]["over_change"]
    of_kind = ", ".join(over_change_text(each) for each in changes if each["kind"] == kind)
    return of_kind or ("pending" if held.change_cents is None else "")


def _row(line: str, cents: int | None, detail: str = "", mark: Mark = Mark.NONE) -> Row:
    return Row({"line": line, "amount_cents": cents, "detail": detail}, mark=mark)
