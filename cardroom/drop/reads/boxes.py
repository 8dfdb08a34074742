"""Boxes as they are read: where each has come to, and what was counted once that is no longer secret."""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from cardroom.floor.models import Shift, Table
from cardroom.floor.reads.reach import check_reach, row_found
from cardroom.floor.reads.records import utc
from cardroom.people.models import Staff
from cardroom.people.rights import RIGHTS, Right
from cardroom.rooms.models import Room

from ..agreement import is_disputed
from ..models import CountSheet, DropBox, VarianceNote, Weighing
from .expected import collected_cents, expected_cents

#: Answered variances on one page of their list.
MOST = 100


@dataclasses.dataclass(frozen=True)
class BoxCount:
    """A box with its sheets, read with `boxes_read`. Figures are there once the count stands, and None before.

    `expected_cents` is what the floor's transfers say now, `weighing` what they said when the count was weighed.
    """

    box: DropBox
    sheets: tuple[CountSheet, ...]
    weighing: Weighing | None
    notes: tuple[VarianceNote, ...]
    _expected_cents: int | None = None

    @property
    def stands(self) -> bool:
        return self.box.counted_at is not None

    @property
    def sheet(self) -> CountSheet | None:
        """The sheet that stands."""
        return self.sheets[-1] if self.stands else None

    @property
    def counted_cents(self) -> int | None:
        return None if self.sheet is None else self.sheet.total_cents

    @property
    def expected_cents(self) -> int | None:
        return self._expected_cents if self.stands else None

    @property
    def difference_cents(self) -> int | None:
        """Counted less expected, as it is now: negative is short."""
        if self.counted_cents is None or self.expected_cents is None:
            return None
        return self.counted_cents - self.expected_cents

    @property
    def counters(self) -> list[Staff]:
        """Who has counted it, in order; corrections left out."""
        return [sheet.made_by for sheet in self.sheets if sheet.kind != CountSheet.Kind.CORRECTION]

    @property
    def differs(self) -> bool:
        """Whether two counts are in, differ, and wait for the recount."""
        return not self.stands and len(self.sheets) == 2

    @property
    def disputed(self) -> bool:
        return self.stands and is_disputed(self.sheets)

    @property
    def is_over(self) -> bool:
        return self.weighing is not None and self.weighing.is_over

    @property
    def moved(self) -> bool:
        """Whether what is expected has changed since the count was weighed."""
        return self.weighing is not None and self.weighing.expected_cents != self._expected_cents

    @property
    def status(self) -> str:
        """Where its variance stands, by `VarianceNote.Status`; empty without one."""
        if not self.is_over:
            return ""
        notes = [note for note in self.notes if self.weighing and note.weighing_id == self.weighing.pk]
        return notes[-1].status if notes else VarianceNote.Status.OPEN

    @property
    def status_label(self) -> str:
        return VarianceNote.Status(self.status).label if self.status else ""

    @property
    def owner(self) -> Staff | None:
        """Who is to explain its variance."""
        return self.notes[-1].owner if self.notes else None


@dataclasses.dataclass(frozen=True)
class Boxes:
    """Some boxes together. Sums are over those whose count stands."""

    boxes: list[BoxCount]

    @property
    def counted(self) -> list[BoxCount]:
        return [each for each in self.boxes if each.stands]

    @property
    def counted_cents(self) -> int:
        return sum(each.counted_cents or 0 for each in self.counted)

    @property
    def expected_cents(self) -> int:
        return sum(each.expected_cents or 0 for each in self.counted)

    @property
    def difference_cents(self) -> int:
        return self.counted_cents - self.expected_cents


@dataclasses.dataclass(frozen=True)
class TableCount(Boxes):
    """The boxes of one table in a shift."""

    number: int


class WithoutBox(NamedTuple):
    """A table that collected without a box of the kind: its number, and what it collected in cents."""

    number: int
    cents: int
    kind: str

    @property
    def what(self) -> str:
        """What it lacked: "a box", "a jackpot box"."""
        return "a jackpot box" if self.kind == DropBox.Kind.JACKPOT else "a box"


