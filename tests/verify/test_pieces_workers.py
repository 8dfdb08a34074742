"""A verification in pieces by real workers, which are killed while they are at it; and messages that are lost."""

from __future__ import annotations

import contextlib
import datetime
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from celery import current_app
from django.db import transaction
from django.utils import timezone

from cardroom.config.environment import PROJECT_DIR
from cardroom.jobs.models import Job
from cardroom.jobs.tasks import PIECES_QUEUE, messages_missing, run_due_jobs
from cardroom.reports.verification.runs import PIECE, verification_ask
from tests.cast import Cast, running_cast

pytestmark = [pytest.mark.outside, pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

PATIENCE = 300  # seconds; a worker starts in two or three, and on a busy machine in thirty


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    cast = running_cast()
    cast.play({4: 1000})
    return cast


@contextlib.contextmanager
def worker(environ: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker process of the site."""
    command = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "cardroom",
        "worker",
        "--pool",
        "solo",
        "--without-mingle",
    ]
    with log.open("ab") as out:
        process = subprocess.Popen(
            command, env=environ, stdout=out, stderr=subprocess.STDOUT, cwd=PROJECT_DIR
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for(true: Callable[[], bool], log: Path) -> None:
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.005)


def asked(cast: Cast) -> Job:
    with transaction.atomic():
        return verification_ask(cast.room, timezone.now(), None, "command")


def has_ended(job: Job) -> bool:
    job.refresh_from_db()
    return job.has_ended


def test_it_goes_on_after_its_workers_were_killed(
    cast: Cast, site_environ: dict[str, str], tmp_path: Path
) -> None:
    current_app.control.purge()
    log, job = tmp_path / "worker.log", asked(cast)
    schema = Job.objects.filter(kind=PIECE, arguments__check="schema", state="running")
    with worker(site_environ, log) as one, worker(site_environ, log) as two:
        wait_for(schema.exists, log)
        one.kill()
        two.kill()
        one.wait()
        two.wait()
    lost, done = list(schema), set(job.pieces.filter(state="finished").values_list("pk", flat=True))
    assert lost and done and not has_ended(job)
    # What three minutes do.
    job.pieces.filter(state="running").update(claimed_until=timezone.now() - datetime.timedelta(seconds=1))
    with worker(site_environ, log):
        run_due_jobs.delay()
        wait_for(lambda: has_ended(job), log)
    assert (job.state, job.result and job.result["broken"]) == ("finished", 0), job.error
    assert set(job.pieces.filter(pk__in=done).values_list("claims", flat=True)) == {1}, "none is done twice"
    assert job.pieces.get(pk=lost[0].pk).claims == 2


def test_messages_that_are_lost_are_sent_again_and_no_more_than_are_missing(
    cast: Cast, site_environ: dict[str, str], tmp_path: Path
) -> None:
    current_app.control.purge()
    log, job = tmp_path / "worker.log", asked(cast)
    with worker(site_environ, log):
        wait_for(lambda: job.pieces.filter(state="finished").exists(), log)
    job.pieces.filter(state="running").update(claimed_until=timezone.now() - datetime.timedelta(seconds=1))
    current_app.control.purge()
    with current_app.connection_for_write() as broker:
        broker.default_channel.queue_purge(PIECES_QUEUE)
    missing = messages_missing()
    assert missing == job.pieces.exclude(state="finished").count() > 1
    run_due_jobs()
    assert messages_missing() == 0, "they lie in the queue"
    with worker(site_environ, log):
        wait_for(lambda: has_ended(job), log)
    assert job.state == "finished", job.error
