"""Contracts of providers: their players sit and bank on the days, at the games and tables and in the hours of one."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
import time_machine

from cardroom.floor.commands.players import player_provider_set
from cardroom.floor.commands.providers import contract_end, contract_enter
from cardroom.floor.commands.seats import player_leave, player_seat
from cardroom.floor.contracts import CLAUSE, OUTSIDE
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Alert
from cardroom.floor.tasks import watch_floors
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Provider
from tests.cast import Cast, open_cast


@pytest.fixture
def cast(db: None) -> Cast:
    """A table that is open, with seat 6 free and Hal of the provider beside it."""
    cast = open_cast()
    cast.send(player_leave, "dealer", seat=6)
    provider = Provider.objects.get(room=cast.room)
    cast.send_room(player_provider_set, "room_manager", player_id=cast.waiting[0].pk, provider_id=provider.pk)
    return cast


def entered(cast: Cast, **says: Any) -> int:
    provider = Provider.objects.get(room=cast.room)
    said = {"number": "P-9", "begins_on": datetime.date(2026, 1, 1), **says}
    answer = cast.send_room(contract_enter, "room_manager", provider_id=provider.pk, **said)
    return answer["contract"]


def why_not(cast: Cast) -> str:
    """Why Hal is not seated, in words; empty where he was, and left again."""
    told: list[FloorError] = []
    try:
        cast.send(player_seat, "dealer", seat=6, player_id=cast.waiting[0].pk)
    except FloorError as error:
        told.append(error)
    else:
        cast.send(player_leave, "dealer", seat=6)
    assert all((each.code, each.extra["clause"]) == (OUTSIDE, CLAUSE) for each in told)
    return "".join(each.message for each in told)


def test_a_provider_without_a_contract_on_record_is_not_checked(cast: Cast) -> None:
    assert why_not(cast) == ""


@pytest.mark.parametrize(
    ("says", "why"),
    [
        ({}, ""),
        ({"begins_on": datetime.date(2027, 1, 1)}, "no contract in force today"),
        ({"ends_on": datetime.date(2026, 6, 30)}, "no contract in force today"),
        ({"tables": [7]}, ""),
        ({"tables": [8]}, "is for tables 8"),
        ({"opens_at": "11:00", "closes_at": "13:00"}, ""),
        ({"opens_at": "13:00", "closes_at": "11:00"}, "is from 1:00 PM to 11:00 AM"),
        ({"opens_at": "20:00", "closes_at": "13:00"}, ""),
    ],
)
def test_what_a_contract_says_holds_at_the_seat(cast: Cast, says: dict[str, Any], why: str) -> None:
    # It is noon on the room's clock.
    assert cast.state().now.astimezone(cast.room.zone).hour == 12
    entered(cast, **says)
    told = why_not(cast)
    assert why in told if why else told == ""


def test_games_are_those_of_the_filings(cast: Cast) -> None:
    number = cast.state().table.game.number  # type: ignore[union-attr]  # the table plays one
    entered(cast, games=[number])
    assert why_not(cast) == ""


def test_any_of_several_contracts_is_enough_and_one_that_is_ended_holds_to_the_end_of_its_day(
    cast: Cast,
) -> None:
    entered(cast, tables=[8])
    second = entered(cast, number="P-10", tables=[7])
    assert why_not(cast) == ""
    cast.send_room(contract_end, "room_manager", contract_id=second, reason="replaced")
    assert why_not(cast) == ""
    cast.send(player_seat, "dealer", seat=6, player_id=cast.waiting[0].pk)
    with time_machine.travel(cast.state().now + datetime.timedelta(days=1), tick=False):
        watch_floors()
        [alert] = Alert.objects.filter(subject=f"contract:{cast.waiting[0].pk}")
        assert "is for tables 8" in alert.text
    assert not list(rows_verify())


@pytest.mark.parametrize(
    ("says", "code", "path"),
    [
        ({"ends_on": datetime.date(2025, 1, 1)}, "bad_last_day", "ends_on"),
        ({"games": [77]}, "unknown_games", "games"),
        ({"tables": [77]}, "unknown_tables", "tables"),
        ({"opens_at": "10:00"}, "bad_hours", "closes_at"),
        ({"opens_at": "25:00", "closes_at": "1:00"}, "bad_time", "opens_at"),
    ],
)
def test_a_contract_that_cannot_be_is_refused(cast: Cast, says: dict[str, Any], code: str, path: str) -> None:
    with pytest.raises(FloorError) as error:
        entered(cast, **says)
    assert (error.value.code, error.value.path) == (code, path)
