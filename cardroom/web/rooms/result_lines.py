"""Arranges how times went (`cardroom.reports.results`) as rows of a table, and the days of a month as a chart."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.urls import reverse

from cardroom.core.dates import day_text
from cardroom.reports.queries.rounds_in_scope import report_address
from cardroom.reports.results.figures import Figure
from cardroom.reports.results.overview import IN_PLAY, Line, Overview
from cardroom.reports.results.result import Result
from cardroom.reports.sections.collection import drop_by_day

from ..parts.documents import Bars, bars_of

#: What a letter of a chart takes in the mean.
_LETTER: Final = 9.0


@dataclasses.dataclass(frozen=True)
class Cell:
    """A figure of a row: `below` is its difference from the time before, or what is known of it."""

    figure: Figure
    text: str
    address: str
    below: str
    is_short: bool


@dataclasses.dataclass(frozen=True)
class ResultRow:
    """A time with its figures. `part` is what is said of it while it is not over; it is hatched then."""

    line: Line
    cells: Sequence[Cell]
    is_sum: bool = False

    @property
    def name(self) -> str:
        """What it is called: a shift as one, since its name may be “Day”."""
        return f"{self.line.name} shift" if self.line.scope.shift is not None else self.line.name

    @property
    def tag(self) -> str:
        """What stands beside its name: why it is not over, or how much of a week or month is there."""
        return self.line.part or self.line.days

    @property
    def address(self) -> str:
        """Where it is told in full: the report of a shift or a day, or the days of a week or month; empty while in play."""
        scope = self.line.scope
        if scope.shift is not None:
            return reverse("web:report", args=[scope.shift.pk]) if self.line.part != IN_PLAY else ""
        if self.is_sum:
            return reverse("web:period_report", args=[scope.room.code, scope.first.isoformat()])
        return report_address(scope, "days")

    @property
    def about(self) -> str:
        """What stands below its name."""
        return " · ".join(text for text in (self.line.about, self.line.against) if text)


class Group(NamedTuple):
    """Rows under a heading."""

    title: str
    rows: Sequence[ResultRow]


def groups_of(overview: Overview, figures: Sequence[Figure]) -> list[Group]:
    """Return the rows of an overview: of the last day and what it is part of, and of today."""
    groups = []
    if overview.day is not None and overview.in_all is not None:
        yesterday = overview.today - overview.day == datetime.timedelta(days=1)
        title = f"Yesterday, {day_text(overview.day)}" if yesterday else day_text(overview.day)
        if overview.in_all.was is not None:
            then = day_text(overview.day - datetime.timedelta(days=7))
            title += f". Small below a figure: its change from {then}, or from the days that a row names"
        sums = [overview.in_all, *(line for line in (overview.week, overview.month) if line is not None)]
        rows = [
            *(row_of(line, figures) for line in overview.shifts),
            *(row_of(line, figures, is_sum=line is overview.in_all) for line in sums),
        ]
        groups.append(Group(title, rows))
    if overview.today_lines:
        title = f"Today, {day_text(overview.today)}"
        groups.append(Group(title, [row_of(line, figures) for line in overview.today_lines]))
    return groups


def row_of(line: Line, figures: Iterable[Figure], *, is_sum: bool = False) -> ResultRow:
    """Arrange one line."""
    return ResultRow(line, [_cell(line, figure) for figure in figures], is_sum)


def _cell(line: Line, figure: Figure) -> Cell:
    now, was = figure.read(line.now), None if line.was is None else figure.read(line.was)
    if figure.is_difference:
        below = _boxes(line.now, in_play=line.part == IN_PLAY)
    elif figure.is_counted:
        below = _not_closed(line.now)
    else:
        below = figure.change_text(now, was)
    return Cell(
        figure=figure,
        text=figure.text(now),
        address="" if now is None else figure.address(line.scope),
        below=below,
        is_short=figure.is_difference and (now or 0) < 0,
    )


def _not_closed(result: Result) -> str:
    """How many of the exceptions are not closed."""
    if result.exceptions is None:
        return "not searched yet"
    if result.exceptions_open:
        return f"{result.exceptions_open} not closed"
    return "✓ all closed" if result.exceptions else "✓ none"


def _boxes(result: Result, *, in_play: bool) -> str:
    """Of how many boxes over / (short) is."""
    if not result.boxes:
        return "no box pulled yet" if in_play else "no box hung"
    boxes = f"{result.boxes_counted} of {result.boxes} box{'' if result.boxes == 1 else 'es'}"
    return boxes if result.boxes_counted == result.boxes else f"so far, {boxes}"


def month_chart(overview: Overview) -> Bars | None:
    """Draw the drop of each day of the month of an overview, with the weekday that it tells of strong; None before anything dropped.

    None as well while a shift of the month is not known.
    """
    drops = {day: overview.drops.get(day, 0) for day in overview.month_of_days}
    if not any(drops.values()):
        return None
    told = overview.day or overview.today
    chart = dataclasses.replace(
        drop_by_day(drops, [day in overview.not_over for day in drops]),
        title=f"Drop by day, {told:%B}",
        links=[reverse("web:period_report", args=[overview.room.code, day.isoformat()]) for day in drops],
        strong=[day.weekday() == told.weekday() for day in drops],
        strong_name=f"{told:%A}s",
    )
    return bars_of(chart, letter=_LETTER, width=440, height=360)
