"""docs/measured/benchmarks-posting.md: what the posting of sheets came to, beside its goals."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from statistics import median, quantiles
from typing import Any

from tests.measure.conditions import ran_on, written_by

from . import KEPT, PEAK, TABLES

#: Goals: milliseconds below which 95 of 100 commands are, and seconds for a report.
AN_COMMAND, A_REPORT = 250, 2.0


def page(taken: Mapping[str, Any]) -> str:
    """Return the whole page."""
    commands = [1000 * each for each in (*taken["sheets"], *taken["offers"])]
    made = [each["made"] for each in taken["made"]]
    pdf = [each["pdf"] for each in taken["made"]]
    bytes_of = {table: size / len(taken["sheets"]) for table, size in taken["bytes"].items()}
    kept = sum(bytes_of[table] for table in KEPT)
    return f"""# Benchmarks of posting

{written_by("bench-posting", "tests/measure/bench/posting/")}

- Machine: {ran_on()}, uvicorn
  {version("uvicorn")}, one process. Site, PostgreSQL, broker and everybody who asks share the machine; times are by the
  clock, and what else runs there is in them.
- A sheet is a round of a bank and five players with all that it brings: the round, its transfers, five entries in the
  journal, the deck's procedure and the stored answer. One request posts it; after every two the bank is offered on by
  another.

## At five times the peak

For {taken["seconds"]:.0f} seconds {len(taken["sheets"])} sheets are posted at {TABLES} tables, {PEAK:g} a second at random
instants, with {len(taken["offers"])} offers of the bank. Meanwhile another process makes the report of a closed shift of
{taken["shift_rounds"]:,} rounds over and over, as a worker does.

| what | median | 95 of 100 below | worst | goal |
|---|---:|---:|---:|---|
| a sheet posted, or an offer answered, ms | {median(commands):.0f} | {quantiles(commands, n=20)[18]:.0f} | {max(commands):.0f} \
| 95 of 100 < {AN_COMMAND}: {_held(quantiles(commands, n=20)[18] < AN_COMMAND)} |
| that report, read and figured out, s | {median(made):.2f} | | {max(made):.2f} | < {A_REPORT:g}: {_held(median(made) < A_REPORT)} |
| its PDF, s | {median(pdf):.2f} | | {max(pdf):.2f} | |

## Bytes a round

By how much the tables and their indexes grew in those {taken["seconds"]:.0f} seconds, over the sheets posted in them, as
they were written.

| bytes a round | |
|---|---:|
{"".join(_grown(table, bytes_of[table]) for table in KEPT)}\
| **together** | {kept:,.0f} |
| the answer stored for seven days | {bytes_of["floor_storedanswer"]:,.0f} |
"""


def _grown(table: str, size: float) -> str:
    return f"| {table.removeprefix('floor_')} | {size:,.0f} |\n"


def _held(good: bool) -> str:
    return "met" if good else "**missed**"
