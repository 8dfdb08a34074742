"""Verdicts of wagers before coverage, and the claims on the bank that follow from them."""

from typing import Protocol

from msgspec import Struct

from games.money import Odds
from games.settlement import FORFEIT, LOSE, Line

PLAYER, DEALER = "player", "dealer"


class Seated(Protocol):
    """The attributes of a betting position that a claim needs."""

    @property
    def seat(self) -> int:
        """Its seat, clockwise from the dealer's left."""

    @property
    def player(self) -> str:
        """Who holds it."""


class Verdict(Struct, frozen=True):
    """A wager's outcome, its clause, and the reason in a sentence for players."""

    outcome: str
    odds: Odds | None
    clause: str
    reason: str


#: The outcomes with which a wager's stake goes to the bank.
_LOST = frozenset({LOSE, FORFEIT})


def claim(
    position: Seated, wager: str, stake: int, owed: int, verdict: Verdict, *, party: str = PLAYER
) -> Line:
    """What is due on a wager, in cents: what a win is `owed` beside its stake, or what of the stake is lost.

    `party` is `dealer` for a tip, whose stake goes to the dealer with what it wins. What the bank has left after it is set
    by coverage, and its number once all lines are in their order.
    """
    outcome, odds = verdict.outcome, verdict.odds
    for_one = odds is not None and odds.for_one  # a win "for one" does not bring its stake back
    taken = stake if outcome in _LOST or for_one else 0
    toked = stake + owed if owed and party == DEALER else 0
    returned = 0 if toked else stake - taken
    return Line(
        0, position.seat, position.player, party, wager, stake, outcome, None if odds is None else odds.text, owed, owed,
        taken, returned, toked, 0, 0, None, verdict.clause, verdict.reason,
    )  # fmt: skip
