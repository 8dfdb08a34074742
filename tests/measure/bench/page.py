"""docs/measured/benchmarks.md: what the benchmarks came to, beside their goals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version

from tests.measure.bench.engine import ROUNDS
from tests.measure.bench.engine import TURNS as ROUND_TURNS
from tests.measure.bench.measure import Spread, Took, cpu
from tests.measure.bench.processes import BATCHES
from tests.measure.bench.processes import TURNS as PROCESS_TURNS
from tests.measure.conditions import ran_on, written_by

LEAST_NAIVE = 2
MOST_BY_LAYOUT = 1.1
MOST_ODDS_SECONDS = 2
MOST_BYTES = 100_000_000

STREAM_NAMES = {
    "any": "of all five rulebooks, with options, amounts, names and tips at random",
    "evening": "as a table deals them: one to six players, bonuses on every other hand, folds below Q-6-4",
    "full": "full tables: six players, each on every wager, nobody folds",
}
LAYOUT_NAMES = {
    "spaced": "as Python's json module writes them",
    "compact": "without blanks",
    "shuffled": "with the keys of every object in an order at random",
}


def _shown(spread: Spread, form: Callable[[float], str]) -> str:
    """The median, and the lowest and highest in brackets."""
    return f"{form(spread.median)} ({form(min(spread.taken))} to {form(max(spread.taken))})"


def _micros(seconds: float) -> str:
    return f"{seconds * 1e6:.1f}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f}"


def _times(ratio: float) -> str:
    return f"{ratio:.2f}"


def _whole(number: float) -> str:
    return f"{number:,.0f}"


def _met(good: bool) -> str:
    return "met" if good else "**missed**"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def machine(seed: int) -> str:
    """What was measured, how, when and on what."""
    return f"""# Benchmarks

{written_by("bench", "tests/measure/bench/")}

- Machine: {ran_on(when="the run began")}, msgspec
  {version("msgspec")}, PokerKit {version("pokerkit")}.
- All sheets were made anew for this run, from the seed {seed} (`make bench SEED={seed}` makes the same ones again).
- Seconds are processor seconds (user and system) of one process that uses one core. Other work on the machine makes
  them vary even so, by its share of caches and memory. What compares is therefore the **ratio**: both of its halves
  are timed in the same run, in turns, and it is taken turn by turn.
- Each figure is a median, with the lowest and highest of all turns in brackets. Before anything is timed, what is
  compared is held to give the same answers.
"""


def rounds(taken: Mapping[str, Spread]) -> str:
    """A round by library call."""
    pokerkit = taken["pokerkit"]
    names = {
        "read_sheet": "`read_sheet`: JSON text to checked sheet",
        "settle": "`settle`: checked sheet to settlement",
        "to_text": "`Settlement.to_text`: settlement to JSON text",
        "pokerkit": "PokerKit: the class of the best five of the six six-card hands alone",
    }
    rows = [
        (name, _shown(taken[key], _micros), _shown(taken[key].of(pokerkit), _times))
        for key, name in names.items()
    ]
    return f"""## A round by library call

California, a bank and six players, each with ante, play, pair plus and 6 Card Bonus, fees by schedule 1: 24 lines,
each with its clause and reason. {ROUNDS:,} rounds, {ROUND_TURNS} turns.

{_table(("step", "µs a round", "× PokerKit"), rows)}"""


def batches(rates: Mapping[str, tuple[Spread, Spread]]) -> str:
    """`settle --batch` beside the naive script."""
    rows = []
    for stream, (engine, naive) in rates.items():
        ratio = engine.of(naive)
        count = f"{BATCHES[stream]:,} sheets {STREAM_NAMES[stream]}"
        goal = _met(ratio.median >= LEAST_NAIVE)
        rows.append((count, _shown(engine, _whole), _shown(naive, _whole), _shown(ratio, _times), goal))
    head = (
        "sheets",
        "engine, sheets/s",
        "naive, sheets/s",
        "engine ÷ naive",
        f"at least {LEAST_NAIVE} times",
    )
    return f"""## `manage.py settle --batch`

A process from start to end, output thrown away, {PROCESS_TURNS} turns. The naive script (`tests/measure/bench/naive_settle.py`)
reads and writes with the standard JSON module and ranks all six fives of six cards. It checks nothing and its lines
have neither clause nor reason; the engine does and has all that. The goal is half of its time.

{_table(head, rows)}"""


def layouts(taken: Mapping[str, Spread]) -> str:
    """The same sheets by the layout of their JSON."""
    usual = taken["spaced"]
    rows = []
    for layout, name in LAYOUT_NAMES.items():
        ratio = taken[layout].of(usual)
        rows.append(
            (
                name,
                _shown(taken[layout], _seconds),
                _shown(ratio, _times),
                _met(ratio.median <= MOST_BY_LAYOUT),
            )
        )
    return f"""## The layout of the JSON

{BATCHES["any"]:,} sheets of all five rulebooks by `settle --batch`, {PROCESS_TURNS} turns.

{_table(("keys and blanks", "s of processor", "× the first", "within a tenth"), rows)}"""


def odds(taken: Mapping[str, list[Took]]) -> str:
    """`manage.py odds --json` from cold."""
    names = {
        "uncompiled": "first run ever: no module compiled yet",
        "compiled": "later runs: modules compiled before",
        "nothing": "Python itself, doing nothing",
    }
    nothing = cpu(taken["nothing"])
    rows = []
    for key, name in names.items():
        seconds, wall = cpu(taken[key]), Spread(tuple(each.wall for each in taken[key]))
        goal = "" if key == "nothing" else _met(seconds.median < MOST_ODDS_SECONDS)
        rows.append(
            (
                name,
                _shown(seconds, _seconds),
                _shown(wall, _seconds),
                _shown(seconds.of(nothing), _whole),
                goal,
            )
        )
    head = (
        "`manage.py odds --json`",
        "s of processor",
        "s by the clock",
        "× doing nothing",
        "under 2 s of processor",
    )
    return f"""## All odds of all rulebooks

A new process each time, {PROCESS_TURNS} turns; nothing is kept between runs but the compiled modules named. The clock
counts other work on the machine too, so the goal is compared with processor time.

{_table(head, rows)}"""


def memory(taken: Mapping[int, Took]) -> str:
    """The most memory of a batch."""
    least = next(iter(taken.values())).peak
    rows = [
        (f"{count:,} sheets", f"{took.peak / 1e6:.1f}", _times(took.peak / least), _whole(count / took.cpu))
        for count, took in taken.items()
    ]
    most = max(taken)
    goal = _met(taken[most].peak < MOST_BYTES)
    return f"""## Memory of a batch

Sheets of all five rulebooks, options, players and amounts at random, made while the batch reads them from a pipe:
nothing repeats. The most memory resident.

{_table(("`settle --batch -`", "MB", "× the short batch", "sheets/s"), rows)}
Under {MOST_BYTES // 1_000_000} MB for {most:,} sheets: {goal}.
"""
