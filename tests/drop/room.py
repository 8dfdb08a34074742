"""The cast with a count team of three, and what they do: put boxes on, drop them, count them."""

from __future__ import annotations

from typing import Any

from cardroom.drop.commands.counts import count_again, count_correct, count_enter
from cardroom.drop.models import DropBox
from cardroom.drop.pieces import pieces_read
from cardroom.floor.checks.boxes import why_not_waive_box
from cardroom.floor.commands.boxes import boxes_drop, boxes_place
from cardroom.floor.models import Table
from cardroom.people.models import Role, Staff
from tests.cast import Cast

Pieces = list[dict[str, Any]]


def chips(**counted: int) -> Pieces:
    """Write down a count of chips: `chips(c100=3, c500=1)` is three dollar chips and a five dollar chip."""
    return [{"kind": "chip", "cents": int(name[1:]), "pieces": number} for name, number in counted.items()]


class CountTeam(Cast):
    """The cast. `counters` are the three of the count team.

    Tests put boxes on themselves; where none hangs, a supervisor lets the table collect without one.
    """

    def __init__(self) -> None:
        super().__init__()
        others = [self.hire(f"count_{number}", Role.COUNT) for number in (2, 3)]
        self.counters = [self.people["count"], *others]

    def open(self, **given: Any) -> None:
        """Open the table; no box hangs there."""
        super().open(**{"box": False, **given})

    def bet(self, antes: dict[int, int], *, wager: int = 20000) -> None:
        super().bet(antes, wager=wager)
        if why_not_waive_box(self.state()) is None:
            self.let_collect()

    def place(self, number: int = 12, table: Table | None = None) -> DropBox:
        """Put a box on table 7, or another."""
        answer = self.send_room(
            boxes_place, "floor", boxes=[{"table": (table or self.table).pk, "number": number}]
        )
        return DropBox.objects.get(pk=answer["boxes"][0])

    def drop(self, *boxes: DropBox) -> None:
        """Take boxes off, by the first two of the count team."""
        self.send_room(
            boxes_drop, self.counters[0], boxes=[box.pk for box in boxes], witness=self.counters[1]
        )

    def dropped(self, number: int = 12, *rounds: dict[int, int]) -> DropBox:
        """A box that was put on and dropped; meanwhile `rounds` with these antes were played."""
        box = self.place(number)
        for antes in rounds:
            self.play(antes)
        self.drop(box)
        return box

    def count(self, box: DropBox, who: int, pieces: Pieces) -> dict[str, Any]:
        """Let one of the count team (0, 1, 2) enter the first or second count."""
        return self.send_room(count_enter, self.counters[who], box_id=box.pk, pieces=pieces)

    def recount(self, box: DropBox, pieces: Pieces, who: Staff | None = None) -> dict[str, Any]:
        return self.send_room(count_again, who or self.counters[2], box_id=box.pk, pieces=pieces)

    def counted(self, box: DropBox, pieces: Pieces) -> DropBox:
        """A dropped box whose two counts agree on `pieces`."""
        self.count(box, 0, pieces)
        assert self.count(box, 1, pieces)["stands"]
        box.refresh_from_db()
        return box

    def correct(self, box: DropBox, pieces: Pieces, *, reason: str = "a stack was overlooked") -> None:
        self.send_room(
            count_correct,
            self.counters[0],
            box_id=box.pk,
            corrects=box.sheets.latest("seq").pk,
            pieces=pieces,
            reason=reason,
            approver=self.counters[1],
        )


def worth(pieces: Pieces) -> int:
    """What `pieces` come to in cents."""
    return pieces_read(pieces)[1]
