"""The fees that a sheet's own terms charge for a round: those of a printed schedule, or a flat house rake.

They are separate from the wagers: the settlement of a game does not depend on them, and a table with a schedule of the room's own
does not use this module. Flat cents, independent of the cards (ruling 13).
"""

from collections.abc import Set as AbstractSet

from games.bets import Bets
from games.collection import band_for
from games.settlement import SheetFee


def round_fees(bets: Bets, dead: AbstractSet[tuple[int, str]] = frozenset()) -> list[SheetFee]:
    """The fees of a round by its bets, one a position and the bank's last; none where the house banks.

    `dead` are the positions, by seat and player, that the bank could not cover: they pay no rake, and if none is live the
    bank pays none (ruling 20). A schedule's fees are collected before the deal, for dead hands too.
    """
    terms, bank = bets.terms, bets.bank
    if bank is None:
        return []
    if terms.fee_schedule is not None:
        cents = terms.fee_schedule.player_fee_cents
        fees = [SheetFee(position.player, position.seat, cents) for position in bets.positions]
        fees.append(
            SheetFee("bank", bank.seat, band_for(terms.fee_schedule, bets.total_table_action).fee_cents)
        )
        return fees
    if terms.rake is None:
        return []
    live = [position for position in bets.positions if (position.seat, position.player) not in dead]
    hand_cents, bank_cents = terms.rake.hand_cents, terms.rake.bank_cents(len(live))
    fees = [SheetFee(position.player, position.seat, hand_cents) for position in live if hand_cents]
    if bank_cents:
        fees.append(SheetFee("bank", bank.seat, bank_cents))
    return fees
