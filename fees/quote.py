"""What each payer owes for a round: fixed when bets close, from what lies there and the schedule alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fees.charges import Ante, Band, of_position, of_round
from fees.document import dollars
from fees.errors import FeeError, OutsideSchedule
from fees.rates import Schedule

__all__ = ["BANK", "Ante", "Fee", "Quote", "quote"]

#: The player-dealer as payer, as in the round sheet's `fees`.
BANK = "bank"


@dataclass(frozen=True, slots=True)
class Fee:
    """What one payer owes, in cents: `payer` is the player's name or `bank`, `clause` the figure's source.

    A fee that several lines of the schedule come to has the schedule's own clause.
    """

    payer: str
    seat: int
    cents: int
    clause: str


@dataclass(frozen=True, slots=True)
class Quote:
    """The fees of one round, in cents: one a position in the order given, then the player-dealer's.

    `bank_label` says what the player-dealer's fee went by, as printed: its band, or `per round`; `band` is None where
    it goes by no band.
    """

    total_table_action_cents: int
    fees: tuple[Fee, ...]
    drop_cents: int
    bank_label: str
    band: Band | None


def quote(schedule: Schedule, antes: Sequence[Ante], *, bank_seat: int) -> Quote:
    """Return what `antes` cost under `schedule`, with the player-dealer in `bank_seat` (ruling 13).

    Every position costs its player what the schedule charges for it, a player with two seats twice. Where the
    player-dealer pays by total table action, that is the sum of the antes; no other wager counts. A fee of 0 is
    quoted like any other.

    Raises OutsideSchedule for an ante outside the table limit and for a round without antes, which costs
    nothing and is none; FeeError `seat_twice` when a seat antes twice or the bank's seat does.
    """
    seats = {bank_seat}
    for ante in antes:
        if ante.seat in seats:
            raise FeeError(
                "seat_twice", f"Seat {ante.seat} cannot ante: it holds the bank or has an ante already."
            )
        seats.add(ante.seat)
        if why := schedule.why_not_ante(ante.cents):
            raise OutsideSchedule("outside_table_limits", f"Seat {ante.seat}: {why}")
    total_cents = sum(ante.cents for ante in antes)
    bank = of_round(schedule.bank, antes) if antes else None
    if bank is None:
        first = f" {schedule.bands[0].label}" if schedule.bands else ""
        raise OutsideSchedule(
            "below_first_band",
            f"Total table action of {dollars(total_cents)} is below the first band{first} of {schedule.title}: "
            f"it takes at least one ante ({schedule.clause}).",
        )
    fees = (*(_of(schedule, ante) for ante in antes), Fee(BANK, bank_seat, bank.cents, bank.clause))
    return Quote(total_cents, fees, sum(fee.cents for fee in fees), bank.label, bank.band)


def _of(schedule: Schedule, ante: Ante) -> Fee:
    """The fee of one position: all that its player is charged for it."""
    owed = [each for charge in schedule.players if (each := of_position(charge, ante)) is not None]
    clause = owed[0].clause if len(owed) == 1 else schedule.clause
    return Fee(ante.player, ante.seat, sum(each.cents for each in owed), clause)
