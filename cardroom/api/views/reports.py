"""The reports of the catalogue: the same documents as on pages and in files."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.documents.export import data_of
from cardroom.floor.errors import NotFound
from cardroom.floor.reads.access import get_room_for
from cardroom.people.rights import Right, roles_of, why_not_with
from cardroom.reports.background.limits import draw
from cardroom.reports.catalogue.questions import REPORTS, listed_in
from cardroom.reports.queries.parser import report_query_of

from .. import reports
from ..base import SignedInView
from ..forms import read_query
from ..headers import signed_in
from ..operations import reads

_TAG = "Reports"


class Reports(SignedInView):
    @reads(
        "List the reports",
        reports.ReportName,
        many=True,
        description="Those that you may draw, with their own choices; the first choice is the default.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int) -> Response:
        staff = signed_in(request)
        room = get_room_for(staff, room_id, Right.SEE_REPORTS)
        roles = roles_of(staff, room)
        return Response(
            [
                {
                    "name": report.name,
                    "title": report.title,
                    "text": report.text,
                    "by_table": report.by_table,
                    "by_shift": report.by_shift,
                    "options": {
                        option.name: [value for value, _ in option.choices(room)] for option in report.options
                    },
                }
                for report in listed_in(room)
                if why_not_with(roles, staff, report.right, room) is None
            ]
        )


class Report(SignedInView):
    @reads(
        "Draw a report",
        reports.ReportDocument,
        description="About gaming days `from` to `to`, both included; without them, about the gaming day of the last "
        "shift. `GET /api/rooms/{room_id}/reports` lists the names, and which of the choices below each report has.",
        query=reports.ReportQuery,
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, name: str) -> Response:
        staff, report = signed_in(request), REPORTS.get(name)
        room = get_room_for(staff, room_id, Right.SEE_REPORTS if report is None else report.right)
        if report is None:
            raise NotFound("not_found", f"There is no report {name!r}. The list names all: GET …/reports.")
        wanted = read_query(reports.ReportQuery, request)
        query = report_query_of(
            report,
            room,
            staff,
            timezone.now(),
            first=wanted.pop("from", None),
            last=wanted.pop("to", None),
            table=wanted.pop("table", None),
            shift=wanted.pop("shift", None),
            options=wanted,
        )
        return Response(data_of(draw(report, query)))
