"""API reads: the programs of a room with their tokens, and its webhooks."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.reads.access import get_room_for
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from cardroom.webhooks.reads import ProgramRow, WebhookRow, program_rows, webhook_rows

from ..base import SignedInView
from ..operations import reads

_TAG = "Programs"


class Programs(SignedInView):
    @reads(
        "List the programs of a room",
        ProgramRow,
        many=True,
        description="Those that work first, then those that were ended; each with its tokens, as far as they are kept.",
        access=get_room_for,
        right=Right.SET_PEOPLE,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room) -> Response:
        return Response(program_rows(room))


class Webhooks(SignedInView):
    @reads(
        "List the webhooks of a room",
        WebhookRow,
        many=True,
        description="Each with the delivery that is not taken so far, and its last tries.",
        access=get_room_for,
        right=Right.SET_PEOPLE,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room) -> Response:
        return Response(webhook_rows(room))
