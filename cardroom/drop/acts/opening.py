"""Opening a shift with its drop boxes, in a room that hangs them at once."""

from __future__ import annotations

from cardroom.floor.acts.commands import Answer, AtRoom, room_command
from cardroom.floor.acts.shifts import shift_open
from cardroom.people.rights import Right

from ..reads.numbers import bare_tables, usual_numbers
from .boxes import boxes_place


@room_command(Right.RUN_SHIFTS)
def shift_open_with_boxes(at: AtRoom, *, name: str) -> Answer:
    """Open a shift and, where the room says so (`boxes_at_opening`), put a drop box on every table without one.

    Both or neither. A table that still has a box of the last shift keeps it until two people take it off. Answers with
    the shift's id and those of the boxes that were put on.
    """
    answer = shift_open.inside(at, name=name)
    if not at.room.boxes_at_opening or not (tables := bare_tables(at.room)):
        return {**answer, "boxes": []}
    numbers = usual_numbers(at.room, tables)
    boxes = [{"table": table, "number": number} for table, number in numbers.items()]
    return {**answer, **boxes_place.inside(at, boxes=boxes)}