@dataclasses.dataclass(frozen=True)
class ShiftCount(Boxes):
    """The boxes of a shift, and the tables that collected without one."""

    shift: Shift
    without_box: list[WithoutBox]

    @property
    def complete(self) -> bool:
        """Whether every box of the shift is counted and no table collected without one."""
        return bool(self.boxes) and len(self.counted) == len(self.boxes) and not self.without_box

    @property
    def tables(self) -> list[TableCount]:
        """The boxes by table, in the order of the tables' numbers."""
        numbers = sorted({each.box.table.number for each in self.boxes})
        return [
            TableCount([each for each in self.boxes if each.box.table.number == number], number)
            for number in numbers
        ]


def shift_count(shift: Shift) -> ShiftCount:
    """Return the boxes of a shift by table, and the tables that collected without a box."""
    (count,) = shift_counts([shift])
    return count


def shift_counts(shifts: Sequence[Shift], table: Table | None = None) -> list[ShiftCount]:
    """The same for several shifts of a room, in their order, at all tables or at one of them.

    Not more queries for many than for a few, but for boxes that shared a table in one shift (`expected_cents`).
    """
    at = {"table": table} if table is not None else {}
    wanted = _boxes().filter(shift__in=shifts, **at).order_by("table__number", "kind", "placed_at", "pk")
    boxes: defaultdict[int, list[BoxCount]] = defaultdict(list)
    hung = set()
    for each in boxes_read(wanted):
        boxes[each.box.shift_id].append(each)
        hung.add((each.box.shift_id, each.box.table_id, each.box.kind))
    bare: defaultdict[int, list[WithoutBox]] = defaultdict(list)
    collected = collected_cents(shifts, table)
    numbers = dict(Table.objects.filter(pk__in={key[1] for key in collected}).values_list("pk", "number"))
    for key, cents in collected.items():
        if key not in hung:
            bare[key[0]].append(WithoutBox(numbers[key[1]], cents, key[2]))
    return [ShiftCount(boxes[shift.pk], shift, sorted(bare[shift.pk])) for shift in shifts]


def box_count(box: DropBox) -> BoxCount:
    """Return one box with all that is known of it."""
    (read,) = boxes_read(_boxes().filter(pk=box.pk))
    return read


def waiting_boxes(room: Room) -> list[BoxCount]:
    """Return the boxes of a room that are not counted yet: first those that hang, by table, of any shift."""
    return boxes_read(
        _boxes().filter(room=room, counted_at__isnull=True).order_by("dropped_at", "table__number", "pk")
    )


def variances_of(room: Room, *, answered: bool = False) -> list[BoxCount]:
    """Return the variances of a room that wait for an answer, the oldest first; with `answered`, the others."""
    last = Weighing.objects.filter(box=OuterRef("pk")).order_by("-pk")
    said = VarianceNote.objects.filter(weighing=OuterRef("last")).order_by("-seq")
    over = (
        _boxes()
        .filter(room=room)
        .annotate(last=Subquery(last.values("pk")[:1]), over=Subquery(last.values("is_over")[:1]))
        .filter(over=True)
        .annotate(said=Subquery(said.values("status")[:1]))
    )
    explained = Q(said=VarianceNote.Status.EXPLAINED)
    if answered:
        return boxes_read(over.filter(explained).order_by("-counted_at", "-pk")[:MOST])
    # Most have no note: their status is null, which is neither equal nor unequal to a word.
    return boxes_read(over.filter(Q(said__isnull=True) | ~explained).order_by("counted_at", "pk"))


def variances_overdue(room: Room, now: datetime.datetime) -> list[Weighing]:
    """Return the weighings of a room that are over and were not explained within its `variance_hours`, the oldest first."""
    due = now - datetime.timedelta(hours=room.variance_hours)
    later = Weighing.objects.filter(box=OuterRef("box"), pk__gt=OuterRef("pk"))
    said = VarianceNote.objects.filter(weighing=OuterRef("pk")).order_by("-seq")
    over = Weighing.objects.filter(~Exists(later), room=room, is_over=True, made_at__lte=due)
    unexplained = Q(said__isnull=True) | ~Q(said=VarianceNote.Status.EXPLAINED)
    found = over.annotate(said=Subquery(said.values("status")[:1])).filter(unexplained)
    return list(found.select_related("box__table", "box__shift").order_by("pk"))


