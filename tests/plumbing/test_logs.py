"""Every line of the log says which request it belongs to, who made it and where; so do the lines of its tasks."""

from __future__ import annotations

import itertools
import json
import logging
from types import SimpleNamespace
from typing import Any

import pytest
import redis
from django.conf import settings
from django.test import Client
from django_structlog.celery.receivers import CeleryReceiver

from cardroom.config.logs import json_formatter, line_formatter
from cardroom.config.version import VERSION
from cardroom.floor.commands.shifts import shift_open
from cardroom.jobs.notify_worker import DUE_TASK
from cardroom.jobs.tasks import run_due_jobs
from cardroom.people.models import Staff
from tests.cast import Cast


def lines(caplog: pytest.LogCaptureFixture, event: str) -> list[dict[str, Any]]:
    """The lines of an event, as structlog hands them to logging."""
    return [
        record.msg
        for record in caplog.records
        if isinstance(record.msg, dict) and record.msg.get("event") == event
    ]


@pytest.mark.usefixtures("db")
def test_a_request_has_an_id_on_its_lines_and_its_answer(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    first, second = client.get("/accounts/login/"), client.get("/nowhere/")
    ids = [line["request_id"] for line in lines(caplog, "request_finished")]
    assert ids == [first["X-Request-ID"], second["X-Request-ID"]]
    assert len(set(ids)) == 2
    assert all(ids)


@pytest.mark.usefixtures("db")
def test_a_line_names_the_person_the_room_and_the_table(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    cast = Cast()
    dealer = cast.people["dealer"]
    client.force_login(dealer)
    caplog.set_level(logging.INFO)
    client.get(f"/tables/{cast.table.pk}/")
    client.get("/rooms/cache-slough/")
    client.get(f"/api/tables/{cast.table.pk}")
    page, room, api = lines(caplog, "request_finished")
    assert (page["user_id"], page["table"]) == (dealer.pk, cast.table.pk)
    assert (room["user_id"], room["room"]) == (dealer.pk, "cache-slough")
    assert (api["user_id"], api["table"]) == (dealer.pk, cast.table.pk)
    assert "table" not in room, "what one request named must not stand on the next one's lines"


def test_a_pool_without_its_database_says_so_once_a_second(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As psycopg_pool words it for each connection that it cannot open."""
    seconds = itertools.count(step=0.4)
    monkeypatch.setattr("cardroom.config.logs.time", SimpleNamespace(monotonic=lambda: next(seconds)))
    pool = logging.getLogger("psycopg.pool")
    for number in range(5):
        pool.warning("error connecting in %r: %s", "pool", f"attempt {number}")
    said = [record.getMessage() for record in caplog.records if record.name == pool.name]
    assert said == [f"error connecting in 'pool': attempt {number}" for number in (0, 3)]


@pytest.mark.usefixtures("db")
def test_no_line_holds_a_password(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    Staff.objects.create_user("ana", password="open sesame, please")
    caplog.set_level(logging.DEBUG)
    client.post("/accounts/login/", {"login": "ana", "password": "open sesame, pleas"})
    client.post("/accounts/login/", {"login": "ana", "password": "open sesame, please"})
    assert "sesame" not in caplog.text


@pytest.mark.django_db(transaction=True)
def test_a_task_carries_the_request_that_left_it(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """The message, as it lies in the broker, and the lines of the worker that takes it."""
    cast = Cast()
    broker = redis.Redis.from_url(settings.REDIS_URL)
    client.force_login(cast.people["shift_manager"])
    opened = cast.send_room(shift_open, "shift_manager", name="Swing")
    broker.delete(settings.CELERY_TASK_DEFAULT_QUEUE)
    cast.room.refresh_from_db()
    answer = client.post(
        f"/api/rooms/{cast.room.pk}/shifts/{opened['shift']}/close",
        {},
        content_type="application/json",
        headers={"if-match": f'"{cast.room.version}"', "idempotency-key": "close-once"},
    )
    assert answer.status_code == 200, answer.content
    messages = [json.loads(raw) for raw in broker.lrange(settings.CELERY_TASK_DEFAULT_QUEUE, 0, -1)]
    (headers,) = [message["headers"] for message in messages if message["headers"]["task"] == DUE_TASK]
    assert headers["__django_structlog__"]["request_id"] == answer["X-Request-ID"]
    assert headers["__django_structlog__"]["user_id"] == cast.people["shift_manager"].pk

    caplog.clear()
    caplog.set_level(logging.INFO)
    carried: dict[str, Any] = {"__django_structlog__": headers["__django_structlog__"]}
    run_due_jobs.push_request(**carried)
    try:
        CeleryReceiver().receiver_task_prerun("the-task", run_due_jobs)
    finally:
        run_due_jobs.pop_request()
    (started,) = lines(caplog, "task_started")
    assert started["request_id"] == answer["X-Request-ID"]
    assert started["task_id"] == "the-task"


def test_a_line_is_read_by_people_or_by_programs() -> None:
    with pytest.raises(ValueError, match="invalid literal") as raised:
        int("a card")
    fault = (raised.type, raised.value, raised.tb)
    record = logging.LogRecord("cardroom", logging.ERROR, __file__, 1, "it %s", ("broke",), fault)
    line = json.loads(json_formatter().format(record))
    assert (line["event"], line["level"], line["logger"]) == ("it broke", "error", "cardroom")
    assert line["timestamp"].endswith("Z")
    assert line["version"] == VERSION
    assert "ValueError: invalid literal" in line["exception"]
    assert "\n" not in json_formatter().format(record)
    assert "it broke" in line_formatter().format(record).splitlines()[0]
