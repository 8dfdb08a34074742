"""docs/measured/races.md: which pairs of commands were given at the same moment, what came of them, and what comes with the locks off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date

from cardroom.core.commands import COMMANDS
from tests.measure.conditions import written_by

from .found import Found
from .states import WIDER, Pair, Seen, every_pair, never, seen_in, taken_where, values_of

#: What every command writes, so that two commands do not have it in common.
EVERYWHERE = frozenset({"floor_journalentry", "floor_storedanswer"})
PLACES = {
    ("table", "table"): "two commands of one table",
    ("room", "table"): "one of a room, one of its table",
    ("room", "room"): "two commands of one room",
}
#: The first heading of what follows from the states alone.
_FIRST_OF_STATES = "## Never together"
#: What a control came to where no race showed.
NO_RACE = "one of the two orders"


def place_of(pair: Pair) -> str:
    """Where the two commands of a pair meet, in words."""
    return PLACES[tuple(sorted(COMMANDS[name].place for name in pair))]  # type: ignore[index]


def page(found: Found, machine: str, states: Mapping[str, Seen], day: date) -> str:
    """Return the whole page, written on `day`."""
    return f"""# Two commands at the same moment

{written_by("races", "tests/measure/races/", day=day)}{"" if found.finished else " **This run was stopped before its end.**"}

- Machine: {machine}; PostgreSQL. {found.seconds:.0f} seconds of the processor in Python, the server's beside.
- Every pair of the {len(COMMANDS)} declared commands, of each command with itself too. Two threads with connections of their own give
  the two commands at the same moment, in a state in which each is taken by itself: the first is held before its commit until
  the second waits for a lock or has ended. Which of the two is held alternates from pair to pair.
- What both are answered and every row of every table that either has written then has to be what one order of the two,
  one after the other, leaves: journal, money, numbers, ids, hashes and instants (the clock stands still). Of a table's
  command and its room's, which may write in turn, ids, hashes and microseconds are left out. No deadlock, no error.
- Each pair is run in the first of {len(states)} states (`tests/measure/races/world.py`) that takes both commands, at the same table
  where both are a table's. A pair that no state takes is refused in part before and after, whatever is done at the same
  moment: which condition the two have no value of in common stands below, and the suite tries the states
  (`tests/races/test_states.py`).

## What was run
{_totals(found, states)}
{_survivors(found)}
## With the locks off

For each set of tables that two commands both write to, pairs of it are run once more with every `FOR NO KEY UPDATE` left out,
up to three until a race shows. Where a constraint of the database then ends the second command, which would be an error 500,
that is taken away too, one after another. A trigger that ends the second command cannot be taken away, nor a key that others
refer to: the table has its message.
{_controls(found)}
Beside journal and stored answers, which every command writes to. A race is "ok / ok, and not ok/stale": both were carried out,
where the second had to be refused; or rows that neither order leaves.

| both write to | pairs | run with the locks off | came to |
|---|---:|---|---|
{_classes(found)}
{_of_states(states)}"""


def with_states(said: str, states: Mapping[str, Seen]) -> str:
    """The page `said` with what its states say as they are now, for a day on which no pair is run."""
    return said[: said.index(_FIRST_OF_STATES)] + _of_states(states)


def _of_states(states: Mapping[str, Seen]) -> str:
    """The sections that follow from the states alone."""
    return f"""{_FIRST_OF_STATES}

{never_together(states)}
## With which conditions a command is taken

{conditions(states)}
## The states

{len(seen_in(states.values()))} commands, as `states.json` has them; a pair of one that is newer than the run above has not been run.

| state | commands at table 7 | at table 8 | of the room |
|---|---:|---:|---:|
{_states(states)}"""


def _totals(found: Found, states: Mapping[str, Seen]) -> str:
    apart = never(states)
    pairs = {
        "pairs": every_pair(states.values()),
        "run": list(found.run),
        "survived": list(found.survivors),
        "never": list(apart),
        "left": [pair for pair in every_pair(states.values()) if pair not in found.run and pair not in apart],
    }
    by_place = {name: Counter(place_of(pair) for pair in those) for name, those in pairs.items()}
    rows = "".join(
        f"| {words} | " + " | ".join(f"{by_place[name][words]:,}" for name in pairs) + " |\n"
        for words in PLACES.values()
    )
    whole = " | ".join(f"{len(those):,}" for those in pairs.values())
    return f"""
