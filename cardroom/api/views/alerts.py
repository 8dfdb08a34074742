"""Alerts: what came up at the tables of a room, and acknowledging it."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.reads.access import get_room_for
from cardroom.floor.reads.records import alert_row, alerts_of

from .. import answers, bodies
from ..base import SignedInView, page
from ..forms import read_query
from ..headers import signed_in
from ..operations import reads

_TAG = "Alerts"


class Alerts(SignedInView):
    @reads(
        "List the alerts of a room",
        answers.page_of(answers.Alert),
        query=bodies.Page,
        description="What came up at its tables. An alert stands until it is over (`cleared_at`) and somebody has "
        "answered it (`acknowledged_at`).",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = get_room_for(signed_in(request), room_id)
        wanted = read_query(bodies.Page, request)
        return page(
            request,
            alerts_of(room),
            alert_row,
            key="id",
            before=wanted.get("before"),
            limit=wanted["limit"],
        )
