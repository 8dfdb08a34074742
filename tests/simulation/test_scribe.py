"""The scribe writes what the services write: one evening, played both ways, comes to the same rows."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.db import connection, models, transaction

from cardroom.floor.models import (
    Alert,
    Deck,
    Down,
    JournalEntry,
    Offer,
    Procedure,
    Round,
    Seating,
    Shift,
    Table,
    Transfer,
    Turn,
    Waiver,
)
from cardroom.floor.services import alerts, bank, rounds, seats
from cardroom.floor.services.commands import TableCommand
from cardroom.floor.services.decks import deck_place
from cardroom.floor.services.shifts import shift_open
from cardroom.floor.services.tables import table_open, table_set
from cardroom.floor.services.waivers import fee_waive
from cardroom.people.models import Staff
from cardroom.simulation.rooms import JACKPOT, schedules_filed
from cardroom.simulation.scribe import Scribe
from tests.cast import BANK_HAND, HANDS
from tests.floor.house import House

#: Everything that an act at a table may leave, but the answer stored under its key.
FACTS: tuple[type[models.Model], ...] = (
    Table,
    Seating,
    Down,
    Turn,
    Offer,
    Round,
    Waiver,
    Transfer,
    Procedure,
    Alert,
    JournalEntry,
    Deck,
)
EVENING = datetime.datetime(2026, 10, 30, 19, 0, tzinfo=datetime.UTC)
SERVICES: dict[str, TableCommand[...]] = {
    "player_seat": seats.player_seat,
    "player_leave": seats.player_leave,
    "down_start": seats.down_start,
    "down_end": seats.down_end,
    "offer_answer": bank.offer_answer,
    "turn_renew": bank.turn_renew,
    "turn_end": bank.turn_end,
    "offers_ask_again": bank.offers_ask_again,
    "round_open": rounds.round_open,
    "bets_place": rounds.bets_place,
    "fee_waive": fee_waive,
    "bets_close": rounds.bets_close,
    "round_deal": rounds.round_deal,
    "round_settle": rounds.round_settle,
    "round_void": rounds.round_void,
    "alert_acknowledge": alerts.alert_acknowledge,
}

Act = tuple[str, str, dict[str, Any]]
Rows = dict[str, list[dict[str, Any]]]


def evening(house: House) -> Iterator[Act]:
    """Who does what, in order. The dealer's second down is another table's: the floor deals in their place."""
    yield "floor", "down_start", {"dealer": house.dealer}
    for seat in (1, 2, 3, 4):
        yield "dealer", "player_seat", {"seat": seat, "player": house.players[seat]}
    yield "dealer", "offer_answer", {"seat": 1, "answer": "declined"}
    yield "dealer", "offer_answer", {"seat": 2, "answer": "absent"}
    yield "dealer", "offer_answer", {"seat": 3, "answer": "accepted"}
    yield from a_round("dealer", 50000, {1: 1000, 2: 2500, 4: 500})
    # The bank runs out: an alert, which somebody answers while the next bank plays.
    yield from a_round("dealer", 2000, {1: 5000, 2: 10000, 4: 2500})
    yield "floor", "down_start", {"dealer": house.floor}
    yield "floor", "offer_answer", {"seat": 4, "answer": "accepted"}
    yield "floor", "alert_acknowledge", {"note": "Spoken with the bank"}
    yield from a_round("floor", 30000, {1: 1000, 2: 1500, 3: 10000}, void="Wrong number of cards dealt")
    yield from a_round("floor", 30000, {1: 1000, 2: 1500, 3: 10000}, dealt=False, void="Cards face up")
    yield from a_round("floor", 30000, {1: 1000, 3: 10000}, waived={"rule": "short_handed"})
    yield from a_round("floor", 30000, {1: 1000, 2: 1500, 3: 10000})
    for seat in (1, 2, 3):
        yield "floor", "offer_answer", {"seat": seat, "answer": "declined"}
    yield "floor", "turn_renew", {}
    yield from a_round("floor", 1000, {1: 5000, 2: 5000, 3: 5000})
    yield "floor", "player_leave", {"seat": 4}
    for seat in (1, 2, 3):
        yield "floor", "offer_answer", {"seat": seat, "answer": "declined"}
    yield "floor", "offers_ask_again", {}
    yield "floor", "offer_answer", {"seat": 1, "answer": "accepted"}
    # Runs out again while the first alert of it stands answered and over, and once more before anybody has looked.
    yield from a_round("floor", 1000, {2: 5000, 3: 5000})
    yield from a_round("floor", 1000, {2: 5000, 3: 5000})
    yield "floor", "turn_end", {}
    yield "floor", "down_end", {}


def a_round(
    who: str,
    wager: int,
    antes: dict[int, int],
    *,
    dealt: bool = True,
    void: str = "",
    waived: dict[str, Any] | None = None,
) -> Iterator[Act]:
    yield who, "round_open", {"bank_wager_cents": wager}
    bets = [
        {
            "seat": seat,
            "wagers": {"ante": cents, "pair_plus": 500},
            "tips": {"ante": 100} if seat == 1 else {},
        }
        for seat, cents in antes.items()
    ]
    yield who, "bets_place", {"bets": bets}
    if waived is not None:
        yield who, "fee_waive", {**waived, "reason": "Game about to break", "approver": "shift_manager"}
    if dealt:
        yield who, "bets_close", {}
        yield who, "round_deal", {}
    if void:
        yield who, "round_void", {"reason": void, "approver": "shift_manager"}
        return
    positions = [
        {"seat": seat, "hand": HANDS[seat], "decision": "fold" if seat == 2 else "play"} for seat in antes
    ]
    yield who, "round_settle", {"bank_hand": BANK_HAND, "positions": positions}


def instants() -> Iterator[datetime.datetime]:
    now = EVENING
    while True:
        now += datetime.timedelta(seconds=7, milliseconds=250)
        yield now


@pytest.fixture
def set_house(house: House) -> House:
    """A house whose table is open with two decks, without a dealer or players."""
    with time_machine.travel(EVENING, tick=False):
        house.send_room(shift_open, name="Swing")
        schedules_filed(house.room)
        filed = house.room.fee_schedules.get(number=JACKPOT)
        house.send(table_set, house.floor, rulebook="california", options={}, schedule_id=filed.pk)
        house.send(table_open, house.floor)
        for colour in ("red", "blue"):
            house.send(deck_place, house.floor, colour=colour)
    return house


def people(house: House, given: dict[str, Any]) -> dict[str, Any]:
    named = {"shift_manager": house.manager}
    return {key: named.get(value, value) if isinstance(value, str) else value for key, value in given.items()}


def by_services(house: House) -> None:
    for (who, act, given), now in zip(evening(house), instants(), strict=False):
        arguments = people(house, given)
        if act == "alert_acknowledge":
            arguments["alert_id"] = Alert.objects.get(table=house.table, acknowledged_at=None).pk
        arguments = {
            f"{key}_id" if key in ("player", "dealer") else key: getattr(value, "pk", value)
            if key in ("player", "dealer")
            else value
            for key, value in arguments.items()
        }
        with time_machine.travel(now, tick=False):
            house.send(SERVICES[act], actor(house, who), **arguments)


def by_scribe(house: House, flush_each: int) -> None:
    table = Table.objects.select_related("room", "schedule").get(pk=house.table.pk)
    shift = Shift.objects.get(room=house.room)
    scribe = Scribe(table, shift, EVENING)
    for number, ((who, act, given), now) in enumerate(zip(evening(house), instants(), strict=False)):
        getattr(scribe, act)(actor(house, who), now, **people(house, given))
        if number % flush_each == 0 and scribe.live is None:
            scribe.flush()
    scribe.flush()


def actor(house: House, who: str) -> Staff:
    return {"dealer": house.dealer, "floor": house.floor}[who]


def played(way: Callable[[], None]) -> Rows:
    """What every table of facts holds after playing, undone again: ids are given anew to whoever plays next."""
    before = sequences()
    with transaction.atomic():
        way()
        rows: Rows = {model.__name__: list(model._default_manager.order_by("pk").values()) for model in FACTS}
        transaction.set_rollback(True)
    restore(before)
    return rows


def sequences() -> dict[str, tuple[int, bool]]:
    """Where PostgreSQL's sequences stand: a rollback does not take them back."""
    if connection.vendor != "postgresql":
        return {}
    names = [f"{model._meta.db_table}_id_seq" for model in FACTS]
    with connection.cursor() as cursor:
        found = {}
        for name in names:
            cursor.execute(f"SELECT last_value, is_called FROM {name}")
            found[name] = cursor.fetchone()
    return found


def restore(before: dict[str, tuple[int, bool]]) -> None:
    with connection.cursor() as cursor:
        for name, (last, called) in before.items():
            cursor.execute("SELECT setval(%s, %s, %s)", [name, last, called])


@pytest.mark.parametrize("flush_each", [1, 9, 1000])
def test_an_evening_comes_to_the_same_rows_as_by_the_services(set_house: House, flush_each: int) -> None:
    served = played(lambda: by_services(set_house))
    written = played(lambda: by_scribe(set_house, flush_each))
    for name, rows in served.items():
        assert written[name] == rows, name
    assert len(served["Round"]) == 9
    assert [row["rule"] for row in served["Waiver"]] == ["short_handed"]
    assert sum(row["waived_cents"] for row in served["Round"]) > 0
    assert {alert["times"] for alert in served["Alert"]} == {1, 3}
