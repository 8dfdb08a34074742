"""Drop boxes: where they are, putting them on and taking them off, counting them, and answering for differences."""

from __future__ import annotations

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.drop.acts.boxes import boxes_drop, boxes_place
from cardroom.drop.acts.counts import count_again, count_correct, count_enter
from cardroom.drop.acts.variances import box_weigh_again, variance_answer
from cardroom.drop.reads.boxes import (
    box_count,
    box_in_reach,
    box_state,
    note_state,
    sheet_state,
    shift_count,
    shift_state,
    variances_of,
    waiting_boxes,
)
from cardroom.drop.reads.expected import RoundDrop, rounds_of, times_of
from cardroom.floor.errors import NotFound
from cardroom.floor.reads.reach import room_in_reach, shift_in_reach
from cardroom.floor.reads.records import utc
from cardroom.people.approval import approver_authenticate
from cardroom.people.models import Staff
from cardroom.people.rights import Right, may

from .. import drop
from ..base import HouseView, done
from ..forms import Nothing, read
from ..headers import envelope, signed_in
from ..operations import command, reads

_TAG = "Drop and count"
_RESTING = {
    429: (
        "Too many wrong passwords under this approver's user name.",
        "approver_resting",
        "Too many wrong passwords were given under this user name. Wait five minutes.",
        "approver",
    )
}
_ANY_VERSION = "Any version of the room is taken, and it stays as it is."
_APPROVER = {"username": "…", "password": "…"}
_COUNTED = {
    "pieces": [{"kind": "chip", "cents": 100, "pieces": 214}, {"kind": "coin", "cents": 1, "pieces": 50}]
}


class Boxes(HouseView):
    @reads(
        "List the boxes of a room that are not counted",
        drop.Box,
        description="Those that hang at tables, then those that wait for their counts.",
        many=True,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = room_in_reach(signed_in(request), room_id, Right.SEE_BOXES)
        return Response([box_state(each, figures=False) for each in waiting_boxes(room)])

    @command(
        "Put boxes on tables",
        drop.Place,
        drop.BoxesAnswer,
        description=f"All of them or none, for the open shift. {_ANY_VERSION}",
        example={"boxes": [{"table": 7, "number": 12}]},
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int) -> Response:
        return done(boxes_place(envelope(request), room_id, **read(drop.Place, request)))


class BoxesDrop(HouseView):
    @command(
        "Take boxes off their tables",
        drop.Drop,
        drop.BoxesAnswer,
        description="All of them or none. A second person who may do the same signs with their own user name and "
        f"password, which go no further than that. {_ANY_VERSION}",
        example={"boxes": [31], "witness": _APPROVER},
        further_errors=_RESTING,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int) -> Response:
        given = envelope(request)
        said = read(drop.Drop, request)
        witness = _signed(given.actor, room_id, Right.DROP_BOXES, said["witness"])
        return done(boxes_drop(given, room_id, boxes=said["boxes"], witness=witness))


class Box(HouseView):
    @reads(
        "Read a box",
        drop.BoxRecord,
        description="With its sheets, the notes on its variance and the rounds that make the expected figure, once its "
        "count stands.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, box_id: int) -> Response:
        staff = signed_in(request)
        box = box_in_reach(staff, box_id)
        if box.room_id != room_id:
            raise NotFound("not_found", f"There is no drop box {box_id} in this room.")
        each = box_count(box)
        figures = may(staff, Right.SEE_COUNTS, box.room)
        shown = figures and each.stands
        return Response(
            {
                **box_state(each, figures=figures),
                "sheets": [sheet_state(sheet) for sheet in each.sheets] if shown else [],
                "notes": [note_state(note) for note in each.notes] if shown else [],
                "rounds": [_round(made) for made in rounds_of(box)] if shown else [],
                "times": [{**made._asdict(), "made_at": utc(made.made_at)} for made in times_of(box)]
                if shown
                else [],
            }
        )


class Count(HouseView):
    @command(
        "Enter the first or the second count of a box",
        drop.Count,
        drop.CountAnswer,
        description="Blind: no answer of the API holds a figure of it before the count stands. It stands when both "
        f"agree in every denomination. {_ANY_VERSION}",
        example=_COUNTED,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, box_id: int) -> Response:
        return done(count_enter(envelope(request), room_id, box_id=box_id, **read(drop.Count, request)))


class Recount(HouseView):
    @command(
        "Enter the recount of a box whose two counts differ",
        drop.Count,
        drop.CountAnswer,
        description=f"By a third person, afresh; it stands whatever it says. {_ANY_VERSION}",
        example=_COUNTED,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, box_id: int) -> Response:
        return done(count_again(envelope(request), room_id, box_id=box_id, **read(drop.Count, request)))


class Correct(HouseView):
    @command(
        "Correct a count that stands",
        drop.CountCorrection,
        drop.CorrectionAnswer,
        description="What stood is struck through and stays. A second person signs. "
        f"{_ANY_VERSION} Instead, `corrects` names the sheet that is corrected.",
        example={**_COUNTED, "corrects": 88, "reason": "one stack overlooked", "approver": _APPROVER},
        further_errors=_RESTING,
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, box_id: int) -> Response:
        given = envelope(request)
        said = read(drop.CountCorrection, request)
        approver = _signed(given.actor, room_id, Right.CORRECT_COUNTS, said.pop("approver"))
        return done(count_correct(given, room_id, box_id=box_id, approver=approver, **said))


class Weigh(HouseView):
    @command(
        "Weigh a box again",
        None,
        drop.WeighingAnswer,
        description=f"When what is expected of it has changed since. {_ANY_VERSION}",
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, box_id: int) -> Response:
        given = envelope(request)
        read(Nothing, request)
        return done(box_weigh_again(given, room_id, box_id=box_id))


class Variance(HouseView):
    @command(
        "Answer for a variance",
        drop.VarianceAnswer,
        drop.NoteAnswer,
        description=f"What explains it, who is to, or that it goes further up. {_ANY_VERSION}",
        example={"status": "explained", "says": "One chip found under the rail."},
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, box_id: int) -> Response:
        given = envelope(request)
        return done(variance_answer(given, room_id, box_id=box_id, **read(drop.VarianceAnswer, request)))


class Variances(HouseView):
    @reads(
        "List the variances of a room that wait for an answer",
        drop.Box,
        description="The oldest first.",
        many=True,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = room_in_reach(signed_in(request), room_id, Right.SEE_COUNTS)
        return Response([box_state(each, figures=True) for each in variances_of(room)])


class ShiftCount(HouseView):
    @reads("Read what was counted in a shift, and what was expected", drop.ShiftCount, tag=_TAG)
    def get(self, request: Request, room_id: int, shift_id: int) -> Response:
        shift = shift_in_reach(signed_in(request), shift_id, Right.SEE_COUNTS)
        if shift.room_id != room_id:
            raise NotFound("not_found", f"There is no shift {shift_id} in this room.")
        return Response(shift_state(shift_count(shift)))


def _signed(actor: Staff, room_id: int, right: Right, signature: dict[str, str]) -> Staff:
    """Return who signed. Whoever may not do the act here learns nothing about passwords."""
    room_in_reach(actor, room_id, right)
    return approver_authenticate(**signature)


def _round(made: RoundDrop) -> dict[str, Any]:
    return {
        "round": made.round,
        "gaming_day": made.gaming_day.isoformat(),
        "number": made.number,
        "in_cents": made.in_cents,
        "out_cents": made.out_cents,
    }
