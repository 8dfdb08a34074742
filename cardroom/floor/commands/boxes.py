"""Letting a table collect without a drop box, at a supervisor's word."""

from __future__ import annotations

from typing import Annotated

from cardroom.core.json_types import Label, Note
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..checks.boxes import why_not_waive_box
from ..execution import table_command
from ..models import Procedure
from ..transactions import TableTransaction
from .procedures import Supervisor, procedure_note, supervisor_of
from .second_person import given_reason


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
