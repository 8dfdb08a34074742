"""One player sits at one table at a time, and a dealer deals at one: two tables' locks have nothing in common."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from cardroom.floor.commands.seats import down_end, down_start, player_leave, player_seat
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.errors import FloorError, NotNow
from cardroom.floor.models import Down, JournalEntry, Seating, Table
from cardroom.people.models import Player
from tests.cast import Cast, running_cast
from tests.filing import table_settings
from tests.waiting import until_somebody_waits

pytestmark = pytest.mark.postgresql


def open_second(cast: Cast) -> Table:
    """Open table 8 beside table 7, with a dealer and nobody seated."""
    settings = table_settings(cast.room, schedule_id=cast.schedule(1).pk)
    cast.send(table_set, "floor", cast.second_table, **settings)
    cast.send(table_open, "floor", cast.second_table)
    cast.send(down_start, "floor", cast.second_table, dealer_id=cast.people["dealer_2"].pk)
    return cast.second_table


@pytest.fixture
def cast(db: None) -> Cast:
    cast = running_cast()
    open_second(cast)
    return cast


def test_a_player_who_sits_elsewhere_is_refused_with_the_place(cast: Cast) -> None:
    with pytest.raises(NotNow) as refused:
        cast.send(player_seat, "dealer_2", cast.second_table, seat=1, player_id=cast.players[4].pk)
    assert refused.value.code == "player_elsewhere"
    assert (
        "Dee sits at seat 4 of" in refused.value.message
        and "Let them leave there first" in refused.value.message
    )
    cast.send(player_leave, "dealer", seat=4)
    cast.send(player_seat, "dealer_2", cast.second_table, seat=1, player_id=cast.players[4].pk)
    assert Seating.objects.get(player=cast.players[4], left_at__isnull=True).table == cast.second_table


def test_the_database_refuses_a_second_open_stay(cast: Cast) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Seating.objects.create(
            room=cast.room, table=cast.second_table, seat=2, player=cast.players[4], seated_at=timezone.now()
        )


def beside(write: Callable[[], Any], command: Callable[[], Any]) -> list[Any]:
    """Write in a transaction, let `command` run on another connection meanwhile, commit; return what `command` came to."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(command())
        except (FloorError, IntegrityError) as error:
            outcome.append(error)
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    with transaction.atomic():
        write()
        thread.start()
        until_somebody_waits()
    thread.join(timeout=30)
    return outcome


@pytest.mark.django_db(transaction=True)
def test_two_tables_that_seat_one_player_at_once_come_to_one_seat_and_a_refusal() -> None:
    cast = running_cast()
    table = open_second(cast)
    hal: Player = cast.waiting[0]
    cast.send(player_leave, "dealer", seat=7)
    [refused] = beside(
        lambda: cast.send(player_seat, "dealer", seat=7, player_id=hal.pk),
        lambda: cast.send(player_seat, "dealer_2", table, seat=1, player_id=hal.pk),
    )
    assert isinstance(refused, NotNow), refused
    assert refused.code == "player_elsewhere" and "Hal sits at seat 7 of" in refused.message
    assert Seating.objects.get(player=hal, left_at__isnull=True).table == cast.table
    assert not JournalEntry.objects.filter(table=table, command="player_seat").exists(), (
        "nothing half written"
    )


@pytest.mark.django_db(transaction=True)
def test_two_tables_that_start_a_down_of_one_dealer_at_once_come_to_one_down_and_a_refusal() -> None:
    cast = running_cast()
    table = open_second(cast)
    for each, who in ((cast.table, "dealer"), (table, "dealer_2")):
        assert cast.send(down_end, "floor", each)["table"] == each.pk, who
    dealer = cast.people["dealer"].pk
    [refused] = beside(
        lambda: cast.send(down_start, "floor", dealer_id=dealer),
        lambda: cast.send(down_start, "floor_2", table, dealer_id=dealer),
    )
    assert isinstance(refused, NotNow), refused
    assert refused.code == "dealer_elsewhere"
    assert Down.objects.get(ended_at__isnull=True).table == cast.table
