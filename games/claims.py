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

    def lost(self, stake: int) -> int:
        """What of the stake the bank takes: a loser's, one that was given up, and that of a win "for one"."""
        if self.outcome in {LOSE, FORFEIT}:
            return stake
        return stake if self.odds is not None and self.odds.for_one else 0


def claim(
    position: Seated, wager: str, stake: int, owed: int, verdict: Verdict, *, party: str = PLAYER
) -> Line:
    """What is due on a wager, in cents: what a win is `owed` beside its stake, or what of the stake is lost.

    `party` is `dealer` for a tip, whose stake goes to the dealer with what it wins. Coverage sets the line's number and
    what the bank has left after it.
    """
    odds = None if verdict.odds is None else verdict.odds.text
    taken = verdict.lost(stake)
    toked = stake + owed if owed and party == DEALER else 0
    return Line(
        0, position.seat, position.player, party, wager, stake, verdict.outcome, odds, owed, owed, taken,
        0 if toked else stake - taken, toked, 0, 0, None, verdict.clause, verdict.reason,
    )  # fmt: skip
