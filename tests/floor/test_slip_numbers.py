"""Slips of a room are numbered without gaps, whatever happens at its tables at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from cardroom.floor.commands import tray
from cardroom.floor.commands.tray import tray_fill
from cardroom.floor.models import SlipCounter, TraySlip
from cardroom.floor.verification.tray import trays_verify
from tests.cast import Cast, house_cast
from tests.waiting import until_somebody_waits

from .test_house_banked import second_table

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def tables() -> tuple[Cast, Cast]:
    """Two tables of a room, each with its opener: slips 1 and 2."""
    cast = house_cast("massachusetts")
    return cast, second_table(cast, "massachusetts")


def fill(cast: Cast) -> Any:
    return cast.send(tray_fill, chips={"500": 20}, approver=cast.people["floor"])["number"]


def in_thread(command: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(command())
        except IntegrityError as error:
            outcome.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, outcome


def fill_beside_an_open_one(first: Cast, second: Cast) -> list[Any]:
    """Write a fill at the first table, begin one at the second before the first is committed; what both came to."""
    with transaction.atomic():
        numbers = [fill(first)]
        beside, outcome = in_thread(lambda: fill(second))
        until_somebody_waits()
    beside.join(timeout=30)
    return numbers + outcome


def numbers() -> list[int]:
    return list(TraySlip.objects.order_by("number").values_list("number", flat=True))


def test_two_tables_at_the_same_moment_get_the_next_two(tables: tuple[Cast, Cast]) -> None:
    assert fill_beside_an_open_one(*tables) == [3, 4]
    assert numbers() == [1, 2, 3, 4]


def test_without_the_lock_they_get_the_same_on_postgresql(
    tables: tuple[Cast, Cast], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control."""
    monkeypatch.setattr(tray, "lock_row", lambda model, pk: model.objects.get(pk=pk))
    first, second = fill_beside_an_open_one(*tables)
    assert first == 3
    assert isinstance(second, IntegrityError) if connection.vendor == "postgresql" else second == 4


def test_many_slips_at_two_tables_leave_no_gap(tables: tuple[Cast, Cast]) -> None:
    threads = [in_thread(lambda cast=cast: [fill(cast) for _ in range(8)]) for cast in tables]  # type: ignore[misc]
    for thread, _ in threads:
        thread.join(timeout=60)
    given = [number for _, [got] in threads for number in got]
    assert sorted(given) == list(range(3, 19))
    assert numbers() == list(range(1, 19))
    assert list(trays_verify()) == []


def test_a_slip_that_is_undone_leaves_its_number(tables: tuple[Cast, Cast]) -> None:
    first, second = tables
    with transaction.atomic():
        assert fill(first) == 3
        transaction.set_rollback(True)
    assert fill(second) == 3
    assert SlipCounter.objects.get().last == 3
