"""API reads: rotation of the bank over a period, by table and by room: turns, offers, stops, exceptions."""

from __future__ import annotations

import datetime
from typing import Annotated

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.json_types import Whole
from cardroom.floor.errors import BadInput
from cardroom.floor.models import Shift, Table
from cardroom.floor.reads.access import get_room_for, get_table_for
from cardroom.floor.reads.rotation import (
    MOST_HOURS,
    Period,
    day_period,
    hours_period,
    room_rotation,
    shift_period,
    table_rotation,
)
from cardroom.floor.reads.rotation_record import RoomRotationRecord, RotationRecord, rotation_record
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day as gaming_day_at
from cardroom.rooms.models import Room

from ..base import GamingDay, ShiftId, SignedInView
from ..operations import reads

_TAG = "The bank"
Hours = Annotated[int | None, Whole(1, MOST_HOURS), "The last hours."]
_PERIOD = "Of one period: a `gaming_day`, a `shift`, or the last `hours`; without one of them, of the present gaming day."


class TableRotation(SignedInView):
    @reads(
        "Read the rotation at a table",
        RotationRecord,
        description="Turns with their rounds, every offer with its answer and who recorded it, stops of the game, and "
        f"what deviates from the rule. {_PERIOD}",
        access=get_table_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(
        self,
        request: Request,
        table: Table,
        *,
        gaming_day: GamingDay = None,
        shift: ShiftId = None,
        hours: Hours = None,
    ) -> Response:
        return Response(rotation_record(table_rotation(table, _period(table.room, gaming_day, shift, hours))))


class RoomRotation(SignedInView):
    @reads(
        "Read the rotation at all tables of a room",
        RoomRotationRecord,
        description=f"By table number. {_PERIOD}",
        access=get_room_for,
        right=Right.SEE_FLOOR,
        tag=_TAG,
    )
    def get(
        self,
        request: Request,
        room: Room,
        *,
        gaming_day: GamingDay = None,
        shift: ShiftId = None,
        hours: Hours = None,
    ) -> Response:
        found = room_rotation(room, _period(room, gaming_day, shift, hours))
        return Response({"room": room.pk, "tables": [rotation_record(each) for each in found]})


def _period(room: Room, day: datetime.date | None, shift: int | None, hours: int | None) -> Period:
    now = timezone.now()
    wanted = {"gaming_day": day, "shift": shift, "hours": hours}
    named = [name for name, value in wanted.items() if value is not None]
    if len(named) > 1:
        raise BadInput("one_period", f"Give one of {' and '.join(named)}.", path=named[1], status=400)
    if shift is not None:
        found = Shift.objects.filter(room=room, pk=shift).first()
        if found is None:
            raise BadInput("unknown_shift", f"This room has no shift {shift}.", path="shift", status=400)
        return shift_period(found, now)
    if hours is not None:
        return hours_period(hours, now)
    return day_period(room, day or gaming_day_at(room, now))
