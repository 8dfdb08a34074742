"""A model of a table's money and its bank that knows the printed rules alone: no service, no quote, no rotation of ours.

Fees are the lines of a schedule's document: so much per ante for a player, and for the bank the band of the highest lower
bound that is not above the antes together (ruling 13). They go into the drop as bets close, and back where the round is
void or its bets are opened again (ruling 13, 44).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

Bets = Iterable[Mapping[str, Any]]


def fees_due(document: Mapping[str, Any], bets: Bets, waived: Iterable[int | None] = ()) -> int:
    """Return what a round's fees come to by a schedule that charges by the ante; `waived` are seats, None for the bank."""
    antes = {bet["seat"]: bet["wagers"].get("ante", 0) for bet in bets}
    total, let_off = sum(antes.values()), set(waived)
    due = 0
    for line in document["lines"]:
        if (line["payer"], line["per"]) == ("player", "ante"):
            due += line["fee_cents"] * sum(
                1 for seat, cents in antes.items() if cents and seat not in let_off
            )
    bands = [
        line for line in document["lines"] if (line["payer"], line["per"]) == ("bank", "total_table_action")
    ]
    reached = [line for line in bands if line["lower_cents"] <= total]
    if reached and None not in let_off:
        due += max(reached, key=lambda line: line["lower_cents"])["fee_cents"]
    return due


@dataclasses.dataclass
class Model:
    """`paid` is what lies in the drop by round, `banked` who banked each settled round at a table, `asked` who answered since."""

    paid: dict[int, int] = dataclasses.field(default_factory=dict)
    banked: dict[int, list[int]] = dataclasses.field(default_factory=dict)
    asked: dict[int, set[int]] = dataclasses.field(default_factory=dict)

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
