"""Fees computed again in the background."""

from __future__ import annotations

from typing import Annotated, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf
from cardroom.documents.export import ReportData, data_of
from cardroom.floor.reads.access import get_room_for
from cardroom.jobs.models import Job
from cardroom.people.rights import Right
from cardroom.reports.background.fee_audits import Recomputation as Run
from cardroom.reports.background.fee_audits import recomputation_document, recomputation_of, recomputations_of

from ..base import SignedInView
from ..headers import signed_in
from ..operations import reads

_TAG = "Reports"


_Days = TypedDict("_Days", {"from": DayText, "to": DayText})


class RecomputationRow(_Days):
    """Fees computed again in the background: how far it has come."""

    id: int
    asked_at: Instant
    asked_by: str
    state: Annotated[str, OneOf(Job.State)]
    total: Annotated[int, "Rounds to be computed."]
    done: int
    differing: Annotated[int, "Rounds that differ, once it has finished: must be none."]
    text: Annotated[str, "Why it failed."]
    ended_at: Instant | None


class RecomputationRecord(RecomputationRow):
    """The same, with what came of it."""

    paper: ReportData | None


class Recomputations(SignedInView):
    @reads("List what was computed again", RecomputationRow, many=True, tag=_TAG)
    def get(self, request: Request, room_id: int) -> Response:
        room = get_room_for(signed_in(request), room_id, Right.SEE_REPORTS)
        return Response([_state(run) for run in recomputations_of(room)])


class Recomputation(SignedInView):
    @reads(
        "Read how far fees were computed again, and what came of it",
        RecomputationRecord,
        description="`paper` is null until it has finished.",
        tag=_TAG,
    )
    def get(self, request: Request, room_id: int, run_id: int) -> Response:
        staff = signed_in(request)
        room = get_room_for(staff, room_id, Right.SEE_REPORTS)
        run = recomputation_of(room, run_id)
        finished = run.job.state == Job.State.FINISHED
        return Response(
            {**_state(run), "paper": data_of(recomputation_document(run, staff)) if finished else None}
        )


def _state(run: Run) -> RecomputationRow:
    job = run.job
    return {
        "id": job.pk,
        "from": run.first.isoformat(),
        "to": run.last.isoformat(),
        "asked_at": utc_text(job.asked_at),
        "asked_by": str(job.asked_by),
        "state": job.state,
        "total": job.total,
        "done": job.done,
        "differing": run.differing,
        "text": job.error,
        "ended_at": utc_text(job.ended_at),
    }
