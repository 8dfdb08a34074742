"""API read: the line-up of a room."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.reads.access import get_room_for
from cardroom.floor.reads.line_up import line_up_of
from cardroom.floor.reads.line_up_record import LineUpRecord, line_up_record
from cardroom.floor.reads.next_dealers import proposed
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..base import SignedInView
from ..operations import reads


class LineUp(SignedInView):
    @reads(
        "Read the line-up",
        LineUpRecord,
        description="Who deals where and since when, who is on break, rests and meals that are due, permits that end, and who "
        "comes next by the plan, with the reliefs of the open push.",
        access=get_room_for,
        right=Right.CHANGE_DEALER,
        tag="Line-up",
    )
    def get(self, request: Request, room: Room) -> Response:
        line_up = line_up_of(room, timezone.now())
        return Response(line_up_record(line_up, proposed(line_up)))
