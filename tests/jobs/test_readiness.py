"""Health checks for load balancers and monitors: alive or not, able to work or not, and nothing about the room."""

from __future__ import annotations

import datetime
import time
from typing import Any

import pytest
import time_machine
from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection, connections, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from cardroom.config.version import VERSION
from cardroom.jobs import readiness
from cardroom.jobs.models import Heartbeat, heartbeat_write
from cardroom.jobs.scheduling import PULSE_SECONDS, PulseScheduler
from cardroom.jobs.tasks import show_life

pytestmark = pytest.mark.postgresql


def checks(client: Client) -> tuple[int, dict[str, Any]]:
    answer = client.get("/ready/")
    return answer.status_code, {check["name"]: check for check in answer.json()["checks"]}


@pytest.fixture
def alive(transactional_db: None) -> None:
    """Committed: on PostgreSQL the site is asked by a connection of its own."""
    for kind in Heartbeat.Kind:
        heartbeat_write(kind, now=timezone.now())


def test_a_process_that_answers_is_healthy_whatever_it_stands_on(client: Client) -> None:
    """Without the database: a test that is not marked for it may not reach it."""
    answer = client.get("/health/")
    assert (answer.status_code, answer.json()) == (200, {"ok": True, "version": VERSION})
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.usefixtures("alive")
def test_the_site_is_ready_when_database_broker_beat_and_worker_are(client: Client) -> None:
    status, found = checks(client)
    assert status == 200
    assert {name: check["ok"] for name, check in found.items()} == {
        "database": True,
        "broker": True,
        "beat": True,
        "worker": True,
    }
    assert found["worker"]["text"] == found["beat"]["text"] == "alive"
    assert [set(check) for check in found.values()] == [{"name", "ok", "text", "age"}] * 4


@pytest.mark.usefixtures("db")
def test_before_the_first_heartbeat_the_site_is_not_ready(client: Client) -> None:
    status, found = checks(client)
    assert status == 503
    assert found["beat"]["text"] == found["worker"]["text"] == "has shown no life yet"


@pytest.mark.parametrize(("seconds", "status"), [(90, 200), (91, 503)])
def test_a_heartbeat_counts_for_ninety_seconds(
    alive: None, client: Client, seconds: int, status: int
) -> None:
    now = timezone.now()
    Heartbeat.objects.update(at=now)
    Heartbeat.objects.filter(kind="worker").update(at=now - datetime.timedelta(seconds=seconds))
    with time_machine.travel(now, tick=False):
        answered, found = checks(client)
    assert answered == status
    assert found["worker"]["age"] == seconds
    assert found["beat"]["ok"] is True


