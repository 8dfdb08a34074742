"""Queries on drop boxes: the state of each, and what was counted once that is no longer secret."""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from cardroom.floor.models import Shift, Table
from cardroom.floor.reads.access import check_reach, row_found
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from games.money import dollars

from ..agreement import is_disputed
from ..models import CountSheet, DropBox, VarianceCheck, VarianceNote
from .expected import collected_rows, expected_by_shift

#: Answered variances on one page of their list.
MOST = 100


class Share(NamedTuple):
    """What the rounds of one shift put into a box, less what they took out of it, in cents."""

    shift: Shift
    cents: int


@dataclasses.dataclass(frozen=True)
class BoxCount:
    """A box with its sheets, read with `boxes_read`. Figures are there once the count stands, and None before.

    `expected_cents` is what the floor's transfers say now, `variance_check` what they said when the variance was checked
    last. `_shares` makes it up by shift, the earliest first: more than one where the box hung over a change of shift.
    """

    box: DropBox
    sheets: tuple[CountSheet, ...]
    variance_check: VarianceCheck | None
    notes: tuple[VarianceNote, ...]
    _shares: tuple[Share, ...] = ()

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
    def _expected_cents(self) -> int:
        return sum(share.cents for share in self._shares)

    @property
    def of_other_shifts(self) -> list[Share]:
        """What other shifts than the one it was hung in dropped into it; empty before the count stands."""
        return [share for share in self._shares if self.stands and share.shift.pk != self.box.shift_id]

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
        return self.variance_check is not None and self.variance_check.is_over

    @property
    def moved(self) -> bool:
        """Whether what is expected has changed since the variance was checked."""
        return self.variance_check is not None and self.variance_check.expected_cents != self._expected_cents

    @property
    def status(self) -> str:
        """The state of its variance, by `VarianceNote.Status`; empty without one."""
        if not self.is_over:
            return ""
        notes = [
            note
            for note in self.notes
            if self.variance_check and note.variance_check_id == self.variance_check.pk
        ]
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

    @property
    def tables(self) -> list[TableCount]:
        """The boxes by table, in the order of the tables' numbers."""
        numbers = sorted({each.box.table.number for each in self.boxes})
        return [
            TableCount([each for each in self.boxes if each.box.table.number == number], number)
            for number in numbers
        ]


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
        return lacked_box(self.kind)

    @property
    def text(self) -> str:
        """What it did without one; what it gave back then, more than it collected, is below 0."""
        did = "collected" if self.cents > 0 else "gave back"
        return f"{did} {dollars(abs(self.cents))} without {self.what}"


class OverChange(NamedTuple):
    """What a box that hung over a change of shift makes of the boxes of a shift, in cents.

    Above 0: another shift, `other`, dropped it into a `box` of this one. Below 0: this shift dropped it into a box that was
    hung in `other`, and is counted there.
    """

    box: DropBox
    other: Shift
    cents: int

    @property
    def text(self) -> str:
        return format_over_change(self.cents, str(self.box), str(self.other))


def lacked_box(kind: str) -> str:
    """Return what a table lacked that collected without a box of a kind: "a box", "a jackpot box"."""
    return "a jackpot box" if kind == DropBox.Kind.JACKPOT else "a box"


def format_over_change(cents: int, box: str, other: str) -> str:
    """Return what a box over a change of shift is: "$4 of Grave in Box 12", or below 0 "$4 of this shift in Box 12 of Grave"."""
    if cents < 0:
        return f"{dollars(-cents)} of this shift in {box} of {other}"
    return f"{dollars(cents)} of {other} in {box}"


