"""Which closed gaming days of a room are not exported yet, and how each stands: for the page of exports and the rooms' homes."""

from __future__ import annotations

import dataclasses
import datetime
import enum
from typing import Final

from cardroom.jobs.models import Job
from cardroom.rooms.models import Room

from ..models import PeriodReport
from .making import EXPORT, exports_due

#: A day is written within minutes of its report; one that is not after this is late.
LATE_AFTER: Final = datetime.timedelta(hours=1)


class Standing(enum.Enum):
    """How a day stands that is not exported."""

    WAITS = "waits"
    #: Due longer than `LATE_AFTER` ago, or reported then and not asked for; no try has failed: nobody takes it up.
    LATE = "late"
    #: Tries have failed, and it is tried again by itself.
    FAILED = "failed"
    #: Nobody tries again before a person says so.
    GIVEN_UP = "given up"
    #: A person has cancelled its job, and no other one is asked for.
    CANCELLED = "cancelled"


@dataclasses.dataclass(frozen=True)
class WaitingDay:
    """A closed and reported gaming day without an export; `job` is the one that writes it, None before it was asked for."""

    report: PeriodReport
    job: Job | None
    standing: Standing

    @property
    def has_failed(self) -> bool:
        return self.standing in (Standing.FAILED, Standing.GIVEN_UP)

    @property
    def reason(self) -> str:
        """Why the last try failed; "" where none has."""
        return self.job.error if self.job is not None and self.has_failed else ""


def days_waiting(room: Room, now: datetime.datetime) -> list[WaitingDay]:
    """Return the reported gaming days of a room that are not exported, the oldest first."""
    jobs = {
        job.arguments["report"]: job
        for job in Job.objects.filter(room=room, kind=EXPORT).exclude(state=Job.State.FINISHED).order_by("pk")
    }
    due = exports_due(room).defer("figures", "sections", "changes", "heads")
    found = ((report, jobs.get(report.pk)) for report in due)
    return [WaitingDay(report, job, _standing(report, job, now)) for report, job in found]


def _standing(report: PeriodReport, job: Job | None, now: datetime.datetime) -> Standing:
    if job is not None:
        if job.state == Job.State.CANCELLED:
            return Standing.CANCELLED
        if job.state == Job.State.FAILED:
            return Standing.GIVEN_UP
        if job.tries:
            return Standing.FAILED
        if job.state == Job.State.RUNNING:
            return Standing.WAITS
    since = report.made_at if job is None else job.next_try_at
    return Standing.LATE if since < now - LATE_AFTER else Standing.WAITS
