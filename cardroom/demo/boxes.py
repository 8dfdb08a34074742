"""Puts a drop box on every open table of the demo room."""

from __future__ import annotations

from cardroom.floor.boxes import bare_tables, usual_numbers
from cardroom.floor.commands.boxes import boxes_place
from cardroom.floor.models import Table

from .demo_room import DemoRoom


def boxes_hung(demo: DemoRoom, who: str = "floor") -> None:
    """Let `who` hang a box at each open table that has none."""
    tables = [table for table in bare_tables(demo.room) if table.state == Table.State.OPEN]
    if tables:
        numbers = usual_numbers(demo.room, tables)
        boxes = [{"table": table, "number": number} for table, number in numbers.items()]
        demo.at_room(who, boxes_place, boxes=boxes)
