"""docs/benchmarks.md: what the benchmarks came to, beside their goals."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version

from tests.bench.engine import ROUNDS
from tests.bench.engine import TURNS as ROUND_TURNS
from tests.bench.measure import ROOT, Spread, Took, cpu, processor_name
from tests.bench.processes import BATCHES
from tests.bench.processes import TURNS as PROCESS_TURNS

MOST_EVALUATIONS = 5
LEAST_SHEETS = 10_000
#: The goal of 10,000 sheets a second came with 4,700 for a naive script.
LEAST_NAIVE = LEAST_SHEETS / 4700
MOST_ODDS_SECONDS = 2
MOST_BYTES = 100_000_000

STREAM_NAMES = {
    "evening": "as a table deals them: one to six players, bonuses on every other hand, folds below Q-6-4",
    "full": "full tables: six players, each on every wager, nobody folds",
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


def machine() -> str:
    """What was measured, how, when and on what."""
    return f"""# Benchmarks

Written by `make bench` (`tests/bench/`) on {datetime.now(UTC):%Y-%m-%d}; not edited by hand.

- Machine: {processor_name()}, {os.cpu_count()} processors, {platform.system()} on {platform.machine()}, load
  {os.getloadavg()[0]:.1f} when the run began. {platform.python_implementation()} {platform.python_version()};
  phevaluator {version("phevaluator")} (compiled C) and {_pinned_phevaluator()} (Python).
- Seconds are processor seconds (user and system) of one process that uses one core. Other work on the machine makes
  them vary even so, by its share of caches and memory. What compares is therefore the **ratio**: both of its halves
  are timed in the same run, in turns, and it is taken turn by turn.
- Each figure is a median, with the lowest and highest of all turns in brackets. Before anything is timed, what is
  compared is held to give the same answers.
"""


def _pinned_phevaluator() -> str:
    text = (ROOT / "tests" / "bench" / "requirements.txt").read_text(encoding="utf-8")
    return text.partition("phevaluator==")[2].split()[0]


def rounds(taken: Mapping[str, Spread]) -> str:
    """A round by library call."""
    compiled, in_python = taken["compiled"], taken["in_python"]
    names = {
        "settle": "**`settle`**: read sheet to settlement",
        "read_sheet": "`read_sheet`: JSON text to checked sheet",
        "to_text": "`Settlement.to_text`: settlement to JSON text",
        "to_json": "`Settlement.to_json`: settlement to Python objects",
        "compiled": "phevaluator in C: the six 6-card hands alone",
        "in_python": "phevaluator in Python: the six 6-card hands alone",
    }
    rows = [
        (
            name,
            _shown(taken[key], _micros),
            _shown(taken[key].of(in_python), _times),
            _shown(taken[key].of(compiled), _times),
        )
        for key, name in names.items()
    ]
    settle = taken["settle"]
    goals = [
        (
            f"against phevaluator in {language}",
            f"at most {MOST_EVALUATIONS} times",
            _times(settle.of(other).median),
            _met(settle.of(other).median <= MOST_EVALUATIONS),
        )
        for language, other in (("Python", in_python), ("C", compiled))
    ]
    return f"""## A round by library call

California, a bank and six players, each with ante, play, pair plus and 6 Card Bonus, fees by schedule 1: 24 lines,
each with its clause and reason. {ROUNDS:,} seeded rounds, {ROUND_TURNS} turns.

{_table(("step", "µs a round", "× phevaluator in Python", "× phevaluator in C"), rows)}
{_table(("`settle`", "goal", "here", ""), goals)}
The goal came with a figure, some 80 µs a round. That is five times what the phevaluator written in Python takes, and
fourteen times what the compiled one takes: it is likely, and not known, that the former was meant. The engine is
Python without compiled parts, and both are shown.
"""


def batches(rates: Mapping[str, tuple[Spread, Spread]]) -> str:
    """`settle --batch` beside the naive script."""
    rows, goals = [], []
    for stream, (engine, naive) in rates.items():
        ratio = engine.of(naive)
        count = f"{BATCHES[stream]:,} sheets {STREAM_NAMES[stream]}"
        rows.append((count, _shown(engine, _whole), _shown(naive, _whole), _shown(ratio, _times)))
        name = STREAM_NAMES[stream].partition(":")[0]
        goals += [
            (name, f"{LEAST_SHEETS:,} sheets/s", _whole(engine.median), _met(engine.median >= LEAST_SHEETS)),
            (name, f"{LEAST_NAIVE:.2f} × naive", _times(ratio.median), _met(ratio.median >= LEAST_NAIVE)),
        ]
    return f"""## `manage.py settle --batch`

A process from start to end, output thrown away, {PROCESS_TURNS} turns. The naive script (`tests/bench/naive_settle.py`)
reads and writes with the standard JSON module and ranks all six fives of six cards. It checks nothing and its lines
have neither clause nor reason; the engine does and has all that. The goal of {LEAST_SHEETS:,} sheets a second came with
4,700 for a naive script, on sheets and a machine that are not known; the second goal is the ratio of the two.

{_table(("sheets", "engine, sheets/s", "naive, sheets/s", "engine ÷ naive"), rows)}
{_table(("sheets", "goal", "here", ""), goals)}"""


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
counts other work on the machine too, so the goal is held against processor time.

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
nothing repeats, so that whatever is remembered of rounds before is filled to its bound. The most memory resident.

{_table(("`settle --batch -`", "MB", "× the short batch", "sheets/s"), rows)}
Under {MOST_BYTES // 1_000_000} MB for {most:,} sheets: {goal}.
"""