@dataclasses.dataclass(frozen=True)
class KindCount(Boxes):
    """The boxes of one kind in a shift, and how what the shift dropped becomes what is expected in them.

    `dropped_cents`, and `change_cents`, less `without_box_cents`, is what is expected in its boxes once all are counted.
    """

    dropped_cents: int
    without_box_cents: int
    over_change: list[OverChange]

    @property
    def waiting(self) -> int:
        """How many boxes are not counted."""
        return len(self.boxes) - len(self.counted)

    @property
    def whole(self) -> bool:
        """Whether every box with money of the shift is counted: before that, what it dropped would give away a blind count."""
        return not self.waiting and self.change_cents is not None

    @property
    def change_cents(self) -> int | None:
        """What boxes that hung over a change of shift bring; None before the counts of all of them stand."""
        if any(each.box.counted_at is None for each in self.over_change):
            return None
        return sum(each.cents for each in self.over_change)


@dataclasses.dataclass(frozen=True)
class ShiftCount(Boxes):
    """The boxes that were hung in a shift, the tables that collected without one, and boxes that hung over its changes.

    `dropped_cents` is what the shift collected by kind of box, into whichever box or none.
    """

    shift: Shift
    without_box: list[WithoutBox]
    over_change: list[OverChange]
    dropped_cents: Mapping[str, int]

    @property
    def complete(self) -> bool:
        """Whether every box with money of the shift is counted, and no table collected without one."""
        boxes = [*(each.box for each in self.boxes), *(each.box for each in self.over_change)]
        return bool(boxes) and all(box.counted_at is not None for box in boxes) and not self.without_box

    def of_kind(self, kind: str) -> KindCount:
        """Return the boxes of one kind, those for fees or those for the jackpot: the two are never added up."""
        return KindCount(
            boxes=[each for each in self.boxes if each.box.kind == kind],
            dropped_cents=self.dropped_cents.get(kind, 0),
            without_box_cents=sum(bare.cents for bare in self.without_box if bare.kind == kind),
            over_change=[each for each in self.over_change if each.box.kind == kind],
        )

    @property
    def kinds(self) -> list[KindCount]:
        """The drop, and the jackpot's boxes where there is anything of it."""
        return [self.drop, self.jackpot] if self.has_jackpot else [self.drop]

    @property
    def has_jackpot(self) -> bool:
        jackpot = self.jackpot
        return bool(
            jackpot.boxes or jackpot.over_change or jackpot.dropped_cents or jackpot.without_box_cents
        )

    @property
    def drop(self) -> KindCount:
        return self.of_kind(DropBox.Kind.DROP)

    @property
    def jackpot(self) -> KindCount:
        return self.of_kind(DropBox.Kind.JACKPOT)

    @property
    def changes_known(self) -> list[OverChange]:
        """Boxes over a change whose count stands: of the others no figure is shown."""
        return [each for each in self.over_change if each.box.counted_at is not None]


def shift_count(shift: Shift) -> ShiftCount:
    """Return the boxes of a shift by table, and the tables that collected without a box."""
    (count,) = shift_counts([shift])
    return count


def shift_counts(shifts: Sequence[Shift], table: Table | None = None) -> list[ShiftCount]:
    """The same for several shifts of a room, in their order, at all tables or at one of them.

    As many queries for many as for a few. No figure of a box is read before its count stands.
    """
    at = {"table": table} if table is not None else {}
    wanted = _boxes().filter(shift__in=shifts, **at).order_by("table__number", "kind", "placed_at", "pk")
    boxes: defaultdict[int, list[BoxCount]] = defaultdict(list)
    changes: defaultdict[int, list[OverChange]] = defaultdict(list)
    for each in boxes_read(wanted):
        boxes[each.box.shift_id].append(each)
        changes[each.box.shift_id].extend(
            OverChange(each.box, share.shift, share.cents)
            for share in each._shares
            if share.shift.pk != each.box.shift_id
        )
    rows = collected_rows(shifts, table)
    elsewhere = _boxes().in_bulk({row.box for row in rows if row.box} - {each.box.pk for each in _all(boxes)})
    numbers = dict(Table.objects.filter(pk__in={row.table for row in rows}).values_list("pk", "number"))
    own = {shift.pk: {each.box.pk for each in boxes[shift.pk]} for shift in shifts}
    dropped: defaultdict[int, Counter[str]] = defaultdict(Counter)
    bare: defaultdict[int, list[WithoutBox]] = defaultdict(list)
    known = {**{each.box.pk: each.box for each in _all(boxes)}, **elsewhere}
    for row in rows:
        dropped[row.shift][row.kind] += row.cents
        if row.box is None:
            if row.cents:
                bare[row.shift].append(WithoutBox(numbers[row.table], row.cents, row.kind))
        elif row.box not in own[row.shift] and row.cents:
            box = known[row.box]
            changes[row.shift].append(OverChange(box, box.shift, -row.cents))
    return [
        ShiftCount(boxes[shift.pk], shift, sorted(bare[shift.pk]), changes[shift.pk], dropped[shift.pk])
        for shift in shifts
    ]


