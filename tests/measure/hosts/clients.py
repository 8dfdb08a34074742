"""Clients outside: tablets that know both web servers, and a shift manager."""

from __future__ import annotations

import http.client
import secrets
import socket
import threading
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.measure.faults.commands.client import Tablet

from .network import Host

PORT = 8000
#: Seconds after which a tablet counts the site as unreachable, as `sending.js` does.
PATIENCE_SECONDS = 8.0
#: Seconds between an answer and the next command.
_THINK_SECONDS = 0.2


class Client(Tablet):
    """A tablet outside. A web server that does not answer, or answers 503, is left for the other one, as a proxy would.

    `tries` counts the requests, `other` what else than 200 was answered. `at` are the instants (monotonic) at which a command
    was answered as carried out, `heard_at` those at which anything was answered at all.
    """

    def __init__(
        self,
        host: Host,
        webs: Sequence[str],
        session: str,
        tables: Sequence[tuple[int, int]],
        *,
        keeps_key: bool,
    ) -> None:
        super().__init__(PORT, session, tables, keeps_key=keeps_key)
        self._host, self._webs = host, list(webs)
        self.tries = 0
        self.other: Counter[str] = Counter()
        self.at: list[float] = []
        self.heard_at: list[float] = []

    def run(self) -> None:
        with self._host.entered():
            super().run()

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self._webs[0], PORT, timeout=PATIENCE_SECONDS)

    def note(self, status: int | None, said: Any) -> None:
        self.tries += 1
        if status is not None:
            self.heard_at.append(time.monotonic())
        if status == 200:
            self.at.append(time.monotonic())
            time.sleep(_THINK_SECONDS)
            return
        self.other["no answer" if status is None else f"{status} {said['error']['code']}"] += 1
        if status in (None, 503):
            self._webs.append(self._webs.pop(0))
            self.hang_up()


class Manager(Client):
    """The shift manager, who closes the open shift and opens the next in one command, sent until it is answered."""

    def __init__(self, host: Host, webs: Sequence[str], session: str, room: dict[str, int]) -> None:
        super().__init__(host, webs, session, [], keeps_key=True)
        self.room = room
        self.closed_shift = 0

    def run(self) -> None:
        with self._host.entered():
            key, body = secrets.token_hex(8), {"confirmed": True, "next_name": f"After {self.room['shift']}"}
            path = f"/api/rooms/{self.room['id']}/shifts/{self.room['shift']}/close"
            while not self.ended.is_set():
                status, said = self.ask("POST", path, body, key, self.room["version"])
                if status == 200:
                    self.closed_shift = self.room["shift"]
                    self.room |= {"shift": said["next"]["shift"], "version": said["version"]}
                    return
                if status == 412:
                    self.room["version"] = said["state"]["version"]
                time.sleep(0.5)


def answers(host: Host, port: int) -> bool:
    """Tell whether something listens on a host, from itself."""
    found: list[bool] = []

    def look() -> None:
        with host.entered():
            try:
                socket.create_connection((host.address, port), 1).close()
            except OSError:
                return
            found.append(True)

    looker = threading.Thread(target=look)  # a thread of its own: the main one stays where it is
    looker.start()
    looker.join()
    return bool(found)
