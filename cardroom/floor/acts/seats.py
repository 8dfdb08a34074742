"""Players at seats, dealers at tables."""

from __future__ import annotations

import datetime
from typing import Annotated, TypedDict

from django.db import IntegrityError, transaction

from cardroom.core.acts import Id, Label, Seat
from cardroom.people.models import Player, Staff
from cardroom.people.rights import Right, why_not_may
from games.phrases import Phrase

from ..act_types import OnBackLine, PlaceAnswer, SeatAnswer
from ..checks.seats import (
    free_behind,
    why_not_back_line,
    why_not_end_down,
    why_not_leave,
    why_not_seat,
    why_not_stand_behind,
)
from ..commands import AtTable, table_act
from ..entries import down_ended, down_started, player_left, player_moved, player_seated
from ..errors import BadInput, NotNow, WhyNot
from ..expiry import why_badge_expired, why_permit_expired
from ..models import Down, Procedure, Round, Seating, Turn
from ..places import Place, place_of
from ..reads.table_reading import TableReading
from ..seat_time import paid_to
from .bank import end_turn
from .expiry import Expired, permitted_act
from .procedures import procedure_note
from .seat_time import time_let_go


@permitted_act(
    "PUT seats/{seat}",
    Right.SEAT_PLAYERS,
    no_check="it depends on seat and player: why_not_seat",
    title=Phrase("Seat a player"),
    tag="Seats",
    example={"player_id": 12},
    page="seat",
    menu="more",
)
def player_seat(at: AtTable, *, seat: Seat, player_id: Id) -> SeatAnswer:
    """Seat a player of the room at a free seat."""
    player = _player(at, player_id)
    reading = at.reading()
    if why := why_not_seat(reading, seat, player) or _why_at_another_table(at, player):
        raise NotNow.because(why)
    if why := why_badge_expired(reading, player):
        raise Expired(why, f"player:{player.pk}")
    sitting = _stay(at, Place(seat), player, beside=_first_stay(reading, player.pk))
    at.journal("player_seat", player_seated(sitting))
    at.keep(reading.with_places({**reading.places, sitting.place: sitting}))
    if not reading.seatings and reading.procedure_rules.inspection.after_idle is not None:
        procedure_note(
            at,
            Procedure.Kind.IDLE_ENDED,
            clause=reading.procedure_rules.inspection.after_idle_clause or "",
            number=seat,
        )
    return {"seat": seat}


@table_act(
    "DELETE seats/{seat}",
    Right.SEAT_PLAYERS,
    no_check="it depends on the seat: why_not_leave",
    title="Let a player leave",
    tag="Seats",
    page="leave",
)
def player_leave(at: AtTable, *, seat: Seat) -> SeatAnswer:
    """Let the player at `seat` leave. A bank that leaves gives up its turn (ruling 40).

    Bettors on the back line of the seat stay there, and wager again once somebody sits at it.
    """
    _left(at, Place(seat), "player_leave")
    return {"seat": seat}


@table_act(
    "POST seats/{seat}/move",
    Right.SEAT_PLAYERS,
    no_check="it depends on the seats: why_not_leave, why_not_seat",
    title="Move a player to another seat",
    tag="Seats",
    example={"to_seat": 6},
    page="move",
)
def player_move(
    at: AtTable,
    *,
    seat: Seat,
    to_seat: Annotated[Seat, Label(Phrase("to seat"))],
    to_back_line: Annotated[
        bool, Label(Phrase("to its back line")), "To the back line of `to_seat`, and not to the seat."
    ] = False,
) -> PlaceAnswer:
    """Move a player to a free seat of the same table, or to the back line of a spot. A bank that moves gives up its turn."""
    return place_as_answer(_moved(at, Place(seat), to_seat, to_back_line))


@permitted_act(
    "POST seats/{seat}/back-line",
    Right.SEAT_PLAYERS,
    check=why_not_back_line,
    title=Phrase("Let a bettor join a spot"),
    tag="Seats",
    example={"player_id": 12},
    page="back-line",
    menu="more",
)
def back_line_join(at: AtTable, *, seat: Seat, player_id: Id) -> PlaceAnswer:
    """Let a player of the room wager on the spot of `seat`, behind the player who sits there.

    The filed game says how many may stand behind each seat. Each of them bets and pays as a position of its own; the
    bank is offered at seats alone.
    """
    player = _player(at, player_id)
    reading = at.reading()
    if why := why_not_stand_behind(reading, seat, player) or _why_at_another_table(at, player):
        raise NotNow.because(why)
    if why := why_badge_expired(reading, player):
        raise Expired(why, f"player:{player.pk}")
    place = free_behind(reading, seat)
    assert place is not None  # why_not_stand_behind has seen to it
    standing = _stay(at, place, player)
    at.journal("back_line_join", player_seated(standing))
    at.keep(reading.with_places({**reading.places, place: standing}))
    return place_as_answer(place)


