"""Finds fee jumps between bands of a schedule, where one dollar more on the table changes a fee.

A fee by band is flat within the band and jumps from one to the next. Players and player-dealers meet the jump, so a
filing shows it: "$100 → $101 costs the player-dealer $1 more".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from fees.charges import Bands
from fees.document import BANK, POSITIONS, TOTAL_TABLE_ACTION, bound_label
from fees.rates import Schedule
from games.money import dollars


@dataclass(frozen=True, slots=True)
class Cliff:
    """A jump of a fee between two bands of `per`: bounds in cents, or in positions; fees in cents.

    `payer` is who pays it. Up to `below`, as printed, the fee is `before_cents`; from `above` on it is `after_cents`.
    `clause` is the source of the higher band, `wager` the kind where the bands are of a wager beside the ante.
    """

    below: int
    above: int
    before_cents: int
    after_cents: int
    clause: str
    payer: str = BANK
    per: str = TOTAL_TABLE_ACTION
    wager: str | None = None

    @property
    def step_cents(self) -> int:
        """The difference in cents; negative if the fee falls."""
        return self.after_cents - self.before_cents

    @property
    def sentence(self) -> str:
        """The jump in words: `$100 → $101 costs the player-dealer $1 more`."""
        less_or_more = "more" if self.step_cents > 0 else "less"
        who = "player-dealer" if self.payer == BANK else "player"
        what = " positions" if self.per == POSITIONS else f" of {self.wager}" if self.wager else ""
        return (
            f"{bound_label(self.below, self.per)} → {bound_label(self.above, self.per)}{what} costs the {who} "
            f"{dollars(abs(self.step_cents))} {less_or_more}"
        )


def cliffs(schedule: Schedule) -> tuple[Cliff, ...]:
    """Return every jump: the player-dealer's from the lowest band up, then the players'.

    Two bands with the same fee make none, and no flat fee jumps: per ante, by time, or into the jackpot.
    """
    charges = [charge for charge in (*schedule.bank, *schedule.players) if isinstance(charge, Bands)]
    return tuple(cliff for charge in charges for cliff in _cliffs(charge))


def _cliffs(charge: Bands) -> Iterator[Cliff]:
    for lower, upper in pairwise(charge.bands):
        assert lower.upper is not None  # only the last band is open
        if lower.fee_cents != upper.fee_cents:
            yield Cliff(
                lower.upper,
                upper.lower,
                lower.fee_cents,
                upper.fee_cents,
                upper.clause,
                charge.payer,
                charge.per,
                charge.wager,
            )
