"""A dealer's tablet: the table page with its stream, heartbeat and previews, and rounds pressed step by step on time.

It posts what the page's own forms post (`cardroom/web/static/web/table/offline/outbox.js`, `sending.js`): the form's
fields with its version, its idempotency key and who gave it, then the redirect to the page that shows what came of it.
"""

from __future__ import annotations

import asyncio
import html
import random
import re
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from .browser import Answer, Browser, Notes, gathered
from .room import SEATS

#: Seconds between heartbeats of a table's screen (`heartbeat.js`).
HEARTBEAT = 30.0
#: When each step of a round is due, as a part of the time between two rounds of a table.
STEPS = {"offer": 0.0, "renew": 0.0, "ready": 0.0, "betting": 0.3, "dropped": 0.45, "cards": 0.7}
#: A round that is typed asks for the fees twice while the wagers are typed (`preview.js`), at these parts.
PREVIEWS = (0.12, 0.22)
#: A round ends after so many presses at the most: offers, refusals and presses again included.
MOST_PRESSES = 24
_SCREEN = re.compile(r'<div id="screen"[^>]*?data-version="(\d+)" data-phase="([a-z_]+)"')
_ENVELOPE = re.compile(
    r'name="version" value="(\d+)"><input type="hidden" name="idempotency_key" value="([^"]+)"'
)
_QUOTED = re.compile(r'name="quoted_cents" value="(\d+)"')
_ASKED = re.compile(r'name="seat" value="(\d+)"')
_BANKS = re.compile(r'name="decision-(\d+)"')


@dataclass
class Screen:
    """What the script reads of a page: version and phase, and the form of the next step."""

    version: int
    phase: str
    page: str = field(repr=False)

    @classmethod
    def read(cls, page: str) -> Screen | None:
        found = _SCREEN.search(page)
        return None if found is None else cls(int(found[1]), found[2], page)

    def meta(self) -> dict[str, str]:
        """Version and key of the step's form; a key of the tablet's own where the form has none."""
        step = self.page.find('id="step"')
        found = _ENVELOPE.search(self.page, step) if step >= 0 else None
        if found is None:
            return {"version": str(self.version), "idempotency_key": secrets.token_hex(16)}
        return {"version": found[1], "idempotency_key": html.unescape(found[2])}


@dataclass
class Given:
    """A command that was carried out: at which table, the version it made, and when it was sent."""

    table: int
    version: int
    sent: float


