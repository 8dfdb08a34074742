"""The settlement of a round, line by line, in the form of the round sheet's contract."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

#: Outcomes of a wager (`outcome` of its line).
WIN, LOSE, PUSH, NO_ACTION, FORFEIT, UNCOVERED = "win", "lose", "push", "no_action", "forfeit", "uncovered"


class Line(Struct):
    """One wager with its outcome and where every cent of it went; the fields are those of the contract, in cents.

    `party` is `player`, or `dealer` for a tip (`for` in JSON). `bank_remaining` is the bank's cover after this line, None
    where the house banks.
    """

    seq: int
    seat: int
    player: str
    party: str = field(name="for")
    wager: str
    stake: int
    outcome: str
    odds: str | None
    owed: int
    paid: int
    taken: int
    returned: int
    toked: int
    short: int
    uncovered: int
    bank_remaining: int | None
    clause: str
    reason: str


class SheetFee(Struct, frozen=True):
    """A fee that the sheet's own terms charge: `payer` is the player's name, or `bank`."""

    payer: str
    seat: int
    cents: int

    def to_json(self) -> dict[str, Any]:
        """The fee by the contract's keys."""
        return {"payer": self.payer, "seat": self.seat, "cents": self.cents}


class BankResult(Struct, frozen=True):
    """The banking player's account of the round, in cents; fees are not part of it."""

    seat: int
    wager: int
    won: int
    lost: int
    net: int
    remaining: int
    exhausted: bool


class RoundResult(Struct, frozen=True):
    """The result of a round's wagers, in the fields of the contract; fees are separate.

    `lines` are in the order in which the dealer settles them. `bank` is None where the house banks. `net` is by player;
    `tokes` and `meter_paid` are sums in cents.
    """

    rulebook: str
    qualified: bool
    total_table_action: int
    lines: list[Line]
    bank: BankResult | None
    net: Mapping[str, int]
    tokes: int
    meter_paid: int

    @property
    def dead_hands(self) -> frozenset[tuple[int, str]]:
        """The positions, by seat and player, of which no wager had action: the bank did not cover them (ruling 16)."""
        live = {(line.seat, line.player) for line in self.lines if line.outcome != UNCOVERED}
        return frozenset((line.seat, line.player) for line in self.lines) - live

    def to_json(self) -> dict[str, Any]:
        """The result by the contract's keys, as plain values; the caller adds `fees` and `drop`."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        return document


class Settlement(Struct, frozen=True):
    """A round's whole settlement: the result of its wagers, and the fees that its own terms charge with their sum."""

    rulebook: str
    qualified: bool
    total_table_action: int
    fees: list[SheetFee]
    lines: list[Line]
    bank: BankResult | None
    net: Mapping[str, int]
    drop: int
    tokes: int
    meter_paid: int

    def to_json(self) -> dict[str, Any]:
        """The settlement by the contract's keys, as plain values."""
        document: dict[str, Any] = msgspec.to_builtins(self)
        return document

    def to_text(self) -> bytes:
        """The settlement as one line of JSON in UTF-8."""
        return msgspec.json.encode(self)
