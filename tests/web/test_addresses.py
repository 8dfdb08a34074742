"""Addresses with days and numbers that there are none of: not found, or a bad request, and never a fault."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.cast import Cast

DAYS = ("0000-01-01", "0001-01-01", "1999-12-31", "9999-12-31", "2026-02-30", "99999-01-01", "10" * 20)
MONTHS = ("0000-01", "0001-01", "1999-12", "2026-00", "2026-13", "2026-99", "9999-12", "99999-01")
NUMBERS = ("0", str(2**63 - 1), str(2**63), "1" + "0" * 40)


def browser(cast: Cast, who: str = "shift_manager") -> Client:
    client = Client()
    client.force_login(cast.people[who])
    return client


@pytest.mark.parametrize("period", [*DAYS, *MONTHS])
def test_a_period_report_of_no_period_is_not_there(running: Cast, period: str) -> None:
    client = browser(running)
    for address in (
        f"/rooms/{running.room.code}/roll-ups/{period}/",
        f"/rooms/{running.room.code}/roll-ups/{period}.pdf",
        f"/rooms/{running.room.code}/roll-ups/?month={period}",
        f"/api/rooms/{running.room.pk}/roll-ups/{period}",
    ):
        assert client.get(address).status_code == 404, address


@pytest.mark.parametrize("day", DAYS)
def test_no_such_day_is_no_fault(running: Cast, day: str) -> None:
    client = browser(running)
    room, code, table = running.room.pk, running.room.code, running.table.pk
    for address in (
        f"/rooms/{code}/rotation/?day={day}",
        f"/tables/{table}/rotation/?day={day}",
        f"/tables/{table}/rotation.pdf?day={day}",
        f"/rooms/{code}/reports/exceptions/?from={day}",
        f"/api/rooms/{room}/rotation?gaming_day={day}",
        f"/api/tables/{table}/rotation?gaming_day={day}",
        f"/api/tables/{table}/rounds?gaming_day={day}",
        f"/api/rooms/{room}/reports/exceptions?from={day}",
    ):
        assert client.get(address).status_code in (400, 404), address


@pytest.mark.parametrize("day", DAYS)
def test_nothing_is_filed_for_no_such_day(running: Cast, day: str) -> None:
    client = browser(running, "compliance")
    before = running.room.feeschedule_versions.count()
    document: dict[str, object] = {"ante_min_cents": 500, "ante_max_cents": None, "lines": []}
    answer = client.post(
        f"/api/rooms/{running.room.pk}/schedules/versions",
        {"number": 30, "rulebook": "california", "document": document, "effective_from": day},
        content_type="application/json",
        headers={"If-Match": '"1"', "Idempotency-Key": "days"},
    )
    assert (answer.status_code, answer.json()["error"]["path"]) == (400, "effective_from")
    assert running.room.feeschedule_versions.count() == before


@pytest.mark.parametrize("number", NUMBERS)
def test_no_such_number_is_not_there(running: Cast, number: str) -> None:
    client = browser(running)
    code = running.room.code
    for address in (
        f"/tables/{number}/",
        f"/tables/{number}/rotation/",
        f"/rounds/{number}/",
        f"/shifts/{number}/report/",
        f"/rooms/{code}/schedules/{number}/1/",
        f"/rooms/{code}/schedules/1/{number}/",
        f"/rooms/{code}/games/{number}/1/",
        f"/rooms/{code}/statements/{number}/",
        f"/api/tables/{number}",
        f"/api/rounds/{number}",
        f"/api/rooms/{number}",
        f"/api/rooms/{running.room.pk}/schedules/{number}",
    ):
        assert client.get(address).status_code in (403, 404), address


@pytest.mark.postgresql
@pytest.mark.parametrize("number", [*NUMBERS, "9" * 5000])
def test_numbers_in_a_query_are_no_fault(running: Cast, number: str) -> None:
    client = browser(running)
    room, code, table = running.room.pk, running.room.code, running.table.pk
    for address in (
        f"/rooms/{code}/floor/alerts/?before={number}",
        f"/rooms/{code}/rotation/?hours={number}",
        f"/rooms/{code}/rotation/?page={number}",
        f"/rooms/{code}/rotation/?shift={number}",
        f"/tables/{table}/rotation/?page={number}",
        f"/tables/{table}/procedures/?page={number}",
        f"/rooms/{code}/reports/exceptions/?table={number}",
        f"/rooms/{code}/reports/exceptions/?shift={number}",
        f"/api/tables/{table}/rounds?before={number}",
        f"/api/tables/{table}/rounds?limit={number}",
        f"/api/tables/{table}/rotation?hours={number}",
        f"/api/rooms/{room}/rotation?shift={number}",
    ):
        assert client.get(address).status_code in (200, 400, 404), address
