"""Players at the seats of a table, and the dealer at it."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.acts.expiry import expiry_override
from cardroom.floor.acts.seats import down_end, down_start, player_leave, player_move, player_seat
from cardroom.floor.reads.reach import table_in_reach
from cardroom.people.approval import approver_authenticate
from cardroom.people.rights import Right

from .. import answers, bodies, expiry
from ..base import HouseView, done
from ..forms import Nothing, read
from ..headers import envelope
from ..operations import RESTING, command

_TAG = "Seats"


class Seat(HouseView):
    @command(
        "Seat a player",
        bodies.PlayerAtSeat,
        answers.SeatAnswer,
        description="At a free seat of an open table; `GET /api/rooms/{room_id}/players` lists the players.",
        example={"player_id": 12},
        tag=_TAG,
    )
    def put(self, request: Request, table_id: int, seat: int) -> Response:
        given = envelope(request)
        return done(player_seat(given, table_id, seat=seat, **read(bodies.PlayerAtSeat, request)))

    @command(
        "Let a player leave",
        None,
        answers.SeatAnswer,
        description="A seat with wagers in the live round, or that banks it, cannot leave before it ends. "
        "A bank that leaves gives up its turn.",
        tag=_TAG,
    )
    def delete(self, request: Request, table_id: int, seat: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(player_leave(given, table_id, seat=seat))


class SeatMove(HouseView):
    @command(
        "Move a player to another seat",
        bodies.Move,
        answers.SeatAnswer,
        description="To a free seat of the same table, under the same conditions as leaving.",
        example={"to_seat": 6},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int, seat: int) -> Response:
        given = envelope(request)
        return done(player_move(given, table_id, seat=seat, **read(bodies.Move, request)))


class Down(HouseView):
    @command(
        "Start a dealer's down",
        bodies.Dealer,
        answers.DownAnswer,
        description="Ends the down that is open at this table. `GET /api/rooms/{room_id}/dealers` lists who deals.",
        example={"dealer_id": 4},
        tag=_TAG,
    )
    def put(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        return done(down_start(given, table_id, **read(bodies.Dealer, request)))

    @command("End the dealer's down", None, answers.TableAnswer, description="Without a new one.", tag=_TAG)
    def delete(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(down_end(given, table_id))


class ExpiryOverrides(HouseView):
    @command(
        "Override an expired badge or permit",
        expiry.OverrideExpiry,
        expiry.OverrideAnswer,
        description="Lets one provider's player sit and bank, or one dealer deal, for this gaming day, after a refusal "
        "`badge_expired` or `permit_expired`. A supervisor gives it, or signs it with their own user name and password.",
        example={"player_id": 12, "reason": "renewal seen, number to follow"},
        further_errors=RESTING,
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int) -> Response:
        given = envelope(request)
        said = read(expiry.OverrideExpiry, request)
        if (signature := said.pop("approver", None)) is not None:
            # Whoever may not seat players here learns nothing about passwords.
            table_in_reach(given.actor, table_id, Right.SEAT_PLAYERS)
            said["approver"] = approver_authenticate(**signature)
        return done(expiry_override(given, table_id, **said))
