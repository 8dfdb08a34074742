"""The shift manager: closes the shift in the middle, opens the next, and waits for the report."""

from __future__ import annotations

import asyncio
import html
import json
import re
import time
from typing import Any

from .browser import Browser, Note, Notes

_FORM = re.compile(r'action="(/rooms/[\w-]+/shifts/(\d+)/close/)"(.*?)</form>', re.DOTALL)
_HIDDEN = re.compile(r'name="(version|idempotency_key)" value="([^"]*)"')
#: Seconds within which a report has to be there.
PATIENCE = 120.0


class ShiftManager:
    """On the page of the room. `closed` holds what became of each shift that was closed."""

    def __init__(self, session: str, code: str, port: int, notes: Notes) -> None:
        self.page = f"/rooms/{code}/"
        self.notes = notes
        self.browser = Browser(port, session, notes)
        self.closed: list[dict[str, Any]] = []

    async def close_shift(self, next_name: str) -> None:
        """Close the open shift and open the next in one press, with what is open; then wait for its report."""
        for _ in range(5):
            page = await self.browser.get("room page", self.page)
            found = None if page is None else _FORM.search(page.body)
            if found is None:
                self.notes.trouble("the shift cannot be closed", "no form on the page of the room")
                return
            action, shift, form = found.groups()
            fields = {name: html.unescape(value) for name, value in _HIDDEN.findall(form)}
            then = {"then": "open", "next_name": next_name} if next_name else {"then": "close"}
            began = time.monotonic()
            answer = await self.browser.post(
                "command shift close", action, {**fields, "confirmed": "yes", **then}
            )
            if answer is not None and answer.status == 200:
                await self._wait(int(shift), began, time.monotonic())
                return
            await asyncio.sleep(1)
        self.notes.trouble("the shift was not closed", "five times")

    async def _wait(self, shift: int, began: float, done: float) -> None:
        path = f"/shifts/{shift}/report.json"
        while time.monotonic() - done < PATIENCE:
            answer = await self.browser.get("report asked for", path, may={404})
            if answer is not None and answer.status == 200:
                ready = time.monotonic()
                self.notes.add(Note("report ready after the close", done, done, ready, 200, "ok"))
                await self.browser.get("report page", f"/shifts/{shift}/report/")
                await self.browser.get("report as PDF", f"/shifts/{shift}/report.pdf")
                self.closed.append(
                    {"shift": shift, "began": began, "ready": ready - done, "report": json.loads(answer.body)}
                )
                return
            await asyncio.sleep(0.5)
        self.notes.trouble("no report of the closed shift", f"{path} within {PATIENCE:.0f} s")
