"""API reads: background reports and provider statements, their state and, once a worker has drawn them, their content."""

from __future__ import annotations

from typing import Annotated, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf
from cardroom.documents.export import ReportData, data_of
from cardroom.floor.errors import NotFound
from cardroom.floor.reads.access import get_room_for
from cardroom.jobs.models import Job
from cardroom.people.models import Provider, Staff
from cardroom.people.rights import Right
from cardroom.reports.background.background_reports import BackgroundReport as Run
from cardroom.reports.background.background_reports import (
    background_report_document,
    background_reports_of,
    get_background_report_for,
)
from cardroom.rooms.models import Room

from ..base import SignedInView
from ..headers import signed_in
from ..operations import reads
from .provider_statements import provider_for

_TAG = "Reports"


_Days = TypedDict("_Days", {"from": DayText, "to": DayText})


class BackgroundReportRow(_Days):
    """A report that a worker draws: how far it has come."""

    id: int
    report: Annotated[str, "Its name in the list of reports, or `statement`."]
    title: str
    about: Annotated[str, "What is asked, in words."]
    asked_at: Instant
    asked_by: str
    state: Annotated[str, OneOf(Job.State)]
    total: Annotated[int, "Rounds to be gone through."]
    done: int
    text: Annotated[str, "Why it failed."]
    ended_at: Instant | None


class BackgroundReportRecord(BackgroundReportRow):
    """The same, with what it said."""

    paper: ReportData | None


def _report_for(staff: Staff, room_id: int, report_id: int, *, right: Right) -> Run:
    room = get_room_for(staff, room_id, right)
    return get_background_report_for(staff, room, report_id)


def _statement_for(staff: Staff, room_id: int, provider_id: int, statement_id: int, *, right: Right) -> Run:
    room = get_room_for(staff, room_id, right)
    run = get_background_report_for(staff, room, statement_id)
    if run.provider is None or run.provider.pk != provider_id:
        raise NotFound("not_found", f"Provider {provider_id} has no statement {statement_id}.")
    return run


class BackgroundReports(SignedInView):
    @reads(
        "List the reports that a worker drew",
        BackgroundReportRow,
        many=True,
        description="Reports over many rounds that were asked for, each with the days it is of and how far it has come.",
        access=get_room_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
    )
    def get(self, request: Request, room: Room) -> Response:
        return Response([_state(run) for run in background_reports_of(room)])


class BackgroundReport(SignedInView):
    @reads(
        "Read how far a report was drawn, and what it said",
        BackgroundReportRecord,
        description="`paper` is null until it has finished.",
        access=_report_for,
        right=Right.SEE_REPORTS,
        tag=_TAG,
    )
    def get(self, request: Request, run: Run) -> Response:
        return Response(_record(run, signed_in(request)))


class BackgroundStatements(SignedInView):
    @reads(
        "List the statements of a provider that a worker drew",
        BackgroundReportRow,
        many=True,
        description="Those that were asked for, each with the days it is of and how far it has come.",
        access=provider_for,
        right=Right.SEE_STATEMENTS,
        tag=_TAG,
    )
    def get(self, request: Request, found: tuple[Room, Provider]) -> Response:
        room, provider = found
        return Response([_state(run) for run in background_reports_of(room, provider=provider)])


class BackgroundStatement(SignedInView):
    @reads(
        "Read how far a statement was drawn, and what it said",
        BackgroundReportRecord,
        description="`paper` is null until it has finished.",
        access=_statement_for,
        right=Right.SEE_STATEMENTS,
        tag=_TAG,
    )
    def get(self, request: Request, run: Run) -> Response:
        return Response(_record(run, signed_in(request)))


def _state(run: Run) -> BackgroundReportRow:
    job, query = run.job, run.query
    return {
        "id": job.pk,
        "report": run.report.name,
        "title": run.title,
        "from": query.first.isoformat(),
        "to": query.last.isoformat(),
        "about": run.about,
        "asked_at": utc_text(job.asked_at),
        "asked_by": str(job.asked_by),
        "state": job.state,
        "total": job.total,
        "done": job.done,
        "text": job.error,
        "ended_at": utc_text(job.ended_at),
    }


def _record(run: Run, staff: Staff) -> BackgroundReportRecord:
    finished = run.job.state == Job.State.FINISHED
    return {**_state(run), "paper": data_of(background_report_document(run, staff)) if finished else None}
