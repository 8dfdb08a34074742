"""Forecasts the run of offers that lies ahead: whom the rules of rotation ask while every player declines."""

from __future__ import annotations

import dataclasses

from ..checks.bank import why_not_renew
from ..models import Offer
from .table_state import TableState


@dataclasses.dataclass(frozen=True)
class OffersAhead:
    """The seats still to be asked, in their order, and what comes when all of them decline (`then`, a kind of `Step`).

    `renews` is the seat of the last bank where it may begin a new turn then. `counted` is by seat how many rounds in a
    row count against its limit if it accepts: of the last bank alone, and of that only where no other player was asked
    before.
    """

    seats: list[int]
    then: str
    renews: int | None
    counted: dict[int, int]


def offers_ahead(state: TableState) -> OffersAhead:
    """Let the rules of rotation ask round the table while every player declines. It asks the database nothing more."""
    counted: dict[int, int] = {}
    seats: list[int] = []
    while (step := state.step).kind == "offer":
        assert step.seat is not None  # an offer is made to a seat
        player = state.seatings[step.seat].player
        seats.append(step.seat)
        if rounds := state.rounds_counted(player.pk):
            counted[step.seat] = rounds
        declined = Offer(seat=step.seat, player=player, answer=Offer.Answer.DECLINED)
        state = state.with_offer(declined)
    renews = state.step.seat if why_not_renew(state) is None else None
    return OffersAhead(seats, state.step.kind, renews, counted)
