"""Rounds for tests that are named by clause: a sheet in few words, and its settlement line by line.

Hands and figures in these tests are worked from the rule documents by hand, never read from the product's own data.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from games.engine import settle_json
from games.refusal import Refusal

#: The banking seat where a test does not say: the last one, so that seat 1 is settled first.
_BANK_SEATS = {"california": 7, "designated_player": 8}
#: A bank that covers whatever these tests put on the table.
_DEEP_CENTS = 10**9

Position = dict[str, Any]


def at(
    seat: int,
    hand: str,
    decision: str | None = "play",
    *,
    ante: int = 1000,
    player: str | None = None,
    tips: dict[str, int] | None = None,
    **wagers: int,
) -> Position:
    """A position: an ante of $10 unless told otherwise, further wagers by name. An ante of 0 is none."""
    position: Position = {"seat": seat, "hand": hand, "wagers": wagers}
    if ante:
        position["wagers"] = {"ante": ante, **wagers}
    if ante and decision is not None:
        position["decision"] = decision
    if player is not None:
        position["player"] = player
    if tips is not None:
        position["tips"] = tips
    return position


def sheet(
    rulebook: str,
    bank_hand: str,
    *positions: Position,
    bank: int | None = None,
    bank_seat: int | None = None,
    action_seat: int | None = None,
    meter: int | None = None,
    **options: Any,
) -> dict[str, Any]:
    """A round sheet. `bank` is the bank's wager in cents where a player banks, deep enough if left out."""
    document: dict[str, Any] = {"rulebook": rulebook, "bank_hand": bank_hand, "positions": list(positions)}
    if rulebook in _BANK_SEATS:
        document["bank"] = {"seat": bank_seat or _BANK_SEATS[rulebook], "wager": bank or _DEEP_CENTS}
    if action_seat is not None:
        document["action_seat"] = action_seat
    if meter is not None:
        document["meter"] = meter
    if options:
        document["options"] = options
    return document


class Settled:
    """A settlement as JSON has it, with its lines by seat and wager."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.lines: list[dict[str, Any]] = document["lines"]

    def __getitem__(self, key: str) -> Any:
        return self.document[key]

    def line(self, seat: int, wager: str, *, tip: bool = False) -> dict[str, Any]:
        """The one line of that seat and wager."""
        (line,) = self.all(seat, wager, tip=tip)
        return line

    def all(self, seat: int, wager: str, *, tip: bool = False) -> list[dict[str, Any]]:
        """The lines of that seat and wager, none if there are none."""
        party = "dealer" if tip else "player"
        return [x for x in self.lines if (x["seat"], x["wager"], x["for"]) == (seat, wager, party)]

    def outcome(self, seat: int, wager: str, *, tip: bool = False) -> str:
        return str(self.line(seat, wager, tip=tip)["outcome"])

    def outcomes(self, seat: int) -> dict[str, str]:
        """Outcome by wager of a seat's own wagers."""
        return {x["wager"]: x["outcome"] for x in self.lines if x["seat"] == seat and x["for"] == "player"}

    @property
    def order(self) -> list[tuple[int, str]]:
        """Seat and wager of the lines in their order; a tip's wager begins with `tip `."""
        return [(x["seat"], ("tip " if x["for"] == "dealer" else "") + x["wager"]) for x in self.lines]


def settled(rulebook: str, bank_hand: str, *positions: Position, **terms: Any) -> Settled:
    """Settle the round of `sheet(…)`."""
    return Settled(settle_json(sheet(rulebook, bank_hand, *positions, **terms)))


def refusal(rulebook: str, bank_hand: str, *positions: Position, **terms: Any) -> tuple[str, str]:
    """Code and path with which the round of `sheet(…)` is refused; a round that settles fails the test."""
    try:
        settlement = settled(rulebook, bank_hand, *positions, **terms)
    except Refusal as refused:
        return refused.code, refused.path
    raise AssertionError(f"the round was settled and should have been refused: {settlement.document}")


def ante_outcome(rulebook: str, hand: str, bank_hand: str) -> str:
    """What becomes of the ante of a hand that plays against the bank's."""
    return settled(rulebook, bank_hand, at(1, hand)).outcome(1, "ante")


def assert_descending(rulebook: str, hands: Sequence[str]) -> None:
    """Each hand beats the next as a player's, and as the bank's the next loses to it. The bank has to qualify."""
    for higher, lower in pairwise(hands):
        assert ante_outcome(rulebook, higher, lower) == "win", f"{higher} does not beat {lower}"
        assert ante_outcome(rulebook, lower, higher) == "lose", f"{lower} does not lose to {higher}"
