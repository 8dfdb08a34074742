"""docs/races-….md: which pairs of acts were given at the same moment, what came of them, and what comes with the locks off."""

from __future__ import annotations

import dataclasses
import itertools
import os
import platform
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from cardroom.core.acts import ACTS
from tests.bench.measure import processor_name

Pair = tuple[str, str]
#: What every act writes, so that it says nothing of what two acts have in common.
EVERYWHERE = frozenset({"floor_journalentry", "floor_storedanswer"})
PLACES = {
    ("table", "table"): "two acts of one table",
    ("room", "table"): "one of a room, one of its table",
    ("room", "room"): "two acts of one room",
}


@dataclasses.dataclass
class Found:
    """What a run has found so far."""

    #: The acts that are taken in a state, by the state's name and the table's number (0 for the room).
    taken: dict[str, dict[int, list[str]]] = dataclasses.field(default_factory=dict)
    #: The state in which each pair was run, and what both write.
    run: dict[Pair, tuple[str, frozenset[str]]] = dataclasses.field(default_factory=dict)
    #: Pairs that came to neither order, with what they came to.
    survivors: dict[Pair, str] = dataclasses.field(default_factory=dict)
    #: Where all pairs have been looked for in every state: of others, those that were not run may meet yet.
    looked_for: set[str] = dataclasses.field(default_factory=set)
    #: By what both write: the pair that was run with the locks off, and what it came to, with a constraint and without.
    controls: dict[frozenset[str], tuple[Pair, str]] = dataclasses.field(default_factory=dict)


def pair_of(one: str, other: str) -> Pair:
    """The pair of two acts, whatever their order."""
    return (one, other) if one <= other else (other, one)


def place_of(pair: Pair) -> str:
    """Where the two acts of a pair meet, in words."""
    return PLACES[tuple(sorted(ACTS[name].place for name in pair))]  # type: ignore[index]


def every_pair() -> list[Pair]:
    """Every pair of acts, of an act with itself too: all of them can meet, at a table or in a room."""
    return [pair_of(*pair) for pair in itertools.combinations_with_replacement(sorted(ACTS), 2)]


def states_of(taken: Mapping[str, Mapping[int, list[str]]]) -> dict[str, dict[tuple[str, int], None]]:
    """The states and tables where each act is taken."""
    found: dict[str, dict[tuple[str, int], None]] = {name: {} for name in ACTS}
    for state, by_number in taken.items():
        for number, names in by_number.items():
            for name in names:
                found.setdefault(name, {})[state, number] = None
    return found


def meet(one: Iterable[tuple[str, int]], other: Iterable[tuple[str, int]]) -> bool:
    """Whether two acts are both taken in one state, at one table where each is of a table."""
    return any(
        state == beside and (number == at or 0 in (number, at))
        for state, number in one
        for beside, at in other
    )


def page(found: Found, *, finished: bool) -> str:
    """Return the whole page."""
    states = states_of(found.taken)
    pairs = every_pair()
    never = [
        pair
        for pair in pairs
        if place_of(pair) in found.looked_for and not meet(states[pair[0]], states[pair[1]])
    ]
    left = [pair for pair in pairs if pair not in found.run and pair not in set(never)]
    places = Counter(place_of(pair) for pair in pairs)
    by_place = {
        "run": Counter(place_of(pair) for pair in found.run),
        "never": Counter(place_of(pair) for pair in never),
        "left": Counter(place_of(pair) for pair in left),
        "survived": Counter(place_of(pair) for pair in found.survivors),
    }
    rows = "".join(
        f"| {words} | {places[words]} | {by_place['run'][words]} | {by_place['survived'][words]} "
        f"| {by_place['never'][words]} | {by_place['left'][words]} |\n"
        for words in PLACES.values()
    )
    return f"""# Two acts at the same moment

Written by `make races` (`tests/races/`) on {datetime.now(UTC):%Y-%m-%d}; not edited by hand. {"" if finished else "**This run was stopped before its end.**"}

- Machine: {processor_name()}, {os.cpu_count()} processors, {platform.system()} on {platform.machine()}, load
  {os.getloadavg()[0]:.1f} when the run ended. PostgreSQL; {platform.python_implementation()} {platform.python_version()}.
- Every pair of the {len(ACTS)} declared acts, of each act with itself too. Two threads with connections of their own give
  the two acts at the same moment, in a state in which each is taken by itself: the first is held before its commit until
  the second waits for a lock or has ended. Which of the two is held alternates from pair to pair.
- What both are answered and every row of every table that either has written then has to be what one order of the two,
  one after the other, leaves: journal, money, numbers, ids, hashes and instants (the clock stands still). Of a table's
  act and its room's, which may write in turn, ids, hashes and microseconds are left out. No deadlock, no error.
- With the locks off: for each set of tables that two acts both write to, the first pair of it is run once more with every
  `FOR NO KEY UPDATE` left out. Where a constraint of the database then ends the second act, which would be an error 500,
  that is taken away too, one after another.

| | pairs | run | came to neither order | no state takes both | not run |
|---|---:|---:|---:|---:|---:|
{rows}
{_survivors(found)}
## What they have in common, and the locks off

Beside journal and stored answers, which every act writes to. A race is "ok / ok, and not ok/stale": both were carried out,
where the second had to be refused; or rows that neither order leaves. A trigger that ends the second act cannot be taken
away here, nor a key that others refer to: what it says stands there.

| both write to | pairs | run with the locks off | came to |
|---|---:|---|---|
{_classes(found)}
## In which states an act is taken

The states are those of `tests/races/world.py`. Two acts that share none, at the same table where both are a table's, were
not run: one of them is refused before and after the other, whatever is done to the other at the same moment.

| act | taken | never together with |
|---|---|---|
{_states(states, set(never))}"""


def _survivors(found: Found) -> str:
    if not found.survivors:
        return "No pair came to anything but one of the two orders.\n"
    lines = [f"- `{one}` and `{two}`: {what}" for (one, two), what in sorted(found.survivors.items())]
    return "Pairs that came to neither order:\n\n" + "\n".join(lines) + "\n"


def _words(tables: frozenset[str]) -> str:
    return ", ".join(f"`{table}`" for table in sorted(tables - EVERYWHERE)) or "nothing else"


def _classes(found: Found) -> str:
    counted = Counter(tables for _, tables in found.run.values())
    rows = []
    for tables, number in counted.most_common():
        pair, came = found.controls.get(tables, (("", ""), ""))
        rows.append(
            f"| {_words(tables)} | {number} | {f'`{pair[0]}`, `{pair[1]}`' if pair[0] else ''} | {came} |\n"
        )
    return "".join(rows)


def _named(apart: list[str], beside: list[str]) -> str:
    """Name the shorter of the two lists."""
    if len(apart) > len(beside):
        return f"all but {', '.join(f'`{other}`' for other in beside)}" if beside else "any"
    return ", ".join(f"`{other}`" for other in apart) or "–"


def _states(states: Mapping[str, Mapping[tuple[str, int], None]], never: set[Pair]) -> str:
    rows = []
    named = {name for pair in never for name in pair}
    for name in sorted(name for name in ACTS if states[name] or name in named):
        where = dict.fromkeys(state for state, _ in states[name])
        apart = [other for other in sorted(ACTS) if pair_of(name, other) in never]
        beside = [other for other in sorted(ACTS) if other not in apart]
        rows.append(f"| `{name}` | {', '.join(where) or 'in none'} | {_named(apart, beside)} |\n")
    return "".join(rows)
