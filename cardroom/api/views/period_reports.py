"""The reports of gaming days and of months."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.floor.errors import NotFound
from cardroom.floor.reads.access import get_room_for
from cardroom.people.rights import Right
from cardroom.reports.models import PeriodReport as Made
from cardroom.reports.periods.period import period_named, period_of
from cardroom.reports.stored.selectors import (
    period_reports_of,
    standing_period_reports,
    why_not_period_report,
)

from .. import answers, bodies
from ..base import SignedInView, page
from ..forms import read_query
from ..headers import signed_in
from ..operations import reads

_TAG = "Reports"


class PeriodReports(SignedInView):
    @reads(
        "List the reports of gaming days and months",
        answers.page_of(answers.PeriodReportRow),
        description="Those that stand, the one that was made last first.",
        query=bodies.PeriodReportFilter,
        tag=_TAG,
        name="rooms_roll_ups_list",
    )
    def get(self, request: Request, room_id: int) -> Response:
        room = get_room_for(signed_in(request), room_id, Right.SEE_REPORTS)
        wanted = read_query(bodies.PeriodReportFilter, request)
        rows = standing_period_reports(room, wanted.get("kind"))
        return page(request, rows, _row, key="id", before=wanted.get("before"), limit=wanted["limit"])


class PeriodReport(SignedInView):
    @reads(
        "Read the report of a gaming day or month",
        answers.PeriodReportAnswer,
        description="`period` is a day such as 2026-11-20 or a month such as 2026-11. 404 `no_report` until it has been "
        "made: when the period is over and each of its shifts has its report. When one of those is restated, so is this: "
        "the last `revision` stands, and `changes` says what differs from the one before. `?revision=0` reads the first.",
        query=bodies.Revision,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, period: str) -> Response:
        room = get_room_for(signed_in(request), room_id, Right.SEE_REPORTS)
        try:
            about = period_named(room, period)
        except ValueError as error:
            raise NotFound("not_found", f"There is no such period: {error}.") from error
        wanted = read_query(bodies.Revision, request).get("revision")
        made = period_reports_of(about)
        if not made:
            why = why_not_period_report(about, timezone.now())
            text = "It is being made." if why is None else why.message
            raise NotFound("no_report", f"There is no report yet of {about.name}. {text}")
        if wanted is not None and wanted > made[-1].revision:
            raise NotFound("no_report", f"The last report of {about.name} is revision {made[-1].revision}.")
        report = made[-1 if wanted is None else wanted]
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


def _row(period_report: Made) -> dict[str, Any]:
    return {
        "id": period_report.pk,
        "kind": period_report.kind,
        "period": period_of(period_report).name,
        "made_at": utc_text(period_report.made_at),
        "revision": period_report.revision,
        "ties_out": not period_report.typed_figures["differences"],
        "content_hash": period_report.content_hash,
    }
