"""What the machine has found: commands that ended in an error of the program where they should have been refused."""

from __future__ import annotations

from cardroom.floor.commands.rounds import round_open
from tests.api.client import Caller
from tests.cast import running_cast


def test_a_progressive_wager_where_the_game_has_none(db: None) -> None:
    cast = running_cast()
    cast.send(round_open, "dealer", bank_wager_cents=20000)
    bets = {"positions": [{"seat": 4, "wagers": {"ante": 1000, "progressive": 100}}]}
    reply = Caller(cast, "floor").send("PUT", f"tables/{cast.table.pk}/rounds/current/bets", bets)
    assert reply.status == 422, reply.said
    assert reply.path == "positions[0].wagers.progressive"


def test_a_place_on_a_back_line_beyond_the_last(db: None) -> None:
    cast = running_cast()
    address = f"/api/tables/{cast.table.pk}/seats/4/back-line/{{}}/move"
    client = Caller(cast, "floor").client
    assert client.post(address.format(52)).status_code == 404, "there is no such place, on any table"
    assert client.post(address.format(7)).status_code != 404
