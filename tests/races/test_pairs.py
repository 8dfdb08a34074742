"""Every pair of commands that can meet, at the same moment: `make races` runs all of them, the suite a part of them.

The part is the same in every run: of one state of either world, each command beside one other, and one pair of each kind with
the locks off, which has to show the race.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import BasePasswordHasher
from django.db import connection

from cardroom.floor.models import JournalEntry
from cardroom.people.models import Program, ProgramToken
from tests.clock import NOON
from tests.measure.races import states
from tests.measure.races.calls import At, Call
from tests.measure.races.found import PARTS, Found, read
from tests.measure.races.page import NO_RACE, page
from tests.measure.races.pairs import Kept, Race, locks_off, racing, without_constraint
from tests.measure.races.states import WORLDS, Pair, enter, pair_of

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one write lock"),
]

#: How many constraints are taken away, one after another, until a race shows.
MOST_CONSTRAINTS = 4
#: How many pairs that write to the same tables are run with the locks off, until a race shows.
MOST_CONTROLS = 3
PAGE = Path(__file__).parents[2] / "docs" / "measured" / "races.md"


@pytest.fixture
def clock() -> Iterator[Any]:
    """The clock of the world, which stands still while commands race."""
    with time_machine.travel((NOON - datetime.timedelta(hours=1)).timestamp(), tick=False) as traveller:
        yield traveller


@pytest.fixture(autouse=True)
def no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Salts are one text, and what must differ counts up; and nobody listens: what a command sends after its commit takes time alone.

    Nor does anybody look at the floor then, which is another transaction, with alerts of its own.
    """
    monkeypatch.setattr("cardroom.drop.commands.counts.secrets.token_hex", lambda size: "0" * 2 * size)
    monkeypatch.setattr(BasePasswordHasher, "salt", lambda hasher: "0" * 22)
    # What stands in place of a password that opens nothing is a text by chance, too.
    monkeypatch.setattr("django.contrib.auth.hashers.get_random_string", lambda length, *of: "0" * length)
    # User names and tokens of programs and secrets of webhooks are made under the lock of the room, which these are counted in.
    numbered = SimpleNamespace(
        token_hex=lambda size: f"{Program.objects.count():0{2 * size}}",
        token_urlsafe=lambda size: f"{ProgramToken.objects.count():043}",
    )
    monkeypatch.setattr("cardroom.people.programs.secrets", numbered)
    told = JournalEntry.objects.filter(command__in=("webhook_make", "webhook_secret_make"))
    monkeypatch.setattr("cardroom.webhooks.commands.webhooks.new_secret", lambda: f"whsec_{told.count():044}")
    monkeypatch.setattr("cardroom.webhooks.commands.webhooks.sealed", lambda secret: secret)
    monkeypatch.setattr("cardroom.floor.commands.watch.room_watch", lambda room_id, now: 0)
    monkeypatch.setattr("cardroom.floor.notify.notify_on_commit", lambda send: None)
    monkeypatch.setattr("cardroom.jobs.notify_worker.notify_on_commit", lambda send: None)


def left(kept: Kept) -> None:
    """Put the whole database back."""
    kept.put_back(kept.changed(set(kept.rows)))


def common(race: Race, first: Call, second: Call) -> frozenset[str]:
    """The tables that both commands of a pair write to."""
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
    kept = f"`{'`, `'.join(gone)}` ends the second command; without it: " if gone else ""
    return kept + (came or NO_RACE)


def _without(race: Race, first: Call, second: Call, names: list[str]) -> str:
    if not names:
        return race.judged(first, second)
    with without_constraint(names[0]) as away:
        if not away:
            return f"the constraint {names[0]} cannot be taken away"
        return _without(race, first, second, names[1:])


#: The states of the suite's part.
SUITE = (("players", "betting"), ("house", "between rounds"))


@pytest.mark.parametrize(("name", "state"), SUITE)
def test_each_command_beside_another_comes_to_one_of_the_two_orders(
    name: str, state: str, clock: Any
) -> None:
    world = WORLDS[name](clock)
    enter(world, state, clock)
    with racing() as race_in:
        race = race_in(world.cast, Kept())
        known = states.seen_in(states.read().values())
        calls = {at: call for at, call in race.calls().items() if at[0] in known}
        seen = states.read()[f"{name}: {state}"]
        assert states.seen(world, calls) == seen, "run `make races`"
        pairs = list(states.pairs_at(seen))
        part = [(calls[one], calls[other]) for one, other in pairs[:: len(pairs) // len(calls)]]
        came = {(one.command.name, two.command.name): race.judged(one, two) for one, two in part}
        assert {pair: what for pair, what in came.items() if what} == {}
        assert len(part) >= len(calls)
        for control_of in CONTROLS[name]:
            first, second = (calls[at] for at in control_of)
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


def where_run() -> dict[str, dict[Pair, tuple[At, At]]]:
    """The pairs that are run in each state: every pair in the first state that takes it."""
    planned: dict[str, dict[Pair, tuple[At, At]]] = {}
    met: set[Pair] = set()
    for state, seen in states.read().items():
        for one, other in states.pairs_at(seen):
            pair = pair_of(one[0], other[0])
            if pair not in met:
                met.add(pair)
                planned.setdefault(state, {})[pair] = one, other
    return planned


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_every_pair_of_commands_comes_to_one_of_its_two_orders(part: int, clock: Any) -> None:
    """All pairs that some state takes. What was found is kept where RACES_KEPT says, and docs/measured/races.md written from it."""
    kept_in = os.environ.get("RACES_KEPT")
    found = Found(kept_in, part)
    done = read(Path(kept_in))[0].run if kept_in else {}
    planned = {
        state: {pair: both for pair, both in pairs.items() if pair not in done}
        for state, pairs in where_run().items()
    }
    for name in WORLDS:
        clock.move_to(NOON - datetime.timedelta(hours=1))
        empty = Kept()
        world = WORLDS[name](clock)
        base = Kept()
        with racing() as race_in:
            for state in world.states:
                whole = f"{name}: {state}"
                pairs = dict(list(planned.get(whole, {}).items())[part::PARTS])
                if not pairs:
                    continue
                enter(world, state, clock)
                race = race_in(world.cast, Kept())
                calls = race.calls({at for both in pairs.values() for at in both})
                for n, (pair, (one, other)) in enumerate(pairs.items()):
                    first, second = (calls[one], calls[other]) if n % 2 else (calls[other], calls[one])
                    tables = common(race, first, second)
                    found.run[pair] = whole, tables
                    if came := race.judged(first, second):
                        found.survivors[pair] = came
                    if _no_race(found, tables):
                        found.controls.setdefault(tables, []).append((pair, control(race, first, second)))
                    if len(found.run) % 100 == 0:
                        found.write()
                left(base)
                found.write()
        left(empty)
    found.finished = True
    found.write()
    if kept_in is not None:
        today = time_machine.escape_hatch.datetime.date.today()  # the clock of the world stands still
        PAGE.write_text(page(*read(Path(kept_in)), states.read(), today), encoding="utf-8")
    assert found.survivors == {}


def _no_race(found: Found, tables: frozenset[str]) -> bool:
    """Whether a control of these tables is to be run: none of them has raced yet."""
    tried = found.controls.get(tables, [])
    return len(tried) < MOST_CONTROLS and all(came == NO_RACE for _, came in tried)
