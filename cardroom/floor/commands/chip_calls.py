"""Commands that call a chip runner to a table and answer the call. Neither changes the table's version."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.json_types import Cents, Id, Label, Note
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..errors import NotNow, WhyNot
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import ChipCall, Table
from ..notify import alert_changed
from ..reads.table_state import TableState
from .round_steps import whole_cents


class CallAnswer(TypedDict):
    """Which call it is."""

    call: int


def why_not_call(state: TableState) -> WhyNot | None:
    """Chips are brought to an open table."""
    if state.table.state != Table.State.OPEN:
        return WhyNot(
            "table_closed", Phrase("{table} is closed. The floor opens it first.", table=state.table)
        )
    return None


@table_command(
    "POST chip-calls",
    Right.RUN_ROUNDS,
    bumps_version=False,
    check=why_not_call,
    title=Phrase("Call a chip runner"),
    tag="Chip calls",
    example={"cents": 50000, "note": "reds"},
    page="call-runner",
    menu="more",
    done=Phrase("A chip runner is called."),
)
def runner_call(
    tx: TableTransaction,
    *,
    cents: Annotated[Cents, Label(Phrase("Chips for"))],
    note: Annotated[Note, "Which chips."] = "",
) -> CallAnswer:
    """Call a chip runner to the table, with chips for `cents`."""
    call = ChipCall.objects.create(
        room=tx.room,
        table=tx.table,
        cents=whole_cents(cents, "cents"),
        note=note.strip(),
        called_at=tx.now,
        called_by=tx.actor,
    )
    tx.journal("runner_call", {"call": call.pk, "cents": cents}, reason=call.note)
    alert_changed(tx.table)
    return {"call": call.pk}


@table_command(
    "POST chip-calls/{call_id}/answer",
    Right.RUN_ROUNDS,
    bumps_version=False,
    no_check="it depends on the call, which is answered once",
    title="Chips delivered",
    tag="Chip calls",
    page="answer-call",
    done=Phrase("The chips are here."),
)
def runner_answer(tx: TableTransaction, *, call_id: Id) -> CallAnswer:
    """Say that the chips of a call were brought."""
    call = ChipCall.objects.filter(pk=call_id, table=tx.table, answered_at__isnull=True).first()
    if call is None:
        raise NotNow(
            "no_call", Phrase("No call {call_id} waits at {table}.", call_id=call_id, table=tx.table)
        )
    call.answered_at, call.answered_by = max(tx.now, call.called_at), tx.actor
    call.save(update_fields=["answered_at", "answered_by"])
    tx.journal("runner_answer", {"call": call.pk})
    alert_changed(tx.table)
    return {"call": call.pk}