@pytest.mark.usefixtures("alive")
def test_a_broker_out_of_reach_is_said_without_its_address(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing listens on the port."""
    monkeypatch.setattr(settings, "REDIS_URL", "redis://:hunter2@127.0.0.1:1/0")
    status, found = checks(client)
    assert (status, found["broker"]["ok"]) == (503, False)
    assert found["broker"]["text"] == "the message queue cannot be reached"
    assert "the check of broker failed" in caplog.text
    assert "hunter2" not in caplog.text


@pytest.mark.usefixtures("alive")
def test_a_database_that_lacks_a_migration_is_not_ready(client: Client) -> None:
    migrations = MigrationRecorder(connection)
    migrations.record_unapplied("jobs", "0001_initial")
    try:
        status, found = checks(client)
    finally:
        migrations.record_applied("jobs", "0001_initial")
    assert status == 503
    assert found["database"]["text"] == "1 migrations are not applied: run manage.py migrate as the owner"


@pytest.mark.usefixtures("db")
def test_a_database_out_of_reach_is_said_for_each_check_that_needs_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*args: object, **kwargs: object) -> None:
        raise DatabaseError('connection to server at "10.0.0.7" failed')

    with monkeypatch.context() as patch:
        patch.setattr(connections["default"], "cursor", away)
        patch.setitem(connections.settings["default"], "HOST", "/nowhere/at/all")
        answer = client.get("/ready/")
    assert answer.status_code == 503
    assert "10.0.0.7" not in answer.content.decode()
    assert {check["name"]: check["ok"] for check in answer.json()["checks"]} == {
        "database": False,
        "broker": True,
        "beat": False,
        "worker": False,
    }


@pytest.fixture
def postgresql() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("about roles and standbys; the suite runs on both")


@pytest.mark.usefixtures("postgresql", "alive")
def test_a_database_that_takes_no_changes_is_not_ready(client: Client) -> None:
    name = connection.ops.quote_name(connection.settings_dict["NAME"])
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        try:
            status, found = checks(client)
        finally:
            cursor.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only")
    assert status == 503
    assert found["database"]["text"] == "the database is read-only: a standby, or set so"
    assert found["beat"]["ok"] is True


@pytest.mark.usefixtures("postgresql", "alive")
def test_a_site_without_rights_is_not_ready_and_told_whose_work_is_missing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a restore: the tables are the owner's alone."""
    role = "a_role_without_rights"
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE ROLE {role} LOGIN")
        try:
            with monkeypatch.context() as patch:
                patch.setitem(connections.settings["default"], "USER", role)
                status, found = checks(client)
        finally:
            cursor.execute(f"DROP ROLE {role}")
    tables = len(connection.introspection.django_table_names(include_views=False)) + 1  # that of migrations
    assert status == 503
    assert {check["text"] for name, check in found.items() if name != "broker"} == {
        f"the site's role lacks rights on {tables} tables: run manage.py grant_site_role as the owner"
    }


@pytest.mark.usefixtures("alive")
def test_the_checks_cost_few_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(5):
        client.get("/ready/")


@pytest.mark.usefixtures("alive")
@pytest.mark.parametrize("address", ["/health/", "/ready/"])
def test_machines_beside_the_site_ask_by_http_and_change_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    assert client.post(address).status_code == 405
    with monkeypatch.context() as patch:
        patch.setattr(settings, "SECURE_SSL_REDIRECT", True)
        https = Client()
        assert https.get(address).status_code == 200
        assert https.get("/accounts/login/").status_code == 301


@pytest.mark.usefixtures("db")
def test_the_task_of_the_beat_is_the_workers_heartbeat() -> None:
    show_life()
    show_life()
    assert [(beat.kind, beat.at <= timezone.now()) for beat in Heartbeat.objects.all()] == [("worker", True)]


@pytest.mark.django_db(transaction=True)
def test_beat_shows_life_of_its_own_every_half_minute(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = 1000.0  # whole seconds: sums of others may miss the half minute by a rounding
    monkeypatch.setattr(time, "monotonic", lambda: clock)
    scheduler = PulseScheduler(current_app, schedule_filename=str(tmp_path / "beat"), lazy=False)
    scheduler.schedule.clear()
    seen: list[tuple[float, bool, bool]] = []
    for second in (0.0, PULSE_SECONDS - 1, PULSE_SECONDS):
        Heartbeat.objects.all().delete()
        clock += second - (seen[-1][0] if seen else 0)
        wait = scheduler.tick()
        seen.append((second, Heartbeat.objects.filter(kind="beat").exists(), wait <= PULSE_SECONDS))
    assert seen == [(0.0, True, True), (29.0, False, True), (30.0, True, True)]


@pytest.mark.django_db(transaction=True)
def test_beat_goes_on_while_the_database_is_away(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    scheduler = PulseScheduler(current_app, schedule_filename=str(tmp_path / "beat"), lazy=False)

    def away(*args: object, **kwargs: object) -> None:
        raise DatabaseError("it is away")

    monkeypatch.setattr("cardroom.jobs.scheduling.heartbeat_write", away)
    scheduler.pulse()
    assert "beat could not write its heartbeat: it is away" in caplog.text


@pytest.mark.usefixtures("db")
def test_the_database_knows_no_third_kind_of_heartbeat() -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        Heartbeat.objects.create(kind="cat", at=timezone.now())


def test_the_limit_leaves_room_for_two_missed_heartbeats() -> None:
    entry = settings.CELERY_BEAT_SCHEDULE["show that a worker takes messages"]
    assert entry["schedule"] == PULSE_SECONDS
    assert 3 * PULSE_SECONDS <= readiness.OLDEST_SECONDS
    assert settings.CELERY_BEAT_SCHEDULER == "cardroom.jobs.scheduling:PulseScheduler"
