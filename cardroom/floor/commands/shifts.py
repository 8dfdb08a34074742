"""Commands on shifts of a room: opening and closing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NotRequired, TypedDict

from django.db import IntegrityError, transaction

from cardroom.core.dates import day_text
from cardroom.core.json_types import Id, Size, Text
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..errors import BadInput, NotNow, WhyNot
from ..execution.carry_out import room_command
from ..execution.locks import lock_tables
from ..execution.transactions import RoomTransaction
from ..models import Shift
from ..open_items import OpenItem, OpenItemRow, open_items
from ..report_jobs import Cause, report_ask
from .boxes import boxes_at_opening

NAME_LENGTH = 20


class ShiftOpened(TypedDict):
    """A shift was opened, with the drop boxes that were put on at once."""

    shift: int
    boxes: Annotated[list[int], Size()]


class ShiftClosed(TypedDict):
    """A shift was closed; `open` is what it was closed with. `next` is the shift that was opened in the same command."""

    shift: int
    open: Annotated[list[OpenItemRow], Size()]
    next: NotRequired[ShiftOpened]


class ShiftHasOpen(TypedDict):
    """The shift was not closed; `open` is what is listed where it was not confirmed."""

    open: NotRequired[Annotated[list[OpenItemRow], Size()]]


def why_not_open_shift(room: Room) -> WhyNot | None:
    """One shift of a room is open at a time."""
    open_one = Shift.objects.filter(room=room, closed_at__isnull=True).first()
    if open_one is not None:
        return WhyNot("shift_open", f"{open_one} is open. Close it before another begins.")
    return None


@room_command(
    "POST shifts",
    Right.RUN_SHIFTS,
    check=why_not_open_shift,
    title="Open a shift",
    tag="Shifts",
    example={"name": "Swing"},
)
def shift_open(tx: RoomTransaction, *, name: Annotated[str, Text(NAME_LENGTH)]) -> ShiftOpened:
    """Open a shift of the room's present gaming day. One is open at a time, and each name is used once a gaming day.

    In a room that says so, a drop box is put on every table without one: shift and boxes, or neither.
    If-Match: the room's version.
    """
    return open_shift(tx, _checked_name(name, "name"))


def _checked_name(name: str, path: str) -> str:
    name = name.strip()
    if not name or len(name) > NAME_LENGTH:
        raise BadInput("bad_name", f"A shift needs a name of 1 to {NAME_LENGTH} characters.", path=path)
    return name


def open_shift(tx: RoomTransaction, name: str) -> ShiftOpened:
    """The command of opening by itself; no shift of the room is open."""
    day = gaming_day(tx.room, tx.now)
    try:
        with transaction.atomic():
            shift = Shift.objects.create(
                room=tx.room, name=name, gaming_day=day, opened_at=tx.now, opened_by=tx.actor
            )
    except IntegrityError as error:
        raise NotNow(
            "shift_exists", f"Gaming day {day_text(day)} already had a shift {name!r}. Choose another name."
        ) from error
    tx.journal("shift_open", {"shift": shift.pk, "name": name, "gaming_day": day.isoformat()})
    return {"shift": shift.pk, "boxes": boxes_at_opening(tx)}


@room_command(
    "POST shifts/{shift_id}/close",
    Right.RUN_SHIFTS,
    no_check="it depends on the shift, which is closed once, and on `confirmed`",
    conflict=ShiftHasOpen,
    title="Close a shift",
    tag="Shifts",
    example={"confirmed": True},
)
def shift_close(
    tx: RoomTransaction,
    *,
    shift_id: Id,
    confirmed: Annotated[bool, "Close it with what is open; without it, that is listed first."] = False,
    next_name: Annotated[
        str, Text(NAME_LENGTH, blank=True), "The shift that is opened at once; empty: none is."
    ] = "",
) -> ShiftClosed:
    """Close the open shift; its report is made in the background, once the last round of the shift has ended.

    With `next_name` the next shift is opened in the same command, at the same instant: both, or neither.

    What is open (tables, rounds in play, alerts, boxes, tips) is listed first: 409 `shift_has_open` with the list
    `open`, until the request is `confirmed`. Closed with it, the list is in the answer and in the journal.
    If-Match: the room's version.
    """
    lock_tables(tx.room)  # so that nothing begins or ends at a table between the list and the close
    shift = (
        Shift.objects.filter(room=tx.room, pk=shift_id, closed_at__isnull=True).select_related("room").first()
    )
    next_name = _checked_name(next_name, "next_name") if next_name else ""
    left = [] if shift is None else open_items(shift)
    if left and not confirmed:
        raise NotNow(
            "shift_has_open",
            f"{shift} still has something open. {' '.join(item.text for item in left)} "
            "Finish it, or confirm that the shift is closed with it.",
            extra={"open": [item.to_json() for item in left]},
        )
    answer = close_shift(tx, shift_id, left_open=left)
    report_ask(Shift.objects.get(pk=shift_id), Cause.SHIFT_CLOSED, tx.now)
    return {**answer, "next": open_shift(tx, next_name)} if next_name else answer


def close_shift(tx: RoomTransaction, shift_id: int, *, left_open: Sequence[OpenItem] = ()) -> ShiftClosed:
    """The command of closing by itself, without asking for the report: beat asks for it within a minute.

    `left_open` is what the shift is closed with, read with the tables locked. Every table of the room is locked first, in
    order of its id, so that no round can slip into a shift that is already counted: a table's command reads the open
    shift only after it has its own table's row. Rounds whose bets are closed go on and still belong to this shift; its
    report waits for them.
    """
    tables = lock_tables(tx.room)
    # Anew: waiting for a table may have taken a while, and what was done there came before the close.
    tx.now = tx.clock()
    shift = Shift.objects.filter(room=tx.room, pk=shift_id).first()
    if shift is None:
        raise NotNow("no_shift", f"This room has no shift {shift_id}.")
    if shift.closed_at is not None:
        raise NotNow("shift_closed", f"{shift} is closed already.")
    shift.closed_at = tx.now
    shift.closed_by = tx.actor
    shift.save(update_fields=["closed_at", "closed_by"])
    heads = {str(table.pk): [table.chain_seq, table.chain_hash] for table in tables}
    left = [item.to_json() for item in left_open]
    data = {"shift": shift.pk, "name": shift.name, "table_heads": heads}
    tx.journal("shift_close", {**data, "left_open": left} if left else data)
    return {"shift": shift.pk, "open": left}
