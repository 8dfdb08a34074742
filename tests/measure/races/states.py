"""Which commands the states of the worlds take, kept in states.json: what is never together is read from it.

`make races` writes the file; the suite compares it with what the states take (`test_states.py`). A command that no run has
seen yet is in no state of the file, and is asked for nowhere until the next one.
"""

from __future__ import annotations

import datetime
import functools
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cardroom.floor.models import Table
from tests.clock import NOON

from .calls import Calls
from .conditions import conditions_of
from .world import House, Players, World

FILE = Path(__file__).parent / "states.json"
WORLDS: dict[str, type[World]] = {"players": Players, "house": House}
Pair = tuple[str, str]
#: Commands that random orders have taken in more states than the worlds of the file have: what the file says is never together
#: with one of them is not known, until `make races` has a state for it.
WIDER = {
    "undo": "takes touches on seats back, and no state where the house banks ends in one",
    "player_bring": "nobody sits at the other table where the house banks",
    "rack_close": "in a round too, while its seat has nothing in play",
    "rack_hand_over": "in a round too, while its seat has nothing in play",
}
#: By the number of a table (0 for the room): the value of each condition, and the commands that are taken there.
Seen = dict[int, tuple[dict[str, str], list[str]]]


def enter(world: World, state: str, clock: Any) -> None:
    """Bring the world into a state, at noon; commands are given five seconds after the last one of the state."""
    clock.move_to(NOON)
    world.states[state](world)
    clock.shift(datetime.timedelta(seconds=5))


def seen(world: World, calls: Calls) -> Seen:
    """What the present state takes, of which `calls` are the commands that are taken."""
    found: Seen = {}
    for table in Table.objects.filter(room=world.cast.room).order_by("number"):
        found[table.number] = (conditions_of(world.cast.state(table)), [])
    shift = found[world.main.number][0]["shift"]
    found[0] = ({"shift": shift}, [])
    for command, number in calls:
        found[number][1].append(command)
    return {number: (conditions, sorted(commands)) for number, (conditions, commands) in found.items()}


def read() -> dict[str, Seen]:
    """The states of the file by their names, with the world's in front."""
    document = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        state: {int(number): (at["conditions"], at["taken"]) for number, at in places.items()}
        for state, places in document.items()
    }


def write(states: Mapping[str, Seen]) -> None:
    """Write the file, a line for each place of a state."""
    lines = []
    for state, places in states.items():
        at = [
            f"  {json.dumps(str(number))}: {json.dumps({'conditions': conditions, 'taken': commands})}"
            for number, (conditions, commands) in places.items()
        ]
        lines.append(f" {json.dumps(state)}: {{\n" + ",\n".join(at) + "\n }")
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def pair_of(one: str, other: str) -> Pair:
    """The pair of two commands, whatever their order."""
    return (one, other) if one <= other else (other, one)


def seen_in(states: Iterable[Seen]) -> list[str]:
    """The commands that a run has seen: those that one of the states takes."""
    return sorted({command for state in states for _, commands in state.values() for command in commands})


def every_pair(states: Iterable[Seen]) -> list[Pair]:
    """Every pair of commands, of a command with itself too: all of them can meet, at a table or in a room."""
    return [pair_of(*pair) for pair in itertools.combinations_with_replacement(seen_in(states), 2)]


def pairs_at(state: Seen) -> Iterator[tuple[tuple[str, int], tuple[str, int]]]:
    """The pairs of commands that a state takes, each with the number of its table: at one table, in the room, or one of each."""
    each = [(command, number) for number, (_, commands) in sorted(state.items()) for command in commands]
    for one, other in itertools.combinations_with_replacement(each, 2):
        if one[1] == other[1] or 0 in (one[1], other[1]):
            yield one, other


def meeting(states: Iterable[Seen]) -> set[Pair]:
    """The pairs that one of the states takes."""
    return {pair_of(one[0], other[0]) for state in states for one, other in pairs_at(state)}


def taken_where(states: Mapping[str, Seen]) -> dict[str, list[str]]:
    """The names of the states that take each command."""
    return {
        command: [
            name
            for name, state in states.items()
            if any(command in commands for _, commands in state.values())
        ]
        for command in seen_in(states.values())
    }


def values_of(states: Iterable[Seen]) -> dict[str, dict[str, set[str]]]:
    """By command and condition: the values with which the command is taken."""
    found: dict[str, dict[str, set[str]]] = {}
    for state in states:
        for conditions, commands in state.values():
            for command in commands:
                for condition, value in conditions.items():
                    found.setdefault(command, {}).setdefault(condition, set()).add(value)
    return found


@functools.cache
def _said() -> tuple[dict[Pair, str], dict[str, dict[str, set[str]]]]:
    """What the file says: the pairs that are never together, and the values with which each command is taken."""
    states = read()
    return never(states), values_of(states.values())


def apart_from(command: str, conditions: Mapping[str, str]) -> list[str]:
    """The commands that are said never to be together with one that was taken, for a condition in which they meet after all."""
    apart, values = _said()
    if command in WIDER:
        return []
    others = {
        (set(pair) - {command} or {command}).pop(): why for pair, why in apart.items() if command in pair
    }
    return [
        other
        for other, why in others.items()
        if why and other not in WIDER and conditions[why] in values[other][why]
    ]


def never(states: Mapping[str, Seen]) -> dict[Pair, str]:
    """The pairs that no state takes, each with the condition of which they have no value in common; "" for none."""
    meet, values = meeting(states.values()), values_of(states.values())
    return {
        (one, other): next(
            (
                condition
                for condition in values[one]
                if condition in values[other] and not values[one][condition] & values[other][condition]
            ),
            "",
        )
        for one, other in every_pair(states.values())
        if (one, other) not in meet
    }