def boxes_read(boxes: QuerySet[DropBox]) -> list[BoxCount]:
    """Read boxes with their sheets, weighings and notes, in as many queries for many as for a few."""
    found = list(
        boxes.prefetch_related(
            Prefetch("sheets", CountSheet.objects.select_related("made_by", "approved_by").order_by("seq")),
            Prefetch("weighings", Weighing.objects.order_by("pk")),
            Prefetch(
                "weighings__notes",
                VarianceNote.objects.select_related("owner", "made_by").order_by("pk"),
            ),
        )
    )
    expected = expected_cents(found)
    return [
        BoxCount(
            box=box,
            sheets=tuple(box.sheets.all()),
            weighing=list(box.weighings.all())[-1] if box.weighings.all() else None,
            notes=tuple(note for weighing in box.weighings.all() for note in weighing.notes.all()),
            _expected_cents=expected[box.pk],
        )
        for box in found
    ]


def box_in_reach(staff: Staff, box_id: int, right: Right = Right.SEE_BOXES) -> DropBox:
    """Return the box, if `staff` holds a role in its room and `right` with it. Raises NotFound or Forbidden."""
    box = row_found(_boxes(), box_id)
    check_reach(staff, right, box.room, box)
    return box


def people_who_answer(room: Room) -> list[Staff]:
    """Return the people who may own a variance in a room, by name."""
    people = Staff.objects.filter(
        is_active=True, employments__room=room, employments__role__in=RIGHTS[Right.ANSWER_VARIANCES]
    )
    return list(people.distinct().order_by("display_name", "username"))


def box_state(each: BoxCount, *, figures: bool) -> dict[str, Any]:
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
        "placed_at": utc(box.placed_at),
        "placed_by": str(box.placed_by),
        "dropped_at": utc(box.dropped_at),
        "dropped_by": None if box.dropped_by is None else str(box.dropped_by),
        "witness": None if box.witness is None else str(box.witness),
        "counted_at": utc(box.counted_at),
        "counts": len(each.counters),
        "recount_due": each.differs,
    }
    shown = figures and each.stands
    return {
        **state,
        "expected_cents": each.expected_cents if shown else None,
        "counted_cents": each.counted_cents if shown else None,
        "difference_cents": each.difference_cents if shown else None,
        "variance": each.status or None if shown else None,
        "owner": str(each.owner) if shown and each.owner else None,
    }


def shift_state(count: ShiftCount) -> dict[str, Any]:
    """Return what was counted in a shift as plain data, for a user who may see it."""
    return {
        "shift": count.shift.pk,
        "complete": count.complete,
        **_sums(count),
        "tables": [{"table_number": table.number, **_sums(table)} for table in count.tables],
        "boxes": [box_state(each, figures=True) for each in count.boxes],
        "without_box": [
            {"table_number": bare.number, "cents": bare.cents, "kind": str(bare.kind)}
            for bare in count.without_box
        ],
    }


def _sums(boxes: Boxes) -> dict[str, int]:
    return {
        "counted": len(boxes.counted),
        "counted_cents": boxes.counted_cents,
        "expected_cents": boxes.expected_cents,
        "difference_cents": boxes.difference_cents,
    }


def sheet_state(sheet: CountSheet) -> dict[str, Any]:
    """Return a sheet of a count that stands as plain data."""
    return {
        "id": sheet.pk,
        "seq": sheet.seq,
        "kind": str(sheet.kind),
        "pieces": sheet.pieces,
        "total_cents": sheet.total_cents,
        "made_at": utc(sheet.made_at),
        "made_by": str(sheet.made_by),
        "corrects": sheet.corrects_id,
        "reason": sheet.reason,
        "approved_by": None if sheet.approved_by is None else str(sheet.approved_by),
    }


def note_state(note: VarianceNote) -> dict[str, Any]:
    """Return what was said of a variance as plain data."""
    return {
        "status": str(note.status),
        "owner": None if note.owner is None else str(note.owner),
        "says": note.says,
        "made_at": utc(note.made_at),
        "made_by": str(note.made_by),
    }


def _boxes() -> QuerySet[DropBox]:
    return DropBox.objects.select_related("room", "table", "shift", "placed_by", "dropped_by", "witness")
