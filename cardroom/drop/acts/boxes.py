"""Boxes: putting them on tables, and taking them off."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from cardroom.floor.acts.commands import Answer, AtRoom, room_command
from cardroom.floor.errors import BadInput, Forbidden, NotFound, NotNow
from cardroom.floor.models import Shift, Table
from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may

from ..checks import why_not_drop, why_not_place, why_not_place_at, why_not_use
from ..models import DropBox

#: More boxes than any room has tables, in one act.
MOST_BOXES = 200
MOST_NUMBER = 99_999


@room_command(Right.DROP_BOXES, moves=False)
def boxes_place(at: AtRoom, *, boxes: list[dict[str, Any]]) -> Answer:
    """Put boxes on tables of the room for the open shift: `boxes` is `[{"table": id, "number": 12, "kind": "drop"}]`.

    All of them or none. `number` is the one painted on the box, `kind` one of `DropBox.Kind`; left out, it is a drop
    box. Raises BadInput for what is no box or no table of the
    room, NotNow for a table that has a box and a box that is in use, each with its place (`boxes[2].number`).
    """
    _check_some(boxes, "Name at least one table and the number of its box.")
    shift = Shift.objects.filter(room=at.room, closed_at__isnull=True).first()
    if why := why_not_place(shift):
        raise NotNow.because(why)
    assert shift is not None  # or why
    tables = {table.pk: table for table in Table.objects.filter(room=at.room)}
    hanging = {
        (box.table_id, box.kind): box
        for box in _boxes(at).filter(dropped_at__isnull=True).select_related("shift", "table")
    }
    in_use = {
        box.number: box for box in _boxes(at).filter(counted_at__isnull=True).select_related("shift", "table")
    }
    placed = []
    for index, wanted in enumerate(boxes):
        here = f"boxes[{index}]"
        number, kind = wanted["number"], wanted.get("kind", DropBox.Kind.DROP)
        table = tables.get(wanted["table"])
        if table is None:
            raise BadInput(
                "unknown_table", f"This room has no table {wanted['table']}.", path=f"{here}.table"
            )
        if type(number) is not int or not 0 < number <= MOST_NUMBER:
            raise BadInput(
                "bad_number",
                f"The number of a box is a whole number from 1 to {MOST_NUMBER:,}: the one painted on it.",
                path=f"{here}.number",
            )
        if kind not in DropBox.Kind.values:
            raise BadInput(
                "unknown_kind",
                f"There is no box of kind {kind!r}. Choose one of {', '.join(DropBox.Kind.values)}.",
                path=f"{here}.kind",
            )
        if why := why_not_place_at(table, hanging.get((table.pk, kind))):
            raise NotNow(why.code, why.message, path=f"{here}.table")
        if why := why_not_use(number, in_use.get(number)):
            raise NotNow(why.code, why.message, path=f"{here}.number")
        box = DropBox(
            room=at.room,
            table=table,
            shift=shift,
            number=number,
            kind=kind,
            placed_at=at.now,
            placed_by=at.actor,
        )
        hanging[table.pk, kind] = in_use[number] = box
        placed.append(box)
    try:
        with transaction.atomic():
            for box in placed:
                box.save(force_insert=True)
    except IntegrityError as error:  # the database's own word, should the checks ever have read too early
        raise NotNow("box_in_use", "One of these boxes or tables was taken meanwhile. Look again.") from error
    at.journal("boxes_place", {"shift": shift.pk, "boxes": [_said(box) for box in placed]})
    return {"boxes": [box.pk for box in placed]}


@room_command(Right.DROP_BOXES, moves=False)
def boxes_drop(at: AtRoom, *, boxes: list[int], witness: Staff) -> Answer:
    """Take boxes off their tables, before the eyes of a second person who holds the same right.

    `boxes` are ids. All of them or none; the time is now, the names are those of the two people.
    """
    _check_some(boxes, "Choose at least one box to take off.")
    if witness.pk == at.actor.pk:
        raise Forbidden(
            "same_person", "A drop takes two people. Somebody else signs as the second.", path="witness"
        )
    if may_not := why_not_may(witness, Right.DROP_BOXES, at.room):
        raise Forbidden("witness_may_not", may_not, path="witness")
    found = {box.pk: box for box in _boxes(at).filter(pk__in=boxes).select_related("table", "dropped_by")}
    dropped = []
    for index, pk in enumerate(dict.fromkeys(boxes)):
        box = found.get(pk)
        if box is None:
            raise NotFound("not_found", f"This room has no drop box {pk}.", path=f"boxes[{index}]")
        if why := why_not_drop(box):
            raise NotNow(why.code, why.message, path=f"boxes[{index}]")
        # Two machines, two clocks: a box comes off no earlier than it was put on.
        box.dropped_at, box.dropped_by, box.witness = max(at.now, box.placed_at), at.actor, witness
        box.save(update_fields=["dropped_at", "dropped_by", "witness"])
        dropped.append(box)
    said = {"boxes": [_said(box) for box in dropped], "witness": witness.pk, "witness_name": str(witness)}
    at.journal("boxes_drop", said)
    return {"boxes": [box.pk for box in dropped]}


def box_found(at: AtRoom, box_id: int) -> DropBox:
    """Return a box of the room. Raises NotFound."""
    box = DropBox.objects.filter(room=at.room, pk=box_id).select_related("table", "shift").first()
    if box is None:
        raise NotFound("not_found", f"This room has no drop box {box_id}.")
    return box


def _check_some(boxes: list[Any], message: str) -> None:
    if not boxes:
        raise BadInput("no_boxes", message, path="boxes")
    if len(boxes) > MOST_BOXES:
        raise BadInput("too_many", f"At most {MOST_BOXES} boxes in one act.", path="boxes")


def _boxes(at: AtRoom) -> QuerySet[DropBox]:
    return DropBox.objects.filter(room=at.room)


def _said(box: DropBox) -> dict[str, Any]:
    return {"box": box.pk, "number": box.number, "kind": str(box.kind), "table": box.table_id}
