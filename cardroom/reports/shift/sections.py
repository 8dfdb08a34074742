"""Builds the sections of a shift report: what the reports of the catalogue say of that one shift, kept as they said it.

So a shift report and a compliance report of the same shift cannot say two things. A section is computed as of the close of
the shift and in the name of the user who closed it: the same rows give the same section in any worker.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypedDict

from cardroom.documents.document import Grid, ReportDocument
from cardroom.documents.stored import answer_data, chart_data, grid_data
from cardroom.floor.models import Shift
from cardroom.tips.reads.pools import pool_of, pool_sheet_of

from ..catalogue.alerts import alerts
from ..catalogue.collection import collection
from ..catalogue.corrected import corrected_since
from ..catalogue.coverage import coverage
from ..catalogue.drop_count import drop_count
from ..catalogue.exceptions import exceptions
from ..catalogue.house_win import house_win
from ..catalogue.irregularities import irregularities
from ..catalogue.offline import offline
from ..catalogue.rotation import rotation
from ..queries.banking import Banking, banking_in
from ..queries.query import ReportQuery
from .tip_documents import pool_document


class Section(TypedDict):
    """A section as it is stored: answers, charts and grids as `cardroom.documents.stored` writes them."""

    name: str
    title: str
    answers: list[dict[str, Any]]
    charts: list[dict[str, Any]]
    grids: list[dict[str, Any]]


class _Source(NamedTuple):
    """A report that makes a section, and which of its grids belong into it; none named: all.

    `of` says where it is made: where `players` bank, where the `house` does; empty: everywhere.
    """

    name: str
    title: str
    make: Callable[[ReportQuery], ReportDocument]
    grids: Sequence[str] = ()
    of: str = ""

    def belongs(self, banking: Banking) -> bool:
        """Whether it is made where these bank."""
        return not self.of or bool(getattr(banking, self.of))


def _tips(query: ReportQuery) -> ReportDocument:
    [shift] = query.shifts
    return pool_document(shift, pool_of(shift, query.now), pool_sheet_of(shift))


_OF_THE_COUNT = ("shifts", "boxes", "jackpot_shifts", "jackpot_boxes", "over_change", "without_box")
_SOURCES = (
    _Source("house_win", "Counts of trays", house_win, ("counts",), of="house"),
    _Source("collection", "Collection", collection, ("schedules", "hours"), of="players"),
    _Source("rotation", "Rotation of the bank", rotation, ("exceptions", "tables"), of="players"),
    _Source("coverage", "Bank coverage", coverage, of="players"),
    _Source("tips", "Tips", _tips, ("dealers", "downs")),
    _Source("exceptions", "Voids, waivers and corrections", exceptions),
    _Source("irregularities", "Irregularities", irregularities),
    _Source("count", "Drop counted against expected", drop_count, _OF_THE_COUNT),
    _Source("alerts", "Alerts", alerts),
    _Source("corrected_since", "Corrected since", corrected_since),
    _Source("offline", "Offline", offline, ("tablets", "entries")),
)


def is_left_out(name: str, banking: Banking) -> bool:
    """Whether a report where these bank has no section of that name, as it would make no sense."""
    return any(source.name == name and not source.belongs(banking) for source in _SOURCES)


def sections_read(shift: Shift) -> list[Section]:
    """Build every section of a closed shift that belongs where it was played."""
    assert shift.closed_at is not None
    assert shift.closed_by is not None
    query = ReportQuery(
        room=shift.room,
        first=shift.gaming_day,
        last=shift.gaming_day,
        staff=shift.closed_by,
        now=shift.closed_at,
        shift=shift,
        options={},
    )
    banking = banking_in(shift.room, [shift])
    return [_section(source, source.make(query)) for source in _SOURCES if source.belongs(banking)]


def _section(source: _Source, document: ReportDocument) -> Section:
    return {
        "name": source.name,
        "title": source.title,
        "answers": [answer_data(answer) for answer in document.answers],
        "charts": [chart_data(chart) for chart in document.charts],
        "grids": [grid_data(_played(grid)) for grid in document.grids if _belongs(grid, source)],
    }


def _belongs(grid: Grid, source: _Source) -> bool:
    return not source.grids or grid.name in source.grids


def _played(grid: Grid) -> Grid:
    """Leave out of the hours of a gaming day those of the other shifts: a row in which every figure is 0."""
    if grid.name != "hours":
        return grid
    figures = [column.name for column in grid.columns if column.adds]
    rows = [row for row in grid.rows if any(row.values[name] for name in figures)]
    return dataclasses.replace(grid, rows=rows, empty="Nothing was collected.")
