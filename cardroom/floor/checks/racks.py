"""Precondition checks: counts of a provider's rack, and its hand-over from one of the provider's players to another."""

from __future__ import annotations

from cardroom.people.models import Player
from games.phrases import Phrase

from ..errors import WhyNot
from ..models import RackCount, Seating
from ..reads.racks import players_to_take_over, rack_counted
from ..reads.table_state import TableState
from .seats import why_not_of_provider, why_not_play_on, why_seat_live
from .shifts import why_no_shift
from .tables import why_closed

#: Only an authorized player has a provider's chips in hand.
CLAUSE = "4 CCR 12290(b)"


def why_not_count_rack(state: TableState, seat: int) -> WhyNot | None:
    """The rack of a provider's player who sits at a seat is counted, at an open table and in a shift."""
    if why := why_closed(state) or why_no_shift(state):
        return why
    sitting = state.seatings.get(seat)
    if sitting is None:
        return WhyNot("seat_empty", Phrase("Nobody sits at seat {seat}.", seat=seat))
    if sitting.player.provider_id is None:
        return WhyNot(
            "no_provider",
            Phrase(
                "{player} at seat {seat} plays for no provider and has no rack to count or hand over.",
                player=sitting.player,
                seat=seat,
            ),
            CLAUSE,
        )
    return None


def why_not_close_rack(state: TableState, seat: int) -> WhyNot | None:
    """A session's closing count is told between rounds: chips in play are in no rack."""
    if why := why_not_count_rack(state, seat):
        return why
    return next((why for at in seats_of(state, seat) if (why := why_seat_live(state, at))), None)


def why_not_open_rack(state: TableState, seat: int) -> WhyNot | None:
    """An opening count comes before a hand-over: whoever took the rack over has counted it."""
    if why := why_not_count_rack(state, seat):
        return why
    sitting = state.seatings[seat]
    if not rack_counted(sitting, RackCount.Kind.HAND_OVER):
        return None
    return WhyNot(
        "rack_taken_over",
        Phrase(
            "{player} took the rack over with a count, so this session has begun before. Record a closing count as it ends.",
            player=sitting.player,
        ),
    )


def why_not_hand_over(state: TableState, seat: int) -> WhyNot | None:
    """A rack changes hands between rounds, or while its player has nothing in the one in play."""
    return why_not_close_rack(state, seat)


def why_nobody_takes_over(state: TableState, seat: int) -> WhyNot | None:
    """The same, where another of the provider's players is free to take the rack over."""
    if why := why_not_hand_over(state, seat):
        return why
    sitting = state.seatings[seat]
    if players_to_take_over(sitting):
        return None
    return WhyNot(
        "nobody_takes_over",
        Phrase(
            "No other authorized player of {provider} is free to take the rack over. The room manager says who plays for it.",
            provider=sitting.player.provider,
        ),
    )


def why_not_take_over(state: TableState, seat: int, player: Player) -> WhyNot | None:
    """The rack of a seat is taken over by another authorized player of the same provider, who may play here."""
    if why := why_not_hand_over(state, seat):
        return why
    sitting = state.seatings[seat]
    if player.room_id != state.table.room_id:
        return WhyNot("unknown_player", Phrase("{player} is no player of this room.", player=player))
    if player.person_id == sitting.player.person_id:
        return WhyNot(
            "same_player",
            Phrase("{player} has the rack already. Choose who takes it over.", player=player),
        )
    if player.provider_id != sitting.player.provider_id:
        return WhyNot(
            "other_provider",
            Phrase(
                "{player} does not play for {provider}, whose rack this is. Choose another of its authorized players.",
                player=player,
                provider=sitting.player.provider,
            ),
            CLAUSE,
        )
    return (
        why_not_play_on(player, state.now)
        or _why_here(state, player)
        or why_not_of_provider(state, player, leaves=sitting.player)
    )


def seats_of(state: TableState, seat: int) -> list[int]:
    """The seats of the player at a seat: more than one where the rules let a player hold several positions."""
    sitting = state.seatings[seat]
    own = [stay for stay in state.seatings.values() if stay.player_id == sitting.player_id]
    return [stay.seat for stay in sorted(own, key=_first_stay_first)]


def _first_stay_first(stay: Seating) -> tuple[bool, int]:
    return stay.beside_id is not None, stay.seat


def _why_here(state: TableState, player: Player) -> WhyNot | None:
    """Whoever takes a rack over sits and stands nowhere at the table."""
    own = next((stay for stay in state.places.values() if stay.player.person_id == player.person_id), None)
    if own is None:
        return None
    return WhyNot(
        "player_elsewhere",
        Phrase(
            "{player} is at seat {place} of this table. Let them leave there first.",
            player=player,
            place=own.place,
        ),
    )
