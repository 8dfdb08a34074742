"""Every pair of acts that can meet, at the same moment: `make races` runs all of them, the suite a part of them.

The part is the same in every run: of one state of either world, each act beside one other, and one pair of each kind with
the locks off, which has to show the race.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import connection

from tests.clock import NOON

from .page import PLACES, Found, page, pair_of
from .pairs import Call, Kept, Race, locks_off, racing, without_constraint
from .world import House, Players, World

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one write lock"),
]

#: The acts that each state takes, as `make races` found them.
TAKEN = Path(__file__).parent / "taken.json"
WORLDS: dict[str, type[World]] = {"players": Players, "house": House}
#: What a run is of: acts of tables, of a room, or one of each, and the worlds in which they are given.
PASSES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tables": (("table",), ("players", "house")),
    "rooms": (("room",), ("players",)),
    "both": (("table", "room"), ("players", "house")),
}
Calls = dict[tuple[str, int], Call]
#: How many constraints are taken away, one after another, until a race shows.
MOST_CONSTRAINTS = 4


@pytest.fixture
def clock() -> Iterator[Any]:
    """The clock of the world, which stands still while acts race."""
    with time_machine.travel((NOON - datetime.timedelta(hours=1)).timestamp(), tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The salt of a count's seal is one number; and nobody listens: what an act sends after its commit takes time alone."""
    monkeypatch.setattr("cardroom.drop.seal.secrets.token_hex", lambda size: "0" * 2 * size)
    monkeypatch.setattr("cardroom.floor.notify.notify_on_commit", lambda send: None)
    monkeypatch.setattr("cardroom.jobs.notify_worker.notify_on_commit", lambda send: None)


def enter(world: World, state: str, clock: Any) -> None:
    """Bring the world into a state, at noon; acts are given five seconds later."""
    clock.move_to(NOON)
    world.states[state](world)
    clock.move_to(NOON + datetime.timedelta(seconds=5))


def left(kept: Kept) -> None:
    """Put the whole database back."""
    kept.put_back(kept.changed(set(kept.rows)))


def pairs_in(calls: Calls) -> Iterator[tuple[Call, Call]]:
    """The pairs of calls that meet: at one table, in the room, or one of each."""
    each = list(calls.values())
    for n, first in enumerate(each):
        for m, second in enumerate(each[n:], start=n):
            if first.number == second.number or 0 in (first.number, second.number):
                yield (second, first) if (n + m) % 2 else (first, second)


def common(race: Race, first: Call, second: Call) -> frozenset[str]:
    """The tables that both acts of a pair write to."""
    return race.written_by(first) & race.written_by(second)


def control(race: Race, first: Call, second: Call) -> str:
    """Run a pair with the locks off, and without the constraints that end it; return what it came to."""
    gone: list[str] = []
    with locks_off():
        while True:
            came = _without(race, first, second, gone)
            stopped = named[1] if (named := re.search(r"error IntegrityError (\w+)", came)) else ""
            if not stopped or stopped in gone or len(gone) == MOST_CONSTRAINTS:
                break
            gone.append(stopped)
    kept = f"`{'`, `'.join(gone)}` ends the second act; without it: " if gone else ""
    return kept + (came or "one of the two orders")


def _without(race: Race, first: Call, second: Call, names: list[str]) -> str:
    if not names:
        return race.judged(first, second)
    with without_constraint(names[0]) as away:
        if not away:
            return f"the constraint {names[0]} cannot be taken away"
        return _without(race, first, second, names[1:])


#: The states of the suite's part, and the acts of the room that the state does not take, each with the reason.
PARTS = (("players", "betting"), ("house", "settled"))


