"""A tablet at one table: posts one command after another, and sends each again under the same key until it is answered."""

from __future__ import annotations

import http.client
import itertools
import json
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

BANK_HAND, HAND = "Kh 7d 4c", "Ah Qd 2c"
PAUSE_SECONDS = 0.02
#: A command that the site keeps refusing, or that fails so often with an error of the program, is given up with its table.
MOST_FAILURES = 6
#: The status of a site whose database is away; nothing is known, and the command is sent again.
_AWAY = (503,)

_marks = itertools.count(1)


class Tablet(threading.Thread):
    """Commands at the first of `tables` for as long as that goes, then at the next; `told` is what the site has answered.

    `keeps_key` is the safeguard: a command that is sent again bears the key that it had. Without it each try has its own.
    """

    def __init__(
        self, port: int, session: str, tables: Sequence[tuple[int, int]], *, keeps_key: bool
    ) -> None:
        super().__init__(daemon=True)
        self._port, self._session, self._tables, self._keeps_key = port, session, list(tables), keeps_key
        self._token = secrets.token_hex(16)
        self._connection: http.client.HTTPConnection | None = None
        self.told: list[dict[str, Any]] = []
        self.faults: list[str] = []
        self.refused = ""
        self.stuck = 0
        self.sent_again = 0
        self.ended = threading.Event()

    def run(self) -> None:
        for table, version in self._tables:
            self._table, self._version = table, version
            for name, method, path, body in _commands():
                if (
                    self.ended.is_set() and name == "buy_in"
                ):  # between two rounds: the report waits for an open one
                    return
                if not self._give(name, method, path, body):
                    self.stuck += 1
                    break

    def repeated_otherwise(self, last: int) -> int:
        """Send the last commands once more, under their keys; return how many are not answered as they were."""
        others = 0
        self._connection = None  # the site closes one that has been idle
        for told in self.told[-last:]:
            method, address, body = told["request"]
            status, said = self.ask(method, address, body, told["key"], told["on"])
            others += (status, said) != (200, told["answer"])
        return others

    def _give(self, name: str, method: str, path: str, body: Any) -> bool:
        """Send one command until it is answered; tell whether it was carried out."""
        key, on, failures, tries = secrets.token_hex(8), self._version, 0, 0
        address, sent = f"/api/tables/{self._table}/{path}", time.time()
        while failures < MOST_FAILURES:
            tries += 1
            status, said = self.ask(method, address, body, key, on)
            if status == 200:
                self._version = said["version"]
                request = (method, address, body)
                self.told.append(
                    {"table": self._table, "command": name, "body": body, "key": key, "on": on}
                    | {"answer": said, "request": request, "tries": tries, "sent": sent, "at": time.time()}
                )
                self.sent_again += tries > 1
                return True
            if self.ended.is_set() and status is None:
                return False
            if status is not None and status not in _AWAY and not _busy(said):
                if status >= 500:
                    self.faults.append(f"{name}: {status} {said}")
                self.refused = f"{name}: {status} {said}"
                if not self._keeps_key and tries > 1 and self._done_before(name, status, said):
                    return True
                failures += 1
            if not self._keeps_key:
                key = secrets.token_hex(8)
            time.sleep(0.1)
        return False

    def _done_before(self, name: str, status: int, said: Any) -> bool:
        """Whether a try that had no answer was carried out, as the refusal's state of the table lets one think."""
        if status != 412:
            return False
        self._version = said["state"]["version"]
        self.told.append({"table": self._table, "command": name, "body": None, "tries": 2})
        return True

    def connect(self) -> http.client.HTTPConnection:
        """Return a connection to the site. A tablet that has several to choose from chooses here."""
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)

    def note(self, status: int | None, said: Any) -> None:
        """Hear what came of a request, None where there was no answer: for a tablet that counts."""

    def ask(self, method: str, address: str, body: Any, key: str, on: int) -> tuple[int | None, Any]:
        """Send one request; return the status and what was said, None where no answer came."""
        headers = {
            "Cookie": f"sessionid={self._session}; csrftoken={self._token}",
            "X-CSRFToken": self._token,
            "Content-Type": "application/json",
            "If-Match": f'"{on}"',
            "Idempotency-Key": key,
        }
        try:
            if self._connection is None:
                self._connection = self.connect()
            self._connection.request(method, address, None if body is None else json.dumps(body), headers)
            answer = self._connection.getresponse()
            said = json.loads(answer.read())
        except (OSError, http.client.HTTPException, json.JSONDecodeError):
            self.hang_up()
            self.note(None, None)
            return None, None
        self.note(answer.status, said)
        return answer.status, said

    def hang_up(self) -> None:
        """Close the connection: the next request makes another."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None


def _busy(said: Any) -> bool:
    """Whether somebody else works at the table: nothing was changed, and the command is sent again."""
    return bool(said["error"]["code"] == "busy")


def _commands() -> Iterator[tuple[str, str, str, Any]]:
    """Rounds at seat 1, whose commands go by the table's version, with buy-ins, which go by their key alone.

    No two buy-ins are of the same amount, so that one that is there twice is seen.
    """
    while True:
        for _ in range(3):
            time.sleep(PAUSE_SECONDS)
            yield "buy_in", "POST", "buy-ins", {"seat": 1, "cents": next(_marks)}
        yield "round_open", "POST", "rounds", {}
        bets = [{"seat": 1, "wagers": {"ante": 1000}}]
        yield "bets_place", "PUT", "rounds/current/bets", {"positions": bets}
        yield "bets_close", "POST", "rounds/current/close-bets", {}
        yield "round_deal", "POST", "rounds/current/deal", None
        hands = [{"seat": 1, "hand": HAND, "decision": "play"}]
        yield "round_settle", "POST", "rounds/current/settle", {"bank_hand": BANK_HAND, "positions": hands}
