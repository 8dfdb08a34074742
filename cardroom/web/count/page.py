"""Template context of drop and count: what waits, what a person may do about it, which counts are verified."""

from __future__ import annotations

import dataclasses
import functools

from cardroom.drop import checks
from cardroom.drop.items import item_of
from cardroom.drop.models import CountSheet, DropBox
from cardroom.drop.pieces import Denomination
from cardroom.drop.reads.boxes import BoxCount, waiting_boxes
from cardroom.drop.reads.expected import RoundDrop, TimeDrop, bought_in_cents, rounds_of, times_of
from cardroom.floor.boxes import bare_tables
from cardroom.floor.checks.boxes import why_not_place
from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Shift, Table
from cardroom.inbox.models import Item
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from games.money import dollars

from ..parts.access import Permissions


@dataclasses.dataclass
class CountRoom:
    """The boxes of a room that are not counted yet, and its tables without one."""

    room: Room
    permissions: Permissions
    shift: Shift | None

    @functools.cached_property
    def waiting(self) -> list[BoxCount]:
        return waiting_boxes(self.room)

    @property
    def hanging(self) -> list[BoxCount]:
        return [each for each in self.waiting if each.box.state == DropBox.State.ON_TABLE]

    @property
    def to_count(self) -> list[BoxView]:
        """Dropped boxes: those that wait for a recount first."""
        dropped = [each for each in self.waiting if each.box.state == DropBox.State.DROPPED]
        return [
            BoxView(each, self.permissions) for each in sorted(dropped, key=lambda each: not each.differs)
        ]

    @functools.cached_property
    def bare(self) -> list[Table]:
        """Tables without a drop box, those that are open first."""
        return bare_tables(self.room)

    @functools.cached_property
    def without_jackpot(self) -> list[Table]:
        """Tables without a jackpot box, those that are open first."""
        return bare_tables(self.room, DropBox.Kind.JACKPOT)

    @property
    def why_not_place(self) -> WhyNot | None:
        return self.permissions.why_not(Right.DROP_BOXES) or why_not_place(self.room)

    @property
    def why_not_drop(self) -> WhyNot | None:
        return self.permissions.why_not(Right.DROP_BOXES)


@dataclasses.dataclass
class BoxView:
    """One box as one person sees it."""

    count: BoxCount
    permissions: Permissions

    @property
    def box(self) -> DropBox:
        return self.count.box

    @property
    def next_kind(self) -> str:
        return str(checks.next_kind(self.count.sheets).label)

    @property
    def why_not_count(self) -> WhyNot | None:
        right = Right.RECOUNT if self.count.differs else Right.COUNT
        return self.permissions.why_not(right) or checks.why_not_count(
            self.box, self.count.sheets, self.permissions.staff
        )

    @property
    def sees_figures(self) -> bool:
        return self.count.stands and self.permissions.may(Right.SEE_COUNTS)

    @property
    def may_check_variance(self) -> bool:
        return self.count.moved and self.permissions.may(Right.SEE_COUNTS)

    @property
    def why_not_correct(self) -> WhyNot | None:
        return self.permissions.why_not(Right.CORRECT_COUNTS) or checks.why_not_correct(self.box)

    @functools.cached_property
    def item(self) -> Item | None:
        """The exception that its variance is, where it is worked off; None for whoever sees none of them."""
        return item_of(self.box) if self.permissions.may(Right.SEE_ITEMS) else None

    @functools.cached_property
    def rounds(self) -> list[RoundDrop]:
        return rounds_of(self.box)

    @functools.cached_property
    def times(self) -> list[TimeDrop]:
        return times_of(self.box)

    @functools.cached_property
    def bought_in_cents(self) -> int:
        return bought_in_cents(self.box)

    @property
    def rows(self) -> list[SheetRow]:
        return sheet_rows(self.count.sheets)

    @property
    def places(self) -> list[tuple[str, list[int | None]]]:
        """What was counted by denomination: its name and the pieces of each sheet, in the order of the sheets."""
        columns = [
            {Denomination(row["kind"], row["cents"]): row["pieces"] for row in sheet.pieces}
            for sheet in self.count.sheets
        ]
        met = sorted(
            {each for column in columns for each in column},
            key=lambda each: (each.kind != "chip", -each.cents),
        )
        return [(piece_name(each), [column.get(each) for column in columns]) for each in met]


@dataclasses.dataclass(frozen=True)
class SheetRow:
    """A sheet as it is printed: struck through when another took its place."""

    sheet: CountSheet
    struck: bool


def sheet_rows(sheets: tuple[CountSheet, ...]) -> list[SheetRow]:
    """Return the sheets of a box in their order; a figure that was corrected is struck through."""
    corrected = {sheet.corrects_id for sheet in sheets}
    return [SheetRow(sheet, sheet.pk in corrected) for sheet in sheets]


def piece_name(denomination: Denomination) -> str:
    """What a denomination is called: "$5 chip", "coin, in cents"."""
    if denomination.cents == 1:
        return "coin, in cents"
    return f"{dollars(denomination.cents)} {denomination.kind}"


def initials_of(name: str) -> str:
    """The initials with which a person signs a correction: "I. P." for Ivan Petrov."""
    return " ".join(f"{part[0].upper()}." for part in name.split() if part)