@table_act(
    "DELETE seats/{seat}/back-line/{behind}",
    Right.SEAT_PLAYERS,
    no_check="it depends on the place: why_not_leave",
    title="Let a back-line bettor leave",
    tag="Seats",
    page="back-line-leave",
)
def back_line_leave(at: AtTable, *, seat: Seat, behind: OnBackLine) -> PlaceAnswer:
    """Let the bettor at place `behind` of the back line of `seat` leave; the others keep their places."""
    place = Place(seat, behind)
    _left(at, place, "back_line_leave")
    return place_as_answer(place)


@table_act(
    "POST seats/{seat}/back-line/{behind}/move",
    Right.SEAT_PLAYERS,
    no_check="it depends on the places: why_not_leave, why_not_seat",
    title="Move a back-line bettor",
    tag="Seats",
    example={"to_seat": 6},
    page="back-line-move",
)
def back_line_move(
    at: AtTable,
    *,
    seat: Seat,
    behind: OnBackLine,
    to_seat: Annotated[Seat, Label(Phrase("to seat"))],
    to_back_line: Annotated[
        bool, Label(Phrase("to its back line")), "To the back line of `to_seat`, and not to the seat."
    ] = False,
) -> PlaceAnswer:
    """Move a back-line bettor to a free seat, the one in front of them too, or to the back line of another spot."""
    return place_as_answer(_moved(at, Place(seat, behind), to_seat, to_back_line))


def place_as_answer(place: Place) -> PlaceAnswer:
    """Return what an act on a place answers."""
    return {"seat": place.seat, "behind": place.behind}


class DownAnswer(TypedDict):
    """Who deals."""

    dealer: int


@permitted_act(
    "PUT down",
    Right.CHANGE_DEALER,
    no_check="it depends on the dealer, who may deal elsewhere",
    title=Phrase("Change the dealer"),
    tag="Seats",
    example={"dealer_id": 4},
    page="dealer",
    menu="more",
    done=Phrase("The dealer's down has begun."),
)
def down_start(at: AtTable, *, dealer_id: Id) -> DownAnswer:
    """Begin a dealer's down, ending the one that is open at this table. Allowed in mid-round: dealers change."""
    dealer = Staff.objects.filter(pk=dealer_id).first()
    if dealer is None or why_not_may(dealer, Right.RUN_ROUNDS, at.room):
        raise BadInput(
            "unknown_dealer",
            Phrase("Nobody with number {dealer_id} deals in this room.", dealer_id=dealer_id),
            path="dealer_id",
        )
    if why := _why_deals_elsewhere(at, dealer):
        raise NotNow.because(why)
    if why := why_permit_expired(at.room, dealer, at.now):
        raise Expired(why, f"staff:{dealer.pk}")
    reading = at.reading()
    if (before := reading.down) is not None:
        before.ended_at = at.now
        before.save()
    down = Down(room=at.room, table=at.table, dealer=dealer, started_at=at.now)
    try:
        with transaction.atomic():
            down.save(force_insert=True)
    except IntegrityError as error:
        if why := _why_deals_elsewhere(at, dealer):
            raise NotNow.because(why) from error
        raise
    at.journal("down_start", down_started(before, down))
    at.keep(reading.with_down(down))
    return {"dealer": dealer.pk}


@table_act(
    "DELETE down",
    Right.CHANGE_DEALER,
    check=why_not_end_down,
    title=Phrase("End the dealer's down"),
    tag="Seats",
    page="dealer-off",
    menu="more",
    done=Phrase("The dealer's down has ended."),
)
def down_end(at: AtTable) -> None:
    """End the open down without a new one."""
    down = at.reading().down
    assert down is not None  # why_not_end_down has seen to it
    down.ended_at = at.now
    down.save()
    at.journal("down_end", down_ended(down))


