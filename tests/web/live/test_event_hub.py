"""The hub of a process's live pages: how often it draws the cards of a board."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Collection

import redis
from django.conf import settings

from cardroom.floor.notify import CHANNEL, TABLE
from cardroom.web.live.event_hub import Hub
from tests import own_loop

#: Seconds that drawing takes here, between two changes, and of all changes together.
DRAWS, PAUSE, LASTS = 0.1, 0.02, 1.2
ROOM = 2**40  # of no other test's that publishes on the same broker


def test_while_much_changes_the_cards_are_drawn_in_batches_with_rests_between() -> None:
    """Drawing each change by itself takes a processor for itself; every changed card is drawn all the same."""
    batches: list[set[int]] = []

    def draw(room: int, tables: Collection[int]) -> list[tuple[int, int, str]]:
        batches.append(set(tables))
        time.sleep(DRAWS)
        return [(table, 1, "") for table in tables]

    async def changes() -> int:
        hub = Hub(draw)
        broker = redis.Redis.from_url(settings.REDIS_URL)
        async with hub.listener() as listener:
            listener.follow(f"room={ROOM}")
            until, table = time.monotonic() + LASTS, 0
            while time.monotonic() < until:
                table += 1
                message = {"room": ROOM, "event": TABLE, "data": {"table": table, "version": 1, "entry": 1}}
                broker.publish(CHANNEL, json.dumps(message))
                await asyncio.sleep(PAUSE)
            while len(set().union(*batches)) < table:
                assert time.monotonic() < until + 10, "a card was never drawn"
                await asyncio.sleep(PAUSE)
        return table

    changed = own_loop.run(changes())
    # A drawing and the rest after it take 0.4 s: three or four in the time, and one for what came last.
    assert set().union(*batches) == set(range(1, changed + 1))
    assert sum(map(len, batches)) == changed
    assert len(batches) <= 6
