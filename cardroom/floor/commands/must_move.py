"""The command that makes a table the must-move of another: who sat longest there is first for a seat that opens."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import MOST_ID, Label, Pick, Whole
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..errors import BadInput, WhyNot
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Table
from ..notify import table_changed
from ..reads.table_state import TableState

#: What the form offers for none.
NONE = 0


class MustMoveAnswer(TypedDict):
    """The pair."""

    to_table: Annotated[int | None, "The table whose seats are filled from here; null for none."]


def why_not_pair(state: TableState) -> WhyNot | None:
    """Tables of one game are a pair, where each has one."""
    if state.table.game is None:
        return WhyNot("no_game", Phrase("{table} plays no game yet. Set one first.", table=state.table))
    return None


def _tables(state: TableState) -> list[tuple[int, str]]:
    if state.table.game is None:
        return []
    of_game = Table.objects.filter(room=state.table.room, game__number=state.table.game.number)
    others = of_game.exclude(pk=state.table.pk)
    return [(NONE, Phrase("no table")), *((each.pk, str(each)) for each in others.order_by("number"))]


def _number(table: Table) -> int | None:
    return None if table.game is None else table.game.number


@table_command(
    "PUT must-move",
    Right.SET_TABLES,
    bumps_version=False,
    check=why_not_pair,
    title=Phrase("Make this a must-move table"),
    tag="Waiting list",
    example={"to_table": 1},
    page="must-move",
    menu="more",
    done=Phrase("The must-move table is set."),
)
def must_move_set(
    tx: TableTransaction,
    *,
    to_table: Annotated[
        int,
        Whole(NONE, MOST_ID),
        Label(Phrase("Its players fill the seats of")),
        Pick(_tables),
        "A table of the same game; 0 for none.",
    ],
) -> MustMoveAnswer:
    """Say whose free seats are filled from this table, who sat longest here first; it is the must-move of one table at most.

    The pair holds while both play the same filed game. Nobody is moved by it: the seat's sheet offers who is first.
    """
    other = None if to_table == NONE else _pair_of(tx, to_table)
    if tx.table.must_move_to_id != (None if other is None else other.pk):
        tx.table.must_move_to = other
        tx.table._history_user = tx.actor  # type: ignore[attr-defined]  # read by simple_history
        tx.table.save(update_fields=["must_move_to"])  # a setting, with its history
    tx.journal("must_move_set", _must_move_data(other))
    for each in (tx.table, other):
        if each is not None:
            table_changed(each)
    return {"to_table": None if other is None else other.pk}


def _pair_of(tx: TableTransaction, pk: int) -> Table:
    other = Table.objects.filter(room=tx.room, pk=pk).select_related("game").first()
    if other is None:
        raise BadInput("unknown_table", Phrase("This room has no table {pk}.", pk=pk), path="to_table")
    if other.pk == tx.table.pk or _number(other) != _number(tx.table):
        raise BadInput(
            "not_of_one_game",
            Phrase(
                "A must-move table fills the seats of another table of the same game; {other} is none.",
                other=other,
            ),
            path="to_table",
        )
    if other.must_move_to_id == tx.table.pk:
        raise BadInput(
            "must_move_both_ways",
            Phrase("{other} is the must-move of {table}. Take that off first.", other=other, table=tx.table),
            path="to_table",
        )
    return other


def _must_move_data(other: Table | None) -> dict[str, Any]:
    """Whose must-move a table is from now on."""
    return {"to_table": None if other is None else other.pk}
