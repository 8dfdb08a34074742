"""Precondition checks: who may take a seat, stand on a back line and leave, and whether a down may end."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from cardroom.people.models import Player
from games.phrases import Phrase
from games.rotation.record import PROVIDER_CLAUSE

from ..errors import WhyNot
from ..models import Seating
from ..places import Place, place_of
from ..reads.table_state import TableState, cached_per_state
from .tables import why_closed


def why_not_seat(state: TableState, seat: int, player: Player) -> WhyNot | None:
    """A player may take a free seat, and further ones as far as the rulebook allows several positions."""
    if why := why_closed(state) or _why_no_seat(state, seat):
        return why
    if sitting := state.seatings.get(seat):
        return WhyNot(
            "seat_taken",
            Phrase(
                "{player} sits at seat {seat}. Choose a free seat, or let them leave first.",
                player=sitting.player,
                seat=seat,
            ),
        )
    if why := _why_no_player(state, player) or _why_on_back_line(state, player):
        return why
    own_seats = [
        other for other, sitting in state.seatings.items() if sitting.player.person_id == player.person_id
    ]
    if len(own_seats) >= (most := state.rulebook.max_positions):
        if most == 1:
            text = Phrase(
                "{player} already sits at seat {own} of this table. Move them instead.",
                player=player,
                own=own_seats[0],
            )
            return WhyNot("player_elsewhere", text)
        return WhyNot(
            "too_many_positions",
            Phrase(
                "{player} holds {most} positions here, the most that the rules allow.",
                player=player,
                most=most,
            ),
        )
    if own_seats and state.rulebook.positions_adjacent and not _side_by_side([*own_seats, seat]):
        held = ", ".join(map(str, own_seats))
        return WhyNot(
            "positions_not_adjacent",
            Phrase(
                "{player} holds seat {held}: the positions of one player stand side by side.",
                player=player,
                held=held,
            ),
        )
    return why_not_of_provider(state, player)


def _why_no_seat(state: TableState, seat: int) -> WhyNot | None:
    if 1 <= seat <= state.rulebook.seats:
        return None
    return WhyNot(
        "bad_seat",
        Phrase(
            "{table} has seats 1 to {seats}; there is no seat {seat}.",
            table=state.table,
            seats=state.rulebook.seats,
            seat=seat,
        ),
    )


def _why_no_player(state: TableState, player: Player) -> WhyNot | None:
    if player.room_id != state.table.room_id:
        return WhyNot("unknown_player", Phrase("{player} is no player of this room.", player=player))
    return why_not_play_on(player, state.now)


def _why_on_back_line(state: TableState, player: Player) -> WhyNot | None:
    stay = next((stay for stay in state.behind.values() if stay.player.person_id == player.person_id), None)
    if stay is None:
        return None
    return WhyNot(
        "player_elsewhere",
        Phrase(
            "{player} stands on the back line at seat {place} of this table. Move them instead.",
            player=player,
            place=stay.place,
        ),
    )


def why_sits_elsewhere(stay: Seating) -> WhyNot:
    """Nobody sits at two tables: who has a stay at another one leaves there first."""
    there = {"player": stay.player, "place": stay.place, "table": stay.table}
    return WhyNot(
        "player_elsewhere",
        Phrase("{player} stands at seat {place} of {table}. Let them leave there first.", **there)
        if stay.behind
        else Phrase("{player} sits at seat {place} of {table}. Let them leave there first.", **there),
    )


@cached_per_state
def why_not_back_line(state: TableState) -> WhyNot | None:
    """Further bettors may wager on players' spots where the filed game has a back line."""
    if state.table.game is None or not state.terms.back_line:
        return WhyNot(
            "no_back_line",
            Phrase(
                "{name} as filed has no back line: a spot is its player's alone. Seat the player at a free seat.",
                name=state.rulebook.name,
            ),
        )
    if why := why_closed(state):
        return why
    if not state.seatings:
        return WhyNot(
            "seat_empty",
            Phrase(
                "Nobody sits here yet: a back-line bettor wagers on a player's spot. Seat a player first."
            ),
        )
    return None


def why_not_stand_behind(state: TableState, seat: int, player: Player) -> WhyNot | None:
    """A further bettor joins the spot of a player who sits there, as far as the filed game has room on its back line."""
    if why := why_not_back_line(state) or _why_no_seat(state, seat):
        return why
    most = state.terms.back_line
    if seat not in state.seatings:
        return WhyNot(
            "seat_empty",
            Phrase(
                "Nobody sits at seat {seat}: a back-line bettor wagers on a player's spot. Seat {player} there.",
                seat=seat,
                player=player,
            ),
        )
    if free_behind(state, seat) is None:
        return WhyNot(
            "spot_full",
            Phrase(
                "The spot of seat {seat} is full: {name} as filed has up to {most} behind a seat. Choose another spot, or let somebody leave first.",
                seat=seat,
                name=state.rulebook.name,
                most=most,
            ),
        )
    if why := _why_no_player(state, player) or _why_on_back_line(state, player):
        return why
    own = next(
        (at for at, sitting in state.seatings.items() if sitting.player.person_id == player.person_id), None
    )
    if own is not None:
        return WhyNot(
            "player_elsewhere",
            Phrase(
                "{player} already sits at seat {own} of this table. Move them instead.",
                player=player,
                own=own,
            ),
        )
    return why_not_of_provider(state, player)


