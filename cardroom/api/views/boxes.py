"""Drop boxes: where they are, and what was counted in them."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.drop.reads.box_records import box_row, count_record, count_sheet_row, variance_note_row
from cardroom.drop.reads.boxes import (
    box_count,
    get_box_for,
    shift_count,
    variances_of,
    waiting_boxes,
)
from cardroom.drop.reads.expected import RoundDrop, bought_in_cents, rounds_of, times_of
from cardroom.floor.errors import NotFound
from cardroom.floor.reads.access import get_room_for, get_shift_for
from cardroom.people.rights import Right, may

from .. import drop
from ..base import SignedInView
from ..headers import signed_in
from ..operations import reads

_TAG = "Drop and count"


class Boxes(SignedInView):
    @reads(
        "List the boxes of a room that are not counted",
        drop.Box,
        description="Those that hang at tables, then those that wait for their counts.",
        many=True,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = get_room_for(signed_in(request), room_id, Right.SEE_BOXES)
        return Response([box_row(each, figures=False) for each in waiting_boxes(room)])


class Box(SignedInView):
    @reads(
        "Read a box",
        drop.BoxRecord,
        description="With its sheets, the notes on its variance and the rounds that make the expected figure, once its "
        "count stands.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, box_id: int) -> Response:
        staff = signed_in(request)
        box = get_box_for(staff, box_id)
        if box.room_id != room_id:
            raise NotFound("not_found", f"There is no drop box {box_id} in this room.")
        each = box_count(box)
        figures = may(staff, Right.SEE_COUNTS, box.room)
        shown = figures and each.stands
        return Response(
            {
                **box_row(each, figures=figures),
                "sheets": [count_sheet_row(sheet) for sheet in each.sheets] if shown else [],
                "notes": [variance_note_row(note) for note in each.notes] if shown else [],
                "rounds": [_round(made) for made in rounds_of(box)] if shown else [],
                "times": [{**made._asdict(), "made_at": utc_text(made.made_at)} for made in times_of(box)]
                if shown
                else [],
                "bought_in_cents": bought_in_cents(box) if shown else None,
            }
        )


class Variances(SignedInView):
    @reads(
        "List the variances of a room that wait for an answer",
        drop.Box,
        description="The oldest first.",
        many=True,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = get_room_for(signed_in(request), room_id, Right.SEE_COUNTS)
        return Response([box_row(each, figures=True) for each in variances_of(room)])


class ShiftCount(SignedInView):
    @reads("Read what was counted in a shift, and what was expected", drop.ShiftCount, tag=_TAG)
    def get(self, request: Request, room_id: int, shift_id: int) -> Response:
        shift = get_shift_for(signed_in(request), shift_id, Right.SEE_COUNTS)
        if shift.room_id != room_id:
            raise NotFound("not_found", f"There is no shift {shift_id} in this room.")
        return Response(count_record(shift_count(shift)))


def _round(made: RoundDrop) -> dict[str, Any]:
    return {
        "round": made.round,
        "gaming_day": made.gaming_day.isoformat(),
        "number": made.number,
        "in_cents": made.in_cents,
        "out_cents": made.out_cents,
    }
