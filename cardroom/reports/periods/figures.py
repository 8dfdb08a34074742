"""Computes the figures and sections of a period report from the reports of its shifts. Pure: the same reports give the same period report.

Nothing is read anew: a period report says what the shift reports said, added up, and what one of them did not know is not
known.
"""

from __future__ import annotations

import datetime
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, cast
from urllib.parse import parse_qsl, urlencode, urlsplit

from cardroom.documents.document import Mark

from ..queries.banking import Banking
from ..shift.figures import sums_added
from ..shift.sections import Section, is_left_out
from ..stored.figure_types import (
    SHAPE,
    BankedBy,
    Counted,
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
    sections: Sequence[Section]
    differences: Sequence[Difference] = ()


class _AddedUp(NamedTuple):
    """How the rows of a grid come together, for a day and for a month.

    Rows that agree in the columns named are one, and its other columns those that add up. Without columns every row
    is kept as it is; None leaves the grid out: what a month would list by the thousand is in the reports of its days.
    """

    day: tuple[str, ...] | None = ()
    month: tuple[str, ...] | None = ()


#: By section and grid; of a grid that is not named here every row is kept as it is.
_GRIDS: Final[Mapping[tuple[str, str], _AddedUp]] = {
    ("collection", "schedules"): _AddedUp(("schedule", "band"), ("schedule", "band")),
    ("collection", "hours"): _AddedUp(("hour",), ("hour",)),
    ("rotation", "tables"): _AddedUp(("table",), ("table",)),
    ("coverage", "banks"): _AddedUp((), ("table",)),
    ("coverage", "wagers"): _AddedUp((), None),
    ("tips", "dealers"): _AddedUp(("dealer",), ("dealer",)),
    ("tips", "downs"): _AddedUp((), None),
    ("count", "boxes"): _AddedUp((), ("table",)),
    ("count", "jackpot_boxes"): _AddedUp((), ("table",)),
    ("count", "over_change"): _AddedUp((), None),
    ("irregularities", "kinds"): _AddedUp(("irregularity",), ("irregularity",)),
    ("alerts", "kinds"): _AddedUp(("kind",), ("kind",)),
    ("alerts", "alerts"): _AddedUp((), None),
    ("offline", "tablets"): _AddedUp(("table", "tablet"), ("table", "tablet")),
    # One that waited from shift to shift is in the reports of both: a row equal in all columns counts once.
    ("offline", "entries"): _AddedUp(
        ("table", "entry", "by", "given_at", "taken_at", "waited_seconds", "given_in", "shift"), None
    ),
}
#: Figures one of which is other than 0 at a table at which anything happened.
_HAPPENED: Final = (
    *("rounds_settled", "corrections", "voids_before_deal", "voids_after_deal", "turns_begun"),
    *("drop_expected_cents", "tray_opened_cents", "tray_fills_cents", "trays_not_closed"),
)
_MARKS: Final = (Mark.STOP, Mark.LOOK, Mark.DONE, Mark.NONE)


def counted_of(sections: Sequence[Section]) -> Counted:
    """Return what the section about the count says of the boxes of a shift: None of each while one is not counted."""
    answers = {
        answer["name"]: answer["value"]
        for section in sections
        if section["name"] == "count"
        for answer in section["answers"]
    }
    whole = answers.get("waiting") == 0
    names = {
        "boxes_expected_cents": "expected_cents",
        "counted_cents": "counted_cents",
        "count_difference_cents": "difference_cents",
        "jackpot_counted_cents": "jackpot_counted_cents",
        "jackpot_difference_cents": "jackpot_difference_cents",
    }
    return cast(
        "Counted", {figure: answers.get(name, 0) if whole else None for figure, name in names.items()}
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


def period_sections(
    sources: Sequence[Source], days: Sequence[datetime.date], *, is_month: bool, hours: Sequence[str]
) -> list[Section]:
    """Bring the sections of shift reports together. `hours` are all names of hours of the room, in a day's order."""
    titles = {section["name"]: section["title"] for source in sources for section in source.sections}
    join = _Join(days[0], days[-1], is_month=is_month, hours=hours)
    added = []
    for name, title in titles.items():
        found = [next((each for each in source.sections if each["name"] == name), None) for source in sources]
        known = [section for section in found if section is not None]
        silent = [
            _shift(source.part)
            for source, section in zip(sources, found, strict=True)
            if section is None and not is_left_out(name, _banking(source))
        ]
        charts = [chart for section in known for chart in section["charts"]]
        added.append(
            Section(
                name=name,
                title=title,
                answers=_answers(known, complete=not silent),
                charts=_by_day(sources, days) if is_month and charts else join.charts(charts),
                grids=list(join.grids(name, known, silent)),
            )
        )
    return added


def _banking(source: Source) -> Banking:
    """Who banked in a shift, by its report."""
    who = {table["banked_by"] for table in source.figures["tables"]}
    return Banking(players=bool(who & {"players", "both"}), house=bool(who & {"house", "both"}))


def _shift(part: Part) -> str:
    return f"{part['gaming_day']} {part['shift_name']}"


def _answers(sections: Sequence[Section], *, complete: bool) -> list[dict[str, Any]]:
    """Each answer over the shifts: added up, or how often a word was said; not known where a shift does not know it."""
    by_name: dict[str, list[dict[str, Any]]] = {}
    for section in sections:
        for answer in section["answers"]:
            by_name.setdefault(answer["name"], []).append(answer)
    return [
        {
            **answers[-1],
            "value": _together([answer["value"] for answer in answers]) if complete else None,
            "mark": _worst(answer["mark"] for answer in answers),
            "link": "",
        }
        for answers in by_name.values()
    ]


def _together(values: Sequence[int | str | None]) -> int | str | None:
    if None in values:
        return None
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) == len(values):
        return sum(numbers)
    counted: dict[str, int] = {}
    for value in values:
        counted[str(value)] = counted.get(str(value), 0) + 1
    return ", ".join(f"{value} ({count})" for value, count in counted.items())


def _worst(marks: Iterable[str]) -> str:
    """The most urgent mark."""
    found = set(marks)
    return next(mark.value for mark in _MARKS if mark.value in found or mark is Mark.NONE)


def _by_day(sources: Sequence[Source], days: Sequence[datetime.date]) -> list[dict[str, Any]]:
    """A bar a gaming day; one without a shift collected nothing."""
    drop = {day.isoformat(): 0 for day in days}
    for source in sources:
        drop[source.part["gaming_day"]] += source.part["drop_expected_cents"]
    return [
        {
            "name": "by-day",
            "title": "Drop, by gaming day",
            "labels": [f"{day:%b} {day.day}" for day in days],
            "values": list(drop.values()),
            "text_money": True,
        }
    ]


class _Join:
    """Rows and charts of several shifts brought together, for a day or a month."""

    def __init__(
        self, first: datetime.date, last: datetime.date, *, is_month: bool, hours: Sequence[str]
    ) -> None:
        self._period = {"from": first.isoformat(), "to": last.isoformat()}
        self._is_month = is_month
        self._hours = {hour: place for place, hour in enumerate(hours)}

    def charts(self, charts: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Charts of one name as one: the values over a label are added up."""
        joined: dict[str, dict[str, Any]] = {}
        values: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for chart in charts:
            joined[chart["name"]] = dict(chart)
            sums = values[chart["name"]]
            for label, value in zip(chart["labels"], chart["values"], strict=True):
                sums[label] = sums.get(label, 0) + value
        for name, chart in joined.items():
            labels = sorted(values[name], key=lambda label: self._hours.get(label, len(self._hours)))
            chart |= {"labels": labels, "values": [values[name][label] for label in labels]}
        return list(joined.values())

    def grids(
        self, section: str, sections: Sequence[Section], silent: Sequence[str]
    ) -> Iterator[dict[str, Any]]:
        """Grids of one name as one."""
        by_name: dict[str, list[dict[str, Any]]] = {}
        for each in sections:
            for grid in each["grids"]:
                by_name.setdefault(grid["name"], []).append(grid)
        for name, several in by_name.items():
            added = _GRIDS.get((section, name), _AddedUp())
            by = added.month if self._is_month else added.day
            if by is None:
                continue
            joined = {**several[-1], "rows": [row for grid in several for row in grid["rows"]]}
            if by:
                joined = self._grouped(joined, by)
            if self._is_month and added.day != added.month:
                joined["text"] = f"{joined['text']} One by one they are in the reports of the days.".strip()
            if silent:
                joined["text"] = f"{joined['text']} Not known of {', '.join(silent)}.".strip()
            yield joined

    def _grouped(self, grid: dict[str, Any], by: Sequence[str]) -> dict[str, Any]:
        """A grid in which rows that agree in the columns `by` are one."""
        columns = [column for column in grid["columns"] if column["name"] in by or column["adds"]]
        groups: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for row in grid["rows"]:
            groups.setdefault(tuple(row["values"][name] for name in by), []).append(row)
        rows = []
        for key in sorted(groups, key=self._place(by)):
            sums = {
                column["name"]: _together([row["values"][column["name"]] for row in groups[key]])
                for column in columns
                if column["name"] not in by
            }
            rows.append(
                {
                    "values": {**dict(zip(by, key, strict=True)), **sums},
                    "links": self._links(groups[key], [column["name"] for column in columns]),
                    "mark": _worst(row["mark"] for row in groups[key]),
                }
            )
        return {**grid, "columns": columns, "rows": rows}

    def _place(self, by: Sequence[str]) -> Callable[[tuple[Any, ...]], Any]:
        if tuple(by) == ("hour",):
            return lambda key: self._hours.get(key[0], len(self._hours))
        return lambda key: [(isinstance(value, str), value) for value in key]

    def _links(self, rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> dict[str, str]:
        """Addresses that open what made a sum: those about a shift, asked about the whole period instead."""
        links = {}
        for column in columns:
            for row in rows:
                parts = urlsplit(row["links"].get(column, ""))
                asked = dict(parse_qsl(parts.query, keep_blank_values=True))
                if "shift" in asked:
                    kept = {name: value for name, value in asked.items() if name != "shift"}
                    links[column] = f"{parts.path}?{urlencode({**kept, **self._period})}"
                    break
        return links
