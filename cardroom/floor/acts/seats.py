"""Players at seats, dealers at tables."""

from __future__ import annotations

from typing import Annotated, TypedDict

from django.db import IntegrityError, transaction

from cardroom.core.acts import Id, Label, Seat
from cardroom.people.models import Player, Staff
from cardroom.people.rights import Right, why_not_may

from ..act_types import SeatAnswer
from ..checks import why_not_end_down, why_not_leave, why_not_seat
from ..entries import down_ended, down_started, player_left, player_seated
from ..errors import BadInput, NotNow, WhyNot
from ..expiry import why_badge_expired, why_permit_expired
from ..models import Down, Procedure, Round, Seating, Turn
from ..reads.table_reading import TableReading
from ..seat_time import paid_to
from .bank import end_turn
from .commands import AtTable, table_act
from .expiry import Expired, permitted_act
from .procedures import procedure_note
from .seat_time import time_let_go


@permitted_act(
    "PUT seats/{seat}",
    Right.SEAT_PLAYERS,
    no_check="it depends on seat and player: why_not_seat",
    title="Seat a player",
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
    sitting = _seated(at, seat=seat, player=player, beside=_first_stay(reading, player.pk))
    at.journal("player_seat", player_seated(sitting))
    at.keep(reading.with_seatings({**reading.seatings, seat: sitting}))
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
    """Let the player at `seat` leave. A bank that leaves gives up its turn (ruling 40)."""
    time_let_go(at, [seat], "the player leaves")
    reading = at.reading()
    sitting = _vacate(at, reading, seat)
    at.journal("player_leave", player_left(sitting))
    if reading.turn is None or reading.turn.seat != seat:
        at.keep(
            reading.with_seatings({other: stay for other, stay in reading.seatings.items() if other != seat})
        )
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
def player_move(at: AtTable, *, seat: Seat, to_seat: Annotated[Seat, Label("to seat")]) -> SeatAnswer:
    """Move a player to a free seat of the same table. A bank that moves gives up its turn."""
    sitting = _vacate(at, at.reading(), seat)
    if why := why_not_seat(at.reading(), to_seat, sitting.player):
        raise NotNow.because(why)
    Seating.objects.create(
        room=at.room,
        table=at.table,
        seat=to_seat,
        player=sitting.player,
        seated_at=at.now,
        time_paid_to=paid_to(sitting),  # what is owed by the clock moves with the player
        beside=_first_stay(at.reading(), sitting.player_id),
    )
    at.journal(
        "player_move",
        {"player": sitting.player_id, "name": sitting.player.name, "before": seat, "after": to_seat},
    )
    return {"seat": to_seat}


class DownAnswer(TypedDict):
    """Who deals."""

    dealer: int


@permitted_act(
    "PUT down",
    Right.CHANGE_DEALER,
    no_check="it depends on the dealer, who may deal elsewhere",
    title="Change the dealer",
    tag="Seats",
    example={"dealer_id": 4},
    page="dealer",
    menu="more",
    done="The dealer's down has begun.",
)
def down_start(at: AtTable, *, dealer_id: Id) -> DownAnswer:
    """Begin a dealer's down, ending the one that is open at this table. Allowed in mid-round: dealers change."""
    dealer = Staff.objects.filter(pk=dealer_id).first()
    if dealer is None or why_not_may(dealer, Right.RUN_ROUNDS, at.room):
        raise BadInput(
            "unknown_dealer", f"Nobody with number {dealer_id} deals in this room.", path="dealer_id"
        )
    if why := _why_deals_elsewhere(at, dealer):
        raise NotNow.because(why)
    if why := why_permit_expired(at.room, dealer, at.now):
        raise Expired(why, f"staff:{dealer.pk}")
    reading = at.reading()
    if (before := reading.down) is not None:
        before.ended_at = at.now
        before.save(update_fields=["ended_at"])
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
    title="End the dealer's down",
    tag="Seats",
    page="dealer-off",
    menu="more",
    done="The dealer's down has ended.",
)
def down_end(at: AtTable) -> None:
    """End the open down without a new one."""
    down = at.reading().down
    assert down is not None  # why_not_end_down has seen to it
    down.ended_at = at.now
    down.save(update_fields=["ended_at"])
    at.journal("down_end", down_ended(down))


def _player(at: AtTable, player_id: int) -> Player:
    player = Player.objects.filter(pk=player_id, room=at.room).first()
    if player is None:
        raise BadInput("unknown_player", f"This room has no player {player_id}.", path="player_id")
    return player


def _seated(at: AtTable, *, seat: int, player: Player, beside: Seating | None) -> Seating:
    """Write a stay, `beside` the player's first one at this table.

    The lock is the table's: who sits down at two at once is seen by the database alone.
    """
    sitting = Seating(room=at.room, table=at.table, seat=seat, player=player, seated_at=at.now, beside=beside)
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
        .first()
    )
    if other is None:
        return None
    return WhyNot(
        "player_elsewhere",
        f"{player} sits at seat {other.seat} of {other.table}. Let them leave there first.",
    )


def _why_deals_elsewhere(at: AtTable, dealer: Staff) -> WhyNot | None:
    open_down = Down.objects.filter(dealer=dealer, ended_at__isnull=True).select_related("table").first()
    if open_down is None:
        return None
    # What another room calls its tables is none of this room's business.
    where = str(open_down.table) if open_down.room_id == at.room.pk else "a table of another room"
    return WhyNot("dealer_elsewhere", f"{dealer} has an open down at {where}. End that one first.")


def _first_stay(reading: TableReading, player_id: int) -> Seating | None:
    """The stay that further positions of a player are beside; None where the player does not sit at the table."""
    own = [stay for stay in reading.seatings.values() if stay.player_id == player_id]
    return next((stay for stay in own if stay.beside_id is None), None)


def _anchor_again(reading: TableReading, left: Seating) -> None:
    """When the first of several positions of a player is given up, the next one takes its place."""
    others = [stay for stay in reading.seatings.values() if stay.beside_id == left.pk]
    for stay in others:
        stay.beside = None if stay is others[0] else others[0]
        stay.save(update_fields=["beside"])


def _vacate(at: AtTable, reading: TableReading, seat: int) -> Seating:
    if why := why_not_leave(reading, seat):
        raise NotNow.because(why)
    if reading.turn is not None and reading.turn.seat == seat:
        end_turn(at, reading, Turn.Ended.LEFT)
    sitting = reading.seatings[seat]
    sitting.left_at = at.now
    sitting.save(update_fields=["left_at"])
    _anchor_again(reading, sitting)
    if reading.live is not None and reading.live.state == Round.State.BETTING:
        reading.live.bets = [bet for bet in reading.live.bets if bet["seat"] != seat]
        reading.live.save(update_fields=["bets"])
    return sitting
