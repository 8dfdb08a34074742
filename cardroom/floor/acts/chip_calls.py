"""Calling a chip runner to a table, and answering the call. Neither moves the table on: no tablet has to look again."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Annotated, TypedDict

from cardroom.core.acts import Cents, Id, Label, Note
from cardroom.people.rights import Right
from games.money import dollars
from games.phrases import Phrase

from ..commands import AtTable, table_act
from ..errors import NotNow, WhyNot
from ..models import ChipCall, Table
from ..notify import alert_changed
from ..reads.table_reading import TableReading, once_a_reading
from ..reads.waiting import Waiting, waits
from .round_steps import whole_cents


class CallAnswer(TypedDict):
    """Which call it is."""

    call: int


@once_a_reading
def why_not_call(reading: TableReading) -> WhyNot | None:
    """Chips are brought to an open table."""
    if reading.table.state != Table.State.OPEN:
        return WhyNot(
            "table_closed", Phrase("{table} is closed. The floor opens it first.", table=reading.table)
        )
    return None


@table_act(
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
    at: AtTable,
    *,
    cents: Annotated[Cents, Label(Phrase("Chips for"))],
    note: Annotated[Note, "Which chips."] = "",
) -> CallAnswer:
    """Call a chip runner to the table, with chips for `cents`."""
    call = ChipCall.objects.create(
        room=at.room,
        table=at.table,
        cents=whole_cents(cents, "cents"),
        note=note.strip(),
        called_at=at.now,
        called_by=at.actor,
    )
    at.journal("runner_call", {"call": call.pk, "cents": cents}, reason=call.note)
    alert_changed(at.table)
    return {"call": call.pk}


@table_act(
    "POST chip-calls/{call_id}/answer",
    Right.RUN_ROUNDS,
    bumps_version=False,
    no_check="it depends on the call, which is answered once",
    title="Chips delivered",
    tag="Chip calls",
    page="answer-call",
    done=Phrase("The chips are here."),
)
def runner_answer(at: AtTable, *, call_id: Id) -> CallAnswer:
    """Say that the chips of a call were brought."""
    call = ChipCall.objects.filter(pk=call_id, table=at.table, answered_at__isnull=True).first()
    if call is None:
        raise NotNow(
            "no_call", Phrase("No call {call_id} waits at {table}.", call_id=call_id, table=at.table)
        )
    call.answered_at, call.answered_by = max(at.now, call.called_at), at.actor
    call.save(update_fields=["answered_at", "answered_by"])
    at.journal("runner_answer", {"call": call.pk})
    alert_changed(at.table)
    return {"call": call.pk}


@waits
def calls_waiting(tables: Collection[int]) -> Iterator[Waiting]:
    """The unanswered calls."""
    for call in ChipCall.objects.filter(table__in=tables, answered_at__isnull=True):
        says = f"{dollars(call.cents)} {call.note}".strip()
        given = {"call_id": call.pk}
        yield Waiting(
            call.table_id,
            Phrase("Chip runner"),
            says,
            call.called_at,
            "runner_answer",
            given,
            Phrase("Delivered"),
        )
