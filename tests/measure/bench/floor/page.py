"""docs/measured/benchmarks-floor.md: what the floor's benchmark came to, beside its goals."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from statistics import median, quantiles
from typing import Any

from tests.measure.conditions import ran_on, written_by

from . import SHIFT_ROUNDS, TABLES

#: Goals, in milliseconds.
ON_THE_BOARD, A_PAGE, AN_COMMAND = 1000, 150, 100


def page(taken: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the whole page for what was taken on each database."""
    one = next(iter(taken.values()))
    text = f"""# Benchmarks of the floor

{written_by("bench-floor", "tests/measure/bench/floor/")}

- Machine: {ran_on()}, uvicorn
  {version("uvicorn")}, one process. Site, broker, database and everybody who asks share the machine; times are by the
  clock, and what else runs there is in them.
- A room of {TABLES} open tables with {one["rounds"]:,} rounds behind it, {TABLES * SHIFT_ROUNDS:,} more in the open
  shift. Everything goes by HTTP to a real site with a real Valkey.
- Live: for {one["seconds"]:.0f} seconds the tables command as a full room does (40 rounds an hour each, eight commands a round,
  at random instants) through the API, while {one["boards"]} boards listen. The site draws each changed card once and
  sends it to all of them. Each command is looked for on each board.
- Five times the peak: the same tables at five times that pace, for as long; whoever settles a round reads the table's
  page next.
"""
    for database, figures in taken.items():
        text += _section(database, figures)
    return text


def _section(database: str, figures: Mapping[str, Any]) -> str:
    live, pages, five = figures["live"], figures["pages"], figures["five_times"]
    seen = len(live["shown"]) + live["missed"]
    rows = [
        _row("a command at a table until it is on a board", live["shown"], ON_THE_BOARD, worst=True),
        _row("the same until the board has been told", live["heard"]),
        _row("a command of a table, answered (20 boards looking on)", live["commands"], AN_COMMAND),
        _row("the board, whole page", pages["board"], A_PAGE),
        _row("one card, as a board reads it", pages["card"], A_PAGE),
        _row("the room's page with its board", pages["room"], A_PAGE),
        _row("a table's page", pages["table"], A_PAGE),
        _row("the board's figures in the database, 40 tables", figures["full"]["forty"]),
        _row("the same before any history", figures["empty"]["forty"]),
        _row("one table's figures", figures["full"]["one"]),
        _row("the same before any history", figures["empty"]["one"]),
    ]
    head = "| what | median ms | 99 of 100 below | worst | goal |\n|---|---:|---:|---:|---|\n"
    return f"""
## {database}

{head}{"".join(rows)}
{len(live["commands"]):,} commands on {figures["boards"]} boards are {seen:,} sightings, {live["missed"]} of them missing.

### At five times the peak

{five["a_second"]:.1f} commands a second; the site's one process used {five["processor"]:.2f} of a core.

| what | median ms | 95 of 100 below | worst | goal |
|---|---:|---:|---:|---|
{_row("any command", five["commands"], AN_COMMAND, of=20)}\
{_row("the command that settles a round", five["settle"], AN_COMMAND, of=20)}\
{_row("a table's page", five["page"], A_PAGE, of=20)}"""


def _row(
    what: str, seconds: list[float], goal: int | None = None, *, worst: bool = False, of: int = 100
) -> str:
    """One line of a table; its third figure is the last of `of` quantiles."""
    ms = [1000 * each for each in seconds]
    held = ""
    if goal is not None:
        good = (max(ms) if worst else median(ms)) < goal
        held = f"{'worst' if worst else 'median'} < {goal}: {'met' if good else '**missed**'}"
    return f"| {what} | {median(ms):.1f} | {quantiles(ms, n=of)[-1]:.1f} | {max(ms):.1f} | {held} |\n"
