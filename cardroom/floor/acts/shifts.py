"""Shifts of a room: opening and closing."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import IntegrityError, transaction

from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day

from ..errors import BadInput, NotNow
from ..locks import lock_tables
from ..models import Errand, Shift
from ..open_items import OpenItem, open_items
from ..outbox import errand_put
from .commands import Answer, AtRoom, room_command


@room_command(Right.RUN_SHIFTS)
def shift_open(at: AtRoom, *, name: str) -> Answer:
    """Open a shift of the room's present gaming day. One is open at a time, and each name once a gaming day."""
    name = name.strip()
    if not name or len(name) > 20:
        raise BadInput("bad_name", "A shift needs a name of 1 to 20 characters.", path="name")
    open_one = Shift.objects.filter(room=at.room, closed_at__isnull=True).first()
    if open_one is not None:
        raise NotNow("shift_open", f"{open_one} is open. Close it before another begins.")
    day = gaming_day(at.room, at.now)
    try:
        with transaction.atomic():
            shift = Shift.objects.create(
                room=at.room, name=name, gaming_day=day, opened_at=at.now, opened_by=at.actor
            )
    except IntegrityError as error:
        raise NotNow(
            "shift_exists", f"Gaming day {day} already had a shift {name!r}. Choose another name."
        ) from error
    at.journal("shift_open", {"shift": shift.pk, "name": name, "gaming_day": day.isoformat()})
    return {"shift": shift.pk}


@room_command(Right.RUN_SHIFTS)
def shift_close(at: AtRoom, *, shift_id: int, confirmed: bool = False) -> Answer:
    """Close the open shift and ask for its report.

    What is open (tables, rounds, alerts, boxes, tips) is listed first: unless it is `confirmed` the act is refused with
    the list (`shift_has_open`). Closed with it, the list stands in the answer and in the journal.

    Every table of the room is locked first, in order of its id, so that no round can slip into a shift that is
    already counted: a table's command reads the open shift only after it has its own table's row. Rounds whose bets
    are closed go on and still belong to this shift; its report waits for them.
    """
    shift = (
        Shift.objects.filter(room=at.room, pk=shift_id, closed_at__isnull=True).select_related("room").first()
    )
    left = [] if shift is None else open_items(shift)
    if left and not confirmed:
        raise NotNow(
            "shift_has_open",
            f"{shift} still has something open. {' '.join(item.says for item in left)} "
            "Finish it, or confirm that the shift is closed with it.",
            extra={"open": [item.to_json() for item in left]},
        )
    answer = close_shift(at, shift_id, left_open=left)
    errand_put(Shift.objects.get(pk=shift_id), Errand.Cause.SHIFT_CLOSED, at.now)
    return answer


def close_shift(at: AtRoom, shift_id: int, *, left_open: Sequence[OpenItem] = ()) -> Answer:
    """The act of closing by itself, without asking for the report: beat asks for it within a minute.

    `left_open` is what the shift is closed with.
    """
    tables = lock_tables(at.room)
    # Anew: waiting for a table may have taken a while, and what was done there came before the close.
    at.now = at.clock()
    shift = Shift.objects.filter(room=at.room, pk=shift_id).first()
    if shift is None:
        raise NotNow("no_shift", f"This room has no shift {shift_id}.")
    if shift.closed_at is not None:
        raise NotNow("shift_closed", f"{shift} is closed already.")
    shift.closed_at = at.now
    shift.closed_by = at.actor
    shift.save(update_fields=["closed_at", "closed_by"])
    heads = {str(table.pk): [table.chain_seq, table.chain_hash] for table in tables}
    left = [item.to_json() for item in left_open]
    data = {"shift": shift.pk, "name": shift.name, "table_heads": heads}
    at.journal("shift_close", {**data, "left_open": left} if left else data)
    return {"shift": shift.pk, "open": left}
