"""The demo room's drop boxes: one on every table that is open."""

from __future__ import annotations

from cardroom.floor.demo import House
from cardroom.floor.models import Table

from .selectors.numbers import bare_tables, usual_numbers
from .services.boxes import boxes_place


def boxes_hung(house: House) -> None:
    """Hang a box at each open table that has none."""
    tables = [table for table in bare_tables(house.room) if table.state == Table.State.OPEN]
    if tables:
        numbers = usual_numbers(house.room, tables)
        boxes = [{"table": table, "number": number} for table, number in numbers.items()]
        house.at_room("floor", boxes_place, boxes=boxes)