class Dealer:
    """One tablet at one table. `rounds` holds the instants at which rounds were due, begun and settled."""

    def __init__(
        self, who: dict[str, Any], room: dict[str, Any], *, port: int, notes: Notes, seed: int
    ) -> None:
        self._hands, self._bank_hand = room["hands"], room["bank_hand"]
        self.table, self.staff, self.players = who["table"], who["staff"], who["players"]
        self.page = f"/tables/{self.table}/"
        self.notes = notes
        self.browser = Browser(port, who["session"], notes)
        #: Heartbeats and refreshes go by a connection of their own, as in a browser.
        self.aside = Browser(port, who["session"], notes)
        self.rounds: list[tuple[float, float, float]] = []
        self.given: list[Given] = []
        self._chance = random.Random(seed)
        self._screen: Screen | None = None
        self._busy = False

    async def play(self, begin: float, every: float, end: float) -> None:
        """Play a round each `every` seconds from `begin` (monotonic) on, on a fixed schedule, until `end`.

        A round that is late does not move those after it: they are late too, until the table has caught up.
        """
        async with gathered(self._heartbeats(), self._listen()):
            await _until(begin - 1)
            await self._read("table page, opened")
            due = begin
            while due < end:
                await _until(due)
                if time.monotonic() > end:
                    return  # what is still due is counted as not played
                began = time.monotonic()
                if await self._round(due, every):
                    self.rounds.append((due, began, time.monotonic()))
                due += every

    async def _round(self, due: float, every: float) -> bool:
        wagers: dict[str, str] = {}
        for _ in range(MOST_PRESSES):
            screen = self._screen
            if screen is None:
                await self._read("table page, read again")
                continue
            phase = screen.phase
            if phase not in STEPS:
                self.notes.trouble(f"table is stuck in phase {phase}", self.page)
                await asyncio.sleep(1)
                await self._read("table page, read again")
                return False
            if phase == "betting" and not wagers and not _lying(screen.page):
                wagers = self._typed(screen)
                await self._previews(screen, wagers, due, every)
            at = due + STEPS[phase] * every
            await _until(at)
            # Somebody else's command may have come while this one waited: the press goes to the screen that is there.
            screen = self._screen or screen
            if screen.phase != phase:
                continue
            settled = await self._press(screen, wagers, at)
            if settled:
                return True
        self.notes.trouble("a round did not end", f"{self.page} {self._screen and self._screen.phase}")
        return False

    async def _press(self, screen: Screen, wagers: dict[str, str], due: float) -> bool:
        """Press the next step of the screen; tell whether that settled the round."""
        slug, fields = self._step(screen, wagers)
        form = {**screen.meta(), "given_by": str(self.staff), **fields}
        self._busy = True
        sent = time.monotonic()
        try:
            answer = await self.browser.post(
                f"command {slug}", f"{self.page}commands/{slug}/", form, due=due, marked=True
            )
            self._show(answer)
            wagers.pop(
                "quoted_cents", None
            )  # if it is pressed again, then with the drop that the page shows now
            if answer is None or answer.status != 200:
                return False
            if self._screen is not None:
                self.remember(self._screen.version, sent)
            if slug != "settle":
                return False
            # The script reads the table's own page too, for its service worker to keep.
            await self.browser.get("table page, kept", self.page, marked=True)
            return True
        finally:
            self._busy = False

    def remember(self, version: int, sent: float) -> None:
        """Note a command that was carried out."""
        self.given.append(Given(self.table, version, sent))

    def _step(self, screen: Screen, wagers: dict[str, str]) -> tuple[str, dict[str, str]]:
        """Return the command of the screen's next step, and its fields."""
        page = screen.page
        match screen.phase:
            case "offer":
                asked = _ASKED.search(page, page.find('id="step"'))
                answer = "declined" if self._chance.random() < 0.15 else "accepted"
                return "answer", {"seat": asked[1] if asked else "", "answer": answer}
            case "renew":
                return "renew", {}
            case "ready":
                repeats = 'id="openroundform-repeat_bets"' in page and self._chance.random() < 0.5
                return "bank", {"bank_wager_cents": "200", **({"repeat_bets": "on"} if repeats else {})}
            case "betting":
                quoted = wagers.get("quoted_cents") or _first(_QUOTED, page)
                return "no-more-bets", {**_lying(page), **wagers, "quoted_cents": quoted}
            case "dropped":
                return "deal", {}
        seats = sorted({int(seat) for seat in _BANKS.findall(page)})
        return "settle", {
            "bank_hand": self._bank_hand,
            **{f"hand-{seat}": self._hands[str(seat)] for seat in seats},
            **{f"decision-{seat}": "fold" if self._chance.random() < 0.2 else "play" for seat in seats},
        }

    def _typed(self, screen: Screen) -> dict[str, str]:
        """Wagers of all seats but the bank's, with a tip now and then."""
        wagers = {}
        for seat in SEATS:
            if f'name="wagers-{seat}-ante"' not in screen.page:
                continue
            wagers[f"wagers-{seat}-ante"] = str(self._chance.choice((5, 10, 15, 20, 25)))
            if self._chance.random() < 0.2:
                wagers[f"tips-{seat}-ante"] = "1"
        return wagers

    async def _previews(self, screen: Screen, wagers: dict[str, str], due: float, every: float) -> None:
        """Ask for fees while the wagers are typed: with half of the seats, and with all."""
        names = list(wagers)
        for part, upto in zip(PREVIEWS, (len(names) // 2, len(names)), strict=True):
            await _until(due + part * every)
            form = {**screen.meta(), **{name: wagers[name] for name in names[:upto]}, "quoted_cents": "0"}
            answer = await self.aside.post(
                "preview of fees", f"{self.page}preview/", form, due=due + part * every
            )
            if answer is not None and answer.status == 200 and upto == len(names):
                wagers["quoted_cents"] = _first(_QUOTED, answer.body)

    def _show(self, answer: Answer | None) -> None:
        """Take an answered page as the screen; without one the table is read again."""
        self._screen = None if answer is None else Screen.read(answer.body)

    async def _read(self, kind: str) -> None:
        self._show(await self.browser.get(kind, self.page, marked=True))

    async def _heartbeats(self) -> None:
        screen = secrets.token_hex(5)
        await asyncio.sleep(self._chance.random() * HEARTBEAT)
        while True:
            form = {"screen": screen, "state": "here"}
            await self.aside.post("heartbeat", f"{self.page}screen/", form)
            await asyncio.sleep(HEARTBEAT)

    async def _listen(self) -> None:
        """Follow the table's stream; when another device has changed the table, read it anew."""
        async for name, data, _ in self.aside.events(f"{self.page}live/"):
            if (
                name != "table"
                or self._busy
                or self._screen is None
                or data["version"] <= self._screen.version
            ):
                continue
            self._busy = True
            try:
                await self._read("table page, after another's command")
            finally:
                self._busy = False


def _lying(page: str) -> dict[str, str]:
    """The wagers and tips that the page's fields hold."""
    fields = re.findall(r'<input type="text" name="((?:wagers|tips)-\d+-\w+)" value="([^"]*)"', page)
    return dict(fields)


def _first(pattern: re.Pattern[str], page: str) -> str:
    found = pattern.search(page)
    return found[1] if found else "0"


async def _until(instant: float) -> None:
    await asyncio.sleep(max(0.0, instant - time.monotonic()))
