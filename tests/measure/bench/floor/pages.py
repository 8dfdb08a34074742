"""People at their pages: boards that listen and read on as the browser does, and tables at which somebody acts."""

from __future__ import annotations

import http.client
import itertools
import json
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.cast import BANK_HAND, HANDS
from tests.servers.site import Ear

from .room import ANTES, BANK, BETTORS

_keys = itertools.count(1)


class Visitor:
    """Somebody who is signed in, on one connection that is kept open."""

    def __init__(self, port: int, session: str) -> None:
        self.port, self.session = port, session
        self._token = secrets.token_hex(16)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method: str, path: str, body: Any = None, version: int | None = None) -> str:
        """Send one request and return the answer's text; RuntimeError when it is refused."""
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={self._token}",
            "X-CSRFToken": self._token,
            "Content-Type": "application/json",
        }
        if version is not None:
            headers |= {"If-Match": f'"{version}"', "Idempotency-Key": f"page-{self._token}-{next(_keys)}"}
        text_sent = None if body is None else json.dumps(body)
        try:
            self._connection.request(method, path, text_sent, headers)
            answer = self._connection.getresponse()
        except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
            # The site had closed a connection that was idle. The key says that it is the same request.
            self._connection.close()
            self._connection.request(method, path, text_sent, headers)
            answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status == 409 and '"busy"' in text:
            return self.ask(method, path, body, version)  # as a tablet does: nothing was changed
        if answer.status != 200:
            raise RuntimeError(f"{method} {path}: {answer.status} {text[:300]}")
        return text


class BoardPage:
    """A board: listens to the room, and shows the cards that it is sent.

    `shown` holds for each table when (monotonic seconds) a card came, and the entry of the journal up to which it tells;
    `heard` when the page got the event of a table's entry.
    """

    def __init__(self, port: int, session: str, code: str) -> None:
        self.heard: dict[tuple[int, int], float] = {}
        self.shown: dict[int, list[tuple[float, int]]] = {}
        self._ear = Ear(port, f"/rooms/{code}/live/", session)
        self._ear.next("room")
        self._closed = False
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        self._closed = True
        self._ear.hang_up()

    def _listen(self) -> None:
        while not self._closed:
            for at, name, data in self._ear.heard(1):
                if name == "table":
                    # Told again as the permission is asked anew: the first time counts.
                    self.heard.setdefault((data["table"], data["entry"]), at)
                elif name == "card":
                    self.shown.setdefault(data["table"], []).append((at, data["entry"]))


class Sent(NamedTuple):
    """One command: its address below the table's, when it was sent (monotonic seconds), and how long the answer took."""

    path: str
    sent: float
    seconds: float


@dataclass
class TablePage:
    """A table at which rounds are played, command by command, through the API.

    `looks` holds the seconds that its page took each time that it was read.
    """

    visitor: Visitor
    table: int
    version: int
    commands: list[Sent] = field(default_factory=list)
    looks: list[float] = field(default_factory=list)
    bank: int = BANK
    _plan: Any = None

    def command(self) -> None:
        """Carry out the next command of the round."""
        if self._plan is None:
            self._plan = self._rounds()
        method, path, body = next(self._plan)
        began = time.monotonic()
        answer = json.loads(
            self.visitor.ask(method, f"/api/tables/{self.table}/{path}", body, version=self.version)
        )
        self.commands.append(Sent(path, began, time.monotonic() - began))
        self.version = answer["version"]

    def command_and_look(self) -> None:
        """Carry out the next command; after a settlement read the table's page."""
        self.command()
        if self.commands[-1].path.endswith("/settle"):
            began = time.monotonic()
            self.visitor.ask("GET", f"/tables/{self.table}/")
            self.looks.append(time.monotonic() - began)

    def _rounds(self) -> Any:
        seats = sorted((BANK, *BETTORS))
        while True:
            yield "POST", "turn/end", {"reason": "next in turn"}
            self.bank = seats[(seats.index(self.bank) + 1) % len(seats)]
            yield "POST", "offers", {"seat": self.bank, "answer": "accepted"}
            for _ in range(2):
                bettors = [seat for seat in seats if seat != self.bank]
                yield "POST", "rounds", {"bank_wager_cents": 20000}
                bets = [{"seat": seat, "wagers": {"ante": ANTES.get(seat, 1000)}} for seat in bettors]
                yield "PUT", "rounds/current/bets", {"positions": bets}
                yield "POST", "rounds/current/close-bets", {}
                yield "POST", "rounds/current/deal", None
                hands = [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in bettors]
                yield "POST", "rounds/current/settle", {"bank_hand": BANK_HAND, "positions": hands}
