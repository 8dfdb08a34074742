"""A model of a table's money and its bank that knows the printed rules alone: no service, no quote, no rotation of ours.

Fees are the lines of a schedule's document: so much per ante for a player, and for the bank so much per round or the band of
the highest lower bound that is not above the antes together (ruling 13). They go into the drop as bets close, and back where
the round is void or its bets are opened again (ruling 13, 44). What goes into the jackpot's box is no part of the drop.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

Bets = Iterable[Mapping[str, Any]]
#: Whose fee was waived: everybody's, the bank's, or that of the player at a seat and a place on its back line (0: none).
ALL, BANK = "all", "bank"
Waived = Iterable[str | tuple[int, int]]


def fees_due(document: Mapping[str, Any], bets: Bets, waived: Waived = ()) -> int:
    """Return what goes into the drop for a round by a schedule that charges by the ante, the round or the table's action."""
    antes = {(bet["seat"], bet.get("behind") or 0): bet["wagers"].get("ante", 0) for bet in bets}
    total, let_off = sum(antes.values()), set(waived)
    due, reached = 0, []
    for line in document["lines"]:
        if line.get("box") == "jackpot":
            continue
        if (line["payer"], line["per"]) == ("player", "ante"):
            due += line["fee_cents"] * sum(
                1 for place, cents in antes.items() if cents and not {place, ALL} & let_off
            )
        elif line["payer"] == "bank" and (line["per"] == "round" or line["lower_cents"] <= total):
            reached.append(line)
    if reached and not {BANK, ALL} & let_off:
        due += max(reached, key=lambda line: line.get("lower_cents", 0))["fee_cents"]
    return due


@dataclasses.dataclass
class Model:
    """`paid` is what lies in the drop by round, `banked` who banked each settled round at a table, since another did."""

    paid: dict[int, int] = dataclasses.field(default_factory=dict)
    banked: dict[int, list[int]] = dataclasses.field(default_factory=dict)

    def settled(self, table: int, player: int) -> None:
        """A round was settled: note its bank, and that somebody else begins the count of two anew."""
        row = self.banked.setdefault(table, [])
        if not row or row[-1] != player:
            row.clear()
        row.append(player)

    def renewed(self, table: int) -> None:
        """The same banker goes on after all others were asked: the count of two begins anew."""
        self.banked[table] = []

    def in_a_row(self, table: int) -> int:
        """How many settled rounds the last bank has had in a row."""
        return len(self.banked.get(table, ()))
