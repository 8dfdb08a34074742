"""The tablets of the run with kills, at a site that nothing happens to: they sign in, command, and are answered alike again."""

from __future__ import annotations

import time
from typing import Any
from urllib.parse import urlsplit

from tests.measure.faults.commands.client import Tablet
from tests.measure.faults.commands.count import counted
from tests.measure.faults.commands.prepare import tables_opened

ROUND_AND_BUY_INS = 8
PATIENCE_SECONDS = 30


def test_tablets_play_a_round_and_nothing_is_lost_or_there_twice(
    transactional_db: None, live_server: Any
) -> None:
    world = tables_opened(1)
    port = urlsplit(live_server.url).port
    assert port is not None
    tablet = Tablet(port, world["session"], world["tables"], keeps_key=True)
    tablet.start()
    patience = time.monotonic() + PATIENCE_SECONDS
    while len(tablet.told) < ROUND_AND_BUY_INS and tablet.is_alive() and time.monotonic() < patience:
        time.sleep(0.05)
    tablet.ended.set()
    tablet.join(timeout=PATIENCE_SECONDS)
    commands = [told["command"] for told in tablet.told]
    assert commands[:ROUND_AND_BUY_INS] == [
        *["buy_in"] * 3,
        *("round_open", "bets_place", "bets_close", "round_deal", "round_settle"),
    ], tablet.refused
    found = counted(tablet.told)
    assert (found["lost"], found["doubled"], found["breaks"]) == (0, 0, 0)
    assert tablet.repeated_otherwise(ROUND_AND_BUY_INS) == 0
    assert tablet.faults == []
