"""Puts a drop box on every open table of the demo room, and a jackpot box where its fees go into one."""

from __future__ import annotations

from cardroom.floor.boxes import bare_tables, usual_numbers
from cardroom.floor.commands.boxes import boxes_place
from cardroom.floor.models import DropBox, Table

from .demo_room import DemoRoom


def boxes_hung(demo: DemoRoom, who: str = "floor") -> None:
    """Let `who` hang a box at each open table that has none, and the jackpot's own where one is collected for."""
    for kind in DropBox.Kind.values:
        tables = [table for table in bare_tables(demo.room, kind) if _needs(table, kind)]
        numbers = usual_numbers(demo.room, tables, kind)
        boxes = [{"table": table, "number": number, "kind": kind} for table, number in numbers.items()]
        if boxes:
            demo.at_room(who, boxes_place, boxes=boxes)


def _needs(table: Table, kind: str) -> bool:
    """Whether an open table's fees go into a box of that kind."""
    if table.state != Table.State.OPEN:
        return False
    if kind == DropBox.Kind.DROP:
        return True
    return table.schedule is not None and bool(table.schedule.schedule.jackpot)