def _all(boxes: Mapping[int, list[BoxCount]]) -> Iterator[BoxCount]:
    return (each for several in boxes.values() for each in several)


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
    last = VarianceCheck.objects.filter(box=OuterRef("pk")).order_by("-pk")
    said = VarianceNote.objects.filter(variance_check=OuterRef("last")).order_by("-seq")
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


def variances_overdue(room: Room, now: datetime.datetime) -> list[VarianceCheck]:
    """Return the variance checks of a room that are over and were not explained within its `variance_hours`, the oldest first."""
    due = now - datetime.timedelta(hours=room.variance_hours)
    later = VarianceCheck.objects.filter(box=OuterRef("box"), pk__gt=OuterRef("pk"))
    said = VarianceNote.objects.filter(variance_check=OuterRef("pk")).order_by("-seq")
    over = VarianceCheck.objects.filter(~Exists(later), room=room, is_over=True, made_at__lte=due)
    unexplained = Q(said__isnull=True) | ~Q(said=VarianceNote.Status.EXPLAINED)
    found = over.annotate(said=Subquery(said.values("status")[:1])).filter(unexplained)
    return list(found.select_related("box__table", "box__shift").order_by("pk"))


def boxes_read(boxes: QuerySet[DropBox]) -> list[BoxCount]:
    """Read boxes with their sheets, variance checks and notes, in as many queries for many as for a few."""
    found = list(
        boxes.prefetch_related(
            Prefetch("sheets", CountSheet.objects.select_related("made_by", "approved_by").order_by("seq")),
            Prefetch("variance_checks", VarianceCheck.objects.order_by("pk")),
            Prefetch(
                "variance_checks__notes",
                VarianceNote.objects.select_related("owner", "made_by").order_by("pk"),
            ),
        )
    )
    expected = expected_by_shift([box.pk for box in found])
    shifts = Shift.objects.in_bulk({shift for by_shift in expected.values() for shift in by_shift})
    return [
        BoxCount(
            box=box,
            sheets=tuple(box.sheets.all()),
            variance_check=list(box.variance_checks.all())[-1] if box.variance_checks.all() else None,
            notes=tuple(note for check in box.variance_checks.all() for note in check.notes.all()),
            _shares=tuple(
                Share(shifts[shift], cents)
                for shift, cents in sorted(
                    expected[box.pk].items(), key=lambda each: (shifts[each[0]].opened_at, each[0])
                )
            ),
        )
        for box in found
    ]


def get_box_for(staff: Staff, box_id: int, right: Right = Right.SEE_BOXES) -> DropBox:
    """Return the box, if `staff` holds a role in its room and `right` with it. Raises NotFound or Forbidden."""
    box = row_found(_boxes(), box_id)
    check_reach(staff, right, box.room, box)
    return box


def _boxes() -> QuerySet[DropBox]:
    return DropBox.objects.select_related("room", "table", "shift", "placed_by", "dropped_by", "witness")
