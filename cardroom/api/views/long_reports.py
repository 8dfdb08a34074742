"""Reports and statements about more rounds than anybody waits for: asked for, and read when a worker has drawn them."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.documents.export import data_of
from cardroom.floor.errors import NotFound
from cardroom.floor.reads.reach import room_in_reach
from cardroom.floor.reads.records import utc
from cardroom.jobs.models import Job
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.reports.catalogue import REPORTS
from cardroom.reports.long_reports import (
    LongReport as Run,
)
from cardroom.reports.long_reports import (
    long_report_ask,
    long_report_in_reach,
    long_report_paper,
    long_reports_of,
)
from cardroom.reports.provider_access import provider_in_reach
from cardroom.reports.provider_statement import statement_report
from cardroom.reports.query_parser import asked_of

from .. import reports
from ..base import HouseView, done
from ..forms import read
from ..headers import envelope, signed_in
from ..operations import command, reads

_TAG = "Reports"
_JOINS = (
    "For reports about more rounds than are drawn while you wait (`too_many_rounds`). Who asks the same while it is under "
    "way joins it. Given on any version of the room, which stays as it is."
)


class LongReports(HouseView):
    @reads("List the reports that a worker drew", reports.LongReportState, many=True, tag=_TAG)
    def get(self, request: Request, room_id: int) -> Response:
        room = room_in_reach(signed_in(request), room_id, Right.SEE_REPORTS)
        return Response([_state(run) for run in long_reports_of(room)])

    @command(
        "Have a report drawn in the background",
        reports.LongAsked,
        reports.LongReportAnswer,
        description=_JOINS,
        example={"report": "rotation", "from": "2026-11-01", "to": "2026-11-30"},
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int) -> Response:
        given = envelope(request)
        room = room_in_reach(given.actor, room_id, Right.SEE_REPORTS)
        wanted = read(reports.LongAsked, request)
        report = REPORTS.get(wanted["report"])
        if report is None or report.right is not Right.SEE_REPORTS:
            raise NotFound("not_found", f"There is no report {wanted['report']!r} that a worker draws.")
        asked = asked_of(
            report, room, given.actor, timezone.now(), options=wanted.get("options"), **_place(wanted)
        )
        return done(long_report_ask(given, asked, report))


class LongReport(HouseView):
    @reads(
        "Read how far a report was drawn, and what it said",
        reports.LongReportRecord,
        description="`paper` is null until it has finished.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, long_report_id: int) -> Response:
        staff = signed_in(request)
        room = room_in_reach(staff, room_id, Right.SEE_REPORTS)
        run = long_report_in_reach(staff, room, long_report_id)
        return Response(_record(run, staff))


class LongStatements(HouseView):
    @reads(
        "List the statements of a provider that a worker drew", reports.LongReportState, many=True, tag=_TAG
    )
    def get(self, request: Request, room_id: int, provider_id: int) -> Response:
        staff = signed_in(request)
        room = room_in_reach(staff, room_id, Right.SEE_STATEMENTS)
        provider = provider_in_reach(staff, room, provider_id)
        return Response([_state(run) for run in long_reports_of(room, provider=provider)])

    @command(
        "Have the statement of a provider drawn in the background",
        reports.LongStatementAsked,
        reports.LongReportAnswer,
        description=_JOINS,
        example={"from": "2026-11-01", "to": "2026-11-30"},
        on_room=True,
        tag=_TAG,
    )
    def post(self, request: Request, room_id: int, provider_id: int) -> Response:
        given = envelope(request)
        room = room_in_reach(given.actor, room_id, Right.SEE_STATEMENTS)
        provider = provider_in_reach(given.actor, room, provider_id)
        wanted = read(reports.LongStatementAsked, request)
        report = statement_report(provider)
        asked = asked_of(report, room, given.actor, timezone.now(), **_place(wanted))
        return done(long_report_ask(given, asked, report, provider))


class LongStatement(HouseView):
    @reads(
        "Read how far a statement was drawn, and what it said",
        reports.LongReportRecord,
        description="`paper` is null until it has finished.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, provider_id: int, long_statement_id: int) -> Response:
        staff = signed_in(request)
        room = room_in_reach(staff, room_id, Right.SEE_STATEMENTS)
        run = long_report_in_reach(staff, room, long_statement_id)
        if run.provider is None or run.provider.pk != provider_id:
            raise NotFound("not_found", f"Provider {provider_id} has no statement {long_statement_id}.")
        return Response(_record(run, staff))


def _place(wanted: dict[str, Any]) -> dict[str, Any]:
    return {
        "first": wanted.get("from"),
        "last": wanted.get("to"),
        "table": wanted.get("table"),
        "shift": wanted.get("shift"),
    }


def _state(run: Run) -> dict[str, Any]:
    job, asked = run.job, run.asked
    return {
        "id": job.pk,
        "report": run.report.name,
        "title": run.title,
        "from": asked.first.isoformat(),
        "to": asked.last.isoformat(),
        "about": run.about,
        "asked_at": utc(job.asked_at),
        "asked_by": str(job.asked_by),
        "state": job.state,
        "total": job.total,
        "done": job.done,
        "says": job.error,
        "ended_at": utc(job.ended_at),
    }


def _record(run: Run, staff: Staff) -> dict[str, Any]:
    finished = run.job.state == Job.State.FINISHED
    return {**_state(run), "paper": data_of(long_report_paper(run, staff)) if finished else None}
