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
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.reports.background.background_reports import BackgroundReport as Run
from cardroom.reports.background.background_reports import (
    background_report_document,
    background_reports_of,
    get_background_report_for,
)
from cardroom.reports.providers.statement import get_provider_for

from ..base import SignedInView
from ..headers import signed_in
from ..operations import reads

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


class BackgroundReports(SignedInView):
    @reads("List the reports that a worker drew", BackgroundReportRow, many=True, tag=_TAG)
    def get(self, request: Request, room_id: int) -> Response:
        room = get_room_for(signed_in(request), room_id, Right.SEE_REPORTS)
        return Response([_state(run) for run in background_reports_of(room)])


class BackgroundReport(SignedInView):
    @reads(
        "Read how far a report was drawn, and what it said",
        BackgroundReportRecord,
        description="`paper` is null until it has finished.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, report_id: int) -> Response:
        staff = signed_in(request)
        room = get_room_for(staff, room_id, Right.SEE_REPORTS)
        run = get_background_report_for(staff, room, report_id)
        return Response(_record(run, staff))


class BackgroundStatements(SignedInView):
    @reads("List the statements of a provider that a worker drew", BackgroundReportRow, many=True, tag=_TAG)
    def get(self, request: Request, room_id: int, provider_id: int) -> Response:
        staff = signed_in(request)
        room = get_room_for(staff, room_id, Right.SEE_STATEMENTS)
        provider = get_provider_for(staff, room, provider_id)
        return Response([_state(run) for run in background_reports_of(room, provider=provider)])


class BackgroundStatement(SignedInView):
    @reads(
        "Read how far a statement was drawn, and what it said",
        BackgroundReportRecord,
        description="`paper` is null until it has finished.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, provider_id: int, statement_id: int) -> Response:
        staff = signed_in(request)
        room = get_room_for(staff, room_id, Right.SEE_STATEMENTS)
        run = get_background_report_for(staff, room, statement_id)
        if run.provider is None or run.provider.pk != provider_id:
            raise NotFound("not_found", f"Provider {provider_id} has no statement {statement_id}.")
        return Response(_record(run, staff))


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
