"""Those who look on: boards on walls, and the floor's tablets, which walk between the board and the tables."""

from __future__ import annotations

import asyncio
import random
import re
import time
from array import array
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from .browser import Browser, Notes, gathered
from .dealers import Screen

#: As in `board.js`: seconds to wait for a changed card in the stream before it is fetched, and between fetches of all.
LATE = 1.5
RENEW = 120.0
#: Seconds that a floor tablet shows the board between two tables, and one table.
WALK, VISIT = 20.0, 6.0
_CARD = re.compile(r'id="table-(\d+)"[^>]*?data-entry="(\d+)"')
_ROOM_ENTRY = re.compile(r'id="board"[^>]*?data-entry="(\d+)"')


@dataclass
class Seen:
    """What boards were sent: columns of numbers, for half an hour has a million of them."""

    tables: array[int] = field(default_factory=lambda: array("l"))
    entries: array[int] = field(default_factory=lambda: array("l"))
    at: array[float] = field(default_factory=lambda: array("d"))

    def add(self, table: int, entry: int, at: float) -> None:
        self.tables.append(table)
        self.entries.append(entry)
        self.at.append(at)


class Board:
    """A board: the page, its stream, and what its script fetches. `versions` gets the entry that each version came with."""

    def __init__(
        self, session: str, code: str, port: int, notes: Notes, versions: dict[tuple[int, int], int]
    ) -> None:
        self.page = f"/rooms/{code}/floor/"
        self.live = f"/rooms/{code}/live/"
        self.browser = Browser(port, session, notes)
        self.seen = Seen()
        self._versions = versions
        self._shown: dict[int, int] = {}
        self._told: dict[int, tuple[int, float]] = {}
        self._entry = 0

    async def look(self) -> None:
        """Show the board until cancelled."""
        await self.open()
        async with gathered(self._fetch_late(), self._fetch_all()):
            async for name, data, at in self.browser.events(self.live):
                await self.hear(name, data, at)

    async def open(self) -> None:
        answer = await self.browser.get("board, whole page", self.page)
        if answer is None or answer.status != 200:
            return
        if (found := _ROOM_ENTRY.search(answer.body)) is not None:
            self._entry = int(found[1])
        self._take(answer.body)

    async def hear(self, name: str, data: dict[str, Any], at: float) -> None:
        if name == "card":
            self._shown[data["table"]] = max(data["entry"], self._shown.get(data["table"], 0))
            self.seen.add(data["table"], data["entry"], at)
        elif name == "table":
            self._versions[data["table"], data["version"]] = data["entry"]
            if data["entry"] > self._shown.get(data["table"], 0):
                self._told[data["table"]] = data["entry"], at
        elif name == "room" and data["entry"] > self._entry:
            self._entry = data["entry"]
            await self.open()

    def _take(self, page: str) -> None:
        for table, entry in _CARD.findall(page):
            self._shown[int(table)] = int(entry)

    async def _fetch_late(self) -> None:
        while True:
            await asyncio.sleep(0.5)
            before = time.monotonic() - LATE
            late = [
                table
                for table, (entry, at) in self._told.items()
                if at < before and entry > self._shown.get(table, 0)
            ]
            for table in [table for table, (_, at) in self._told.items() if at < before]:
                del self._told[table]
            if late:
                await self._cards("board, late cards", late)

    async def _fetch_all(self) -> None:
        await asyncio.sleep(random.random() * RENEW)
        while True:
            await self._cards("board, all cards again", list(self._shown))
            await asyncio.sleep(RENEW)

    async def _cards(self, kind: str, tables: list[int]) -> None:
        query = urlencode([("table", table) for table in tables])
        answer = await self.browser.get(kind, f"{self.page}cards/?{query}")
        if answer is not None and answer.status == 200:
            self._take(answer.body)


class FloorTablet:
    """A supervisor's tablet: on the board, and every so often at a table for some seconds."""

    def __init__(self, session: str, room: dict[str, Any], *, port: int, notes: Notes, seed: int) -> None:
        self.browser = Browser(port, session, notes)
        self.board = Board(session, room["code"], port, notes, {})
        self._tables = [who["table"] for who in room["dealers"]]
        self._chance = random.Random(seed)

    async def walk(self) -> None:
        """Go round until cancelled."""
        while True:
            async with gathered(self.board.look()):
                await asyncio.sleep(WALK * (0.5 + self._chance.random()))
            await self._visit(self._chance.choice(self._tables))

    async def _visit(self, table: int) -> None:
        page = f"/tables/{table}/"
        answer = await self.browser.get("table page, opened", page, marked=True)
        screen = None if answer is None else Screen.read(answer.body)

        async def listen() -> None:
            nonlocal screen
            async for name, data, _ in self.browser.events(f"{page}live/"):
                if name == "table" and (screen is None or data["version"] > screen.version):
                    answer = await self.browser.get("table page, after another's command", page, marked=True)
                    screen = None if answer is None else Screen.read(answer.body)

        async with gathered(listen()):
            await asyncio.sleep(VISIT)
