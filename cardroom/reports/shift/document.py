"""Builds the document of a stored shift report."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Final

from cardroom.core.dates import day_text
from cardroom.documents.document import ReportDocument
from cardroom.floor.models import Shift

from ..models import ShiftReport
from ..stored.document import About, report_document_of
from ..stored.reading import clock, players_bank
from ..stored.selectors import report_of
from ..summary.comparison import Earlier

_WEEK: Final = datetime.timedelta(days=7)


def shift_document_of(report: ShiftReport) -> ReportDocument:
    """Return the report of a shift as a document; the shift of a week before is compared from its own report."""
    subject = report.typed_figures["subject"]
    day = day_text(datetime.date.fromisoformat(subject["gaming_day"]))
    about = About(
        name="shift-report",
        title="Shift report",
        period=f"{subject['shift_name']} shift, gaming day {day}",
        subject=subject["shift_name"],
        earlier=_week_before(report),
        notes=list(_notes(report)),
    )
    return report_document_of(report, about)


def _week_before(report: ShiftReport) -> Earlier:
    """The shift of the same name a week before, by its current report."""
    shift = report.shift
    before = shift_of_week_before(shift)
    stored = None if before is None else report_of(before)
    on = f"{shift.name} shift of {day_text(shift.gaming_day - _WEEK)}"
    return Earlier(
        stored,
        name="week_before",
        title=f"Against the {on}" if stored is not None else "Against the same shift a week before",
        headings=("This shift", "A week before"),
        short="a week before",
        missing=(
            f"There was no {on}, so there is nothing to compare with."
            if before is None
            else f"The {on} has no report yet."
        ),
    )


def shift_of_week_before(shift: Shift) -> Shift | None:
    """Return the shift of the same name a week before, None where there was none."""
    day = shift.gaming_day - _WEEK
    return Shift.objects.filter(room=shift.room_id, name=shift.name, gaming_day=day).first()


def _notes(report: ShiftReport) -> Iterator[str]:
    subject = report.typed_figures["subject"]
    yield (
        f"Made {clock(report, report.made_at)} from the stored facts alone, when the shift had closed and its last round "
        f"had ended. Opened {clock(report, subject['opened_at'])} by {subject['opened_by']}, closed "
        f"{clock(report, subject['closed_at'])} by {subject['closed_by']}."
    )
    fees = (
        "Fees of rounds voided later are in the fees and, where they went back, in the refunds. "
        if players_bank(report)
        else ""
    )
    yield (
        f"A round belongs to the shift that was open when its bets closed. {fees}A correction counts in the shift in which it "
        "was made."
    )
