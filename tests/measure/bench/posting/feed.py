"""A feed at one table: whole sheets by HTTP, and the offer of the bank after every two of them."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from typing import Any

from tests.cast import sheet
from tests.measure.bench.floor.pages import Visitor
from tests.measure.bench.floor.room import BANK, BETTORS


@dataclass
class Feed:
    """Posts rounds at a table. `took` holds the seconds of each sheet, `offers` those of each answer to an offer."""

    visitor: Visitor
    table: int
    number: int
    version: int
    bank: int = BANK
    in_turn: int = 2  # the room has played two rounds at each table as it was built
    took: list[float] = field(default_factory=list)
    offers: list[float] = field(default_factory=list)

    def post(self) -> None:
        """Post the next round."""
        seats = sorted((BANK, *BETTORS))
        if self.in_turn == 2:
            self.bank, self.in_turn = seats[(seats.index(self.bank) + 1) % len(seats)], 0
            self.offers.append(self._send("offers", {"seat": self.bank, "answer": "accepted"}))
        document = sheet({seat: 1000 for seat in seats if seat != self.bank}, bank=self.bank)
        for position in document["positions"]:
            position["player"] += f" {self.number}"
        self.took.append(self._send("rounds/record", document))
        self.in_turn += 1

    def _send(self, path: str, body: Any) -> float:
        began = time.perf_counter()
        answer = self.visitor.ask("POST", f"/api/tables/{self.table}/{path}", body, version=self.version)
        took = time.perf_counter() - began
        self.version = json.loads(answer)["version"]
        return took
