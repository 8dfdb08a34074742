"""Alerts: what came up at the tables of a room, and saying that somebody has seen it."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.acts.alerts import alert_acknowledge
from cardroom.floor.reads.reach import room_in_reach
from cardroom.floor.reads.records import alert_state, alerts_of

from .. import answers, bodies
from ..base import HouseView, done, page
from ..forms import read, read_query
from ..headers import envelope, signed_in
from ..operations import command, reads

_TAG = "Alerts"


class Alerts(HouseView):
    @reads(
        "List the alerts of a room",
        answers.page_of(answers.Alert),
        query=bodies.Page,
        description="What came up at its tables. An alert stands until it is over (`cleared_at`) and somebody has "
        "answered it (`acknowledged_at`).",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = room_in_reach(signed_in(request), room_id)
        wanted = read_query(bodies.Page, request)
        return page(
            request,
            alerts_of(room),
            alert_state,
            key="id",
            before=wanted.get("before"),
            limit=wanted["limit"],
        )


class AlertAcknowledge(HouseView):
    @command(
        "Answer an alert",
        bodies.Note,
        answers.AlertAnswer,
        description="Say that somebody has seen it, and what was done. The table's version stays as it is, and any "
        "version is taken: what is going on at the table is not disturbed.",
        example={"note": "deck counted, 52 cards"},
        tag=_TAG,
    )
    def post(self, request: Request, table_id: int, alert_id: int) -> Response:
        given = envelope(request)
        return done(alert_acknowledge(given, table_id, alert_id=alert_id, **read(bodies.Note, request)))
