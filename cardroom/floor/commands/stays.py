"""Stays of players at a table, which commands begin, move and end: `seats.py`, and `undo_seats.py` for those undone."""

from __future__ import annotations

import datetime
from typing import Any

from django.db import IntegrityError, transaction

from cardroom.people.models import Player
from cardroom.people.players import same_person

from ..checks.seats import (
    free_behind,
    why_not_leave,
    why_not_seat,
    why_not_stand_behind,
    why_sits_elsewhere,
)
from ..errors import NotNow, WhyNot
from ..execution.transactions import TableTransaction
from ..models import Round, Seating, Turn
from ..places import Place, place_of
from ..reads.table_state import TableState
from ..seat_time import paid_to
from .bank import end_turn, stay_data
from .seat_time import time_let_go


def stay_begin(
    tx: TableTransaction,
    place: Place,
    player: Player,
    *,
    beside: Seating | None = None,
    time_paid_to: datetime.datetime | None = None,
) -> Seating:
    """Write a stay, `beside` the player's first one at this table.

    The lock is the table's: who sits down at two at once is seen by the database alone.
    """
    sitting = Seating(
        room=tx.room,
        table=tx.table,
        seat=place.seat,
        behind=place.behind,
        player=player,
        seated_at=tx.now,
        time_paid_to=time_paid_to,
        beside=beside,
    )
    try:
        with transaction.atomic():
            sitting.save(force_insert=True)
    except IntegrityError as error:
        if why := why_at_another_table(tx, player):
            raise NotNow.because(why) from error
        raise
    return sitting


def first_stay(state: TableState, player: Player) -> Seating | None:
    """The stay that further positions of a player are beside; None where the player does not sit at the table."""
    own = [stay for stay in state.seatings.values() if stay.player.person_id == player.person_id]
    return next((stay for stay in own if stay.beside_id is None), None)


def stay_end(tx: TableTransaction, place: Place, command: str) -> None:
    """Let the player at a place leave; `command` is what the journal calls it."""
    time_let_go(tx, [place], "the player leaves")
    state = tx.state()
    sitting = vacate(tx, state, place)
    tx.journal(command, stay_data(sitting))


def stay_move(
    tx: TableTransaction, place: Place, to_seat: int, to_back_line: bool
) -> tuple[Seating, Seating]:
    """Move the player at a place to a free seat, or to the back line of a spot; what is owed by the clock moves along.

    Returns the stay that ended and the one that began; whoever calls it writes the journal.
    """
    sitting = vacate(tx, tx.state(), place)
    state, player = tx.state(), sitting.player
    check = why_not_stand_behind if to_back_line else why_not_seat
    if why := check(state, to_seat, player):
        raise NotNow.because(why)
    target = free_behind(state, to_seat) if to_back_line else Place(to_seat)
    assert target is not None  # why_not_stand_behind has seen to it
    beside = None if to_back_line else first_stay(state, player)
    begun = stay_begin(tx, target, player, beside=beside, time_paid_to=paid_to(sitting))
    return sitting, begun


def vacate(tx: TableTransaction, state: TableState, place: Place) -> Seating:
    """End the stay at a place, with the turn of a bank that leaves; raises what refuses it."""
    if why := why_not_leave(state, place):
        raise NotNow.because(why)
    if state.turn is not None and Place(state.turn.seat) == place:
        end_turn(tx, state, Turn.Ended.LEFT)
    sitting = state.places[place]
    sitting.left_at = tx.now
    sitting.save()
    _anchor_again(state, sitting)
    if state.live is not None and state.live.state == Round.State.BETTING:
        state.live.bets = [bet for bet in state.live.bets if place_of(bet) != place]
        state.live.save()
    return sitting


def _anchor_again(state: TableState, ended: Seating) -> None:
    """When the first of several positions of a player is given up, the next one takes its place."""
    others = [stay for stay in state.seatings.values() if stay.beside_id == ended.pk]
    for stay in others:
        stay.beside = None if stay is others[0] else others[0]
        stay.save()


def why_at_another_table(tx: TableTransaction, player: Player) -> WhyNot | None:
    """Nobody sits at two tables of the room."""
    other = (
        Seating.objects.filter(same_person(player, "player__"), left_at__isnull=True)
        .exclude(table=tx.table)
        .select_related("table", "player__merged_into")
        .order_by("pk")
        .first()
    )
    return None if other is None else why_sits_elsewhere(other)


def moved_data(before: Seating, after: Seating) -> dict[str, Any]:
    """A player moved to another seat or back line of the table."""
    return {
        "player": after.player_id,
        "before": before.seat,
        "after": after.seat,
        **({"before_behind": before.behind} if before.behind else {}),
        **({"after_behind": after.behind} if after.behind else {}),
    }
