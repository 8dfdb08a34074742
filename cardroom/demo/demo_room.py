"""The demo's room and people, as the parts that furnish it use them."""

from __future__ import annotations

import uuid
from typing import Any

from cardroom.floor.commands import Envelope, RoomCommand, TableCommand
from cardroom.floor.models import Table
from cardroom.people.models import Employment
from cardroom.rooms.models import Room


class DemoRoom:
    """The demo's room and people. `at` and `at_room` give commands as they would, on the version of now."""

    def __init__(self, room: Room) -> None:
        self.room = room
        employed = Employment.objects.filter(room=room).select_related("staff")
        self.staff = {employment.staff.username: employment.staff for employment in employed}
        self.tables = {table.number: table for table in room.tables.all()}
        self.players = {player.name: player for player in room.players.all()}

    def at(self, number: int, who: str, command: TableCommand[...], /, **arguments: Any) -> dict[str, Any]:
        """Let `who` give a command at the table of that number."""
        version = Table.objects.get(pk=self.tables[number].pk).version
        return command(self._envelope(who, version), self.tables[number].pk, **arguments)

    def at_room(self, who: str, command: RoomCommand[...], /, **arguments: Any) -> dict[str, Any]:
        """Let `who` give a command on the room."""
        version = Room.objects.get(pk=self.room.pk).version
        return command(self._envelope(who, version), self.room.pk, **arguments)

    def _envelope(self, who: str, version: int) -> Envelope:
        return Envelope(actor=self.staff[who], key=f"demo-{uuid.uuid4()}", version=version)
