"""API reads: alerts at the tables of a room, newest first."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.reads.access import get_room_for
from cardroom.floor.reads.records import AlertRow, alert_row, alerts_of
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..base import Before, Limit, SignedInView, page
from ..operations import page_of, reads

_TAG = "Alerts"


class Alerts(SignedInView):
    @reads(
        "List the alerts of a room",
        page_of(AlertRow),
        description="What came up at its tables. An alert stands until it is over (`cleared_at`) and somebody has "
        "answered it (`acknowledged_at`).",
        access=get_room_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room, *, before: Before = None, limit: Limit = 50) -> Response:
        return page(
            request,
            alerts_of(room),
            alert_row,
            key="id",
            before=before,
            limit=limit,
            names=True,
        )
