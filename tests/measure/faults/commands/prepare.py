"""Opens tables that the house banks, in a process of its own: `python -m tests.measure.faults.commands.prepare --tables N`.

Prints as JSON the session of the floor supervisor who acts at all of them, and each table with its version.
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
    """Open `count` tables, from number 100 on; return the supervisor's session, and ids and versions of the tables."""
    from django.test import Client

    from cardroom.floor.commands.seats import down_start, player_seat
    from cardroom.floor.commands.shifts import shift_open
    from cardroom.floor.commands.tables import table_open, table_set
    from cardroom.floor.commands.tray import tray_open
    from cardroom.floor.models import Table
    from cardroom.people.models import Player, Role
    from cardroom.people.sessions import BACKEND
    from tests.cast import Cast
    from tests.filing import table_settings

    cast = Cast()
    floor = cast.people["floor"]
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
    client = Client()
    client.force_login(floor, backend=BACKEND)
    tables = list(Table.objects.filter(number__gte=100).order_by("pk").values_list("pk", "version"))
    return {"session": client.cookies["sessionid"].value, "tables": tables}


if __name__ == "__main__":
    main()
