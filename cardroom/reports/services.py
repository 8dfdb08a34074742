"""Making shift reports."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.floor.errors import NotFound, NotNow
from cardroom.floor.journal import Head, chain_name
from cardroom.floor.models import Shift, Table
from cardroom.people.models import Player
from cardroom.rooms.models import Room

from .figures import Figures, Subject
from .making import figures_made, tables_spoken_of
from .models import ShiftReport
from .reading import Inputs, inputs_hash, inputs_read, instant
from .selectors import report_of, why_not_report


def shift_report_make(shift_id: int) -> ShiftReport:
    """Make the report of a closed shift, or return the one that there is: however often it runs, it is one.

    Raises NotFound for an unknown shift, NotNow for an open one and while a round of it is still in play.
    """
    with transaction.atomic():
        shift = Shift.objects.select_related("room", "opened_by", "closed_by").filter(pk=shift_id).first()
        if shift is None:
            raise NotFound("not_found", f"There is no shift {shift_id}.")
        if (made := report_of(shift)) is not None:
            return made
        if why := why_not_report(shift):
            raise NotNow.because(why)
        inputs = inputs_read(shift)
        heads = heads_now(shift.room_id)
        try:
            with transaction.atomic():
                return ShiftReport.objects.create(
                    shift=shift,
                    room=shift.room,
                    made_at=timezone.now(),
                    figures=figures_of(shift, inputs),
                    inputs_hash=inputs_hash(inputs, heads),
                    heads=[{"chain": head.chain, "seq": head.seq, "hash": head.hash} for head in heads],
                )
        except IntegrityError:  # somebody else made it at the same moment; the database lets one through
            made = report_of(shift)
            if made is None:
                raise
            return made


def figures_of(shift: Shift, inputs: Inputs) -> Figures:
    """Make the figures of what was read, with the names of now, for every table of the room."""
    return figures_made(
        inputs,
        subject=_subject(shift),
        numbers=dict(
            Table.objects.filter(room=shift.room).values_list("pk", "number")
            | Table.objects.filter(pk__in=tables_spoken_of(inputs)).values_list("pk", "number"),
        ),
        players=dict(
            Player.objects.filter(pk__in={run["player"] for run in inputs.runs}).values_list("pk", "name"),
        ),
    )


def heads_now(room_id: int) -> list[Head]:
    """Return the heads of the chains of a room and of all its tables, as they stand on their rows."""
    room = Room.objects.get(pk=room_id)
    holders: list[Room | Table] = [room, *Table.objects.filter(room=room).order_by("pk")]
    return [
        Head(chain=chain_name(holder), seq=holder.chain_seq, hash=holder.chain_hash) for holder in holders
    ]


def _subject(shift: Shift) -> Subject:
    opened_at, closed_at = instant(shift.opened_at), instant(shift.closed_at)
    assert opened_at is not None
    assert closed_at is not None  # why_not_report has seen to it
    return {
        "room": shift.room_id,
        "room_name": shift.room.name,
        "time_zone": shift.room.time_zone,
        "shift": shift.pk,
        "shift_name": shift.name,
        "gaming_day": shift.gaming_day.isoformat(),
        "opened_at": opened_at,
        "opened_by": str(shift.opened_by),
        "closed_at": closed_at,
        "closed_by": str(shift.closed_by),
    }
