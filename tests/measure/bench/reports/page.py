"""docs/measured/benchmarks-reports.md: what the reports' benchmark came to, beside its goals."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

from tests.measure.conditions import ran_on, written_by

from . import ROUNDS_PER_HOUR

#: Goals: seconds for a report of one shift and for the shift report, rounds a second, bytes a round, and how much
#: longer the shift report may take with many rounds stored than with few.
A_REPORT, THE_SHIFT_REPORT, COMPUTED_AGAIN, BYTES, LONGER = 1.0, 2.0, 20_000, 4096, 1.3


def page(taken: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the whole page for what was taken on each database."""
    one = next(iter(taken.values()))
    text = f"""# Benchmarks of the reports

{written_by("bench-reports", "tests/measure/bench/reports/")}

- Machine: {ran_on()}. Times are
  by the clock, and what else runs on the machine is in them.
- A room of {one["tables"]} tables that play all day at up to {ROUNDS_PER_HOUR} rounds an hour. One day is simulated
  (`manage.py simulate`), rounds by the real engine with everything they bring, and then copied into one later day after
  another until as many rounds are stored as the table says: seats, offers, turns, rounds, transfers and journals in SQL,
  boxes and counts by the services (`tests/measure/bench/copies.py`). What is timed is about the last day: its middle shift, or
  the whole day where a report cannot be narrowed to a shift.
- The rooms were built {_when(taken)} and may have been kept since (`--kept`): the seconds of simulating and copying are of
  then, those of the reports of the day above.
"""
    for database, figures in taken.items():
        text += _section(database, figures)
    return text


def _when(taken: Mapping[str, Mapping[str, Any]]) -> str:
    days = sorted({size["built"] for figures in taken.values() for size in figures["sizes"]})
    return f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"


def _section(database: str, figures: Mapping[str, Any]) -> str:
    sizes = figures["sizes"]
    rounds = figures["played"]
    heads = " | ".join(f"{size['rounds']:,} rounds stored, s" for size in sizes)
    rows = []
    for name in sizes[0]["reports"] if sizes else ():
        about = "shift" if sizes[0]["reports"][name]["by_shift"] else "day"
        seconds = [median(size["reports"][name]["seconds"]) for size in sizes]
        goal = f"< {A_REPORT:g}: {_held(max(seconds) < A_REPORT)}"
        rows.append(_row(f"{name}, one {about}", seconds, goal))
    if sizes:
        seconds = [median(size["shift_report"]) for size in sizes]
        goal = f"< {THE_SHIFT_REPORT:g}: {_held(max(seconds) < THE_SHIFT_REPORT)}"
        rows.append(_row(f"the shift report, {sizes[0]['shift_rounds']:,} rounds", seconds, goal))
        rates = [size["computed"] / median(size["computed_seconds"]) for size in sizes]
        goal = f"≥ {COMPUTED_AGAIN:,}: {_held(min(rates) >= COMPUTED_AGAIN)}"
        cells = " | ".join(f"{rate:,.0f}" for rate in rates)
        rows.append(f"| fee audit, rounds a second | {cells} | {goal} |\n")
    if len(sizes) > 1:
        first, last = (median(size["shift_report"]) for size in (sizes[0], sizes[-1]))
        more = last / first
        blank = " | ".join([""] * (len(sizes) - 1))
        rows.append(
            f"| the shift report, most rounds stored against fewest | {blank} | {more:.2f} times "
            f"| ≤ {LONGER:g}: {_held(more <= LONGER)} |\n"
        )
    a_round = figures["bytes"] / rounds
    return f"""
## {database}

| what | {heads} | goal |
|---|{"---:|" * len(sizes)}---|
{"".join(rows)}
Simulated: {rounds:,} rounds in {figures["seconds"]:.0f} s by the clock, {figures["processor"]:.0f} s of one processor:
{rounds / figures["seconds"]:,.0f} a second by the clock, {rounds / figures["processor"]:,.0f} by the processor.
{_copied(figures)}

A round brings {figures["transfers"] / rounds:.1f} transfers and {figures["entries"] / rounds:.1f} journal entries on average, and
takes {a_round:,.0f} bytes with all of it, indexes included (goal ≤ {BYTES:,}: {_held(a_round <= BYTES)}).
"""


def _copied(figures: Mapping[str, Any]) -> str:
    """What copying came to, or nothing where nothing was copied."""
    copied, seconds, processor = (figures[f"copied{name}"] for name in ("", "_seconds", "_processor"))
    if not copied:
        return ""
    return f"""Copied: {copied:,} rounds in {seconds:,.0f} s by the clock, {copied / seconds:,.0f} a second, {processor:,.0f} s of one processor
beside the database's own."""


def _row(what: str, seconds: list[float], goal: str) -> str:
    return f"| {what} | {' | '.join(f'{each:.2f}' for each in seconds)} | {goal} |\n"


def _held(good: bool) -> str:
    return "met" if good else "**missed**"
