"""Many commands in one transaction write what they write one by one: one evening, played both ways, comes to the same rows."""

from __future__ import annotations

import datetime
import functools
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from django.db import connection, models, transaction

from cardroom.core.row_digests import rows_gathered
from cardroom.demo.filings import BY_HALF_HOUR, BY_HOUR, JACKPOT, own_schedules_seed
from cardroom.demo.simulation.charges import RAKED_RULEBOOK, RAKES, Charge, raked_options
from cardroom.demo.simulation.collector import Collector
from cardroom.demo.simulation.table import PlayedTable
from cardroom.floor.commands import alerts, bank, rounds, seats
from cardroom.floor.commands.decks import deck_place
from cardroom.floor.commands.seat_time import time_collect, time_take_back
from cardroom.floor.commands.shifts import shift_open
from cardroom.floor.commands.tables import table_open, table_set
from cardroom.floor.commands.waivers import fee_waive
from cardroom.floor.commands.watch import clock_account, room_watch
from cardroom.floor.execution.carry_out import Answer, TableCommand
from cardroom.floor.execution.locks import lock_row
from cardroom.floor.journal import entries_written_together
from cardroom.floor.models import (
    Alert,
    Deck,
    Down,
    JournalEntry,
    Offer,
    Procedure,
    Round,
    Seating,
    Table,
    TimeCollection,
    Transfer,
    Turn,
    Waiver,
)
from cardroom.floor.reads.table_state import TableState, read_table
from cardroom.floor.seat_time import time_due
from cardroom.floor.verification.rows import rows_verify
from cardroom.people.models import Staff
from fees.rake import OPTION
from games.collection import Rake
from tests.cast import BANK_HAND, HANDS, Cast
from tests.filing import filed_game

#: Everything that a command at a table may leave, but the answer stored under its key.
FACTS: tuple[type[models.Model], ...] = (
    Table,
    Seating,
    Down,
    Turn,
    Offer,
    Round,
    Waiver,
    TimeCollection,
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
    "time_collect": time_collect,
    "time_take_back": time_take_back,
    "alert_acknowledge": alerts.alert_acknowledge,
}

Command = tuple[str, str, dict[str, Any]]
Evening = Callable[[Cast], Iterator[Command]]
Rows = dict[str, list[dict[str, Any]]]
EXHAUSTED, TIME_DUE = Alert.Kind.BANK_EXHAUSTED, Alert.Kind.TIME_DUE


def evening(cast: Cast) -> Iterator[Command]:
    """Who does what, in order. The dealer's second down is another table's: the floor deals in their place."""
    yield "floor", "down_start", {"dealer": cast.people["dealer"]}
    for seat in (1, 2, 3, 4):
        yield "dealer", "player_seat", {"seat": seat, "player": cast.players[seat]}
    yield "dealer", "offer_answer", {"seat": 1, "answer": "declined"}
    yield "dealer", "offer_answer", {"seat": 2, "answer": "absent"}
    yield "dealer", "offer_answer", {"seat": 3, "answer": "accepted"}
    yield from a_round("dealer", 50000, {1: 1000, 2: 2500, 4: 500})
    # The bank runs out: an alert, which somebody answers while the next bank plays.
    yield from a_round("dealer", 2000, {1: 5000, 2: 10000, 4: 2500})
    yield "floor", "down_start", {"dealer": cast.people["floor"]}
    yield "floor", "offer_answer", {"seat": 4, "answer": "accepted"}
    yield "floor", "alert_acknowledge", {"kind": EXHAUSTED, "note": "Spoken with the bank"}
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


