"""The line-up of the demo's evening: two strings of tables with a relief each, one of them at a meal, and a dealer who starts soon."""

from __future__ import annotations

import datetime
from typing import Final

from cardroom.floor.commands.line_up import line_up_set, meal_start
from cardroom.rooms.gaming_day import gaming_day

from .demo_room import DemoRoom
from .floor_plan import TABLES

#: By the name of a string its tables, and who comes in there besides their dealers.
STRINGS: Final = {"A": ((7, 8, 9), ("dealer7", "dealer9")), "B": ((10, 11, 12), ("dealer8",))}
#: Who is expected in so many minutes, and who is at a meal.
EXPECTED, IN_MINUTES, AT_MEAL = "dealer9", 40, "dealer8"


def line_up_planned(demo: DemoRoom) -> None:
    """Set the plan of the line-up, and let somebody go to a meal."""
    dealer_of = {table.number: table.dealer for table in TABLES}
    strings = []
    for name, (numbers, reliefs) in STRINGS.items():
        dealers = [*(dealer_of[number] for number in numbers), *reliefs]
        strings.append(
            {
                "name": name,
                "tables": [demo.tables[number].pk for number in numbers],
                "dealers": [demo.staff[each].pk for each in dealers if each is not None],
            }
        )
    now = demo.clock.now
    soon = now + datetime.timedelta(minutes=IN_MINUTES)
    at = soon.astimezone(demo.room.zone).time().isoformat("minutes")
    # The plan is of a gaming day: at its end nobody is expected any more.
    same_day = gaming_day(demo.room, soon) == gaming_day(demo.room, now)
    starts = [{"dealer": demo.staff[EXPECTED].pk, "at": at}] if same_day else []
    demo.at_room("floor", line_up_set, strings=strings, starts=starts)
    demo.at_room("floor", meal_start, dealer_id=demo.staff[AT_MEAL].pk)
