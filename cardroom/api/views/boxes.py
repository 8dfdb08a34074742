"""API reads: drop boxes of a room, one box with what made its expected content, variances, the count of a shift."""

from __future__ import annotations

from typing import Annotated, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant
from cardroom.drop.reads.box_records import (
    BoxRow,
    CountRecord,
    CountSheetRow,
    VarianceNoteRow,
    box_row,
    count_record,
    count_sheet_row,
    variance_note_row,
)
from cardroom.drop.reads.boxes import (
    box_count,
    get_box_for,
    shift_count,
    variances_of,
    waiting_boxes,
)
from cardroom.drop.reads.expected import RoundDrop, bought_in_cents, rounds_of, times_of
from cardroom.floor.errors import NotFound
from cardroom.floor.models import DropBox, Shift
from cardroom.floor.reads.access import get_room_for
from cardroom.people.models import Staff
from cardroom.people.rights import Right, may
from cardroom.rooms.models import Room

from ..base import SignedInView
from ..headers import signed_in
from ..operations import reads
from .shifts import shift_for

_TAG = "Drop and count"


class RoundDropRow(TypedDict):
    """What one round put into the box."""

    round: int
    gaming_day: DayText
    number: int
    in_cents: int
    out_cents: Annotated[int, "Fees given back."]


class TimeDropRow(TypedDict):
    """What one collection of time put into the box, or took back out of it (below 0)."""

    collection: int
    made_at: Instant
    seats: int
    cents: int


class BoxRecord(BoxRow):
    """A box with its sheets, what was said of its variance, and what makes the expected figure: rounds, and time.

    The lists are empty until the count stands, and for a user who may not see what was counted.
    """

    sheets: list[CountSheetRow]
    notes: list[VarianceNoteRow]
    rounds: list[RoundDropRow]
    times: list[TimeDropRow]
    bought_in_cents: Annotated[
        int | None, "Cash for chips, where the house banks; null as long as the others are empty."
    ]


def _box_for(staff: Staff, room_id: int, box_id: int, *, right: Right) -> DropBox:
    box = get_box_for(staff, box_id, right)
    if box.room_id != room_id:
        raise NotFound("not_found", f"There is no drop box {box_id} in this room.")
    return box


class Boxes(SignedInView):
    @reads(
        "List the boxes of a room that are not counted",
        BoxRow,
        description="Those that hang at tables, then those that wait for their counts.",
        many=True,
        access=get_room_for,
        right=Right.SEE_BOXES,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room) -> Response:
        return Response([box_row(each, figures=False) for each in waiting_boxes(room)])


class Box(SignedInView):
    @reads(
        "Read a box",
        BoxRecord,
        description="With its sheets, the notes on its variance and the rounds that make the expected figure, once its "
        "count stands.",
        access=_box_for,
        right=Right.SEE_BOXES,
        tag=_TAG,
    )
    def get(self, request: Request, box: DropBox) -> Response:
        each = box_count(box)
        figures = may(signed_in(request), Right.SEE_COUNTS, box.room)
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
        BoxRow,
        description="The oldest first.",
        many=True,
        access=get_room_for,
        right=Right.SEE_COUNTS,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room) -> Response:
        return Response([box_row(each, figures=True) for each in variances_of(room)])


class ShiftCount(SignedInView):
    @reads(
        "Read what was counted in a shift, and what was expected",
        CountRecord,
        description="Each box of the shift with its counts, what its table collected and the difference; a jackpot's boxes stand beside, in no sum of the others.",
        access=shift_for,
        right=Right.SEE_COUNTS,
        tag=_TAG,
    )
    def get(self, request: Request, shift: Shift) -> Response:
        return Response(count_record(shift_count(shift)))


def _round(made: RoundDrop) -> RoundDropRow:
    return {
        "round": made.round,
        "gaming_day": made.gaming_day.isoformat(),
        "number": made.number,
        "in_cents": made.in_cents,
        "out_cents": made.out_cents,
    }
