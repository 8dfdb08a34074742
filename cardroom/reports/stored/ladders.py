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
from games.money import dollars

from ..models import PeriodReport
from .reading import Report, answers_of, house_banks, section_grid

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

    `change_cents` is what boxes that hung over a change of shift bring, `bare_cents` what went into no box. `differing` are
    the boxes, or the tables of a month, that are over or short.
    """

    boxes: int
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


def held_of(report: Report, kind: str = "") -> Held | None:
    """Return what a report says of its drop boxes, or with `kind` "jackpot_" of the jackpot's; None where it says nothing."""
    by_shift = section_grid(report, "count", f"{kind}shifts")
    if by_shift is None:
        return None
    sums: Mapping[str, Any] = by_shift.totals or {}
    whole = sums["boxes"] == sums["counted"]
    by_box = section_grid(report, "count", f"{kind}boxes")
    name = "box" if by_box is not None and any(each.name == "box" for each in by_box.columns) else "table"
    differing: dict[str, int] = {}
    for row in () if by_box is None else by_box.rows:
        cents = row.values["difference_cents"]
        if isinstance(cents, int) and cents:
            called = str(row.values[name]) if name == "box" else f"Table {row.values[name]}"
            differing[called] = differing.get(called, 0) + cents
    return Held(
        boxes=sums["boxes"],
        change_cents=sums["change_cents"],
        bare_cents=sums["without_box_cents"],
        expected_cents=sums["expected_cents"] if whole else None,
        counted_cents=sums["counted_cents"] if whole else None,
        differing=differing,
    )


def ladders_of(report: Report) -> Iterator[Grid]:
    """The ladder of the drop, and that of the jackpot where anything was collected for one."""
    total: Mapping[str, Any] = report.typed_figures["total"]
    rows = [*_fees(report, total), *_in_boxes(report, held_of(report))]
    yield Grid("drop_ladder", "Drop", _COLUMNS, rows)
    held = held_of(report, "jackpot_")
    if held is not None or total["jackpot_expected_cents"]:
        collected = _row("Collected for the jackpot", total["jackpot_expected_cents"], "refunds left out")
        yield Grid(
            "jackpot_ladder",
            "Jackpot, in boxes of its own",
            _COLUMNS,
            [collected, *_in_boxes(report, held, "jackpot ")],
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


def _in_boxes(report: Report, held: Held | None, kind: str = "") -> Iterator[Row]:
    """From what was dropped to what is expected in the boxes, what was counted there, and how the two differ."""
    if held is None:
        return
    if held.change_cents != 0:
        yield _row("+ Boxes over a change of shift", held.change_cents, _changes(report, kind))
    if held.bare_cents:
        yield _row(f"− Without a {kind or 'drop '}box", -held.bare_cents, "in no count", Mark.STOP)
    boxes = f"{held.boxes:,} {kind}box{'' if held.boxes == 1 else 'es'}"
    waiting = answers_of(report, "count").get("waiting")
    pending = (
        "" if held.expected_cents is not None else f"{waiting} not counted" if waiting else "not counted"
    )
    yield _row(f"= Expected in {boxes}", held.expected_cents, pending)
    yield _row(f"Counted in {boxes}", held.counted_cents, pending)
    over = held.over_short_cents
    mark = Mark.STOP if over else Mark.DONE if over == 0 else Mark.LOOK if held.boxes else Mark.NONE
    text = pending or held.where or ("every box agrees" if held.boxes else "no box hung")
    yield _row("Over / (short)", over, text, mark)


def _changes(report: Report, kind: str) -> str:
    """Which boxes hung over a change: of a shift; over days the two shifts of a box cancel out."""
    grid = section_grid(report, "count", "over_change")
    rows = [] if grid is None or isinstance(report, PeriodReport) else grid.rows
    jackpot = bool(kind)
    return ", ".join(
        str(row.values["text"]) for row in rows if str(row.values["box"]).startswith("Jackpot") == jackpot
    ) or ("" if rows else "pending")


def _row(line: str, cents: int | None, detail: str = "", mark: Mark = Mark.NONE) -> Row:
    return Row({"line": line, "amount_cents": cents, "detail": detail}, mark=mark)
