"""Opens tables that the house banks, in a process of its own: `python -m tests.measure.faults.commands.prepare --tables N`.

Prints as JSON the session of the floor supervisor who acts at all of them, and each table with its version. Of a second
room, where nobody plays and whose shifts may be closed: its id and version, its open shift, and its shift manager's session.
"""

from __future__ import annotations

import argparse
import json
import os
from typing import Any

import django


def main() -> None:
    """Open the tables and say which they are."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--tables", type=int, required=True)
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    print(json.dumps(tables_opened(given.tables)))


def tables_opened(count: int) -> dict[str, Any]:
    """Open `count` tables, from number 100 on; return what the module's docstring says."""
    from django.test import Client

    from cardroom.floor.commands.seats import down_start, player_seat
    from cardroom.floor.commands.shifts import shift_open
    from cardroom.floor.commands.tables import table_open, table_set
    from cardroom.floor.commands.tray import tray_open
    from cardroom.floor.models import Shift, Table
    from cardroom.people.models import Player, Role, Staff
    from cardroom.people.sessions import BACKEND
    from cardroom.rooms.models import Room
    from tests.cast import Cast
    from tests.filing import table_settings

    cast = Cast()
    cast.send_room(shift_open, "shift_manager", name="Swing")
    settings = table_settings(cast.room, rulebook="south_dakota")
    for number in range(100, 100 + count):
        table = Table.objects.create(room=cast.room, number=number)
        dealer = cast.hire(f"dealer_of_{number}", Role.DEALER)
        player = Player.objects.create(room=cast.room, name=f"Player of {number}")
        cast.send(table_set, "floor", table, **settings)
        cast.send(table_open, "floor", table)
        cast.hang_box(number, table=table)
        cast.send(down_start, "floor", table, dealer_id=dealer.pk)
        cast.send(tray_open, "floor", table, chips={"100000": 5000}, approver=cast.people["floor_2"])
        cast.send(player_seat, "floor", table, seat=1, player_id=player.pk)
    rival = cast.at_rival()
    rival.send_room(shift_open, "shift_manager", name="Swing")
    room = Room.objects.get(pk=rival.room.pk)
    tables = list(Table.objects.filter(number__gte=100).order_by("pk").values_list("pk", "version"))

    def session(person: Staff) -> str:
        client = Client()
        client.force_login(person, backend=BACKEND)
        return client.cookies["sessionid"].value

    return {
        "session": session(cast.people["floor"]),
        "tables": tables,
        "room": {"id": room.pk, "version": room.version, "shift": Shift.objects.get(room=room).pk},
        "manager": session(rival.people["shift_manager"]),
    }


if __name__ == "__main__":
    main()