@pytest.mark.parametrize(("name", "state"), PARTS)
def test_each_act_beside_another_comes_to_one_of_the_two_orders(name: str, state: str, clock: Any) -> None:
    world = WORLDS[name](clock)
    enter(world, state, clock)
    with racing() as race_in:
        race = race_in(world.cast, Kept())
        calls = race.calls("table", "room")
        taken = sorted((act, number) for act, number in calls if number)
        assert taken == _taken(f"{name}: {state}"), "run `make races`"
        pairs = list(pairs_in(calls))
        part = pairs[:: len(pairs) // len(calls)]
        came = {(one.act.name, two.act.name): race.judged(one, two) for one, two in part}
        assert {pair: what for pair, what in came.items() if what} == {}
        assert len(part) >= len(calls)
        for control_of in CONTROLS[name]:
            first, second = (calls[act, number] for act, number in control_of)
            assert race.judged(first, second) == ""
            with locks_off():
                assert race.judged(first, second) != "", f"{control_of}: no race with the locks off"


#: Pairs that race with the locks off: of one table, of a table and its room, of one room.
CONTROLS: dict[str, list[tuple[tuple[str, int], tuple[str, int]]]] = {
    "players": [
        (("bets_close", 7), ("bets_place", 7)),
        (("player_leave", 7), ("round_void", 7)),
        (("hours_enter", 0), ("tips_hand_in", 0)),
        (("subscription_make", 0), ("subscription_make", 0)),
    ],
    "house": [
        (("tray_fill", 7), ("tray_credit", 7)),
        (("buy_in", 7), ("slip_take_back", 7)),
        (("win_key", 7), ("meter_set", 7)),
    ],
}


def _taken(state: str) -> list[tuple[str, int]]:
    """The acts of tables that a state takes, as `make races` found them, each with the number of its table."""
    by_number = json.loads(TAKEN.read_text(encoding="utf-8"))[state]
    return sorted((act, int(number)) for number, acts in by_number.items() for act in acts if number != "0")


@pytest.mark.slow
@pytest.mark.parametrize("which", PASSES)
def test_every_pair_of_acts_comes_to_one_of_its_two_orders(which: str, clock: Any) -> None:
    """All of them; docs/races-….md and the acts that each state takes are written where RACES_WRITTEN_TO says."""
    found = Found()
    places, worlds = PASSES[which]
    for world in worlds:
        clock.move_to(NOON - datetime.timedelta(hours=1))
        _run_world(world, clock, found, which)
    found.looked_for = {words for both, words in PLACES.items() if set(both) == set(places)}
    _write(found, which, finished=True)
    print(f"{len(found.run)} pairs, {len(found.survivors)} survivors")
    assert found.survivors == {}


def _run_world(name: str, clock: Any, found: Found, which: str) -> None:
    empty = Kept()
    world = WORLDS[name](clock)
    base = Kept()
    with racing() as race_in:
        for state in world.states:
            enter(world, state, clock)
            race = race_in(world.cast, Kept())
            calls = race.calls(*PASSES[which][0])
            _note(found, f"{name}: {state}", calls)
            print(f"{name}: {state}: {len(calls)} calls", flush=True)
            for first, second in pairs_in(calls):
                pair = pair_of(first.act.name, second.act.name)
                of_run = {first.act.place, second.act.place} == set(PASSES[which][0])
                if of_run and pair not in found.run:
                    _run_pair(race, first, second, f"{name}: {state}", found)
                    if len(found.run) % 100 == 0:
                        print(
                            f"{len(found.run)} pairs, {time.process_time():.0f} s of the processor",
                            flush=True,
                        )
                        _write(found, which, finished=False)
            left(base)
            _write(found, which, finished=False)
    left(empty)


def _note(found: Found, state: str, calls: Calls) -> None:
    taken = found.taken.setdefault(state, {})
    for act, number in calls:
        if act not in taken.setdefault(number, []):
            taken[number].append(act)


def _run_pair(race: Race, first: Call, second: Call, state: str, found: Found) -> None:
    pair, tables = pair_of(first.act.name, second.act.name), common(race, first, second)
    found.run[pair] = (state, tables)
    if came := race.judged(first, second):
        found.survivors[pair] = came
        print("SURVIVOR", pair, state, came, flush=True)
    if tables not in found.controls:
        found.controls[tables] = (pair, control(race, first, second))


def _write(found: Found, which: str, *, finished: bool) -> None:
    if not (written_to := os.environ.get("RACES_WRITTEN_TO")):
        return
    Path(f"{written_to}-{which}.md").write_text(page(found, finished=finished), encoding="utf-8")
    taken = json.loads(TAKEN.read_text(encoding="utf-8"))
    for state, by_number in found.taken.items():
        for number, acts in by_number.items():
            taken.setdefault(state, {})[str(number)] = acts
    TAKEN.write_text(json.dumps(taken, indent=1) + "\n", encoding="utf-8")
