"""What is answered when the database or the broker is away, and when there is a bug."""

from __future__ import annotations

import sqlite3
from typing import Any

import kombu.exceptions
import psycopg
import psycopg_pool
import pytest
import redis.exceptions
from django.db import InterfaceError, InternalError, OperationalError, ProgrammingError, connection
from django.http import HttpResponse
from django.test import Client

from cardroom.api.views import tables as api_tables
from cardroom.config.failures import BUSY, DATABASE_AWAY, FAULT, READ_ONLY, failure_of
from cardroom.floor.models import Round
from cardroom.web.table import views as table_pages
from tests.api.conformance import check
from tests.cast import Cast, new_key, running_cast

pytestmark = pytest.mark.postgresql


def database_said(cause: Exception) -> OperationalError:
    """Django's error for what a driver has raised."""
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


AWAY = [
    database_said(psycopg_pool.PoolTimeout("couldn't get a connection after 5.00 sec")),
    database_said(psycopg.OperationalError("connection failed: Connection refused")),
    database_said(psycopg.OperationalError("server closed the connection unexpectedly")),
    database_said(psycopg.errors.AdminShutdown("terminating connection due to administrator command")),
    database_said(psycopg.errors.CannotConnectNow("the database system is starting up")),
    database_said(psycopg.errors.TooManyConnections("sorry, too many clients already")),
    InterfaceError("connection already closed"),
    redis.exceptions.ConnectionError("Error 111 connecting"),
    redis.exceptions.TimeoutError("Timeout reading from socket"),
    kombu.exceptions.OperationalError("Error 111 connecting"),
]
BUGS = [
    ValueError("a bug"),
    ProgrammingError("column does not exist"),
    InterfaceError("cursor already in use"),
    database_said(psycopg.errors.QueryCanceled("canceling statement due to statement timeout")),
    OperationalError("of no driver's"),
]


def browser(cast: Cast, who: str = "dealer") -> Client:
    """Somebody signed in, whose client answers as a server does and does not raise what a view raised."""
    client = Client(raise_request_exception=False)
    client.force_login(cast.people[who])
    return client


