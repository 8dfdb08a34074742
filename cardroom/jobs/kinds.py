"""Registry of the kinds of jobs: apps register theirs in `AppConfig.ready`.

How a report job runs:

1. `AppConfig.ready` of `cardroom.reports` fills `KINDS` (`register_kinds`) and `DUE_WORK` (`register_due_work`).
2. A command writes the job (`floor.report_jobs.report_ask` → `lifecycle.job_ask`); on commit `notify_worker.wake_worker` sends the
   task `run_due_jobs`, which beat sends every minute as well.
3. `tasks.run_due_jobs` calls each function of `DUE_WORK`, one after the other, in its own task.
4. One of them, `reports.tasks.make_due_reports`, runs the kinds that are `in_turn` there and then: reports of shifts, days
   and months, through `lifecycle.job_run` → `JobKind.run` → `reports.shift.making.shift_report_make`.
5. After that it hands each due job of the other kinds (e-mail, background report) to a task `run_job` of its own, and sends some
   messages `run_pieces`: each has the worker that takes it run one piece of long work, and send the next message.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils import timezone

if TYPE_CHECKING:
    from .models import Job
    from .progress import Progress

#: Writes the end of a job at an instant; False when another worker has claimed the job meanwhile.
WriteEnd = Callable[[datetime.datetime], bool]


class JobLabels(NamedTuple):
    """What pages say of a job: what is done, of what, the page of that, and why."""

    what: str
    about: str
    link: str
    cause: str


def error_words(error: Exception) -> str:
    """Return an error as it is kept and shown: its kind and what it says."""
    return f"{type(error).__name__}: {error}"


def end_now(job: Job, write: WriteEnd) -> bool:
    """Write the end of a job and nothing beside it."""
    return write(max(timezone.now(), job.asked_at))


@dataclasses.dataclass(frozen=True, kw_only=True)
class JobKind:
    """One kind of job.

    `run` does the work and returns its result; it may run twice, so what it makes is guarded by unique rows. `labels` says
    what pages show of jobs, in as many queries for many as for one. After `most_tries` failures a person has to ask.
    A worker without a heartbeat for `patience` counts as lost. `error` says what is kept of an exception. `write_end`
    writes the end of a job, and what goes with it into one transaction. `may_be_cancelled` is false where what the job
    makes is owed. One that runs `in_turn` has no task of its own: its app's part of `DUE_WORK` runs it.
    `is_listed_done` is false for one that ends many times an hour: the page of jobs lists it while it is open or has failed alone.

    A `run` that has left pieces to other workers (jobs that are `part_of` this one) returns None: it is run again when all
    of them have ended. The kind of pieces `is_piece`: workers take them one after another from a queue of their own, so
    that a report that is due waits for one piece at most.
    """

    name: str
    run: Callable[[Job, Progress], Mapping[str, Any] | None]
    labels: Callable[[Sequence[Job]], list[JobLabels]]
    most_tries: int = 8
    patience: datetime.timedelta = datetime.timedelta(seconds=90)
    error: Callable[[Exception], str] = error_words
    write_end: Callable[[Job, WriteEnd], bool] = end_now
    may_be_cancelled: bool = True
    in_turn: bool = False
    is_listed_done: bool = True
    is_piece: bool = False


#: Every registered kind by its name.
KINDS: dict[str, JobKind] = {}
#: What the task does that looks for what is due, before it hands out jobs.
DUE_WORK: list[Callable[[], None]] = []


def register_kinds(*kinds: JobKind) -> None:
    """Take kinds in. Raises ValueError for a second one of the same name."""
    for kind in kinds:
        if kind.name in KINDS:
            raise ValueError(f"there are two kinds of jobs called {kind.name}")
        KINDS[kind.name] = kind


def register_due_work(work: Callable[[], None]) -> None:
    """Have `work` done each time a worker looks for what is due."""
    DUE_WORK.append(work)


def labels_of(jobs: Sequence[Job]) -> dict[int, JobLabels]:
    """Return the labels of jobs by their ids."""
    found: dict[int, JobLabels] = {}
    for name in dict.fromkeys(job.kind for job in jobs):
        of_kind = [job for job in jobs if job.kind == name]
        found.update(zip((job.pk for job in of_kind), KINDS[name].labels(of_kind), strict=True))
    return found
