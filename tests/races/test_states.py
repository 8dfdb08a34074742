"""The states that commands race in: each command is taken in one, and what is said never to be together is not.

`states.json` says what each state takes; docs/measured/races.md lists from it which commands are never together, and by
which condition. The suite tries in every state what the file does not say to be taken there, and each command once where
it says so; the slow run tries everything, and with RACES_KEPT it writes the file and these lists.
"""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.db import transaction

from cardroom.core.commands import COMMANDS
from tests.clock import NOON
from tests.measure.races import page, states
from tests.measure.races.calls import At, calls_taken, taken_now
from tests.measure.races.states import WORLDS, Seen
from tests.measure.races.world import World

pytestmark = pytest.mark.outside

PAGE = Path(__file__).parents[2] / "docs" / "measured" / "races.md"


@pytest.fixture
def clock() -> Iterator[Any]:
    with time_machine.travel((NOON - datetime.timedelta(hours=1)).timestamp(), tick=False) as traveller:
        yield traveller


def entered(world: World, clock: Any) -> Iterator[str]:
    """Each state of a world, which is left again after it."""
    for state in world.states:
        with transaction.atomic():
            states.enter(world, state, clock)
            yield state
            transaction.set_rollback(True)


def test_pairs_that_no_state_takes_differ_in_a_condition() -> None:
    """Else a state is missing in which both are taken, or a condition."""
    assert [pair for pair, condition in states.never(states.read()).items() if not condition] == []


def test_the_page_lists_what_is_never_together() -> None:
    said = PAGE.read_text(encoding="utf-8")
    assert page.never_together(states.read()) in said, "run `make races`"
    assert page.conditions(states.read()) in said, "run `make races`"


def test_a_command_that_is_taken_where_another_is_taken_alone_is_told() -> None:
    """What random orders of commands are held to (`tests/machine/test_every_command.py`)."""
    conditions, _ = states.read()["players: between rounds"][7]
    assert states.apart_from("round_open", conditions) == []
    assert "round_open" in states.apart_from("bets_place", conditions)


@pytest.mark.parametrize("name", WORLDS)
def test_no_state_takes_more_than_it_is_said_to(db: None, name: str, clock: Any) -> None:
    """Nor less of what its checks ask for the table as a whole; and each command is taken where it is first said to be."""
    said = states.read()
    world = WORLDS[name](clock)
    taken: set[str] = set()
    assert [f"{name}: {state}" for state in world.states] == [at for at in said if at.startswith(f"{name}: ")]
    for state in entered(world, clock):
        seen = said[f"{name}: {state}"]
        tried = _open_to_doubt(seen, taken)
        found = states.seen(world, calls_taken(world.cast, lambda call: taken_now(call, world.cast), tried))
        taken |= {command for command, _ in tried}
        for number, (conditions, commands) in seen.items():
            assert found[number] == (
                conditions,
                [command for command in commands if (command, number) in tried],
            ), f"{name}: {state}: run `make races`"
            if number:
                table = next(table for table in (world.main, world.other) if table.number == number)
                found_there = world.cast.state(table)
                refused = [
                    command
                    for command in commands
                    if command in COMMANDS and (check := COMMANDS[command].check) and check(found_there)
                ]
                assert refused == [], f"{name}: {state}"


def _open_to_doubt(seen: Seen, before: set[str]) -> set[At]:
    """What a state is not said to take, and what no state before it was tried with."""
    known = states.seen_in(states.read().values())
    return {
        (command.name, number)
        for command in COMMANDS.values()
        if command.name in known
        for number, (_, commands) in seen.items()
        if (number == 0) == (command.place == "room")
        and (command.name not in commands or command.name not in before)
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_every_state_takes_what_it_is_said_to(db: None, name: str, clock: Any) -> None:
    world = WORLDS[name](clock)
    found = {}
    for state in entered(world, clock):
        calls = calls_taken(world.cast, lambda call: taken_now(call, world.cast))
        found[f"{name}: {state}"] = states.seen(world, calls)
    said = states.read()
    if "RACES_KEPT" in os.environ:
        others = {at: seen for at, seen in said.items() if not at.startswith(f"{name}: ")}
        states.write(
            {at: seen for of in WORLDS for at, seen in (others | found).items() if at.startswith(f"{of}: ")}
        )
        said_now = page.with_states(PAGE.read_text(encoding="utf-8"), states.read())
        PAGE.write_text(said_now, encoding="utf-8")
    else:
        assert found == {at: seen for at, seen in said.items() if at.startswith(f"{name}: ")}


@pytest.mark.slow
def test_every_command_is_taken_in_a_state() -> None:
    """What the run above has found: a command that no state takes wants one in `tests/measure/races/world.py`."""
    assert sorted(COMMANDS.keys() - set(states.seen_in(states.read().values()))) == []
