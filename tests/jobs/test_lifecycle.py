"""The state machine of jobs: what a lost worker may still do, how far a claim reaches, and rows that no other may join."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.jobs import progress as progress_module
from cardroom.jobs.kinds import KINDS, JobKind, JobLabels, register_kinds
from cardroom.jobs.lifecycle import job_ask, job_cancelled, job_claim, job_run, recurring_begun
from cardroom.jobs.models import Job
from cardroom.jobs.progress import Progress
from cardroom.rooms.models import Room
from tests.cast import closed_cast

pytestmark = pytest.mark.postgresql

Work = Callable[[Job, Progress], dict[str, Any]]


@pytest.fixture
def room(db: None) -> Room:
    return closed_cast().room


@pytest.fixture
def ask(room: Room, monkeypatch: pytest.MonkeyPatch) -> Callable[[Work], Job]:
    """Ask for a job of a kind that does the given work."""

    def ask(work: Work) -> Job:
        words = [JobLabels("play a chord", "the piano", "/", "somebody listens")]
        kind = JobKind(name="chord", run=work, labels=lambda jobs: words * len(jobs))
        monkeypatch.setitem(KINDS, "chord", kind)
        return job_ask("chord", room=room, at=timezone.now(), cause="asked", arguments={"key": "C"})

    return ask


def lose(job: Job) -> None:
    """Let the claim of a worker run out."""
    Job.objects.filter(pk=job.pk).update(claimed_until=timezone.now() - datetime.timedelta(seconds=1))


def test_a_worker_taken_for_lost_may_still_finish(ask: Callable[[Work], Job]) -> None:
    def slow(job: Job, progress: Progress) -> dict[str, Any]:
        lose(job)
        assert job_claim(job.pk) is not None, "another worker takes it"
        return {"notes": "C E G"}

    job = ask(slow)
    assert job_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.claims, job.result) == ("finished", 2, {"notes": "C E G"})


def test_a_worker_taken_for_lost_fails_it_for_nobody_else(ask: Callable[[Work], Job]) -> None:
    def slow(job: Job, progress: Progress) -> dict[str, Any]:
        lose(job)
        assert job_claim(job.pk) is not None
        raise ValueError("a string broke")

    job = ask(slow)
    assert not job_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.tries, job.error) == ("running", 0, "")


def test_a_word_on_how_far_it_has_come_prolongs_the_claim(
    ask: Callable[[Work], Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(progress_module.time, "monotonic", lambda: now)
    seen = []

    def work(job: Job, progress: Progress) -> dict[str, Any]:
        nonlocal now
        progress.of(3)
        progress.at(1)
        row = Job.objects.get(pk=job.pk)
        seen.append((row.done, row.total, row.claimed_until == job.claimed_until))
        now = 1.0
        progress.more(1)
        row = Job.objects.get(pk=job.pk)
        assert row.claimed_until is not None and job.claimed_until is not None
        seen.append((row.done, row.total, row.claimed_until > job.claimed_until))
        return {}

    assert job_run(ask(work).pk)
    assert seen == [(0, 3, True), (2, 3, True)]


def test_what_a_worker_has_claimed_is_not_cancelled_under_it(ask: Callable[[Work], Job]) -> None:
    job = ask(lambda job, progress: {})
    assert job_claim(job.pk) is not None
    assert not job_cancelled(job, timezone.now())
    assert Job.objects.get().state == "running"


@pytest.mark.usefixtures("room")
def test_a_task_of_beat_has_one_row_however_often_it_is_sent() -> None:
    for minute in range(3):
        recurring_begun("a.task", datetime.timedelta(minutes=1), now=timezone.now())
        assert Job.objects.get(room=None).state == "running", minute
    run = Job.objects.get(room=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="a.task", asked_at=run.asked_at, next_try_at=run.next_try_at)


def test_two_kinds_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two kinds of jobs called email"):
        register_kinds(KINDS["email"])
