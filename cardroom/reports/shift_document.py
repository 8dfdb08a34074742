"""A stored shift report as a document."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Final

from cardroom.documents.document import Grid, ReportDocument
from cardroom.floor.models import Shift

from .models import ShiftReport
from .report_document import About, clock, compared_grid, players_bank, report_document_of
from .selectors import report_of

_WEEK: Final = datetime.timedelta(days=7)


def shift_document_of(report: ShiftReport) -> ReportDocument:
    """Return the report of a shift as a document; the shift of a week before is compared from its own report."""
    subject = report.sums["subject"]
    about = About(
        name="shift-report",
        title="Shift report",
        period=f"{subject['shift_name']} shift, gaming day {subject['gaming_day']}",
        compared=_week_before(report),
        notes=list(_notes(report)),
    )
    return report_document_of(report, about)


def _week_before(report: ShiftReport) -> Grid:
    """Hold the totals against the shift of the same name a week before, as its report says them now."""
    shift = report.shift
    day = shift.gaming_day - _WEEK
    before = Shift.objects.filter(room=shift.room_id, name=shift.name, gaming_day=day).first()
    return compared_grid(
        report,
        None if before is None else report_of(before),
        name="week_before",
        title="The same shift a week before",
        headings=("This shift", "A week before"),
        says=f"{shift.name} of {day}",
    )


def _notes(report: ShiftReport) -> Iterator[str]:
    subject = report.sums["subject"]
    yield (
        f"Made {clock(report, report.made_at)} from the stored facts alone, when the shift had closed and its last round "
        f"had ended. Opened {clock(report, subject['opened_at'])} by {subject['opened_by']}, closed "
        f"{clock(report, subject['closed_at'])} by {subject['closed_by']}."
    )
    fees = (
        "Fees of rounds voided later are in the fees and, where they went back, in what was given back. "
        if players_bank(report)
        else ""
    )
    yield (
        f"A round belongs to the shift that was open when its bets closed. {fees}A correction counts in the shift in which it "
        "was made."
    )
