"""One meter at several tables at the same moment: each movement goes on from the one before, and no cent is paid twice."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction

from cardroom.floor.commands import meters
from cardroom.floor.commands.meters import meter_link
from cardroom.floor.commands.rounds import round_settle
from cardroom.floor.errors import FloorError, NotNow
from cardroom.floor.models import MeterMovement, ProgressiveMeter, Table, Transfer
from cardroom.floor.verification.meters import meters_verify
from cardroom.rooms.models import Room
from tests.cast import Cast, house_cast
from tests.waiting import until_somebody_waits

from .test_house_banked import second_table
from .test_linked_meters import SEED, SPADES, confirmed, dealt, hands, link, of, played, settled, shows

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def tables() -> tuple[Cast, Cast]:
    """Tables 7 and 8, each with a meter of its own; a round of either adds 40 cents."""
    cast = house_cast("massachusetts")
    Room.objects.update(meter_contribution_cents=20)
    return cast, second_table(cast, "massachusetts")


@pytest.fixture
def linked(tables: tuple[Cast, Cast]) -> tuple[Cast, Cast]:
    """The same; table 8 plays for the meter of table 7."""
    link(*tables)
    return tables


def in_thread(command: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Run `command` in a thread on a connection of its own; the list gets what it returned or raised."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(command())
        except FloorError as error:
            outcome.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    return thread, outcome


def beside(first: Callable[[], Any], second: Callable[[], Any]) -> list[Any]:
    """Do `first`, begin `second` before the first is committed, and return what both came to."""
    with transaction.atomic():
        outcomes = [first()]
        thread, outcome = in_thread(second)
        until_somebody_waits()
    thread.join(timeout=30)
    return outcomes + outcome


def shown() -> list[int]:
    """What the movements of wagers left the meter at, in their order."""
    wagered = MeterMovement.objects.filter(kind="wagered").order_by("id")
    return list(wagered.values_list("shown_cents", flat=True))


def both_settle(linked: tuple[Cast, Cast]) -> list[Any]:
    first, second = linked
    dealt(first)
    dealt(second)
    return beside(lambda: settled(first), lambda: settled(second))


def test_two_tables_that_settle_at_the_same_moment_both_add(linked: tuple[Cast, Cast]) -> None:
    both_settle(linked)
    assert shown() == [SEED + 40, SEED + 80]
    assert list(meters_verify()) == []


def test_without_the_lock_one_of_them_is_lost_on_postgresql(
    linked: tuple[Cast, Cast], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control. On SQLite the whole command waits for the first one's commit."""
    monkeypatch.setattr(meters, "lock_row", lambda model, pk: model.objects.get(pk=pk))
    if connection.vendor != "postgresql":
        both_settle(linked)
        assert shown() == [SEED + 40, SEED + 80]
        return
    first, second = linked
    dealt(first)
    dealt(second)
    with transaction.atomic():
        settled(first)
        thread, _ = in_thread(lambda: settled(second))
        thread.join(timeout=30)  # it does not wait for the first
    assert shown() == [SEED + 40, SEED + 40]
    assert any("follow from the one before" in found for found in meters_verify())


def test_of_two_tables_that_win_at_the_same_moment_one_waits_for_the_other(linked: tuple[Cast, Cast]) -> None:
    first, second = linked
    dealt(first)
    dealt(second)
    won, refused = beside(
        lambda: settled(first, SPADES), lambda: second.send(round_settle, **hands(second, SPADES))
    )
    assert won["meter_paid"] == SEED + 40
    assert isinstance(refused, NotNow)
    assert refused.code == "meter_won"
    paid = Transfer.objects.filter(source=Transfer.Account.METER)
    assert list(paid.values_list("cents", flat=True)) == [SEED + 40]
    confirmed(first)
    assert settled(second, SPADES)["meter_paid"] == SEED + 40


def test_a_table_settles_by_what_another_one_has_just_added(linked: tuple[Cast, Cast]) -> None:
    """The sheet is read under the lock: else it would have the meter from before the other table's movement."""
    first, second = linked
    dealt(first)
    dealt(second)
    _, won = beside(lambda: settled(first), lambda: settled(second, SPADES))
    assert won["meter_paid"] == SEED + 80


def test_two_tables_that_join_each_other_at_the_same_moment_end_at_one_meter(
    tables: tuple[Cast, Cast],
) -> None:
    """Both lock both meters, in the order of their ids: there is no deadlock, and the second is refused."""
    first, second = tables
    played(first)
    played(second)
    to_first, to_second = of(first).meter_id, of(second).meter_id
    signed = {"reason": "one jackpot", "approver": first.people["shift_manager"]}
    _, refused = beside(
        lambda: second.send(meter_link, "floor", meter_id=to_first, **signed),
        lambda: first.send(meter_link, "floor", meter_id=to_second, **signed),
    )
    assert isinstance(refused, FloorError)
    assert refused.code in ("unknown_meter", "meter_linked")
    assert of(first).meter_id == of(second).meter_id == to_first
    assert shows(first) == (SEED + 80, 0)
    assert list(meters_verify()) == []


def test_many_rounds_at_two_tables_lose_no_cent(linked: tuple[Cast, Cast]) -> None:
    threads = [in_thread(lambda cast=cast: [played(cast) for _ in range(4)]) for cast in linked]  # type: ignore[misc]
    for thread, _ in threads:
        thread.join(timeout=120)
    assert [len(outcome[0]) for _, outcome in threads] == [4, 4]
    assert shown() == [SEED + 40 * number for number in range(1, 9)]
    assert list(meters_verify()) == []


def test_a_meter_that_somebody_keeps_locked_is_busy(linked: tuple[Cast, Cast]) -> None:
    first, _ = linked
    dealt(first)
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            ProgressiveMeter.objects.select_for_update().get(tables=first.table)
            held.set()
            done.wait(timeout=30)

    thread, _ = in_thread(hold)
    try:
        assert held.wait(timeout=10)
        with pytest.raises(FloorError) as caught:
            settled(first)
    finally:
        done.set()
        thread.join(timeout=30)
    assert caught.value.code == "busy"
    assert Table.objects.get(pk=first.table.pk).version == first.meta().version
    settled(first)
