"""Creates shift reports: reads the inputs, computes the figures, stores the report."""

from __future__ import annotations

from django.db import IntegrityError

from cardroom.config.databases import snapshot
from cardroom.core.canonical import canonical_hash
from cardroom.core.dates import utc_text
from cardroom.floor.errors import NotFound, NotNow
from cardroom.floor.execution.locks import locked, run_again
from cardroom.floor.models import Shift, Table
from cardroom.floor.reads.past_day import day_end
from cardroom.rooms.models import Room

from ..emails.sending import emails_of_report
from ..models import ShiftReport
from ..periods.making import period_reports_ask_again
from ..queries.banking import banking_of_room
from ..sections.figure_types import Sections
from ..sections.registry import sections_read
from ..stored.figure_types import Figures, Subject
from ..stored.selectors import report_of, why_not_report
from ..stored.store import report_keep
from .figures import figures_made, tables_spoken_of
from .inputs import Inputs, inputs_hash, inputs_read

#: The command by which the room's journal keeps that a report was made, and what was in it.
REPORT_COMMAND = "shift_report"

#: How often in a row another worker may write the revision that is being made before that counts as a fault.
_MOST_MEETINGS = 5


def shift_report_make(shift_id: int) -> ShiftReport:
    """Make the report of a closed shift, restate it when what it shows has changed, or return the current one.

    However often it runs, there is one report of a revision. Raises NotFound for an unknown shift, NotNow for an open one
    and while a round of it is still in play.
    """
    for _ in range(_MOST_MEETINGS):
        with snapshot():
            shift = Shift.objects.select_related("room", "opened_by", "closed_by").filter(pk=shift_id).first()
            if shift is None:
                raise NotFound("not_found", f"There is no shift {shift_id}.")
            if why := why_not_report(shift):
                raise NotNow.because(why)
            current = report_of(shift)
            inputs, sections = inputs_read(shift), sections_read(shift)
            if current is not None and _is_unchanged(current, inputs, sections):
                return current
        try:
            return _written(shift, current, inputs, sections)
        except IntegrityError as error:
            # Another worker wrote this revision, and may have read the shift before what was read here: look again.
            met = error
    raise met


def _is_unchanged(current: ShiftReport, inputs: Inputs, sections: Sections) -> bool:
    same_inputs = inputs_hash(inputs, current.chain_heads) == current.inputs_hash
    return same_inputs and canonical_hash(sections) == canonical_hash(current.sections)


@run_again
def _written(shift: Shift, current: ShiftReport | None, inputs: Inputs, sections: Sections) -> ShiftReport:
    """Write one report, and its hash into the journal of the room, under the room's lock."""
    with locked(Room, shift.room_id) as room:
        report = ShiftReport(shift=shift, room=room, figures=figures_of(shift, inputs), sections=sections)
        kept = report_keep(
            report,
            room,
            current=current,
            inputs_hash=lambda heads: inputs_hash(inputs, heads),
            command=REPORT_COMMAND,
            about={"shift": shift.pk},
        )
        emails_of_report(kept, kept.made_at)
        period_reports_ask_again(shift, kept.made_at)
    return kept


def figures_of(shift: Shift, inputs: Inputs) -> Figures:
    """Make the figures of what was read, with the names of now, for every table of the room."""
    return figures_made(
        inputs,
        subject=_subject(shift),
        numbers=dict(
            Table.objects.filter(room=shift.room).values_list("pk", "number")
            | Table.objects.filter(pk__in=tables_spoken_of(inputs)).values_list("pk", "number"),
        ),
        idle="players" if banking_of_room(shift.room).players else "house",
    )


def _subject(shift: Shift) -> Subject:
    opened_at, closed_at = utc_text(shift.opened_at), utc_text(shift.closed_at)
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
        "day_ends_at": utc_text(day_end(shift)) or "",
    }
