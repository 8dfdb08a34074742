"""One process of clients: `python -m tests.measure.load.clients PART PLAN OUT`, where PART is dealers, floor or boards.

PLAN is the JSON that `tests.measure.load` writes: the room, the ports of the site, and when play begins and ends (monotonic
seconds, which all processes of a machine share). OUT gets what was seen, as JSON. The process ends by itself.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import time
from pathlib import Path
from typing import Any

from .browser import Notes, gathered
from .dealers import Dealer
from .feeds import Feed, WholeRounds
from .lookers import Board, FloorTablet
from .manager import ShiftManager

#: Seconds after the end of play at which everybody leaves.
LEEWAY = 30.0


def main(part: str, plan: dict[str, Any]) -> dict[str, Any]:
    """Play a part of the plan; return what was seen."""
    notes = Notes()
    more = asyncio.run(_PARTS[part](plan, notes))
    return {
        "answers": notes.answers,
        "troubles": notes.troubles,
        "lags": sorted(notes.lags)[-max(1, len(notes.lags) // 100) :],
        **more,
    }


async def _dealers(plan: dict[str, Any], notes: Notes) -> dict[str, Any]:
    ports, room = itertools.cycle(plan["ports"]), plan["room"]
    feed = WholeRounds if plan["whole"] else Feed
    dealers = [
        (feed if seed < plan["feeds"] else Dealer)(who, room, port=next(ports), notes=notes, seed=seed)
        for seed, who in enumerate(room["dealers"])
    ]
    manager = ShiftManager(room["manager"], room["code"], next(ports), notes)
    every = len(dealers) / plan["rounds_per_second"]
    begin, end = plan["begin"], plan["end"]

    async def middle() -> None:
        await asyncio.sleep((begin + end) / 2 - time.monotonic())
        await manager.close_shift("Swing")

    async with gathered(notes.watch_lag()):
        async with asyncio.timeout(end - time.monotonic() + LEEWAY * 5):
            await asyncio.gather(
                middle(),
                *(
                    dealer.play(begin + number * every / len(dealers), every, end)
                    for number, dealer in enumerate(dealers)
                ),
            )
            await manager.close_shift("")
    return {
        "rounds": [each for dealer in dealers for each in dealer.rounds],
        "given": [(each.table, each.version, each.sent) for dealer in dealers for each in dealer.given],
        "closed": manager.closed,
    }


async def _floor(plan: dict[str, Any], notes: Notes) -> dict[str, Any]:
    ports, room = itertools.cycle(plan["ports"]), plan["room"]
    tablets = [
        FloorTablet(session, room, port=next(ports), notes=notes, seed=seed)
        for seed, session in enumerate(room["floor"])
    ]
    async with gathered(notes.watch_lag(), *(tablet.walk() for tablet in tablets)):
        await asyncio.sleep(plan["end"] - time.monotonic())
    return {}


async def _boards(plan: dict[str, Any], notes: Notes) -> dict[str, Any]:
    ports, room = itertools.cycle(plan["ports"]), plan["room"]
    versions: dict[tuple[int, int], int] = {}
    boards = [Board(session, room["code"], next(ports), notes, versions) for session in room["boards"]]
    async with gathered(notes.watch_lag(), *(board.look() for board in boards)):
        await asyncio.sleep(plan["end"] - time.monotonic() + 3)
    return {
        "versions": [(table, version, entry) for (table, version), entry in versions.items()],
        "boards": [
            {"tables": list(seen.tables), "entries": list(seen.entries), "at": list(seen.at)}
            for seen in (board.seen for board in boards)
        ],
    }


_PARTS = {"dealers": _dealers, "floor": _floor, "boards": _boards}


if __name__ == "__main__":
    part, plan, out = sys.argv[1:]
    seen = main(part, json.loads(Path(plan).read_text(encoding="utf-8")))
    Path(out).write_text(json.dumps(seen), encoding="utf-8")
