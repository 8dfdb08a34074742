"""Computes the figures of a period report from the reports of its shifts. Pure: the same reports give the same period report.

Nothing is read anew: a period report says what the shift reports said, added up, and what one of them did not know is not
known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, cast

from ..sections.figure_types import Sections
from ..shift.figures import sums_added
from ..stored.figure_types import (
    SHAPE,
    BankedBy,
    Difference,
    Figures,
    OverLimit,
    Part,
    PeriodFigures,
    PeriodSubject,
    Sums,
    TableFigures,
)
from ..stored.game_fees import games_added_up


class Source(NamedTuple):
    """The report of a shift as it is taken up, and where it and the rows of its shift differ."""

    part: Part
    figures: Figures
    sections: Sections
    differences: Sequence[Difference] = ()


#: Figures one of which is other than 0 at a table at which anything happened.
_HAPPENED: Final = (
    *("rounds_settled", "corrections", "voids_before_deal", "voids_after_deal", "turns_begun"),
    *("drop_expected_cents", "tray_opened_cents", "tray_fills_cents", "trays_not_closed"),
)


def period_figures(sources: Sequence[Source], subject: PeriodSubject) -> PeriodFigures:
    """Add the figures of shift reports up; `sources` are in the order in which the shifts were opened."""
    by_table: defaultdict[int, list[TableFigures]] = defaultdict(list)
    for source in sources:
        for table in source.figures["tables"]:
            by_table[table["table"]].append(table)
    runs = _runs(run for source in sources for run in source.figures["over_limit"])
    tables = [_table(of_table, runs) for of_table in by_table.values()]
    tables.sort(key=lambda table: (table["number"], table["table"]))
    return {
        "shape": SHAPE,
        "subject": subject,
        "parts": [source.part for source in sources],
        "tables": tables,
        "total": sums_added(tables),
        "differences": [each for source in sources for each in source.differences],
        "over_limit": runs,
        "games": games_added_up(source.figures.get("games", []) for source in sources),
        "corrections": [each for source in sources for each in source.figures["corrections"]],
        "later": [each for source in sources for each in source.figures.get("later", [])],
    }


def _table(of_table: Sequence[TableFigures], runs: Sequence[OverLimit]) -> TableFigures:
    """One table over the shifts, under the number that it bore last."""
    last = of_table[-1]
    sums = sums_added(cast("Sequence[Sums]", of_table))
    sums["runs_over_limit"] = sum(run["table"] == last["table"] for run in runs)
    return {**sums, "table": last["table"], "number": last["number"], "banked_by": _banked_by(of_table)}


def _banked_by(of_table: Sequence[TableFigures]) -> BankedBy:
    """Who banked at a table over the shifts, those left out in which nothing happened there."""
    played = [table for table in of_table if any(table[name] for name in _HAPPENED)]
    found = {table["banked_by"] for table in played or of_table}
    return found.pop() if len(found) == 1 else "both"


def _runs(found: Iterable[OverLimit]) -> list[OverLimit]:
    """Runs over the limit, each once: one that went on into another shift is in the reports of both."""
    runs: list[OverLimit] = []
    for run in found:
        ids = {ref["id"] for ref in run["rounds"]}
        known = next(
            (at for at, each in enumerate(runs) if ids & {ref["id"] for ref in each["rounds"]}), None
        )
        if known is None:
            runs.append(run)
            continue
        before = runs[known]["rounds"]
        listed = {ref["id"] for ref in before}
        runs[known] = {
            **runs[known],
            "rounds": [*before, *(ref for ref in run["rounds"] if ref["id"] not in listed)],
        }
    return runs
