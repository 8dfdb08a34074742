"""Fee audit in the background: asked for by a person, done by a worker, kept as a record."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from cardroom.core.dates import day_text, minute_text
from cardroom.documents.document import ReportDocument
from cardroom.floor.errors import NotFound, WhyNot
from cardroom.floor.models import Round, Shift
from cardroom.jobs.kinds import JobKind, JobLabels
from cardroom.jobs.lifecycle import OPEN
from cardroom.jobs.models import Job
from cardroom.jobs.progress import Progress
from cardroom.people.models import Staff
from cardroom.rooms.models import Room

from ..catalogue.fee_audit import NOTES, answers_of, grids_of
from ..queries.query import ReportQuery
from ..verification.fee_audit import Charged, Found, charged_rounds, compute_again
from .lifecycle import RECOMPUTATION, end_journaled, error_of_run


@dataclasses.dataclass(frozen=True)
class Recomputation:
    """The fees of all rounds of a period computed again, and what came of it: a job, read.

    `found` and `charged` are the record that on that day every round was computed again; `kept` counts corrections that
    kept the fees as dropped. All of that is there once the job has finished.
    """

    job: Job

    @property
    def first(self) -> datetime.date:
        """First gaming day."""
        return datetime.date.fromisoformat(self.job.arguments["first"])

    @property
    def last(self) -> datetime.date:
        """Last gaming day, included."""
        return datetime.date.fromisoformat(self.job.arguments["last"])

    @property
    def differing(self) -> int:
        """Rounds that differ; 0 while that is not known."""
        return int(self._result.get("differing", 0))

    @property
    def kept(self) -> int:
        return int(self._result["kept"])

    @property
    def found(self) -> list[Found]:
        return list(self._result["found"])

    @property
    def charged(self) -> list[Charged]:
        return list(self._result["charged"])

    @property
    def _result(self) -> Mapping[str, Any]:
        return self.job.result or {}

    def __str__(self) -> str:
        return f"Fee audit of {day_text(self.first)} to {day_text(self.last)}"


def _jobs(room: Room) -> QuerySet[Job]:
    return Job.objects.filter(room=room, kind=RECOMPUTATION).select_related("asked_by", "room")


def recomputations_of(room: Room) -> list[Recomputation]:
    """Return the last recomputations of a room, the latest first."""
    return [Recomputation(job) for job in _jobs(room)[:50]]


def recomputation_of(room: Room, pk: int) -> Recomputation:
    """Return one of the room's recomputations; raises NotFound."""
    found = _jobs(room).filter(pk=pk).first()
    if found is None:
        raise NotFound("not_found", f"There is no recomputation {pk} in this room.")
    return Recomputation(found)


def why_not_recompute(room: Room) -> WhyNot | None:
    """A room has one under way at a time."""
    if _jobs(room).filter(state__in=OPEN).exists():
        return WhyNot("recomputation_under_way", "A fee audit is already running. Wait until it has ended.")
    return None


def _run(job: Job, progress: Progress) -> dict[str, Any]:
    run = Recomputation(job)
    shifts = Shift.objects.filter(room=job.at_room, gaming_day__range=(run.first, run.last))
    ids = list(shifts.order_by("opened_at").values_list("pk", flat=True))
    progress.of(charged_rounds(Round.objects.filter(shift__in=ids)).count())
    made = compute_again(Round.objects.all(), ids, progress.at)
    progress.done = progress.total = made.rounds
    return {"differing": made.differing, "kept": made.kept, "found": made.found, "charged": made.charged}


def _labels(jobs: Sequence[Job]) -> list[JobLabels]:
    return [
        JobLabels(
            what="compute fees again",
            about=f"{job.arguments['first']} to {job.arguments['last']}",
            link=f"/rooms/{job.at_room.code}/recomputations/{job.pk}/",
            cause="a person asked for it",
        )
        for job in jobs
    ]


RECOMPUTATION_KIND = JobKind(
    name=RECOMPUTATION, run=_run, labels=_labels, most_tries=1, error=error_of_run, write_end=end_journaled
)


def recomputation_document(run: Recomputation, staff: Staff) -> ReportDocument:
    """Return a finished recomputation as a document: what came out then, and nothing computed now."""
    assert run.job.ended_at is not None  # only what has ended is told
    query = ReportQuery(run.job.at_room, run.first, run.last, staff, run.job.ended_at)
    ended = minute_text(run.job.ended_at, run.job.at_room.zone)
    return query.document(
        "recomputation",
        "Fee audit",
        answers=answers_of(run.job.done, run.differing, run.kept),
        grids=grids_of(run.found, run.charged, run.differing),
        notes=(f"Asked for by {run.job.asked_by}, computed in the background, ended {ended}.", *NOTES),
    )
