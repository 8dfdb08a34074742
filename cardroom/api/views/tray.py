"""The tray of a table that the house banks: what lies there, its slips, and the buy-ins."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.models import TraySlip
from cardroom.floor.reads.access import get_room_for, get_table_for
from cardroom.floor.reads.slips import buy_in_row, buy_ins_of, slip_row, slips_of, tray_record
from cardroom.floor.reads.tray import last_tray

from .. import answers, bodies, tray
from ..base import SignedInView, page
from ..forms import read_query
from ..headers import signed_in
from ..operations import reads

_TAG = "The tray"
_SLIPS = answers.page_of(tray.TraySlipRow)


class Tray(SignedInView):
    @reads(
        "Read what lies in the tray of a table",
        tray.TrayState,
        description="Since its opener, or, where it is closed, until its last closer.",
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        return Response(tray_record(table, last_tray(table)))


class TraySlips(SignedInView):
    @reads(
        "List the slips of the tray of a table",
        _SLIPS,
        query=bodies.Page,
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        return _slips(request, TraySlip.objects.filter(table=table))


class RoomTraySlips(SignedInView):
    @reads(
        "List the slips of the trays of a room",
        _SLIPS,
        query=bodies.Page,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = get_room_for(signed_in(request), room_id)
        return _slips(request, TraySlip.objects.filter(room=room))


class BuyIns(SignedInView):
    @reads("List the buy-ins at a table", answers.page_of(tray.BuyInRow), query=bodies.Page, tag=_TAG)
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        return _page(request, buy_ins_of(table), buy_in_row)


def _slips(request: Request, rows: QuerySet[TraySlip]) -> Response:
    return _page(request, slips_of(rows), slip_row)


def _page(request: Request, rows: QuerySet[Any], state: Any) -> Response:
    wanted = read_query(bodies.Page, request)
    return page(request, rows, state, key="id", before=wanted.get("before"), limit=wanted["limit"])