def raked_evening(cast: Cast) -> Iterator[Command]:
    """An evening by a designated player's rules: an offer after every hand, dead hands, and a rake at settlement."""
    yield from begun(cast)
    yield from a_round("dealer", 50000, {1: 1000, 2: 2500, 4: 500})
    for seat in (4, 1, 2):
        yield "dealer", "offer_answer", {"seat": seat, "answer": "declined"}
    yield "dealer", "turn_renew", {}
    # Funds that reach some hands and not others; and, below, none at all.
    yield from a_round("dealer", 2000, {1: 1000, 2: 2500, 4: 500})
    yield "dealer", "offer_answer", {"seat": 4, "answer": "accepted"}
    yield "floor", "alert_acknowledge", {"kind": EXHAUSTED, "note": "Spoken with the bank"}
    yield from a_round("dealer", 30000, {1: 1000, 2: 1500, 3: 10000}, void="Wrong number of cards dealt")
    yield from a_round("dealer", 30000, {1: 1000, 2: 1500, 3: 10000}, dealt=False, void="Cards face up")
    yield from a_round("dealer", 400, {1: 1000, 2: 1500})
    yield "dealer", "player_leave", {"seat": 4}
    yield "dealer", "offer_answer", {"seat": 1, "answer": "absent"}
    yield "dealer", "offer_answer", {"seat": 2, "answer": "accepted"}
    yield from a_round("dealer", 90000, {1: 1000, 3: 1500})
    yield "dealer", "turn_end", {}
    yield "floor", "down_end", {}


def timed_evening(cast: Cast) -> Iterator[Command]:
    """An evening by the clock, which begins at noon in California: collected, carried, late, taken back and let go."""
    yield from begun(cast)
    yield from a_round("dealer", 50000, {1: 1000, 2: 2500, 4: 500})
    yield "", "wait", {"minutes": 60}
    yield "dealer", "time_collect", {}
    yield from a_round("dealer", 50000, {1: 1000, 2: 2500, 4: 500})
    yield "", "wait", {"minutes": 58}
    yield "dealer", "time_collect", {"seats": [1, 3]}
    yield "dealer", "offer_answer", {"seat": 4, "answer": "accepted"}
    yield from a_round("dealer", 50000, {1: 1000, 2: 2500, 3: 500})
    yield "", "wait", {"minutes": 6}
    yield "", "watch", {}
    yield "floor", "alert_acknowledge", {"kind": TIME_DUE, "note": "Dealer reminded"}
    yield "dealer", "time_collect", {}
    yield "dealer", "time_take_back", {"reason": "Entered before the chips were put up", "approver": "floor"}
    # Collected anew in the middle of a round; who has left in between owes no more.
    yield "dealer", "player_leave", {"seat": 2}
    commands = list(a_round("dealer", 50000, {1: 1000, 3: 500}))
    yield from commands[:3]
    yield "dealer", "time_collect", {}
    yield from commands[3:]
    yield "", "wait", {"minutes": 55}
    yield "dealer", "offer_answer", {"seat": 1, "answer": "accepted"}
    yield from a_round("dealer", 50000, {3: 1000, 4: 500})
    yield "", "wait", {"minutes": 4}
    yield "", "watch", {}
    yield "dealer", "time_collect", {"seats": [1, 4]}
    yield "", "watch", {}
    yield "dealer", "player_leave", {"seat": 3}
    yield "", "watch", {}
    yield "dealer", "player_leave", {"seat": 1}
    yield "floor", "down_end", {}


def begun(cast: Cast) -> Iterator[Command]:
    """A dealer, four players, and the bank at seat 3."""
    yield "floor", "down_start", {"dealer": cast.people["dealer"]}
    for seat in (1, 2, 3, 4):
        yield "dealer", "player_seat", {"seat": seat, "player": cast.players[seat]}
    for seat, answer in ((1, "declined"), (2, "declined"), (3, "accepted")):
        yield "dealer", "offer_answer", {"seat": seat, "answer": answer}


def a_round(
    who: str,
    wager: int,
    antes: dict[int, int],
    *,
    dealt: bool = True,
    void: str = "",
    waived: dict[str, Any] | None = None,
) -> Iterator[Command]:
    yield who, "round_open", {"bank_wager_cents": wager}
    bets = [
        {
            "seat": seat,
            "wagers": {"ante": cents, "pair_plus": 500},
            "tips": {"ante": 100} if seat == 1 else {},
        }
        for seat, cents in antes.items()
    ]
    yield who, "bets_place", {"positions": bets}
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


def timed(commands: Iterator[Command]) -> Iterator[tuple[datetime.datetime, Command]]:
    """The commands one after the other, each with its instant; waiting is none."""
    now = EVENING
    for who, command, given in commands:
        if command == "wait":
            now += datetime.timedelta(**given)
        else:
            now += datetime.timedelta(seconds=7, milliseconds=250)
            yield now, (who, command, given)


