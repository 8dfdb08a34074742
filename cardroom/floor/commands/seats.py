"""Commands on seats and downs: players take seats and back lines, move and leave; dealers begin and end downs."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Annotated, Any, Concatenate, ParamSpec, TypedDict, Unpack

from cardroom.core.commands import CommandOptions, declare
from cardroom.core.dates import utc_text
from cardroom.core.json_types import Id, Instant, Label, Seat, Text, Whole
from cardroom.people.models import Player
from cardroom.people.players import same_person
from cardroom.people.rights import Right
from cardroom.rooms.hold_minutes import MOST_HELD
from games.phrases import Phrase

from ..checks.seats import (
    free_behind,
    why_not_back_line,
    why_not_end_down,
    why_not_end_hold,
    why_not_hold,
    why_not_seat,
    why_not_stand_behind,
)
from ..contracts import why_outside_contract
from ..errors import BadInput, NotNow
from ..execution.carry_out import Returned, table_command
from ..execution.transactions import TableTransaction
from ..expiry import why_badge_expired
from ..models import Procedure, Seating, Table, WaitingEntry
from ..places import Place
from .bank import stay_data
from .command_types import OnBackLine, PlaceAnswer, SeatAnswer
from .downs import dealer_found, down_begin, down_ended_data, relief_command
from .expiry import Expired, permitted_command
from .players import NAME_LENGTH, guest_added
from .procedures import procedure_note
from .stays import first_stay, moved_data, stay_begin, stay_end, stay_move, why_at_another_table
from .two_tables import TwoTablesCommand, moved_meanwhile, moving_on_at, table_locked
from .waiting import open_entry, waiting_data

P = ParamSpec("P")


@permitted_command(
    "PUT seats/{seat}",
    Right.SEAT_PLAYERS,
    no_check="it depends on seat and player: why_not_seat",
    title=Phrase("Seat a player"),
    tag="Seats",
    example={"player_id": 12},
    page="seat",
    menu="more",
)
def player_seat(tx: TableTransaction, *, seat: Seat, player_id: Id) -> SeatAnswer:
    """Seat a player of the room at a free seat."""
    _seat(tx, player_named(tx, player_id), seat)
    return {"seat": seat}


class GuestAnswer(PlaceAnswer):
    """Who was seated without being known to the room, and where."""

    player: int
    number: Annotated[int, "The room's number of the player, which is in a guest's name: Guest 12."]


@table_command(
    "POST seats/{seat}/guest",
    Right.SEAT_PLAYERS,
    no_check="it depends on the seat: why_not_seat",
    title=Phrase("Seat a guest"),
    tag="Seats",
    page="guest",
)
def guest_seat(
    tx: TableTransaction,
    *,
    seat: Seat,
    name: Annotated[str, Text(NAME_LENGTH, blank=True), Label(Phrase("Name"))] = "",
    to_back_line: Annotated[
        bool, Label(Phrase("to its back line")), "To the back line of `seat`, and not to the seat."
    ] = False,
) -> GuestAnswer:
    """Seat somebody whom the room does not know: a new player of that name, or else a guest under the room's next number.

    A guest is named later (`PUT players/{player_id}`), or merged into the player that they turn out to be.
    """
    player = guest_added(tx.room, name)
    place = _stand_behind(tx, player, seat, new=True) if to_back_line else _seat(tx, player, seat, new=True)
    return {**place_as_answer(place), "player": player.pk, "number": player.number}


def _seat(
    tx: TableTransaction, player: Player, seat: int, *, new: bool = False, brought: Table | None = None
) -> Place:
    """Seat a player whose row is there: a `new` one, or one `brought` from another table. Raises what refuses it."""
    state = tx.state()
    if why := (
        why_not_seat(state, seat, player)
        or why_at_another_table(tx, player)
        or why_outside_contract(state, player)
    ):
        raise NotNow.because(why)
    if why := why_badge_expired(state, player):
        raise Expired(why, f"player:{player.pk}")
    sitting = stay_begin(tx, Place(seat), player, beside=first_stay(state, player))
    tx.journal(
        "player_seat",
        {
            **stay_data(sitting),
            **({"new": player.name_digest} if new else {}),
            **({} if brought is None else {"from": brought.number}),
        },
    )
    if not state.seatings and state.procedure_rules.inspection.after_idle is not None:
        procedure_note(
            tx,
            Procedure.Kind.IDLE_ENDED,
            clause=state.procedure_rules.inspection.after_idle_clause or "",
            number=seat,
        )
    tx.left = state.with_stay(sitting)
    return sitting.place


@table_command(
    "DELETE seats/{seat}",
    Right.SEAT_PLAYERS,
    no_check="it depends on the seat: why_not_leave",
    title="Let a player leave",
    tag="Seats",
    page="leave",
)
def player_leave(tx: TableTransaction, *, seat: Seat) -> SeatAnswer:
    """Let the player at `seat` leave. A bank that leaves gives up its turn (ruling 40).

    Bettors on the back line of the seat stay there, and wager again once somebody sits at it.
    """
    stay_end(tx, Place(seat), "player_leave")
    return {"seat": seat}


@table_command(
    "POST seats/{seat}/move",
    Right.SEAT_PLAYERS,
    no_check="it depends on the seats: why_not_leave, why_not_seat",
    title="Move a player to another seat",
    tag="Seats",
    example={"to_seat": 6},
    page="move",
)
def player_move(
    tx: TableTransaction,
    *,
    seat: Seat,
    to_seat: Annotated[Seat, Label(Phrase("to seat"))],
    to_back_line: Annotated[
        bool, Label(Phrase("to its back line")), "To the back line of `to_seat`, and not to the seat."
    ] = False,
) -> PlaceAnswer:
    """Move a player to a free seat of the same table, or to the back line of a spot. A bank that moves gives up its turn."""
    return place_as_answer(_moved(tx, Place(seat), to_seat, to_back_line))


@permitted_command(
    "POST seats/{seat}/back-line",
    Right.SEAT_PLAYERS,
    check=why_not_back_line,
    title=Phrase("Let a bettor join a spot"),
    tag="Seats",
    example={"player_id": 12},
    page="back-line",
    menu="more",
)
def back_line_join(tx: TableTransaction, *, seat: Seat, player_id: Id) -> PlaceAnswer:
    """Let a player of the room wager on the spot of `seat`, behind the player who sits there.

    The filed game says how many may stand behind each seat. Each of them bets and pays as a position of its own; the
    bank is offered at seats alone.
    """
    return place_as_answer(_stand_behind(tx, player_named(tx, player_id), seat))


def _stand_behind(tx: TableTransaction, player: Player, seat: int, *, new: bool = False) -> Place:
    """Let a player whose row is there join the spot of a seat; raises what refuses it."""
    state = tx.state()
    if why := (
        why_not_stand_behind(state, seat, player)
        or why_at_another_table(tx, player)
        or why_outside_contract(state, player)
    ):
        raise NotNow.because(why)
    if why := why_badge_expired(state, player):
        raise Expired(why, f"player:{player.pk}")
    place = free_behind(state, seat)
    assert place is not None  # why_not_stand_behind has seen to it
    standing = stay_begin(tx, place, player)
    tx.journal("back_line_join", {**stay_data(standing), **({"new": player.name_digest} if new else {})})
    return place


@table_command(
    "DELETE seats/{seat}/back-line/{behind}",
    Right.SEAT_PLAYERS,
    no_check="it depends on the place: why_not_leave",
    title="Let a back-line bettor leave",
    tag="Seats",
    page="back-line-leave",
)
def back_line_leave(tx: TableTransaction, *, seat: Seat, behind: OnBackLine) -> PlaceAnswer:
    """Let the bettor at place `behind` of the back line of `seat` leave; the others keep their places."""
    place = Place(seat, behind)
    stay_end(tx, place, "back_line_leave")
    return place_as_answer(place)


@table_command(
    "POST seats/{seat}/back-line/{behind}/move",
    Right.SEAT_PLAYERS,
    no_check="it depends on the places: why_not_leave, why_not_seat",
    title="Move a back-line bettor",
    tag="Seats",
    example={"to_seat": 6},
    page="back-line-move",
)
def back_line_move(
    tx: TableTransaction,
    *,
    seat: Seat,
    behind: OnBackLine,
    to_seat: Annotated[Seat, Label(Phrase("to seat"))],
    to_back_line: Annotated[
        bool, Label(Phrase("to its back line")), "To the back line of `to_seat`, and not to the seat."
    ] = False,
) -> PlaceAnswer:
    """Move a back-line bettor to a free seat, the one in front of them too, or to the back line of another spot."""
    return place_as_answer(_moved(tx, Place(seat, behind), to_seat, to_back_line))


class BringCommand(TwoTablesCommand[P]):
    """A command that may bring a player from another table: `player_id`, or who waits as `entry_id`."""

    def table_left(self, pk: int, kwargs: dict[str, Any]) -> int | None:
        if "entry_id" in kwargs:
            waits = WaitingEntry.objects.filter(pk=kwargs["entry_id"]).select_related("player").first()
            player = None if waits is None else waits.player
        else:
            player = Player.objects.filter(pk=kwargs["player_id"]).first()
        if player is None:
            return None
        stays = Seating.objects.filter(same_person(player, "player__"), left_at__isnull=True)
        there = stays.filter(table__room__tables=pk).exclude(table=pk).order_by("table")
        return there.values_list("table", flat=True).first()


def _bring_command(
    where: str, right: Right, **options: Unpack[CommandOptions]
) -> Callable[[Callable[Concatenate[TableTransaction, P], Returned]], BringCommand[P]]:
    return lambda function: declare(BringCommand(function=function, where=where, right=right, **options))


class BringAnswer(SeatAnswer):
    """Who was brought, and from where."""

    left: Annotated[int, "The table that they left."]


@_bring_command(
    "POST seats/{seat}/bring",
    Right.SEAT_PLAYERS,
    no_check="it depends on the two tables: why_not_leave there, why_not_seat here",
    title=Phrase("Move a player here from another table"),
    tag="Seats",
    example={"player_id": 12},
    page="bring",
)
def player_bring(tx: TableTransaction, *, seat: Seat, player_id: Id) -> BringAnswer:
    """Let a player leave another table of the room and take a free seat here, in one command; neither happens alone.

    A bank that leaves gives up its turn; who has wagers in a round in play stays until it has ended.
    """
    player = player_named(tx, player_id)
    table = _left_elsewhere(tx, player)
    if table is None:
        raise NotNow(
            "not_elsewhere", Phrase("{player} sits at no other table of this room.", player=player.label)
        )
    _seat(tx, player, seat, brought=table)
    return {"seat": seat, "left": table.pk}


@_bring_command(
    "POST seats/{seat}/waiting",
    Right.SEAT_PLAYERS,
    no_check="it depends on seat and entry: why_not_seat",
    title=Phrase("Seat somebody who waits"),
    tag="Waiting list",
    example={"entry_id": 12},
    page="seat-waiting",
)
def waiting_seat(tx: TableTransaction, *, seat: Seat, entry_id: Id) -> GuestAnswer:
    """Seat somebody of the waiting list of this table's game, who leaves the list; a guest gets the room's next number.

    Who sits at another table of the room meanwhile leaves there for it (`player_bring`).
    """
    waits = WaitingEntry.objects.filter(pk=entry_id, room=tx.room, ended_at__isnull=True)
    brought = None
    for entry in waits.filter(player__isnull=False).select_related("player__merged_into"):
        assert entry.player is not None  # asked for
        brought = _left_elsewhere(tx, entry.player.merged_into or entry.player)
    entry = open_entry(tx, entry_id)
    if tx.table.game is None or tx.table.game.number != entry.game:
        raise NotNow(
            "waits_for_another_game",
            Phrase(
                "{name} waits for game {game}, which {table} does not play.",
                name=entry,
                game=entry.game,
                table=tx.table,
            ),
        )
    new = entry.player is None
    player = (
        guest_added(tx.room, entry.name) if entry.player is None else entry.player.merged_into or entry.player
    )
    place = _seat(tx, player, seat, new=new, brought=brought)
    entry.ended_at, entry.ended_by, entry.ended_why = tx.now, tx.actor, WaitingEntry.Ended.SEATED
    entry.player, entry.table, entry.name = player, tx.table, ""
    entry.save()
    tx.journal(
        "waiting_seat",
        {
            **waiting_data(entry),
            "seat": seat,
            **({"new": player.name_digest} if new else {}),
            **({} if brought is None else {"from": brought.number}),
        },
    )
    return {**place_as_answer(place), "player": player.pk, "number": player.number}


class HoldAnswer(SeatAnswer):
    """Until when a seat is held."""

    held_until: Instant


@table_command(
    "PUT seats/{seat}/hold",
    Right.SEAT_PLAYERS,
    no_check="it depends on the seat: why_not_hold",
    title=Phrase("Hold a seat"),
    tag="Seats",
    example={"minutes": 10},
    page="hold",
)
def seat_hold(
    tx: TableTransaction,
    *,
    seat: Seat,
    minutes: Annotated[int, Whole(1, MOST_HELD), Label(Phrase("Minutes")), "For how long, from now on."],
) -> HoldAnswer:
    """Hold the seat of a player who is away; a seat that is held already is held anew from now on.

    While it is held its bets are not repeated, and the bank is not offered there: the offer is recorded as `absent`, with
    until when. It is held until the player is back (`seat_hold_end`) or leaves; once the time is over, a reminder says so.
    """
    state = tx.state()
    if why := why_not_hold(state, seat):
        raise NotNow.because(why)
    sitting = state.seatings[seat]
    before = utc_text(sitting.held_until)
    sitting.held_until = tx.now + datetime.timedelta(minutes=minutes)
    sitting.save(update_fields=["held_until"])
    until = utc_text(sitting.held_until)
    tx.journal("seat_hold", {**stay_data(sitting), "minutes": minutes, "before": before, "until": until})
    return {"seat": seat, "held_until": until}


@table_command(
    "DELETE seats/{seat}/hold",
    Right.SEAT_PLAYERS,
    no_check="it depends on the seat: why_not_end_hold",
    title=Phrase("End the hold of a seat"),
    tag="Seats",
    page="hold-end",
)
def seat_hold_end(tx: TableTransaction, *, seat: Seat) -> SeatAnswer:
    """Say that the player for whom a seat was held is back."""
    state = tx.state()
    if why := why_not_end_hold(state, seat):
        raise NotNow.because(why)
    sitting = state.seatings[seat]
    until, sitting.held_until = sitting.held_until, None
    sitting.save(update_fields=["held_until"])
    tx.journal("seat_hold_end", {**stay_data(sitting), "until": utc_text(until)})
    return {"seat": seat}


def place_as_answer(place: Place) -> PlaceAnswer:
    """Return what a command on a place answers."""
    return {"seat": place.seat, "behind": place.behind}


class DownAnswer(TypedDict):
    """Who deals."""

    dealer: int
    left: Annotated[int | None, "The table that they left for it, where nobody deals now."]


@relief_command(
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
def down_start(
    tx: TableTransaction,
    *,
    dealer_id: Id,
    from_elsewhere: Annotated[
        bool, "End the down too that the dealer has at another table of the room, where nobody deals then."
    ] = False,
) -> DownAnswer:
    """Begin a dealer's down, ending the one that is open at this table. Allowed in mid-round: dealers change.

    A dealer who deals at another table is refused, unless `from_elsewhere` is true: then that down ends and this one begins in
    one command. A table of another room is never left so.
    """
    left = down_begin(tx, dealer_found(tx.room, dealer_id), from_elsewhere=from_elsewhere)
    return {"dealer": dealer_id, "left": None if left is None else left.pk}


@table_command(
    "DELETE down",
    Right.CHANGE_DEALER,
    check=why_not_end_down,
    title=Phrase("End the dealer's down"),
    tag="Seats",
    page="dealer-off",
    menu="more",
    done=Phrase("The dealer's down has ended."),
)
def down_end(tx: TableTransaction) -> None:
    """End the open down without a new one."""
    down = tx.state().down
    assert down is not None  # why_not_end_down has seen to it
    down.ended_at = tx.now
    down.save()
    tx.journal("down_end", down_ended_data(down))


def _moved(tx: TableTransaction, place: Place, to_seat: int, to_back_line: bool) -> Place:
    """Move the player at a place, and note it in the journal."""
    before, after = stay_move(tx, place, to_seat, to_back_line)
    tx.journal("back_line_move" if place.behind else "player_move", moved_data(before, after))
    return after.place


def player_named(tx: TableTransaction, player_id: int, path: str = "player_id") -> Player:
    """Return the player of the room whom an entry means: the one that it was merged into, where it was."""
    player = Player.objects.select_related("merged_into").filter(pk=player_id, room=tx.room).first()
    if player is None:
        raise BadInput(
            "unknown_player",
            Phrase("This room has no player {player_id}.", player_id=player_id),
            path=path,
        )
    return player.merged_into or player


def _left_elsewhere(tx: TableTransaction, player: Player) -> Table | None:
    """Let a player leave the other table of the room where they are; return it, or None where they are at none."""
    stays = _stays_elsewhere(tx, player)
    if not stays:
        return None
    table = table_locked(stays[0].table_id)
    stays = _stays_elsewhere(tx, player)
    if not stays or stays[0].table_id != table.pk:
        raise moved_meanwhile()
    with moving_on_at(tx, table) as there:
        for stay in stays:
            stay_end(there, stay.place, "back_line_leave" if stay.behind else "player_leave")
    return table


def _stays_elsewhere(tx: TableTransaction, player: Player) -> list[Seating]:
    """The open stays of a player at other tables of the room, those of the first table alone."""
    stays = Seating.objects.filter(same_person(player, "player__"), room=tx.room, left_at__isnull=True)
    found = list(stays.exclude(table=tx.table).order_by("table", "pk"))
    return [stay for stay in found if stay.table_id == found[0].table_id]
