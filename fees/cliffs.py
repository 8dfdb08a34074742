"""Where a schedule jumps: one dollar more on the table, and somebody pays a different fee.

A fee by band is flat within the band and jumps from one to the next. Players and player-dealers meet the jump, so a
filing shows it: "$100 → $101 costs the player-dealer $1 more".
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from fees.document import dollars
from fees.rates import Schedule


@dataclass(frozen=True, slots=True)
class Cliff:
    """A jump of the player-dealer's fee between two bands, all in cents.

    Up to `below_cents` of total table action, as printed, the fee is `before_cents`; from `above_cents` on it is
    `after_cents`. `clause` is the source of the higher band.
    """

    below_cents: int
    above_cents: int
    before_cents: int
    after_cents: int
    clause: str

    @property
    def step_cents(self) -> int:
        """What the jump costs; below 0 where the fee falls."""
        return self.after_cents - self.before_cents

    @property
    def sentence(self) -> str:
        """The jump in words: `$100 → $101 costs the player-dealer $1 more`."""
        less_or_more = "more" if self.step_cents > 0 else "less"
        return (
            f"{dollars(self.below_cents)} → {dollars(self.above_cents)} costs the player-dealer "
            f"{dollars(abs(self.step_cents))} {less_or_more}"
        )


def cliffs(schedule: Schedule) -> tuple[Cliff, ...]:
    """Return every jump of the player-dealer's fee, from the lowest total table action up.

    Two bands with the same fee make none. The player's fee is one for all antes and never jumps.
    """
    found = []
    for lower, upper in pairwise(schedule.bands):
        assert lower.upper_cents is not None  # only the last band is open
        if lower.fee_cents != upper.fee_cents:
            found.append(
                Cliff(lower.upper_cents, upper.lower_cents, lower.fee_cents, upper.fee_cents, upper.clause)
            )
    return tuple(found)
