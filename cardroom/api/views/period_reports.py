"""API reads: stored reports of gaming days and of months."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant, OneOf
from cardroom.floor.errors import NotFound
from cardroom.floor.reads.access import get_room_for
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.reports.models import PeriodReport as Made
from cardroom.reports.periods.period import Period, period_named, period_of
from cardroom.reports.stored.selectors import (
    period_reports_of,
    standing_period_reports,
    why_not_period_report,
)
from cardroom.rooms.models import Room

from ..base import Before, Limit, Revision, SignedInView, page
from ..operations import page_of, reads
from .shifts import JournalHeadRow, ReportChange

_TAG = "Reports"


class PeriodReportRow(TypedDict):
    """The current report of a gaming day or month."""

    id: int
    kind: Annotated[str, OneOf(("day", "month"))]
    period: Annotated[str, "2026-11-20 or 2026-11, as its address has it."]
    made_at: Instant
    revision: Annotated[int, "0 as made first; one more a restatement."]
    ties_out: Annotated[bool, "Whether the ways of adding its figures up agree."]
    content_hash: Annotated[str, "Of figures, sections and changes; the room's journal has it too."]


class PeriodReportRecord(PeriodReportRow):
    """The report of a gaming day or month, as it was made."""

    superseded: Annotated[bool, "Whether a later restatement replaces it."]
    changes: Annotated[list[ReportChange], "What differs from the report before."]
    figures: Annotated[
        dict[str, Any], "The figures by table and in total; `parts` are the shift reports that it rests on."
    ]
    sections: Annotated[dict[str, Any], "The sections of the shift reports, brought together, by name."]
    inputs_hash: Annotated[str, "Of the hashes of the shift reports and of the heads."]
    heads: Annotated[list[JournalHeadRow], "Heads of the journal's chains when the report was made."]


def _period_for(staff: Staff, room_id: int, period: str, *, right: Right) -> Period:
    room = get_room_for(staff, room_id, right)
    try:
        return period_named(room, period)
    except ValueError as error:
        raise NotFound("not_found", f"There is no such period: {error}.") from error


class PeriodReports(SignedInView):
    @reads(
        "List the reports of gaming days and months",
        page_of(PeriodReportRow),
        description="The current ones, the one that was made last first.",
        access=get_room_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
        name="rooms_roll_ups_list",
    )
    def get(
        self,
        request: Request,
        room: Room,
        *,
        before: Before = None,
        limit: Limit = 50,
        kind: Annotated[str | None, OneOf(("day", "month"))] = None,
    ) -> Response:
        return page(request, standing_period_reports(room, kind), _row, key="id", before=before, limit=limit)


class PeriodReport(SignedInView):
    @reads(
        "Read the report of a gaming day or month",
        PeriodReportRecord,
        description="`period` is a day such as 2026-11-20 or a month such as 2026-11. 404 `no_report` until it has been "
        "made: when the period is over and each of its shifts has its report. When one of those is restated, so is this: "
        "the last `revision` stands, and `changes` says what differs from the one before. `?revision=0` reads the first.",
        access=_period_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
    )
    def get(self, request: Request, about: Period, *, revision: Revision = None) -> Response:
        made = period_reports_of(about)
        if not made:
            why = why_not_period_report(about, timezone.now())
            text = "It is being made." if why is None else why.message
            raise NotFound("no_report", f"There is no report yet of {about.name}. {text}")
        if revision is not None and revision > made[-1].revision:
            raise NotFound("no_report", f"The last report of {about.name} is revision {made[-1].revision}.")
        report = made[-1 if revision is None else revision]
        return Response(
            {
                **_row(report),
                "superseded": report.revision != made[-1].revision,
                "changes": report.changes,
                "figures": report.figures,
                "sections": report.sections,
                "inputs_hash": report.inputs_hash,
                "heads": report.heads,
            }
        )


def _row(period_report: Made) -> PeriodReportRow:
    return {
        "id": period_report.pk,
        "kind": period_report.kind,
        "period": period_of(period_report).name,
        "made_at": utc_text(period_report.made_at),
        "revision": period_report.revision,
        "ties_out": not period_report.typed_figures["differences"],
        "content_hash": period_report.content_hash,
    }
