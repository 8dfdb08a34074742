"""The rotation of the bank over a period: turns, offers, stops, exceptions."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.floor.errors import BadInput
from cardroom.floor.models import Shift
from cardroom.floor.reads.access import get_room_for, get_table_for
from cardroom.floor.reads.rotation import (
    Period,
    day_period,
    hours_period,
    room_rotation,
    shift_period,
    table_rotation,
)
from cardroom.floor.reads.rotation_record import rotation_record
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from .. import bodies, rotation
from ..base import SignedInView
from ..forms import read_query
from ..headers import signed_in
from ..operations import reads

_TAG = "The bank"
_PERIOD = "Of one period: a `gaming_day`, a `shift`, or the last `hours`; without one of them, of the present gaming day."


class TableRotation(SignedInView):
    @reads(
        "Read the rotation at a table",
        rotation.Rotation,
        description="Turns with their rounds, every offer with its answer and who recorded it, stops of the game, and "
        f"what deviates from the rule. {_PERIOD}",
        query=bodies.RotationPeriod,
        tag=_TAG,
    )
    def get(self, request: Request, table_id: int) -> Response:
        table = get_table_for(signed_in(request), table_id)
        return Response(rotation_record(table_rotation(table, _period(table.room, request))))


class RoomRotation(SignedInView):
    @reads(
        "Read the rotation at all tables of a room",
        rotation.RoomRotation,
        description=f"By table number. {_PERIOD}",
        query=bodies.RotationPeriod,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = get_room_for(signed_in(request), room_id)
        found = room_rotation(room, _period(room, request))
        return Response({"room": room.pk, "tables": [rotation_record(each) for each in found]})


def _period(room: Room, request: Request) -> Period:
    wanted, now = read_query(bodies.RotationPeriod, request), timezone.now()
    named = [name for name in ("gaming_day", "shift", "hours") if wanted.get(name) is not None]
    if len(named) > 1:
        raise BadInput("one_period", f"Give one of {' and '.join(named)}.", path=named[1], status=400)
    if (number := wanted.get("shift")) is not None:
        shift = Shift.objects.filter(room=room, pk=number).first()
        if shift is None:
            raise BadInput("unknown_shift", f"This room has no shift {number}.", path="shift", status=400)
        return shift_period(shift, now)
    if (hours := wanted.get("hours")) is not None:
        return hours_period(hours, now)
    return day_period(room, wanted.get("gaming_day") or gaming_day(room, now))
