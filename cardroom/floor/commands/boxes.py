"""Commands on drop boxes at tables: putting them on, taking them off, and letting a table collect without one."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from cardroom.core.json_types import MOST_ROWS, AnyNumber, Id, Label, Note, OneOf, Signature, Size
from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may
from games.phrases import Phrase

from ..boxes import bare_tables, usual_numbers
from ..checks.boxes import why_not_drop, why_not_place, why_not_place_at, why_not_use, why_not_waive_box
from ..errors import BadInput, Forbidden, NotFound, NotNow
from ..execution.carry_out import room_command, table_command
from ..execution.locks import lock_tables
from ..execution.transactions import RoomTransaction, TableTransaction
from ..models import DropBox, Procedure, Shift
from .procedures import Supervisor, procedure_note, supervisor_of
from .second_person import given_reason

#: More boxes than any room has tables, in one command.
MOST_BOXES = 200
MOST_NUMBER = 99_999

_Witness = Annotated[Staff, Signature(right=Right.DROP_BOXES)]


class PlacedBox(TypedDict):
    """A box, and the table at which it is to hang."""

    table: Id
    number: Annotated[AnyNumber, "The number painted on the box."]
    kind: NotRequired[
        Annotated[
            str,
            OneOf(DropBox.Kind),
            "A drop box, where it is left out. A jackpot's collection has a box of its own.",
        ]
    ]


class BoxesAnswer(TypedDict):
    """Boxes were put on or taken off."""

    boxes: Annotated[list[int], Size()]


@room_command(
    "POST boxes",
    Right.DROP_BOXES,
    bumps_version=False,
    check=why_not_place,
    title="Set boxes",
    tag="Drop and count",
    example={"boxes": [{"table": 7, "number": 12}]},
)
def boxes_place(tx: RoomTransaction, *, boxes: Annotated[list[PlacedBox], Size(0, MOST_ROWS)]) -> BoxesAnswer:
    """Put boxes on tables of the room for the open shift, all of them or none.

    Refused are what is no box or no table of the room, a table that has a box of the kind and a box that is in use, each
    with its place (`boxes[2].number`).
    """
    _check_some(boxes, "Name at least one table and the number of its box.")
    shift = Shift.objects.get(room=tx.room, closed_at__isnull=True)
    # Under the tables' locks: a command at a table sees the box that hangs there until it is done.
    tables = {table.pk: table for table in lock_tables(tx.room, {each["table"] for each in boxes})}
    tx.now = tx.clock()
    hanging = {
        (box.table_id, box.kind): box
        for box in _boxes(tx).filter(dropped_at__isnull=True).select_related("shift", "table")
    }
    in_use = {
        box.number: box for box in _boxes(tx).filter(counted_at__isnull=True).select_related("shift", "table")
    }
    placed = []
    for index, wanted in enumerate(boxes):
        here = f"boxes[{index}]"
        number, kind = wanted["number"], str(wanted.get("kind", DropBox.Kind.DROP))
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
            room=tx.room,
            table=table,
            shift=shift,
            number=number,
            kind=kind,
            placed_at=tx.now,
            placed_by=tx.actor,
        )
        hanging[table.pk, kind] = in_use[number] = box
        placed.append(box)
    try:
        with transaction.atomic():
            for box in placed:
                box.save(force_insert=True)
    except IntegrityError as error:  # the database's own word, should the checks ever have read too early
        raise NotNow(
            "box_in_use", "One of these boxes or tables was taken meanwhile. Review and try again."
        ) from error
    tx.journal("boxes_place", {"shift": shift.pk, "boxes": [_box_data(box) for box in placed]})
    return {"boxes": [box.pk for box in placed]}


def boxes_at_opening(tx: RoomTransaction) -> list[int]:
    """Put a drop box on every table without one, where the room does so as a shift opens; return their ids.

    A table that still has a box of the last shift keeps it until two people take it off.
    """
    if not tx.room.boxes_at_opening or not (tables := bare_tables(tx.room)):
        return []
    numbers = usual_numbers(tx.room, tables)
    wanted: list[PlacedBox] = [{"table": table, "number": number} for table, number in numbers.items()]
    placed: list[int] = boxes_place.run(tx, boxes=wanted)["boxes"]
    return placed


@room_command(
    "POST boxes/drop",
    Right.DROP_BOXES,
    bumps_version=False,
    no_check="it depends on the boxes: why_not_drop",
    title="Pull boxes",
    tag="Drop and count",
    example={"boxes": [31]},
)
def boxes_drop(
    tx: RoomTransaction,
    *,
    boxes: Annotated[list[Id], Size(0, MOST_ROWS)],
    witness: _Witness,
) -> BoxesAnswer:
    """Take boxes off their tables, all of them or none.

    A second person who may do the same signs with their own user name and password, which go no further than that.
    """
    _check_some(boxes, "Choose at least one box to pull.")
    if witness.pk == tx.actor.pk:
        raise Forbidden(
            "same_person", "A drop takes two people. Somebody else signs as the second.", path="witness"
        )
    if may_not := why_not_may(witness, Right.DROP_BOXES, tx.room):
        raise Forbidden("witness_may_not", may_not, path="witness")
    found = {box.pk: box for box in _boxes(tx).filter(pk__in=boxes).select_related("table", "dropped_by")}
    lock_tables(
        tx.room, {box.table_id for box in found.values()}
    )  # a command at a table drops into its box, or after it
    tx.now = tx.clock()
    dropped = []
    for index, pk in enumerate(dict.fromkeys(boxes)):
        box = found.get(pk)
        if box is None:
            raise NotFound("not_found", f"This room has no drop box {pk}.", path=f"boxes[{index}]")
        if why := why_not_drop(box):
            raise NotNow(why.code, why.message, path=f"boxes[{index}]")
        # Two machines, two clocks: a box comes off no earlier than it was put on.
        box.dropped_at, box.dropped_by, box.witness = max(tx.now, box.placed_at), tx.actor, witness
        box.save(update_fields=["dropped_at", "dropped_by", "witness"])
        dropped.append(box)
    data = {"boxes": [_box_data(box) for box in dropped], "witness": witness.pk, "witness_name": str(witness)}
    tx.journal("boxes_drop", data)
    return {"boxes": [box.pk for box in dropped]}


@table_command(
    "POST drop-box/waive",
    Right.RUN_ROUNDS,
    check=why_not_waive_box,
    title=Phrase("Collect without a drop box"),
    tag="Procedures",
    example={"reason": "the box is stuck in its rail"},
    page="no-box",
    menu="procedures",
    done=Phrase("The table may collect without a drop box."),
)
def box_waive(
    tx: TableTransaction,
    *,
    reason: Annotated[Note, Label(Phrase("Why it collects without a box"))] = "",
    approver: Supervisor | None = None,
) -> None:
    """Let the table collect without a drop box until one is put on, within the open shift; a supervisor orders it."""
    state = tx.state()
    supervisor = supervisor_of(tx, approver, Right.SUPERVISE)
    procedure_note(
        tx,
        Procedure.Kind.BOX_WAIVED,
        round=state.live,
        reason=given_reason(reason, Phrase("Collecting without a drop box")),
        ordered_by=supervisor,
    )


def box_found(tx: RoomTransaction, box_id: int) -> DropBox:
    """Return a box of the room. Raises NotFound."""
    box = DropBox.objects.filter(room=tx.room, pk=box_id).select_related("table", "shift").first()
    if box is None:
        raise NotFound("not_found", f"This room has no drop box {box_id}.")
    return box


def _check_some(boxes: list[Any], message: str) -> None:
    if not boxes:
        raise BadInput("no_boxes", message, path="boxes")
    if len(boxes) > MOST_BOXES:
        raise BadInput("too_many", f"At most {MOST_BOXES} boxes in one command.", path="boxes")


def _boxes(tx: RoomTransaction) -> QuerySet[DropBox]:
    return DropBox.objects.filter(room=tx.room)


def _box_data(box: DropBox) -> dict[str, Any]:
    return {"box": box.pk, "number": box.number, "kind": str(box.kind), "table": box.table_id}
