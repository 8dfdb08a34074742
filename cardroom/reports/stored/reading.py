"""Accessors of a stored report's content: who banked, what its sections answer, and the time in which dealers were at its tables.

What is not in an older record is not known, and never 0.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from typing import Any

from cardroom.core.dates import minute_text
from cardroom.documents.document import Grid, Value
from cardroom.documents.stored import grid_read

from ..models import PeriodReport, ShiftReport
from .figure_types import TableFigures

Report = ShiftReport | PeriodReport


def players_bank(report: Report) -> bool:
    """Whether players bank at any table of a report; one without a table counts as such."""
    tables = report.typed_figures["tables"]
    return not tables or any(is_banked_by(table, "players") for table in tables)


def house_banks(report: Report) -> bool:
    """Whether the house banks any table of a report."""
    return any(is_banked_by(table, "house") for table in report.typed_figures["tables"])


def is_banked_by(table: TableFigures, who: str) -> bool:
    """Whether `who`, the players or the house, banked at a table, alone or in turn with the other."""
    return table.get("banked_by", "players") in (who, "both")


def answers_of(report: Report, section: str) -> dict[str, Any]:
    """The values of a section's answers by name; empty where the report has no such section."""
    found: list[dict[str, Any]] = next(
        (each["answers"] for each in report.sections if each["name"] == section), []
    )
    return {answer["name"]: answer["value"] for answer in found}


def section_grid(report: Report, section: str, name: str) -> Grid | None:
    """A table of figures of a section; None where the report has none of that name."""
    return next(
        (
            grid_read(grid)
            for each in report.sections
            if each["name"] == section
            for grid in each["grids"]
            if grid["name"] == name
        ),
        None,
    )


def table_seconds_of(report: Report) -> dict[int, int] | None:
    """Seconds in which a dealer was at each table, by its number; None where the report lists no downs, as of a month."""
    downs = section_grid(report, "tips", "downs")
    if downs is None:
        return None
    seconds: defaultdict[int, int] = defaultdict(int)
    for row in downs.rows:
        worked = row.values["worked_seconds"]
        if not isinstance(worked, int):
            return None
        seconds[_whole(row.values["table"])] += worked
    return dict(seconds)


def clock(report: Report, at: datetime.datetime | str) -> str:
    """Return an instant on the clock of the report's room; a text is an instant as figures hold it."""
    instant = datetime.datetime.fromisoformat(at) if isinstance(at, str) else at
    return minute_text(instant, report.room.zone)


def _whole(value: Value) -> int:
    if not isinstance(value, int):
        raise TypeError(f"the number of a table is {value!r}")
    return value