@pytest.fixture
def set_site(cast: Cast) -> Cast:
    """A room whose table is open on the jackpot's schedule with two decks, without a dealer or players."""
    with time_machine.travel(EVENING, tick=False):
        cast.send_room(shift_open, name="Swing")
        own_schedules_seed(cast.room, cast.people["shift_manager"])
        clock_account()
        charge(cast, by_schedule(cast, JACKPOT))
        cast.send(table_open, "floor")
        cast.hang_box()
        cast.hang_box(107, kind="jackpot")
        for colour in ("red", "blue"):
            cast.send(deck_place, "floor", colour=colour)
    return cast


def by_schedule(cast: Cast, number: int) -> Charge:
    return Charge(filed_game(cast.room), cast.room.feeschedule_versions.get(number=number))


def charge(cast: Cast, charge: Charge) -> None:
    """Set the table to a charge as the simulation does."""
    with time_machine.travel(EVENING, tick=False):
        cast.send(table_set, "floor", **charge.settings)
    assert charge.is_set(Table.objects.get(pk=cast.table.pk))


def people(cast: Cast, given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a command: people and players as it names them, and the alert or collection that it is about."""
    named = {"shift_manager": cast.people["shift_manager"], "floor": cast.people["floor"]}
    arguments = {
        key: named.get(value, value) if isinstance(value, str) else value for key, value in given.items()
    }
    for key in {"player", "dealer"} & set(arguments):
        arguments[f"{key}_id"] = arguments.pop(key).pk
    return arguments


def about(cast: Cast, command: str, arguments: dict[str, Any]) -> dict[str, Any]:
    if command == "alert_acknowledge":
        kind = arguments.pop("kind")
        arguments["alert_id"] = Alert.objects.get(table=cast.table, kind=kind, acknowledged_at=None).pk
    if command == "time_take_back":
        arguments["collection_id"] = TimeCollection.objects.latest("pk").pk
    return arguments


def one_by_one(cast: Cast, evening: Evening) -> list[Answer]:
    answers = []
    for now, (who, command, given) in timed(evening(cast)):
        if command == "watch":
            room_watch(cast.room.pk, now)
            continue
        arguments = about(cast, command, people(cast, given))
        with time_machine.travel(now, tick=False):
            answers.append(cast.send(SERVICES[command], actor(cast, who), **arguments))
    return answers


def in_one_transaction(cast: Cast, evening: Evening, *, look: bool) -> list[Answer]:
    """By the commands at one table that is locked once; `look` writes after each, and holds the table to be what it is read as."""
    table = lock_row(Table, cast.table.pk, "room", "schedule", "game")
    played = PlayedTable(table)
    collector = Collector(played, cast.people["floor"], random.Random(1))  # a game's, no secret
    answers = []
    for now, (who, command, given) in timed(evening(cast)):
        if command == "watch":
            collector.watch(time_due(played.state(now)), now)
            continue
        arguments = about(cast, command, people(cast, given))
        answer = played.give(SERVICES[command], actor(cast, who), now, **arguments)
        answers.append({**answer, "table": table.pk, "version": table.version})
        if look:
            state = played.state(now)
            assert stands(state) == stands(read_table(table, now)), command
    return answers


def with_entries_at_the_end(cast: Cast, evening: Evening) -> list[Answer]:
    with entries_written_together():
        return in_one_transaction(cast, evening, look=False)


def stands(state: TableState) -> dict[str, Any]:
    """Everything that a reading of a table holds, row by row and column by column."""

    def columns(row: models.Model | None) -> dict[str, Any] | None:
        return (
            None if row is None else {f.attname: getattr(row, f.attname) for f in row._meta.concrete_fields}
        )

    return {
        **{name: columns(getattr(state, name)) for name in ("shift", "down", "turn", "live", "paused")},
        **{name: [columns(row) for row in getattr(state, name)] for name in ("offers", "banked")},
        "seatings": {seat: columns(sitting) for seat, sitting in state.seatings.items()},
        "last_bank": state.last_bank,
        "step": state.step,
        "bank": None if state.live is None else (columns(state.live.turn), columns(state.live.bank_player)),
    }


def actor(cast: Cast, who: str) -> Staff:
    return {"dealer": cast.people["dealer"], "floor": cast.people["floor"]}[who]


def played(way: Callable[[], list[Answer]]) -> tuple[list[Answer], Rows]:
    """The answers, and what every table of facts holds after playing; undone again: ids are given anew to the next way."""
    before = sequences()
    with transaction.atomic(), rows_gathered():
        answers = way()
        rows: Rows = {model.__name__: list(model._default_manager.order_by("pk").values()) for model in FACTS}
        assert list(map(str, rows_verify())) == []
        transaction.set_rollback(True)
    restore(before)
    return answers, rows


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


#: What says which entry covers a row: written together, the last of several entries covers what all of them wrote.
COVERING = ("rows", "hash", "chain_hash")


def both_ways(cast: Cast, evening: Evening) -> Rows:
    """Play an evening both ways, compare answers and rows, and return the rows."""
    answers, rows = played(lambda: one_by_one(cast, evening))
    ways: tuple[Callable[[], list[Answer]], ...] = (
        functools.partial(in_one_transaction, cast, evening, look=True),
        functools.partial(with_entries_at_the_end, cast, evening),
    )
    for way in ways:
        answers_in_one, rows_in_one = played(way)
        assert answers_in_one == answers
        for name, found in rows.items():
            assert uncovered(rows_in_one[name]) == uncovered(found), name
    return rows


def uncovered(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in COVERING} for row in rows]


@pytest.mark.outside
@pytest.mark.postgresql
def test_an_evening_in_one_transaction_comes_to_the_same_rows(set_site: Cast) -> None:
    served = both_ways(set_site, evening)
    assert len(served["Round"]) == 9
    assert [row["rule"] for row in served["Waiver"]] == ["short_handed"]
    assert sum(row["waived_cents"] for row in served["Round"]) > 0
    assert {alert["times"] for alert in served["Alert"]} == {1, 3}


@pytest.mark.outside
@pytest.mark.parametrize("rake", RAKES)
def test_a_raked_evening_in_one_transaction_comes_to_the_same_rows(set_site: Cast, rake: Rake) -> None:
    chosen = next(each for each in raked_options() if each[OPTION] == rake._asdict())
    game = filed_game(set_site.room, rulebook=RAKED_RULEBOOK, options=chosen)
    charge(set_site, Charge(game))
    served = both_ways(set_site, raked_evening)
    rounds = served["Round"]
    assert [row["rake_cents"] > 0 for row in rounds] == [True, True, False, False, False, True]
    raked = sum(row["rake_cents"] for row in rounds)
    assert {row["kind"] for row in served["Transfer"] if row["target"] == "drop"} == {"rake"}
    assert sum(row["cents"] for row in served["Transfer"] if row["kind"] == "rake") == raked
    # A dead hand beside live ones, and a round in which every hand was dead.
    assert [row["exhausted"] for row in rounds if row["state"] == "settled"] == [False, True, True, False]


@pytest.mark.outside
@pytest.mark.parametrize("number", [BY_HALF_HOUR, BY_HOUR])
def test_an_evening_by_the_clock_in_one_transaction_comes_to_the_same_rows(
    set_site: Cast, number: int
) -> None:
    charge(set_site, by_schedule(set_site, number))
    served = both_ways(set_site, timed_evening)
    collected = served["TimeCollection"]
    assert [row["cents"] > 0 for row in collected] == [True, True, True, False, True, True]
    moved = {True: 0, False: 0}
    for row in served["Transfer"]:
        if row["kind"] == "time":
            moved[row["target"] == "drop"] += row["cents"]
    assert moved[True] - moved[False] == sum(row["cents"] for row in collected) > 0
    found = [row["command"] for row in served["JournalEntry"]]
    assert (found.count("time_let_go"), found.count("alert_raise"), found.count("alert_over")) == (2, 2, 2)
    assert {alert["kind"] for alert in served["Alert"]} == {TIME_DUE}
