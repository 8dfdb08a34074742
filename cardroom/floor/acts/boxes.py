"""Letting a table collect without a drop box, at a supervisor's word."""

from __future__ import annotations

from cardroom.people.models import Staff
from cardroom.people.rights import Right

from ..box_checks import why_not_waive_box
from ..errors import NotNow
from ..models import Procedure
from .commands import Answer, AtTable, table_command
from .procedures import procedure_note, supervisor_of
from .second_person import given_reason


@table_command(Right.RUN_ROUNDS)
def box_waive(at: AtTable, *, reason: str, approver: Staff | None = None) -> Answer:
    """Let the table collect without a drop box until one is put on, within the open shift; a supervisor orders it."""
    view = at.view()
    if why := why_not_waive_box(view):
        raise NotNow.because(why)
    supervisor = supervisor_of(at, approver, Right.SUPERVISE)
    procedure_note(
        at,
        Procedure.Kind.BOX_WAIVED,
        round=view.live,
        reason=given_reason(reason, "Collecting without a drop box"),
        ordered_by=supervisor,
    )
    return {}
