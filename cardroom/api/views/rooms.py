"""API reads: the user's rooms, one room with its settings, and its tables, players, dealers and fee schedules."""

from __future__ import annotations

from typing import Annotated

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.json_types import Text
from cardroom.filings.models import FeeSchedule
from cardroom.filings.selectors import in_force
from cardroom.floor.reads.access import get_room_for, rooms_with_roles
from cardroom.floor.reads.players import (
    ExclusionRow,
    PhotoRecord,
    exclusion_row,
    exclusions_looked_at,
    get_player_for,
    photo_record,
)
from cardroom.floor.reads.records import (
    PlayerRow,
    RoomRecord,
    dealers_of,
    player_row,
    room_record,
    table_row,
    tables_of,
)
from cardroom.floor.reads.staff import StaffRow, people_of, staff_row
from cardroom.floor.reads.table_record import FilingName, NamedRow, TableRow, filing_name
from cardroom.floor.reads.typed_texts import TypedText, texts_naming
from cardroom.floor.reads.waiting_list import WaitingRow, waiting_of, waiting_row
from cardroom.people.models import Player
from cardroom.people.players import players_found
from cardroom.people.rights import Right, roles_of
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room as RoomModel

from ..base import SignedInView, versioned
from ..headers import signed_in
from ..operations import reads

_TAG = "Rooms"
Search = Annotated[
    str,
    Text(80),
    "A player's number, or part of a name, in any case and with or without accents.",
]


class Rooms(SignedInView):
    @reads(
        "List my rooms",
        RoomRecord,
        many=True,
        description="Rooms in which you hold a role.",
        access=None,
        right=None,
        tag=_TAG,
    )
    def get(self, request: Request) -> Response:
        now = timezone.now()
        return Response(
            [room_record(room, roles, now) for room, roles in rooms_with_roles(signed_in(request))]
        )


class Room(SignedInView):
    @reads(
        "Read a room",
        RoomRecord,
        etag=True,
        description="Its version goes with every shift command.",
        access=get_room_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, room: RoomModel) -> Response:
        roles = sorted(roles_of(signed_in(request), room))
        return versioned(room_record(room, roles, timezone.now()))


class RoomTables(SignedInView):
    @reads(
        "List the tables of a room",
        TableRow,
        many=True,
        description="Every table with its settings and state, by number; the round in play is read at the table.",
        access=get_room_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, room: RoomModel) -> Response:
        return Response([table_row(table) for table in tables_of(room)])


class RoomPlayers(SignedInView):
    @reads(
        "List or search the players of a room",
        PlayerRow,
        many=True,
        description="By name, or those whom a search finds. Each has a number in the room, which tells those of one name apart.",
        access=get_room_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, room: RoomModel, *, search: Search = "") -> Response:
        return Response([player_row(player) for player in players_found(room, search)])


class RoomPlayerPhoto(SignedInView):
    @reads(
        "Read the photograph of a player",
        PhotoRecord,
        description="As it is kept: a small JPEG, which tells no place, time or camera. Nothing stores the answer.",
        access=get_player_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, player: Player) -> Response:
        return Response(photo_record(player))


class RoomPlayerTexts(SignedInView):
    @reads(
        "List the texts that name a player",
        TypedText,
        many=True,
        description="What people typed in the room in which a name of the person stands, and erasing the names does not change.",
        access=get_player_for,
        right=Right.SET_PEOPLE,
        tag=_TAG,
    )
    def get(self, request: Request, player: Player) -> Response:
        return Response(texts_naming(player))


class RoomWaiting(SignedInView):
    @reads(
        "List who waits for a seat",
        WaitingRow,
        many=True,
        description="The waiting list of every game, the first first.",
        access=get_room_for,
        right=Right.SEE_FLOOR,
        tag="Waiting list",
    )
    def get(self, request: Request, room: RoomModel) -> Response:
        return Response([waiting_row(entry) for entry in waiting_of(room)])


class RoomExclusions(SignedInView):
    @reads(
        "List who may not play in a room",
        ExclusionRow,
        many=True,
        description="Exclusions in force and over, the latest first. Need-to-know: each look is an entry of the room's journal.",
        access=get_room_for,
        right=Right.SEE_EXCLUSIONS,
        tag=_TAG,
    )
    def get(self, request: Request, room: RoomModel) -> Response:
        rows = exclusions_looked_at(room, signed_in(request))
        return Response([exclusion_row(each) for each in rows])


class RoomStaff(SignedInView):
    @reads(
        "List the people of a room",
        StaffRow,
        many=True,
        description="Who works there, and whose account belongs to it, by name.",
        access=get_room_for,
        right=Right.SET_PEOPLE,
        tag=_TAG,
    )
    def get(self, request: Request, room: RoomModel) -> Response:
        return Response([staff_row(room, person) for person in people_of(room)])


class RoomDealers(SignedInView):
    @reads(
        "List who may deal in a room",
        NamedRow,
        many=True,
        description="The people to whom a down may be given, by name: their roles run rounds.",
        access=get_room_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, room: RoomModel) -> Response:
        return Response([{"id": dealer.pk, "name": str(dealer)} for dealer in dealers_of(room)])


class RoomSchedules(SignedInView):
    @reads(
        "List the fee schedules in force in a room today",
        FilingName,
        many=True,
        description="The filed versions that hold on the present gaming day.",
        access=get_room_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, room: RoomModel) -> Response:
        today = gaming_day(room, timezone.now())
        return Response([filing_name(schedule) for schedule in in_force(FeeSchedule, room, today)])
