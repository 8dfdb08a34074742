"""Finds fee jumps between bands of a schedule, where one dollar more on the table changes a fee.

A fee by band is flat within the band and jumps from one to the next. Players and player-dealers meet the jump, so a
filing shows it: "$100 → $101 costs the player-dealer $1 more".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from fees.charges import Bands
from fees.document import BANK
from fees.rates import Schedule
from games.money import dollars


@dataclass(frozen=True, slots=True)
class Cliff:
    """A jump of a fee between two bands, all in cents.

    `payer` is who pays it: the player-dealer's by total table action, or the players' by their own antes.
    Up to `below_cents`, as printed, the fee is `before_cents`; from `above_cents` on it is `after_cents`. `clause` is
    the source of the higher band.
    """

    below_cents: int
    above_cents: int
    before_cents: int
    after_cents: int
    clause: str
    payer: str = BANK

    @property
    def step_cents(self) -> int:
        """The difference in cents; negative if the fee falls."""
        return self.after_cents - self.before_cents

    @property
    def sentence(self) -> str:
        """The jump in words: `$100 → $101 costs the player-dealer $1 more`."""
        less_or_more = "more" if self.step_cents > 0 else "less"
        who = "player-dealer" if self.payer == BANK else "player"
        return (
            f"{dollars(self.below_cents)} → {dollars(self.above_cents)} costs the {who} "
            f"{dollars(abs(self.step_cents))} {less_or_more}"
        )


def cliffs(schedule: Schedule) -> tuple[Cliff, ...]:
    """Return every jump: the player-dealer's from the lowest total table action up, then the players' by own ante.

    Two bands with the same fee make none, and no flat fee jumps: per ante, by time, or into the jackpot.
    """
    charges = [charge for charge in (schedule.bank, *schedule.players) if isinstance(charge, Bands)]
    return tuple(cliff for charge in charges for cliff in _cliffs(charge))


def _cliffs(charge: Bands) -> Iterator[Cliff]:
    for lower, upper in pairwise(charge.bands):
        assert lower.upper_cents is not None  # only the last band is open
        if lower.fee_cents != upper.fee_cents:
            yield Cliff(
                lower.upper_cents,
                upper.lower_cents,
                lower.fee_cents,
                upper.fee_cents,
                upper.clause,
                charge.payer,
            )
