"""A worker outlives its broker: it waits for it, also in the midst of a task, and goes on."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from celery import Celery
from django.db import transaction

from cardroom.config.broker import celery_address
from cardroom.config.environment import PROJECT_DIR, read_environment
from cardroom.jobs.models import Heartbeat, Job
from cardroom.jobs.notify_worker import DUE_TASK
from cardroom.jobs.tasks import show_life
from cardroom.ops.supervisor.processes import start_child, stop_children
from cardroom.ops.supervisor.programs import programs_of
from cardroom.ops.supervisor.valkey import Valkey

pytestmark = pytest.mark.outside

PATIENCE_SECONDS = 120


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    with Valkey(tmp_path / "valkey.sock") as server:
        yield server


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "worker.log"


@pytest.fixture
def worker(site_environ: dict[str, str], valkey: Valkey, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The worker as the site runs it, on this test's database and on a broker of its own."""
    environ = {**site_environ, "CARDROOM_REDIS_URL": valkey.url}
    [program] = [one for one in programs_of(read_environment(environ)) if one.name == "worker"]
    with log.open("wb") as out:
        child = start_child(program.command, environ=environ, directory=PROJECT_DIR, output=out.fileno())
    try:
        wait_for(lambda: "ready." in log.read_text(), log)
        yield child
    finally:
        stop_children([child])


def told(valkey: Valkey) -> None:
    """Send the worker a message."""
    with Celery("here", broker=celery_address(valkey.url), set_as_current=False) as app:
        app.send_task(show_life.name)


def wait_for(true: Callable[[], bool], log: Path) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.1)


def begun(log: Path) -> int:
    """How many of the messages that `told` sends the worker has begun."""
    return sum("task_started" in line and show_life.name in line for line in log.read_text().splitlines())


def test_a_worker_that_is_ready_looks_for_what_is_due_without_being_asked(
    worker: subprocess.Popen[bytes], log: Path
) -> None:
    wait_for(lambda: Job.objects.filter(kind=DUE_TASK, ended_at__isnull=False).exists(), log)


def test_a_worker_waits_for_a_broker_that_went_in_the_midst_of_a_task_and_goes_on(
    worker: subprocess.Popen[bytes], valkey: Valkey, log: Path
) -> None:
    told(valkey)
    wait_for(lambda: Heartbeat.objects.filter(kind=Heartbeat.Kind.WORKER).exists(), log)
    with transaction.atomic():
        list(
            Heartbeat.objects.select_for_update()
        )  # for these the next task waits, its message not acknowledged
        told(valkey)
        wait_for(lambda: begun(log) == 2, log)
        valkey.stop()
        # Before it tries to connect again it closes the broken connection, which it once did not survive.
        wait_for(lambda: "Cannot connect" in log.read_text() or worker.poll() is not None, log)
        assert worker.poll() is None, log.read_text()
    valkey.start()
    told(valkey)
    wait_for(lambda: begun(log) == 3, log)
    assert worker.poll() is None