def why_not_play_on(player: Player, now: datetime.datetime) -> WhyNot | None:
    """A player who may no longer play in the room is not seated, asked for no bank, and wagers no more from the next round on.

    Whether they are excluded or no longer active, and why, is for a shift manager to know.
    """
    if player.may_play(now):
        return None
    return WhyNot(
        "player_inactive",
        Phrase("{player} may no longer play in this room: ask a shift manager.", player=player),
    )


def why_not_bet_here(state: TableState, place: Place) -> WhyNot | None:
    """Whoever may no longer play finishes the round in play, where they have wagers in it, and places none after it."""
    live = state.live
    if live is not None and any(place_of(bet) == place and bet["wagers"] for bet in live.bets):
        return None
    return why_not_play_on(state.places[place].player, state.now)


def free_behind(state: TableState, seat: int) -> Place | None:
    """The first free place on the back line of a seat's spot; None where it is full or the game has none."""
    places = (Place(seat, behind) for behind in range(1, state.terms.back_line + 1))
    return next((place for place in places if place not in state.behind), None)


def _side_by_side(seats: Sequence[int]) -> bool:
    return max(seats) - min(seats) < len(seats)


def why_not_of_provider(state: TableState, player: Player, *, leaves: Player | None = None) -> WhyNot | None:
    """Of each provider one player at most plays at a table: every contract with one says so (4 CCR 12270(b)(5)).

    Somebody who `leaves` as the player comes is none of them.
    """
    if player.provider_id is None:
        return None
    for place, sitting in state.places.items():
        if leaves is not None and sitting.player.person_id == leaves.person_id:
            continue
        if sitting.player.provider_id == player.provider_id and sitting.player.person_id != player.person_id:
            return WhyNot(
                "provider_seated",
                Phrase(
                    "{player} and {sitting_player} at seat {place} both play for {provider}: of each provider one player may play at a table. Let {sitting_player} leave first.",
                    player=player,
                    sitting_player=sitting.player,
                    place=place,
                    provider=player.provider,
                ),
                PROVIDER_CLAUSE,
            )
    return None


def why_not_leave(state: TableState, place: Place) -> WhyNot | None:
    """A live seat cannot be vacated before the round ends (ruling 41), nor while back-line bettors wager on its spot."""
    if place.behind:
        return _why_not_leave_back_line(state, place)
    seat = place.seat
    if seat not in state.seatings:
        return WhyNot("seat_empty", Phrase("Nobody sits at seat {seat}.", seat=seat))
    player = state.seatings[seat].player_id
    others = [at for at, sitting in state.seatings.items() if sitting.player_id == player and at != seat]
    if others and state.rulebook.positions_adjacent and not _side_by_side(others):
        return WhyNot(
            "positions_not_adjacent",
            Phrase(
                "The positions of one player stand side by side: let seat {first} or seat {last} go first.",
                first=others[0],
                last=others[-1],
            ),
        )
    return why_seat_live(state, seat)


def why_seat_live(state: TableState, seat: int) -> WhyNot | None:
    """Whoever banks the round in play, or has wagers in it, is at the seat until it has ended; so are those behind it."""
    place, live = Place(seat), state.live
    if live is not None and live.bank_seat == seat:
        return WhyNot(
            "seat_live",
            Phrase("Seat {seat} banks the round in play. It can leave when the round has ended.", seat=seat),
        )
    if live is not None and any(bet["seat"] == seat and bet["wagers"] for bet in live.bets):
        own = any(place_of(bet) == place and bet["wagers"] for bet in live.bets)
        return _seat_live(place, Phrase("wagers") if own else Phrase("wagers of its back line"))
    return None


def _why_not_leave_back_line(state: TableState, place: Place) -> WhyNot | None:
    if place not in state.behind:
        return WhyNot("seat_empty", Phrase("Nobody stands at seat {place}.", place=place))
    live = state.live
    if live is not None and any(place_of(bet) == place and bet["wagers"] for bet in live.bets):
        return _seat_live(place, Phrase("wagers"))
    return None


def _seat_live(place: Place, what: str) -> WhyNot:
    return WhyNot(
        "seat_live",
        Phrase(
            "Seat {place} has {what} in the round in play. It can leave when the round has ended.",
            place=place,
            what=what,
        ),
    )


def why_not_hold(state: TableState, seat: int) -> WhyNot | None:
    """A seat is held for the player who sits there, at an open table."""
    if why := why_closed(state) or _why_no_seat(state, seat):
        return why
    if seat not in state.seatings:
        return WhyNot(
            "seat_empty",
            Phrase("Nobody sits at seat {seat}: a seat is held for the player who sits there.", seat=seat),
        )
    return None


def why_not_end_hold(state: TableState, seat: int) -> WhyNot | None:
    """A hold ends once there is one."""
    sitting = state.seatings.get(seat)
    if sitting is None or sitting.held_until is None:
        return WhyNot("seat_not_held", Phrase("Seat {seat} is not held.", seat=seat))
    return None


@cached_per_state
def why_not_end_down(state: TableState) -> WhyNot | None:
    """A down that is open may end at any time: dealers change in mid-round."""
    if state.down is None:
        return WhyNot("no_dealer", Phrase("No dealer has a down at {table}.", table=state.table))
    return None
