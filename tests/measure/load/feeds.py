"""A table whose rounds come from a feed, through the JSON API: command by command, or each round whole, with its sheet.

The same dealer, the same schedule and the same kinds of rounds as at a tablet (`dealers.Dealer`); the page is read once a
round. Command by command, five commands are five requests; a round recorded whole is one, and does the same five commands
at once.
"""

from __future__ import annotations

import json
import re
import time
from typing import Any

from .dealers import Dealer, Screen
from .room import SEATS

#: The phase that a command leads to; after the others the page says it.
_AFTER = {"ready": "betting", "betting": "dropped", "dropped": "cards"}
_TURN = re.compile(r"&quot;turn&quot;: \{&quot;seat&quot;: (\d+)")
_ASKED = re.compile(r'name="seat" value="(\d+)"')
_PLAYS = re.compile(r'name="decision-(\d+)"')


class Feed(Dealer):
    """One table that is fed. What it has no page for it remembers: who has the bank, and the seats with wagers."""

    _bank = 0
    _betting: tuple[int, ...] = ()

    async def _previews(self, screen: Screen, wagers: dict[str, str], due: float, every: float) -> None:
        """A feed knows its wagers, and asks for no fees."""

    #: Phases of a screen whose commands settle the round.
    _settles = frozenset({"cards"})

    async def _press(self, screen: Screen, wagers: dict[str, str], due: float) -> bool:
        """Send the commands of the screen's next step; tell whether that settled the round."""
        self._busy = True
        version = screen.version
        try:
            for command, method, path, body in self._commands(screen):
                sent = time.monotonic()
                answer = await self.browser.call(
                    f"command {command}, by the API",
                    method,
                    f"/api/tables/{self.table}/{path}",
                    body,
                    version,
                    due=due,
                )
                if answer is None or answer.status != 200:
                    self._screen = None
                    return False
                version = json.loads(answer.body)["version"]
                self.remember(version, sent)
            settles = screen.phase in self._settles
            if screen.phase in _AFTER and not settles:
                self._screen = Screen(version, _AFTER[screen.phase], "")
                return False
            await self._read("table page, read once a round" if settles else "table page, offered")
            return settles
        finally:
            self._busy = False

    def _commands(self, screen: Screen) -> list[tuple[str, str, str, Any]]:
        """Return name, method, path and body of each command of the screen's next step."""
        page = screen.page
        match screen.phase:
            case "offer":
                asked = _ASKED.search(page, page.find('id="step"'))
                answer = "declined" if self._chance.random() < 0.15 else "accepted"
                return [
                    ("answer", "POST", "offers", {"seat": int(asked[1]) if asked else 0, "answer": answer})
                ]
            case "renew":
                return [("renew", "POST", "turn/renew", None)]
            case "ready":
                self._bank = int(found[1]) if (found := _TURN.search(page)) else self._bank
                return [("bank", "POST", "rounds", {"bank_wager_cents": 20000})]
            case "betting":
                self._betting = tuple(seat for seat in SEATS if seat != self._bank)
                bets = [{"seat": seat, "wagers": self._wagers()} for seat in self._betting]
                return [
                    ("bets", "PUT", "rounds/current/bets", {"positions": bets}),
                    ("no-more-bets", "POST", "rounds/current/close-bets", {}),
                ]
            case "dropped":
                return [("deal", "POST", "rounds/current/deal", None)]
        seats = sorted({int(seat) for seat in _PLAYS.findall(page)}) or self._betting
        hands = [
            {
                "seat": seat,
                "hand": self._hands[str(seat)],
                "decision": "fold" if self._chance.random() < 0.2 else "play",
            }
            for seat in seats
        ]
        return [
            ("settle", "POST", "rounds/current/settle", {"bank_hand": self._bank_hand, "positions": hands})
        ]

    def _wagers(self) -> dict[str, int]:
        return {"ante": self._chance.choice((500, 1000, 1500, 2000, 2500))}


class WholeRounds(Feed):
    """One table whose rounds are recorded whole, each by one request with its sheet."""

    _settles = frozenset({"ready"})

    def _commands(self, screen: Screen) -> list[tuple[str, str, str, Any]]:
        """Return the offers' commands as they are, and one for the whole round."""
        if screen.phase != "ready":
            return super()._commands(screen)
        self._bank = int(found[1]) if (found := _TURN.search(screen.page)) else self._bank
        positions = [
            {
                "seat": seat,
                "player": self.players[str(seat)],
                "hand": self._hands[str(seat)],
                "wagers": self._wagers(),
                "tips": {"ante": 100} if self._chance.random() < 0.2 else {},
                "decision": "fold" if self._chance.random() < 0.2 else "play",
            }
            for seat in SEATS
            if seat != self._bank
        ]
        sheet = {
            "rulebook": "california",
            "bank": {"seat": self._bank, "wager": 20000},
            "bank_hand": self._bank_hand,
            "positions": positions,
        }
        return [("record", "POST", "rounds/record", sheet)]
