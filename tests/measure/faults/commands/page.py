"""docs/measured/faults-commands-DATABASE.md: what was killed while commands were posted, and what has come of each command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.measure.conditions import ran_on, written_by

from . import LATE_SECONDS

#: What a run has to leave at 0, with the words for it.
FAULTS = {
    "lost": "commands answered and not there",
    "doubled": "commands there more often than asked for",
    "breaks": "half written: breaks that `manage.py verify` finds",
    "otherwise": "repeats not answered as the first time",
    "errors": "errors 500",
    "stuck": "tables where nothing went through any more",
}


def failed(run: Mapping[str, Any]) -> bool:
    """Whether anything was lost, doubled or half written."""
    return any(run[name] for name in FAULTS)


def page(taken: Sequence[Mapping[str, Any]], seed: int) -> str:
    """Return the whole page."""
    rows = [
        ("kills of the web server", [run["killed"]["web"] for run in taken]),
        ("kills of PostgreSQL", [run["killed"]["postgresql"] for run in taken]),
        *(
            (f"… {way}", [run["ways"].get(f"PostgreSQL: {way}", 0) for run in taken])
            for way in ("the postmaster", "all of it", "one process")
        ),
        ("commands answered", [f"{run['commands']:,}" for run in taken]),
        ("of them sent more than once", [run["sent_again"] for run in taken]),
        *((f"**{words}**", [f"**{run[name]}**" for run in taken]) for name, words in FAULTS.items()),
        ("minutes", [f"{run['seconds'] / 60:.1f}" for run in taken]),
        ("has to come out", ["whole" if run["kind"] == "as it is" else "broken" for run in taken]),
        ("came out", ["broken" if failed(run) else "whole" for run in taken]),
    ]
    heads = [f"{run['database']}, {run['kind']}" for run in taken]
    table = "".join(f"| {what} | {' | '.join(str(cell) for cell in cells)} |\n" for what, cells in rows)
    return f"""# Commands under faults

{written_by("faults", "tests/measure/faults/commands/", note=f", seed {seed}")}

- Machine: {ran_on()}.
- Real processes by the site's own commands: the web server (uvicorn, one process), Valkey, and the database; PostgreSQL
  with `fsync` and `synchronous_commit` on, as it is unless told otherwise.
- Three tablets post commands over HTTP, each at a table that the house banks: buy-ins, each of another amount, and whole
  rounds. A command that gets no answer, or 503, is sent again under its idempotency key, on the version that it was given
  on, until it is answered. Answers leave the site {LATE_SECONDS * 1000:.0f} ms late, so that kills fall between commit and answer too.
- Meanwhile web server and PostgreSQL are killed with -9, in an order and after pauses that follow from the seed, and
  started again at once: PostgreSQL as its postmaster alone, as all of its processes, or as one of them, after
  which it recovers by itself. At least six commands are answered between two kills.
- Then the last fifty commands of each tablet are sent once more, and each table's journal and buy-ins are held to what the
  tablets were answered.
- Each other column is the site with one safeguard taken away: tablets that send a command again under a new key; commands whose
  statements each commit by themselves, without a lock; a PostgreSQL that answers a commit before it is on disk.

| | {" | ".join(heads)} |
|---|{"---:|" * len(heads)}
{table}
A command is lost when a tablet was answered and journal or buy-in is not there, doubled when there are more of them than
tablets asked for. A table where six tries of a command were refused or failed is left for another one.
"""
