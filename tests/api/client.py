"""An API client of one person for tests: it validates every response against the OpenAPI document."""

from __future__ import annotations

import json
import re
from typing import Any

from django.test import Client

from cardroom.filings.models import FeeSchedule, GameFiling, Levy
from cardroom.tips.models import PoolRule
from tests.cast import BANK_HAND, HANDS, Cast, new_key

from .conformance import check


class Reply:
    """An answer: its status, its headers, and what it says."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status_code
        self.headers = response.headers
        self.said: Any = response.json()

    @property
    def code(self) -> str:
        """The code of a refusal."""
        code: str = self.said["error"]["code"]
        return code

    @property
    def path(self) -> str:
        """The place that a refusal names."""
        path: str = self.said["error"]["path"]
        return path


class Caller:
    """One signed-in person (or nobody) at the API."""

    def __init__(self, cast: Cast, who: str | None) -> None:
        self.cast = cast
        self.who = who
        self.client = Client()
        if who is not None:
            self.client.force_login(cast.people[who])

    @classmethod
    def of(cls, client: Client) -> Caller:
        """Return whoever is signed in at a browser already."""
        caller = cls.__new__(cls)
        caller.client = client
        return caller

    def get(self, path: str) -> Reply:
        """Read `/api/{path}`."""
        address = f"/api/{path}"
        response = self.client.get(address)
        check(response, "GET", address)
        return Reply(response)

    def send(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        version: int | str | None = None,
        key: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> Reply:
        """Give a command. Without a version it is the present one, without a key a new one; `headers` replaces both."""
        address = f"/api/{path}"
        if headers is None:
            version = (read_digest(path) or self.version(path)) if version is None else version
            headers = {"If-Match": f'"{version}"', "Idempotency-Key": key or new_key()}
        raw = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        response = self.client.generic(method, address, raw, content_type="application/json", headers=headers)
        check(response, method, address)
        return Reply(response)

    def post(self, path: str, body: Any = None, **more: Any) -> Reply:
        return self.send("POST", path, body, **more)

    def put(self, path: str, body: Any = None, **more: Any) -> Reply:
        return self.send("PUT", path, body, **more)

    def delete(self, path: str, body: Any = None, **more: Any) -> Reply:
        return self.send("DELETE", path, body, **more)

    def version(self, path: str) -> int:
        """The present version of the table or room that `path` lies under, read past the API."""
        what, number = path.split("/")[:2]
        from cardroom.floor.models import Table
        from cardroom.rooms.models import Room

        model = {"tables": Table, "rooms": Room}[what]
        row = model.objects.filter(pk=number).values_list("version", flat=True).first()
        return row or 0


#: Where the commands on one version of a filing are, and what it is called there.
_FILINGS = {
    "schedules/versions": FeeSchedule,
    "games": GameFiling,
    "levies": Levy,
    "pool-rules": PoolRule,
}


def read_digest(path: str) -> str:
    """The current digest of the version of a filing that `path` belongs to; "" for any other path."""
    found = re.match(r"rooms/\d+/(schedules/versions|games|levies|pool-rules)/(\d+)", path)
    if found is None:
        return ""
    version = _FILINGS[found[1]].objects.filter(pk=found[2]).first()
    return "0" * 64 if version is None else version.digest


class Hand:
    """Plays rounds at the cast's table 7 as the dealer, step by step."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller
        self.table = f"tables/{caller.cast.table.pk}"

    def open(self, wager: int = 20000) -> Reply:
        return self._ok(self.caller.post(f"{self.table}/rounds", {"bank_wager_cents": wager}))

    def bet(self, antes: dict[int, int]) -> Reply:
        positions = [{"seat": seat, "wagers": {"ante": cents}} for seat, cents in antes.items()]
        return self._ok(self.caller.put(f"{self.table}/rounds/current/bets", {"positions": positions}))

    def close_bets(self) -> Reply:
        return self._ok(self.caller.post(f"{self.table}/rounds/current/close-bets", {}))

    def deal(self) -> Reply:
        return self._ok(self.caller.post(f"{self.table}/rounds/current/deal"))

    def settle(self, seats: list[int]) -> Reply:
        positions = [{"seat": seat, "hand": HANDS[seat], "decision": "play"} for seat in seats]
        body = {"bank_hand": BANK_HAND, "positions": positions}
        return self._ok(self.caller.post(f"{self.table}/rounds/current/settle", body))

    def play(self, antes: dict[int, int], wager: int = 20000) -> Reply:
        """Play a whole round, in which everybody plays on, from the bank's wager to settlement."""
        self.open(wager)
        self.bet(antes)
        self.close_bets()
        self.deal()
        return self.settle(list(antes))

    @staticmethod
    def _ok(reply: Reply) -> Reply:
        assert reply.status == 200, reply.said
        return reply
