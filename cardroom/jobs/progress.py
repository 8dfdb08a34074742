"""Progress of a claimed job, written to its row while the claim holds."""

from __future__ import annotations

import datetime
import time

from django.db.models import QuerySet
from django.utils import timezone

from .models import Job


def running(job: Job) -> QuerySet[Job]:
    """The job, while a worker runs it."""
    return Job.objects.filter(pk=job.pk, state=Job.State.RUNNING)


def claimed(job: Job) -> QuerySet[Job]:
    """The job, as long as this claim of it holds."""
    return running(job).filter(claims=job.claims)


class Progress:
    """Notes how far a job has come, and that its worker lives: once a second at most, for each note is a write."""

    def __init__(self, job: Job, patience: datetime.timedelta) -> None:
        self.done = self.total = 0
        self._job = job
        self._patience = patience
        self._noted = time.monotonic()

    def of(self, total: int) -> None:
        """Note how much there is to do."""
        self.total = total
        claimed(self._job).update(total=total)

    def at(self, done: int) -> None:
        """Say how much is done."""
        self.done = done
        if time.monotonic() - self._noted >= 1:
            self._noted = time.monotonic()
            until = timezone.now() + self._patience
            claimed(self._job).update(done=done, claimed_until=until)

    def more(self, done: int) -> None:
        """Say how much more is done."""
        self.at(self.done + done)
