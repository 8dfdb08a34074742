"""Where an example begins: a cast of two rooms, as the suite has it, or one of the states of the races' worlds."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import time_machine

from tests.cast import Cast, running_cast, uncounted_cast
from tests.clock import NOON
from tests.kept import kept
from tests.measure.races.world import House, Players, World

#: A function from the test's clock to the cast.
Start = Callable[[Any], Cast]
_Kind = TypeVar("_Kind", bound=World)
#: A world is built in the hour before noon.
_HOUR = datetime.timedelta(hours=1)


def players_world() -> Players:
    """Two tables that players bank, built before noon."""
    return _built(Players)


def house_world() -> House:
    """Two tables that the house banks."""
    return _built(House)


def _built(kind: type[_Kind]) -> _Kind:
    with time_machine.travel((NOON - _HOUR).timestamp(), tick=False) as clock:
        world = kind(clock)
    world.clock = None  # that of the example comes in its place
    return world


def _in_state(build: Callable[[], World], state: str, clock: Any) -> Cast:
    world = kept(build)
    world.clock = clock
    world.states[state](world)
    return world.cast


def _plain(build: Callable[[], Cast], clock: Any) -> Cast:
    return build()


def _starts(plain: Callable[[], Cast], build: Callable[[], World], states: Iterable[str]) -> dict[str, Start]:
    """A plain table and the states of a world, by name."""
    return {
        "a plain table": functools.partial(_plain, plain),
        **{state: functools.partial(_in_state, build, state) for state in states},
    }


PLAYERS = _starts(running_cast, players_world, Players.states)
HOUSE = _starts(uncounted_cast, house_world, House.states)