| | pairs | run | came to neither order | no state takes both | not run |
|---|---:|---:|---:|---:|---:|
{rows}| all | {whole} |
"""


def _survivors(found: Found) -> str:
    if not found.survivors:
        return "No pair came to anything but one of the two orders.\n"
    lines = [f"- `{one}` and `{two}`: {what}" for (one, two), what in sorted(found.survivors.items())]
    return "Pairs that came to neither order:\n\n" + "\n".join(lines) + "\n"


def _words(tables: frozenset[str]) -> str:
    return ", ".join(f"`{table}`" for table in sorted(tables - EVERYWHERE)) or "nothing else"


def _controls(found: Found) -> str:
    counted = Counter(tables for _, tables in found.run.values())
    kinds: dict[str, Counter[str]] = {words: Counter() for words in PLACES.values()}
    for tables in counted:
        pair, came = _shown(found, tables)
        shown = "none" if came.endswith(NO_RACE) else "race"
        kinds[place_of(pair)][f"sets {shown}"] += 1
    rows = "".join(
        f"| {words} | {kind['sets race']} | {kind['sets none']} |\n" for words, kind in kinds.items()
    )
    return f"""
| sets of tables that | raced, or the database ended the second command | came to one of the two orders |
|---|---:|---:|
{rows}"""


def _shown(found: Found, tables: frozenset[str]) -> tuple[Pair, str]:
    """Of the pairs that were run with the locks off, the first that raced, or else the first."""
    tried = found.controls[tables]
    return next((each for each in tried if not each[1].endswith(NO_RACE)), tried[0])


def _classes(found: Found) -> str:
    counted = Counter(tables for _, tables in found.run.values())
    rows = []
    for tables, number in counted.most_common():
        pair, came = _shown(found, tables)
        rows.append(f"| {_words(tables)} | {number} | `{pair[0]}`, `{pair[1]}` | {came} |\n")
    return "".join(rows)


def never_together(states: Mapping[str, Seen]) -> str:
    """The commands beside each command that no state takes together with it, by the condition in which they differ."""
    apart = never(states)
    by_condition = Counter(apart.values())
    counts = ", ".join(f"{condition or 'NONE'} {number}" for condition, number in by_condition.most_common())
    rows = []
    for command in seen_in(states.values()):
        others: dict[str, list[str]] = {}
        for pair, condition in apart.items():
            if command in pair:
                others.setdefault(condition, []).append(pair[1] if pair[0] == command else pair[0])
        said = "; ".join(
            f"{condition}: {', '.join(f'`{other}`' for other in sorted(those))}"
            for condition, those in others.items()
        )
        rows.append(f"| `{command}` | {said or 'none'} |\n")
    wider = "; ".join(f"`{command}` ({why})" for command, why in WIDER.items())
    return f"""{len(apart)} pairs, by the condition of which the two have no value in common: {counts}.

Not known of commands that random orders have taken in more states than these: {wider}.

| command | never together with, by the condition |
|---|---|
{"".join(rows)}"""


def conditions(states: Mapping[str, Seen]) -> str:
    """The values of each condition with which a command is taken, where it is not taken with all of them."""
    values = values_of(states.values())
    every: dict[str, set[str]] = {}
    for of_command in values.values():
        for condition, those in of_command.items():
            every.setdefault(condition, set()).update(those)
    where = taken_where(states)
    rows = []
    for command in seen_in(states.values()):
        bound = [
            f"{condition}: {' or '.join(sorted(those))}"
            for condition, those in values[command].items()
            if those != every[condition] and not condition.startswith("round and ")
        ]
        rows.append(f"| `{command}` | {len(where[command])} | {'; '.join(bound) or 'any'} |\n")
    return f"""A condition is left out where the command is taken with every value of it.

| command | states | taken with |
|---|---:|---|
{"".join(rows)}"""


def _states(states: Mapping[str, Seen]) -> str:
    def count(at: Iterable[str]) -> int:
        return len(list(at))

    return "".join(
        f"| {name} | {count(seen[7][1])} | {count(seen[8][1])} | {count(seen[0][1])} |\n"
        for name, seen in states.items()
    )
