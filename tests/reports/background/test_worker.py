"""From closing a shift to its stored report, through a real worker and a real broker; and without either."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery, current_app
from django.conf import settings

from cardroom.config.environment import PROJECT_DIR
from cardroom.floor.commands.rounds import bets_close, round_deal
from cardroom.jobs import notify_worker
from cardroom.jobs.tasks import run_due_jobs
from cardroom.reports.models import ShiftReport
from cardroom.reports.tasks import make_due_reports
from tests.cast import Cast, running_cast

from ..commands import close_shift

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 60  # seconds; a worker starts in two or three


@pytest.fixture
def worker(site_environ: dict[str, str], tmp_path: Path) -> Iterator[Path]:
    """A worker process of the site, on this test's database and Valkey; the file that it logs to."""
    current_app.control.purge()  # what tests before it left in the queue
    log = tmp_path / "worker.log"
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
    with log.open("w") as out:
        process = subprocess.Popen(
            command, env=site_environ, stdout=out, stderr=subprocess.STDOUT, cwd=PROJECT_DIR
        )
        try:
            wait_for(lambda: "ready" in log.read_text() or process.poll() is not None)
            assert process.poll() is None, log.read_text()
            yield log
        finally:
            process.terminate()
            process.wait(timeout=PATIENCE)


def wait_for(true: object) -> bool:
    assert callable(true)
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if true():
            return True
        time.sleep(0.1)
    return False


def tasks_done(log: Path) -> int:
    return log.read_text().count("task_succeeded")


@pytest.fixture
def cast(transactional_db: None) -> Cast:
    return running_cast()


@pytest.mark.outside
def test_closing_a_shift_leads_to_one_stored_report(cast: Cast, worker: Path) -> None:
    cast.play({4: 1000})
    shift = close_shift(cast)
    assert wait_for(lambda: ShiftReport.objects.filter(shift=shift).exists())
    assert ShiftReport.objects.get().typed_figures["total"]["rounds_settled"] == 1


@pytest.mark.outside
def test_the_last_round_of_a_closed_shift_rings_too(cast: Cast, worker: Path) -> None:
    cast.bet({4: 1000})
    cast.send(bets_close)
    done = tasks_done(worker)
    shift = close_shift(cast)
    assert wait_for(lambda: tasks_done(worker) > done), "the worker has had the message of the close"
    cast.send(round_deal)
    assert not ShiftReport.objects.exists()
    cast.settle({4: 1000})
    assert wait_for(lambda: ShiftReport.objects.filter(shift=shift).exists())
    assert ShiftReport.objects.get().typed_figures["total"]["rounds_settled"] == 1


def test_with_the_broker_out_of_reach_the_shift_closes_and_beat_makes_the_report(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing listens on the port; a message cannot be left, and the database still says what is due."""
    cast.play({4: 1000})
    with (
        Celery("away", broker="redis://127.0.0.1:1/0", set_as_current=False) as away,
        monkeypatch.context() as patch,
    ):
        away.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
        patch.setattr(notify_worker, "current_app", away)
        shift = close_shift(cast)
    assert "the broker did not take the message" in caplog.text
    assert not ShiftReport.objects.exists()
    due = settings.CELERY_BEAT_SCHEDULE["run the jobs that are due"]
    assert (due["task"], due["schedule"]) == (run_due_jobs.name, 60.0)
    make_due_reports()
    assert ShiftReport.objects.get().shift == shift


def test_every_task_of_the_beat_is_one_that_the_worker_knows() -> None:
    current_app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= set(current_app.tasks)
