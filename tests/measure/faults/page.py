"""docs/measured/faults-DATABASE.md: what was killed, and what has come of the reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.measure.conditions import ran_on, written_by

#: What a run has to leave at 0, with the words for it.
FAULTS = {
    "missing": "shifts closed and not reported",
    "outdated": "corrections that no report shows",
    "doubled": "reports doubled",
    "jobs_open": "jobs left undone",
    "breaks": "breaks that `manage.py verify` finds",
}


def failed(run: Mapping[str, Any]) -> bool:
    """Whether anything was lost or doubled."""
    return any(run[name] for name in FAULTS)


def page(taken: Sequence[Mapping[str, Any]], seed: int) -> str:
    """Return the whole page for the runs that were made on one database."""
    heads = [_head(run) for run in taken]
    rows = [
        ("kills of worker, beat, Valkey", [f"{run['kills']} each" if run["kills"] else "0" for run in taken]),
        ("shifts closed", [run["closed"] for run in taken]),
        ("rounds of theirs corrected afterwards", [run["corrected"] for run in taken]),
        ("reports made", [run["reports"] for run in taken]),
        ("restatements made", [run["restatements"] for run in taken]),
        *((f"**{words}**", [_count(run[name]) for run in taken]) for name, words in FAULTS.items()),
        ("jobs that were claimed or tried again", [run["jobs_tried_again"] for run in taken]),
        ("from a close to its report, median, s", [_late(run, 0.5) for run in taken]),
        ("the same, worst, s", [_late(run, 1) for run in taken]),
        ("minutes", [f"{run['seconds'] / 60:.1f}" for run in taken]),
        ("has to come out", ["whole" if run["guarded"] else _lost(run) for run in taken]),
        ("came out", ["broken" if failed(run) else "whole" for run in taken]),
    ]
    table = "".join(f"| {what} | {' | '.join(str(cell) for cell in cells)} |\n" for what, cells in rows)
    return f"""# The site under faults

{written_by("faults", "tests/measure/faults/", note=f", seed {seed}")}

- Machine: {ran_on()}.
- Real processes by the site's own commands: two workers with a pool of two each, beat, Valkey, and the database.
- One process plays and closes shifts as fast as the machine lets it, half a second between two. Each shift has a round
  that is settled after its close, so that its report has to wait; a round of every other shift is corrected in the next
  one, so that its report has to be restated. What it has done it says on its output, and the database is held to that.
- Meanwhile worker, beat and Valkey are killed with -9, in an order and after pauses that follow from the seed. A worker
  is killed by itself, with its whole session, or in one process of its pool. What is killed lies still for up to 2
  seconds, and is not killed again before it works. Valkey forgets everything.
- Then everybody is left alive until nothing is to be done, for two and a half minutes at most: beat asks once a minute.
- Without safeguards: the same run, in which the script puts a message in place of each row of the jobs table, keeps worker
  and beat from asking the database what is due, and drops the unique rows of reports. The last column is that site
  with nothing killed.

| | {" | ".join(heads)} |
|---|{"---:|" * len(heads)}
{table}
A report is missing when its shift was closed and has none. A correction that no report shows is found by making each
report once more: the stored one must equal what is made now. A report is doubled when there are two of one shift and revision.
"""


def _head(run: Mapping[str, Any]) -> str:
    site = "as it is" if run["guarded"] else "without safeguards"
    return f"{run['database']}, {site}" + ("" if run["kills"] else ", nothing killed")


def _lost(run: Mapping[str, Any]) -> str:
    return "broken" if run["kills"] else ""


def _count(number: int) -> str:
    return f"**{number}**"


def _late(run: Mapping[str, Any], part: float) -> str:
    seconds = run["late_seconds"]
    return f"{seconds[min(len(seconds) - 1, int(len(seconds) * part))]:.1f}" if seconds else ""
