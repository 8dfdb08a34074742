"""What each payer owes for a round: fixed when bets close, from the antes and the schedule alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fees.errors import FeeError, OutsideSchedule
from fees.rates import Band, Schedule

#: The player-dealer as payer, as in the round sheet's `fees`.
BANK = "bank"


@dataclass(frozen=True, slots=True)
class Ante:
    """An ante as it stands at "no more bets", in cents."""

    seat: int
    player: str
    cents: int


@dataclass(frozen=True, slots=True)
class Fee:
    """What one payer owes, in cents: `payer` is the player's name or `bank`, `clause` the figure's source."""

    payer: str
    seat: int
    cents: int
    clause: str


@dataclass(frozen=True, slots=True)
class Quote:
    """The fees of one round, in cents: one an ante in the order given, then the player-dealer's by `band`."""

    total_table_action_cents: int
    fees: tuple[Fee, ...]
    drop_cents: int
    band: Band


def quote(schedule: Schedule, antes: Sequence[Ante], *, bank_seat: int) -> Quote:
    """Return what `antes` cost under `schedule`, with the player-dealer in `bank_seat` (ruling 13).

    Every ante costs its player the flat player fee, a player with two seats twice. The player-dealer pays the
    fee of the band of total table action, the sum of the antes; no other wager counts. A fee of 0 is quoted
    like any other.

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
    band = schedule.band_for(total_cents)
    fees = (
        *(Fee(ante.player, ante.seat, schedule.player_fee_cents, schedule.player_clause) for ante in antes),
        Fee(BANK, bank_seat, band.fee_cents, band.clause),
    )
    return Quote(total_cents, fees, sum(fee.cents for fee in fees), band)
