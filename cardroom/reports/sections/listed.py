"""Sections of lists: counts and sums as numbers, and tables of entries with people and reasons as the catalogue drew them.

No figure is read out of those tables: a day and a month list their rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cardroom.documents.document import Answer, Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.documents.stored import grid_data, grid_read

from ..queries.query import ReportQuery, Scope
from .section import Drawn, Span


class CountAnswer(NamedTuple):
    """An answer that counts entries: how it is marked where there are any, and where there are none."""

    name: str
    label: str
    if_any: Mark = Mark.NONE
    if_none: Mark = Mark.NONE
    kind: Kind = Kind.COUNT


def count_answers(answers: Sequence[CountAnswer], counts: Mapping[str, Any]) -> list[Answer]:
    """Draw the answers that `counts` has, in the order of `answers`."""
    return [
        Answer(
            each.name,
            each.label,
            counts[each.name],
            each.kind,
            each.if_any if counts[each.name] else each.if_none,
        )
        for each in answers
        if each.name in counts
    ]


class SummedTable(NamedTuple):
    """A table of sums, stored as records by column: over several shifts, records that agree in `by` are one.

    Columns with `adds` are added up, and a span that does not add up is the longest of them. `mark` is that of a record.
    """

    name: str
    title: str
    columns: Sequence[Column]
    by: Sequence[str]
    mark: Callable[[Mapping[str, Any]], Mark] = lambda _: Mark.NONE
    empty: str = "None."

    def drawn(self, records: Iterable[Mapping[str, Any]]) -> Grid:
        """Draw the table."""
        rows = [
            Row({column.name: record[column.name] for column in self.columns}, mark=self.mark(record))
            for record in records
        ]
        return Grid(self.name, self.title, self.columns, rows, empty=self.empty)

    def added(self, records: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the records of several shifts as those of all of them."""
        groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = {}
        for record in records:
            groups.setdefault(tuple(record[name] for name in self.by), []).append(record)
        return [
            {column.name: self._together(column, groups[key]) for column in self.columns}
            for key in sorted(groups)
        ]

    def _together(self, column: Column, records: Sequence[Mapping[str, Any]]) -> Any:
        values = [record[column.name] for record in records]
        if column.name in self.by:
            return values[0]
        if None in values:
            return None
        return sum(values) if column.adds else max(values)


class Lists(NamedTuple):
    """What of a report of the catalogue is a section of lists: counts, tables of sums, and its tables of entries.

    `lists` are the names of the latter, none named: all. Those `of_days` are left out of a report of a month, and of those
    `met_twice` a row that two shifts list is one.
    """

    make: Callable[[ReportQuery], ReportDocument]
    counts: Sequence[CountAnswer] = ()
    sums: Sequence[SummedTable] = ()
    lists: Sequence[str] = ()
    of_days: Sequence[str] = ()
    met_twice: Sequence[str] = ()

    def read(self, query: ReportQuery) -> dict[str, Any]:
        """Read what is stored: counts and sums as numbers, lists as the catalogue draws them."""
        document = self.make(query)
        counts = {each.name for each in self.counts}
        return {
            **{answer.name: answer.value for answer in document.answers if answer.name in counts},
            **{table.name: _records(document, table.name) for table in self.sums},
            "grids": [grid_data(grid) for grid in document.grids if self._is_list(grid.name)],
        }

    def _is_list(self, name: str) -> bool:
        return all(table.name != name for table in self.sums) and (not self.lists or name in self.lists)

    def add(self, several: Sequence[Mapping[str, Any]], span: Span) -> dict[str, Any]:
        """Add counts and sums up, and list what the shifts list."""
        counts = [
            each.name for each in self.counts if not several or any(each.name in one for one in several)
        ]
        return {
            **{name: sum(section.get(name, 0) for section in several) for name in counts},
            **{
                table.name: table.added(record for section in several for record in section[table.name])
                for table in self.sums
            },
            "grids": list(self._joined(several, span)),
        }

    def _joined(self, several: Sequence[Mapping[str, Any]], span: Span) -> Iterator[dict[str, Any]]:
        """Lists of one name as one."""
        by_name: dict[str, list[dict[str, Any]]] = {}
        for section in several:
            for grid in section["grids"]:
                by_name.setdefault(grid["name"], []).append(grid)
        for name, grids in by_name.items():
            if span.is_month and name in self.of_days:
                continue
            rows = [row for grid in grids for row in grid["rows"]]
            if name in self.met_twice:
                rows = [row for place, row in enumerate(rows) if row not in rows[:place]]
            yield {**grids[-1], "rows": rows}

    def draw(self, section: Mapping[str, Any], scope: Scope) -> Drawn:
        """Draw a section."""
        del scope
        sums = [table.drawn(section[table.name]) for table in self.sums]
        return Drawn(
            count_answers(self.counts, section), [*sums, *(grid_read(grid) for grid in section["grids"])]
        )


def _records(document: ReportDocument, name: str) -> list[dict[str, Any]]:
    grid = document.grid(name)
    return [] if grid is None else [dict(row.values) for row in grid.rows]
