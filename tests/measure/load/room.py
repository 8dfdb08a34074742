"""The room that is played in: tables with dealers and players, floor staff and boards, all signed in.

    python -m tests.measure.load.room --tables 40 --floor 20 --boards 20 --out FILE

Everything goes through the services, on the database that the environment names. FILE gets, as JSON, the room, its
tables, and the session of each person who opens a page.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import django

#: Who sits at each table; the cast has hands for all of them.
SEATS = (1, 2, 4, 5, 6, 7)


def main() -> None:
    """Open the room and tell who is where."""
    parser = argparse.ArgumentParser()
    for name in ("tables", "floor", "boards"):
        parser.add_argument(f"--{name}", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "cardroom.config.settings"
    django.setup()
    given.out.write_text(json.dumps(room_made(given.tables, given.floor, given.boards)), encoding="utf-8")


def room_made(tables: int, floor: int, boards: int) -> dict[str, Any]:
    """Open a shift with so many tables at play; sign everybody in."""
    from django.test import Client

    from cardroom.floor.commands.bank import offer_answer
    from cardroom.floor.commands.boxes import boxes_place
    from cardroom.floor.commands.seats import down_start, player_seat
    from cardroom.floor.commands.shifts import shift_open
    from cardroom.floor.commands.tables import table_open, table_set
    from cardroom.floor.models import Table
    from cardroom.people.models import Player, Role, Staff
    from cardroom.people.sessions import BACKEND
    from tests.cast import BANK_HAND, HANDS, PLAYERS, Cast
    from tests.filing import table_settings

    cast = Cast()
    cast.table.delete()
    cast.second_table.delete()

    def signed_in(staff: Staff) -> str:
        client = Client()
        client.force_login(staff, backend=BACKEND)
        return client.cookies["sessionid"].value

    cast.send_room(shift_open, "shift_manager", name="Day")
    settings = table_settings(cast.room, rulebook="california", schedule_id=cast.schedule(1).pk)
    seats = []
    for number in range(1, tables + 1):
        table = Table.objects.create(room=cast.room, number=number)
        dealer = cast.hire(f"dealer_of_{number}", Role.DEALER)
        cast.send(table_set, "shift_manager", table, **settings)
        cast.send(table_open, "shift_manager", table)
        cast.send(down_start, "shift_manager", table, dealer_id=dealer.pk)
        players = {seat: f"{PLAYERS[seat]} {number}" for seat in SEATS}
        for seat in SEATS:
            player = Player.objects.create(room=cast.room, name=players[seat])
            cast.send(player_seat, "shift_manager", table, seat=seat, player_id=player.pk)
        cast.send(offer_answer, "shift_manager", table, seat=SEATS[0], answer="accepted")
        session = signed_in(dealer)
        seats.append({"table": table.pk, "staff": dealer.pk, "session": session, "players": players})
    boxes = [{"table": each["table"], "number": number} for number, each in enumerate(seats, start=1)]
    cast.send_room(boxes_place, "shift_manager", boxes=boxes)
    return {
        "code": cast.room.code,
        "room": cast.room.pk,
        "dealers": seats,
        "floor": [signed_in(cast.hire(f"floor_at_{each}", Role.FLOOR)) for each in range(1, floor + 1)],
        "boards": [signed_in(cast.hire(f"board_{each}", Role.FLOOR)) for each in range(1, boards + 1)],
        "manager": signed_in(cast.people["shift_manager"]),
        "bank_hand": BANK_HAND,
        "hands": HANDS,
    }


if __name__ == "__main__":
    main()
