"""docs/benchmarks-posting.md: what the posting of sheets came to, beside its goals."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from statistics import median, quantiles
from typing import Any

from tests.bench.measure import processor_name

from . import KEPT, PEAK, TABLES

#: Goals: the share of the bare function's rate, milliseconds below which 95 of 100 acts are, seconds for a report, and
#: bytes of a round with everything it brings.
SHARE, AN_ACT, A_REPORT, A_ROUND = 1 / 5, 250, 2.0, 4096


def page(taken: Mapping[str, Any]) -> str:
    """Return the whole page."""
    acts = [1000 * each for each in (*taken["sheets"], *taken["offers"])]
    made = [each["made"] for each in taken["made"]]
    pdf = [each["pdf"] for each in taken["made"]]
    bytes_of = {table: size / len(taken["sheets"]) for table, size in taken["bytes"].items()}
    kept = sum(bytes_of[table] for table in KEPT)
    return f"""# Benchmarks of posting

Written by `make bench-posting` (`tests/bench/posting/`) on {datetime.now(UTC):%Y-%m-%d}; not edited by hand.

- Machine: {processor_name()}, {os.cpu_count()} processors, {platform.system()} on {platform.machine()}, load
  {os.getloadavg()[0]:.1f} when the run ended. {platform.python_implementation()} {platform.python_version()}, uvicorn
  {version("uvicorn")}, one process. Site, PostgreSQL, broker and everybody who asks share the machine; times are by the
  clock, and what else runs there is in them.
- A sheet is a round of a bank and five players with all that it brings: the round, its transfers, five entries in the
  journal, the deck's procedure and the stored answer. One request posts it; after every two the bank is offered on by
  another.
- The function is plpgsql. It is sent the same rows as JSON, ready made, locks the table and writes them, each round in a
  transaction of its own, under the same constraints, indexes and triggers. It checks nothing, settles nothing and hashes
  nothing. The two take turns in one run, so that what compares is the ratio.

| rounds a second | over HTTP | bare function | share | goal |
|---|---:|---:|---:|---|
{_compared("one connection", taken["one"])}{_compared(f"{taken['at_once']} connections, each at its table", taken["many"])}
## At five times the peak

For {taken["seconds"]:.0f} seconds {len(taken["sheets"])} sheets are posted at {TABLES} tables, {PEAK:g} a second at random
instants, with {len(taken["offers"])} offers of the bank. Meanwhile another process makes the report of a closed shift of
{taken["shift_rounds"]:,} rounds over and over, as a worker does.

| what | median | 95 of 100 below | worst | goal |
|---|---:|---:|---:|---|
| a sheet posted, or an offer answered, ms | {median(acts):.0f} | {quantiles(acts, n=20)[18]:.0f} | {max(acts):.0f} \
| 95 of 100 < {AN_ACT}: {_held(quantiles(acts, n=20)[18] < AN_ACT)} |
| that report, read and figured out, s | {median(made):.2f} | | {max(made):.2f} | < {A_REPORT:g}: {_held(median(made) < A_REPORT)} |
| its PDF, s | {median(pdf):.2f} | | {max(pdf):.2f} | |

## Bytes a round

By how much the tables and their indexes grew in those {taken["seconds"]:.0f} seconds, over the sheets posted in them, as
they were written.

| bytes a round | | goal |
|---|---:|---|
{"".join(_grown(table, bytes_of[table]) for table in KEPT)}\
| **together** | {kept:,.0f} | ≤ {A_ROUND:,}: {_held(kept <= A_ROUND)} |
| the answer stored for seven days | {bytes_of["floor_storedanswer"]:,.0f} | |
"""


def _compared(what: str, rates: Mapping[str, Sequence[float]]) -> str:
    shares = [http / bare for http, bare in zip(rates["http"], rates["bare"], strict=True)]
    share = median(shares)
    return (
        f"| {what} | {median(rates['http']):.1f} | {median(rates['bare']):.0f} | {share:.3f} "
        f"({min(shares):.3f} to {max(shares):.3f}) | ≥ {SHARE:g}: {_held(share >= SHARE)} |\n"
    )


def _grown(table: str, size: float) -> str:
    return f"| {table.removeprefix('floor_')} | {size:,.0f} | |\n"


def _held(good: bool) -> str:
    return "met" if good else "**missed**"