def fails(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let whoever reads a table through the API, or looks for one on a page, meet `error`."""

    def fail(*args: Any, **kwargs: Any) -> Any:
        raise error

    monkeypatch.setattr(api_tables, "read_table", fail)
    monkeypatch.setattr(table_pages, "table_for", fail)


@pytest.mark.parametrize("error", AWAY, ids=str)
def test_what_is_away_is_503_in_the_apis_own_shape_with_when_to_try_again(
    running: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    fails(monkeypatch, error)
    address = f"/api/tables/{running.table.pk}"
    answer = browser(running).get(address)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == "5"
    assert answer.json()["error"]["code"] in ("database_away", "broker_away")
    check(answer, "GET", address)


@pytest.mark.parametrize("error", BUGS, ids=str)
def test_a_bug_is_500_in_the_apis_own_shape(
    running: Cast, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    fails(monkeypatch, error)
    address = f"/api/tables/{running.table.pk}"
    answer = browser(running).get(address)
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "fault")
    assert "Retry-After" not in answer.headers
    assert "bug" not in answer.content.decode()  # what went wrong is in the log alone
    check(answer, "GET", address)


def test_people_get_a_page_that_says_what_to_do(running: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"/tables/{running.table.pk}/"
    fails(monkeypatch, AWAY[0])
    away = browser(running).get(address)
    assert (away.status_code, away.headers["Retry-After"]) == (503, "5")
    assert "load the page again in 5 seconds" in text_of(away)
    fails(monkeypatch, BUGS[0])
    fault = browser(running).get(address)
    assert (fault.status_code, "Retry-After" in fault.headers) == (500, False)
    assert "Something went wrong on our side" in text_of(fault)


def test_a_database_that_is_away_as_the_session_is_read_is_503_too(
    running: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And it is asked for once: each time costs as long as the pool waits, and a tablet has patience for one."""
    client = browser(running)
    asked: list[bool] = []

    def fail(*args: Any) -> Any:
        asked.append(True)
        raise AWAY[0]

    monkeypatch.setattr("django.contrib.sessions.backends.db.SessionStore.load", fail)
    assert client.get("/").status_code == 503
    assert client.get(f"/api/tables/{running.table.pk}").json()["error"]["code"] == "database_away"
    assert client.get("/admin/").status_code == 503
    assert len(asked) == 3


def test_a_lock_outside_of_the_commands_is_busy() -> None:
    assert failure_of(database_said(psycopg.errors.LockNotAvailable("lock timeout"))) == BUSY
    assert failure_of(database_said(psycopg.errors.DeadlockDetected("deadlock"))) == BUSY
    assert failure_of(None) == FAULT


def test_a_fault_inside_the_database_that_is_no_refusal_of_a_write_is_a_bug() -> None:
    refused, broken = InternalError("read-only"), InternalError("cache lookup failed")
    refused.__cause__ = psycopg.errors.ReadOnlySqlTransaction(
        "cannot execute INSERT in a read-only transaction"
    )
    broken.__cause__ = psycopg.errors.InternalError_("cache lookup failed")
    silent = InternalError("terminating connection")
    silent.__cause__ = psycopg.errors.IdleInTransactionSessionTimeout("terminating connection")
    assert (failure_of(refused), failure_of(broken)) == (READ_ONLY, FAULT)
    assert failure_of(silent) == DATABASE_AWAY


@pytest.mark.django_db(transaction=True)
def test_a_command_whose_connection_is_ended_is_503_and_recorded_under_its_key_when_sent_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The real thing: the server ends the connection in the midst of a command (on SQLite: the file cannot be opened)."""
    cast = running_cast()
    client = browser(cast)
    before = Round.objects.count()
    version = type(cast.table).objects.get(pk=cast.table.pk).version
    headers = {"If-Match": f'"{version}"', "Idempotency-Key": new_key()}

    def send() -> Any:
        return client.post(
            f"/api/tables/{cast.table.pk}/rounds",
            {"bank_wager_cents": 20000},
            content_type="application/json",
            headers=headers,
        )

    with monkeypatch.context() as patch:
        patch.setattr("cardroom.floor.execution.carry_out._store", lose_the_database)
        lost = send()
    check(lost, "POST", f"/api/tables/{cast.table.pk}/rounds")
    assert (lost.status_code, lost.json()["error"]["code"]) == (503, DATABASE_AWAY.code)
    connection.close()
    assert Round.objects.count() == before
    assert send().status_code == 200
    assert Round.objects.count() == before + 1


@pytest.mark.django_db(transaction=True)
def test_a_command_on_a_database_that_takes_no_changes_is_503_and_recorded_when_it_takes_them_again() -> None:
    """As on a server that has become a standby: its connection is left, and the next one is asked."""
    cast = running_cast()
    client = browser(cast)
    address = f"/api/tables/{cast.table.pk}/rounds"
    version = type(cast.table).objects.get(pk=cast.table.pk).version
    headers = {"If-Match": f'"{version}"', "Idempotency-Key": new_key()}

    def send() -> Any:
        wager = {"bank_wager_cents": 20000}
        return client.post(address, wager, content_type="application/json", headers=headers)

    on_postgresql = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.execute(
            "SET default_transaction_read_only = on" if on_postgresql else "PRAGMA query_only = ON"
        )
    refused = send()
    check(refused, "POST", address)
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, READ_ONLY.code)
    if not on_postgresql:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only = OFF")
    assert send().status_code == 200


def lose_the_database(*args: Any) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        try:
            sqlite3.connect("/nowhere/at/all")
        except sqlite3.OperationalError as error:
            raise OperationalError(str(error)) from error


def text_of(answer: HttpResponse) -> str:
    return " ".join(answer.content.decode().split())
