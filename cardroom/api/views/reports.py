"""API reads: the reports of the catalogue, the same documents as on pages and in files."""

from __future__ import annotations

import datetime
from typing import Annotated, NotRequired, TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.json_types import Field, Id, Key, Text, Whole, field_of
from cardroom.documents.export import ReportData, data_of
from cardroom.floor.errors import NotFound
from cardroom.floor.reads.access import get_room_for
from cardroom.people.models import Staff
from cardroom.people.rights import Right, roles_of, why_not_with
from cardroom.reports.background.limits import draw
from cardroom.reports.catalogue.questions import REPORTS, listed_in
from cardroom.reports.commands.background_reports import CHOICE_LENGTH
from cardroom.reports.queries.parser import report_query_of
from cardroom.reports.queries.query import Report as CatalogueReport
from cardroom.rooms.models import Room

from ..base import SignedInView
from ..headers import signed_in
from ..operations import reads

_TAG = "Reports"


First = Annotated[datetime.date | None, Key("from"), "First gaming day."]
Last = Annotated[datetime.date | None, Key("to"), "Last gaming day, included."]
TableNumber = Annotated[int | None, Whole(1, 32767), "The number painted on the table."]
PeriodShift = Annotated[Id | None, "A shift's id; it brings its own day."]


def _choices() -> tuple[Field, ...]:
    """The choices of all reports of the catalogue, each once."""
    found: dict[str, Field] = {}
    for report in REPORTS.values():
        for option in report.options:
            said = f"{option.label}, of `{report.name}`."
            choice = Annotated[str, Text(CHOICE_LENGTH, blank=True), said]
            found.setdefault(option.name, field_of(option.name, NotRequired[choice]))
    return tuple(found.values())


_CHOICES = _choices()


class ReportName(TypedDict):
    """A report of the catalogue."""

    name: str
    title: str
    text: Annotated[str, "The question that it answers."]
    by_table: Annotated[bool, "Whether it can be narrowed to a table."]
    by_shift: Annotated[bool, "Whether it can be narrowed to a shift."]
    options: Annotated[dict[str, list[str]], "Its own choices by name."]


def _report_for(staff: Staff, room_id: int, name: str, *, right: Right) -> tuple[Room, CatalogueReport]:
    report = REPORTS.get(name)
    room = get_room_for(staff, room_id, right if report is None else report.right)
    if report is None:
        raise NotFound("not_found", f"There is no report {name!r}. The list names all: GET …/reports.")
    return room, report


class Reports(SignedInView):
    @reads(
        "List the reports",
        ReportName,
        many=True,
        description="Those that you may draw, with their own choices; the first choice is the default.",
        access=get_room_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room) -> Response:
        staff = signed_in(request)
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
        ReportData,
        description="About gaming days `from` to `to`, both included; without them, about the gaming day of the last "
        "shift. `GET /api/rooms/{room_id}/reports` lists the names, and which of the choices below each report has.",
        query=_CHOICES,
        access=_report_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
    )
    def get(
        self,
        request: Request,
        found: tuple[Room, CatalogueReport],
        *,
        first: First = None,
        last: Last = None,
        table: TableNumber = None,
        shift: PeriodShift = None,
        **choices: str,
    ) -> Response:
        room, report = found
        query = report_query_of(
            report,
            room,
            signed_in(request),
            timezone.now(),
            first=first,
            last=last,
            table=table,
            shift=shift,
            options=choices,
        )
        return Response(data_of(draw(report, query)))
