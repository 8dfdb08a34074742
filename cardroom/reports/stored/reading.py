"""Accessors of a stored report's content: who banked, what its sections answer, and the time in which dealers were at its tables.

What is not in an older record is not known, and never 0.
"""

from __future__ import annotations

import datetime
from collections import defaultdict

from cardroom.core.dates import minute_text

from ..models import PeriodReport, ShiftReport
from ..queries.query import Scope
from ..sections.registry import sections_drawn
from ..sections.section import Section
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


def scope_of(report: Report) -> Scope:
    """Return what a report is about."""
    if isinstance(report, ShiftReport):
        day = datetime.date.fromisoformat(report.typed_figures["subject"]["gaming_day"])
        return Scope(room=report.room, first=day, last=day, shift=report.shift)
    subject = report.typed_figures["subject"]
    first, last = (datetime.date.fromisoformat(day) for day in (subject["first"], subject["last"]))
    return Scope(room=report.room, first=first, last=last)


def sections_of(report: Report) -> list[Section]:
    """Return the sections of a report, drawn."""
    return list(sections_drawn(report.typed_sections, scope_of(report)))


def table_seconds_of(report: Report) -> dict[int, int] | None:
    """Seconds in which a dealer was at each table, by its number; None where the report lists no downs, as of a month."""
    downs = report.typed_sections["tips"]["downs"]
    if downs is None:
        return None
    seconds: defaultdict[int, int] = defaultdict(int)
    for down in downs:
        seconds[down["table"]] += down["worked_seconds"]
    return dict(seconds)


def clock(report: Report, at: datetime.datetime | str) -> str:
    """Return an instant on the clock of the report's room; a text is an instant as figures hold it."""
    instant = datetime.datetime.fromisoformat(at) if isinstance(at, str) else at
    return minute_text(instant, report.room.zone)
