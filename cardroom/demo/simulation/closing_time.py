"""Closes what a room has left open when nobody came back: rounds in play, tables, the shift; its boxes are counted."""

from __future__ import annotations

import datetime

from cardroom.floor.commands.rounds import round_void
from cardroom.floor.commands.shifts import close_shift
from cardroom.floor.commands.tables import table_close
from cardroom.floor.execution.clock import last_instant
from cardroom.floor.execution.locks import lock_row
from cardroom.floor.execution.transactions import RoomTransaction
from cardroom.floor.models import Shift, Table
from cardroom.rooms.gaming_day import gaming_day, gaming_day_bounds
from cardroom.rooms.models import Room

from .drop import CountRoom
from .people import People
from .table import PlayedTable

_REASON = "Left in play as the room closed"
_SECOND, _MINUTE = datetime.timedelta(seconds=1), datetime.timedelta(minutes=1)


def last_day(room: Room) -> datetime.date | None:
    """Return the gaming day of the last that is on record of a room, its open shift among it; None where nothing is."""
    last = last_instant(room)
    if last is None:
        return None
    shift = Shift.objects.filter(room=room).order_by("opened_at").last()
    return max(gaming_day(room, last), *([] if shift is None else [shift.gaming_day]))


def closed_for_the_night(room: Room, people: People, count_room: CountRoom) -> None:
    """Close what is open in `room`, which is locked, at the end of the gaming day of what happened there last.

    A round in play is void: whoever sat there has gone.
    """
    shift = Shift.objects.filter(room=room, closed_at__isnull=True).first()
    last, day = last_instant(room), last_day(room)
    if shift is None or last is None or day is None:
        return
    floor, (_, ends) = people.floors[0], gaming_day_bounds(room, day)
    now = max(last + _SECOND, ends - 30 * _MINUTE)
    for pk in room.tables.filter(state=Table.State.OPEN).order_by("pk").values_list("pk", flat=True):
        played = PlayedTable(lock_row(Table, pk, "room", "schedule", "game"))
        if played.state(now).live is not None:
            played.give(round_void, floor, now, reason=_REASON, approver=people.manager)
        played.give(table_close, floor, now + _SECOND)
    tx = RoomTransaction.at_instant(room, people.manager, now + _MINUTE)
    with tx.moving_on():
        close_shift(tx, shift.pk)
    count_room.drop(now + 2 * _MINUTE)
    count_room.count(now + 3 * _MINUTE)