def _player(at: AtTable, player_id: int) -> Player:
    player = Player.objects.filter(pk=player_id, room=at.room).first()
    if player is None:
        raise BadInput(
            "unknown_player",
            Phrase("This room has no player {player_id}.", player_id=player_id),
            path="player_id",
        )
    return player


def _stay(
    at: AtTable,
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
        room=at.room,
        table=at.table,
        seat=place.seat,
        behind=place.behind,
        player=player,
        seated_at=at.now,
        time_paid_to=time_paid_to,
        beside=beside,
    )
    try:
        with transaction.atomic():
            sitting.save(force_insert=True)
    except IntegrityError as error:
        if why := _why_at_another_table(at, player):
            raise NotNow.because(why) from error
        raise
    return sitting


def _why_at_another_table(at: AtTable, player: Player) -> WhyNot | None:
    other = (
        Seating.objects.filter(player=player, left_at__isnull=True)
        .exclude(table=at.table)
        .select_related("table")
        .order_by("pk")
        .first()
    )
    if other is None:
        return None
    here = {"player": player, "place": other.place, "table": other.table}
    return WhyNot(
        "player_elsewhere",
        Phrase("{player} stands at seat {place} of {table}. Let them leave there first.", **here)
        if other.behind
        else Phrase("{player} sits at seat {place} of {table}. Let them leave there first.", **here),
    )


def _why_deals_elsewhere(at: AtTable, dealer: Staff) -> WhyNot | None:
    open_down = Down.objects.filter(dealer=dealer, ended_at__isnull=True).select_related("table").first()
    if open_down is None:
        return None
    # What another room calls its tables is none of this room's business.
    where = str(open_down.table) if open_down.room_id == at.room.pk else Phrase("a table of another room")
    return WhyNot(
        "dealer_elsewhere",
        Phrase("{dealer} has an open down at {where}. End that one first.", dealer=dealer, where=where),
    )


def _first_stay(reading: TableReading, player_id: int) -> Seating | None:
    """The stay that further positions of a player are beside; None where the player does not sit at the table."""
    own = [stay for stay in reading.seatings.values() if stay.player_id == player_id]
    return next((stay for stay in own if stay.beside_id is None), None)


def _anchor_again(reading: TableReading, left: Seating) -> None:
    """When the first of several positions of a player is given up, the next one takes its place."""
    others = [stay for stay in reading.seatings.values() if stay.beside_id == left.pk]
    for stay in others:
        stay.beside = None if stay is others[0] else others[0]
        stay.save()


def _left(at: AtTable, place: Place, act: str) -> None:
    """Let the player at a place leave; `act` is what the journal calls it."""
    time_let_go(at, [place], "the player leaves")
    reading = at.reading()
    sitting = _vacate(at, reading, place)
    at.journal(act, player_left(sitting))
    if reading.turn is None or Place(reading.turn.seat) != place:
        at.keep(
            reading.with_places({other: stay for other, stay in reading.places.items() if other != place})
        )


def _moved(at: AtTable, place: Place, to_seat: int, to_back_line: bool) -> Place:
    """Move the player at a place to a free seat, or to the back line of a spot; what is owed by the clock moves along."""
    sitting = _vacate(at, at.reading(), place)
    reading, player = at.reading(), sitting.player
    check = why_not_stand_behind if to_back_line else why_not_seat
    if why := check(reading, to_seat, player):
        raise NotNow.because(why)
    target = free_behind(reading, to_seat) if to_back_line else Place(to_seat)
    assert target is not None  # why_not_stand_behind has seen to it
    beside = None if to_back_line else _first_stay(reading, sitting.player_id)
    moved = _stay(at, target, player, beside=beside, time_paid_to=paid_to(sitting))
    at.journal("back_line_move" if place.behind else "player_move", player_moved(sitting, moved))
    return target


def _vacate(at: AtTable, reading: TableReading, place: Place) -> Seating:
    if why := why_not_leave(reading, place):
        raise NotNow.because(why)
    if reading.turn is not None and Place(reading.turn.seat) == place:
        end_turn(at, reading, Turn.Ended.LEFT)
    sitting = reading.places[place]
    sitting.left_at = at.now
    sitting.save()
    _anchor_again(reading, sitting)
    if reading.live is not None and reading.live.state == Round.State.BETTING:
        reading.live.bets = [bet for bet in reading.live.bets if place_of(bet) != place]
        at.save(reading.live)
    return sitting
