"""Context of the demo (`DemoRoom`): its room and people, and the instants at which they act, for the modules that load it."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any

from cardroom.floor.execution.carry_out import RoomCommand, TableCommand
from cardroom.floor.execution.locks import locked
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Table
from cardroom.people.models import Employment
from cardroom.rooms.gaming_day import gaming_day, gaming_day_bounds
from cardroom.rooms.models import Room

from .simulation.people import SHIFTS
from .simulation.plan import shift_bounds
from .simulation.table import HISTORY_DATE, PlayedTable

#: What is set up and played before the demo opens takes so long, in a shift that has lasted as long.
EVENING = datetime.timedelta(minutes=20)
#: A command of the set-up takes so many seconds.
COMMAND_SECONDS = 1


@dataclasses.dataclass
class DemoClock:
    """Tells at which instant (UTC) a command of the demo is done. A second of it takes `pace` seconds."""

    now: datetime.datetime
    pace: float = 1

    def wait(self, seconds: float) -> datetime.datetime:
        """Let so many seconds pass, and return the instant before."""
        before = self.now
        self.now += datetime.timedelta(seconds=self.pace * seconds)
        return before


def present_shift(room: Room, now: datetime.datetime) -> tuple[str, datetime.datetime]:
    """Return the name of the shift that a demo room is in at `now`, and when it began."""
    bounds = shift_bounds(*gaming_day_bounds(room, gaming_day(room, now)), len(SHIFTS))
    return next((name, begins) for name, (begins, ends) in zip(SHIFTS, bounds, strict=True) if now < ends)


def evening_clock(room: Room, now: datetime.datetime) -> DemoClock:
    """Return the clock of the evening that is over at `now`: it begins `EVENING` before, or with the shift."""
    _, shift_began = present_shift(room, now)
    begins = max(shift_began, now - EVENING)
    return DemoClock(begins, (now - begins) / EVENING)


class DemoRoom:
    """The demo's room and people. `at` and `at_room` carry out what they do, at the instants of `clock`.

    Both are called in a transaction: the room is there whole, or not at all.
    """

    def __init__(self, room: Room, clock: DemoClock) -> None:
        self.room = room
        self.clock = clock
        employed = Employment.objects.filter(room=room).select_related("staff")
        self.staff = {employment.staff.username: employment.staff for employment in employed}
        self.tables = {table.number: table for table in room.tables.all()}
        self.players = {player.name: player for player in room.players.all()}

    def at(self, number: int, who: str, command: TableCommand[...], /, **arguments: Any) -> dict[str, Any]:
        """Let `who` give a command at the table of that number."""
        now = self.clock.wait(COMMAND_SECONDS)
        with locked(Table, self.tables[number].pk, "room", "schedule", "game") as table:
            setattr(table, HISTORY_DATE, now)
            return PlayedTable(table).give(command, self.staff[who], now, **arguments)

    def at_room(self, who: str, command: RoomCommand[...], /, **arguments: Any) -> dict[str, Any]:
        """Let `who` give a command on the room."""
        now = self.clock.wait(COMMAND_SECONDS)
        with locked(Room, self.room.pk) as room:
            return command.carry_out(RoomTransaction.at_instant(room, self.staff[who], now), **arguments)
