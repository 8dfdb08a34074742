"""Simulates the drop of a shift: boxes put on, taken off by two people, counted blind, and now and then a variance."""

from __future__ import annotations

import datetime
import random
from collections.abc import Iterator, Mapping

from cardroom.drop.commands.counts import count_again, count_enter
from cardroom.drop.commands.variances import variance_answer
from cardroom.drop.models import DropBox
from cardroom.drop.pieces import CHIP, Pieces, PiecesCounted
from cardroom.drop.reads.expected import box_expected_cents
from cardroom.floor.commands.boxes import PlacedBox, boxes_drop, boxes_place
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Shift, Table
from cardroom.people.models import Staff
from cardroom.rooms.models import Room

from .mishaps import Mishap, Mishaps
from .people import People

#: Chips that players put up for their fees, in cents: the greatest first.
_CHIPS = (2500, 500, 100, 50)
#: One box in so many holds other than what was collected; one first count in so many is wrong.
_VARIANCES, _MISCOUNTS = 90, 60
#: A mishap comes to a box with this much in it, in cents.
_WORTH = 5000
_SHORT = (-2500, -500, -300, -100, 100, 500)
_WHY = (
    "A collection was dropped at the neighbouring table; its box is over by the same sum",
    "Seen on video: one ante's fee was not collected",
    "Chips of a player found in the box; given back against signature",
)
#: What is counted in a box takes so long.
_COUNT = datetime.timedelta(seconds=95)


class CountRoom:
    """Who handles the boxes of a room, and when. Commands are given at instants that only go on."""

    def __init__(
        self, room: Room, people: People, chance: random.Random, mishaps: Mishaps | None = None
    ) -> None:
        self.room = room
        self.people = people
        self.chance = chance
        self.mishaps = mishaps
        #: Of the boxes that hold other than was collected, those whose difference somebody explains.
        self.explained: set[int] = set()

    def place(self, shift: Shift, tables: Mapping[Table, bool], now: datetime.datetime, floor: Staff) -> None:
        """Put a box on each of `tables` for the shift that is open, and a jackpot box where the table collects for one.

        A box's number gives table and shift, a jackpot box' the same from 5 on.
        """
        number = Shift.objects.filter(room=self.room, gaming_day=shift.gaming_day).count()
        boxes: list[PlacedBox] = []
        for table, collects_jackpot in tables.items():
            boxes.append({"table": table.pk, "number": 10 * table.number + number})
            if collects_jackpot:
                jackpot = 10 * table.number + number + 5
                boxes.append({"table": table.pk, "number": jackpot, "kind": DropBox.Kind.JACKPOT})
        if boxes:
            boxes_place.run(RoomTransaction.at_instant(self.room, floor, now), boxes=boxes)

    def drop(self, now: datetime.datetime) -> None:
        """Take off every box that hangs."""
        hanging = DropBox.objects.filter(room=self.room, dropped_at__isnull=True).order_by("pk")
        if boxes := [box.pk for box in hanging]:
            first, second, _ = self.people.counters
            boxes_drop.run(RoomTransaction.at_instant(self.room, first, now), boxes=boxes, witness=second)

    def count(self, now: datetime.datetime) -> datetime.datetime:
        """Count every box that waits from `now` on, and return when that was done."""
        waiting = DropBox.objects.filter(
            room=self.room, dropped_at__isnull=False, counted_at__isnull=True
        ).select_related("table", "shift")
        varied = []
        for box in waiting.order_by("table__number", "pk"):
            for who, pieces in self._counts(box):
                self._enter(who, box, pieces, now)
                now += _COUNT / 2
            if box.variance_checks.filter(is_over=True).exists():
                varied.append(box)
        for box in varied:
            if box.pk in self.explained:
                now += _COUNT
                self._explain(box, now)
        return now

    def _counts(self, box: DropBox) -> Iterator[tuple[Staff, Pieces]]:
        """Who counts what in a box: twice blind, a third time where the two differ."""
        chance = self.chance
        expected = box_expected_cents(box)
        holds = max(0, expected + self._difference(box, expected))
        first, second, third = chance.sample(self.people.counters, 3)
        truth, counted = chips_of(holds), chips_of(holds)
        if counted and chance.randrange(_MISCOUNTS) == 0:
            counted = _miscounted(counted)
        yield first, counted
        yield second, truth
        if counted != truth:
            yield third, truth

    def _difference(self, box: DropBox, expected: int) -> int:
        """By how much a box holds other than was collected."""
        if self.mishaps is None:
            if self.chance.randrange(_VARIANCES):
                return 0
            if self.chance.randrange(3) > 0:
                self.explained.add(box.pk)
            return self.chance.choice(_SHORT)
        if expected < _WORTH:
            return 0
        if self.mishaps.happens(Mishap.VARIANCE_EXPLAINED):
            self.explained.add(box.pk)
            return -500
        return -2500 if self.mishaps.happens(Mishap.VARIANCE_OPEN) else 0

    def _enter(self, who: Staff, box: DropBox, pieces: Pieces, now: datetime.datetime) -> None:
        sheets = box.sheets.count()
        command = count_again if sheets == 2 else count_enter
        command.run(RoomTransaction.at_instant(self.room, who, now), box_id=box.pk, pieces=pieces)

    def _explain(self, box: DropBox, now: datetime.datetime) -> None:
        variance_answer.run(
            RoomTransaction.at_instant(self.room, self.people.compliance, now),
            box_id=box.pk,
            status="explained",
            text=self.chance.choice(_WHY),
        )


def chips_of(cents: int) -> Pieces:
    """Return `cents` as chips, about half of them dollars: fees come in one by one."""
    pieces: dict[int, int] = {}
    dollars = pieces[100] = cents // 200
    left = cents - 100 * dollars
    for chip in _CHIPS:
        count, left = divmod(left, chip)
        pieces[chip] = pieces.get(chip, 0) + count
    counted: Pieces = [
        {"kind": CHIP, "cents": chip, "pieces": pieces[chip]} for chip in sorted(pieces, reverse=True)
    ]
    if left:
        counted.append({"kind": "coin", "cents": 1, "pieces": left})
    return [row for row in counted if row["pieces"]]


def _miscounted(pieces: Pieces) -> Pieces:
    """The same with a chip overlooked."""
    first, *rest = pieces
    fewer: PiecesCounted = {**first, "pieces": first["pieces"] - 1}
    return [fewer, *rest] if fewer["pieces"] else rest
