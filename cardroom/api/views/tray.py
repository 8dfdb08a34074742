"""API reads: the tray of a table that the house banks, its slips, and the buy-ins."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.models import Table, TraySlip
from cardroom.floor.reads.access import get_room_for, get_table_for
from cardroom.floor.reads.slips import (
    BuyInRow,
    SlipRow,
    TrayRecord,
    buy_in_row,
    buy_ins_of,
    slip_row,
    slips_of,
    tray_record,
)
from cardroom.floor.reads.tray import last_tray
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..base import Before, Limit, SignedInView, page
from ..operations import page_of, reads

_TAG = "The tray"


class Tray(SignedInView):
    @reads(
        "Read what lies in the tray of a table",
        TrayRecord,
        description="Since its opener, or, where it is closed, until its last closer.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table) -> Response:
        return Response(tray_record(table, last_tray(table)))


class TraySlips(SignedInView):
    @reads(
        "List the slips of the tray of a table",
        page_of(SlipRow),
        description="Openers, fills, credits and closers of the tray, each with its number, its chips and who signed; one that reverses another has its sums below 0.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table, *, before: Before = None, limit: Limit = 50) -> Response:
        rows = slips_of(TraySlip.objects.filter(table=table))
        return page(request, rows, slip_row, key="id", before=before, limit=limit)


class RoomTraySlips(SignedInView):
    @reads(
        "List the slips of the trays of a room",
        page_of(SlipRow),
        description="Those of all its tables, in the numbers that the room counts.",
        access=get_room_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room, *, before: Before = None, limit: Limit = 50) -> Response:
        rows = slips_of(TraySlip.objects.filter(room=room))
        return page(request, rows, slip_row, key="id", before=before, limit=limit)


class BuyIns(SignedInView):
    @reads(
        "List the buy-ins at a table",
        page_of(BuyInRow),
        description="Cash that the house took for chips at the table; one that takes another back has its cents below 0.",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(self, request: Request, table: Table, *, before: Before = None, limit: Limit = 50) -> Response:
        return page(request, buy_ins_of(table), buy_in_row, key="id", before=before, limit=limit)
