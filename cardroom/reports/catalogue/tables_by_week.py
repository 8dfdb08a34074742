"""Table of what each table dropped week by week, with how its last week stands beside what is usual of it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Final

from cardroom.documents.document import Column, Grid, Kind, Mark, Row, Value
from cardroom.floor.models import Table

from ..periods.weeks import Week, Weeks
from ..queries.query import ReportQuery
from ..queries.rounds_in_scope import report_address
from ..summary.comparison import divided, percent_text

#: Weeks that stand beside each other.
_MOST_WEEKS: Final = 6
#: A table that has fallen to so many per cent of its usual drop is marked.
_FALLEN: Final = 85
_TEXT: Final = (
    "The largest first. The last week is held against the mean of the same shifts on the same weekdays in the weeks that are "
    "whole, two of them at least; a table that has fallen by 15% or more is marked. One that did not play has $0."
)


def tables_by_week(query: ReportQuery, weeks: Weeks) -> Grid:
    """Tell the drop of each table in the last weeks."""
    shown = weeks.all[-_MOST_WEEKS:]
    drops = [_drops(week) for week in shown]
    total = sum(drops, Counter[int]())
    tables = {table.number: table for table in Table.objects.filter(room=query.room)}
    columns = [
        Column("table", "Table", Kind.COUNT),
        *(
            Column(_name(week), f"{week.label}{' ◐' if week.in_part else ''}", Kind.MONEY, adds=True)
            for week in shown
        ),
        Column("total_cents", "Total", Kind.MONEY, adds=True),
        Column("against", "against its usual", Kind.FIGURE),
    ]
    rows = []
    for number in sorted(total, key=lambda number: (-total[number], number)):
        compared = _usual(weeks, shown[-1], number)
        fallen = compared is not None and compared[0] * 100 <= compared[1] * _FALLEN
        values: dict[str, Value] = {
            "table": number,
            **{_name(week): drop[number] for week, drop in zip(shown, drops, strict=True)},
            "total_cents": total[number],
            "against": "none" if compared is None else percent_text(*compared),
        }
        asked = dataclasses.replace(query, table=tables.get(number), first=weeks.asked(shown[0].monday)[0])
        links = {"table": report_address(asked, "collection")} if number in tables else {}
        rows.append(Row(values, links, Mark.LOOK if fallen else Mark.NONE))
    return Grid(
        "tables", "Drop by table and week", columns, rows, text=_TEXT, empty="No table dropped anything."
    )


def _name(week: Week) -> str:
    return f"week_{week.monday:%Y_%m_%d}_cents"


def _drops(week: Week) -> Counter[int]:
    """What each table dropped in a week, by its number."""
    drops: Counter[int] = Counter()
    for shift in week.shifts:
        drops.update(shift.tables)
    return drops


def _usual(weeks: Weeks, week: Week, number: int) -> tuple[int, int] | None:
    """Return what a table dropped in the shifts of a week that other weeks have too, and what is usual; None: too little to say."""
    now = usual = 0
    for shift, others in weeks.like(week):
        played = [other.tables[number] for other in others if number in other.tables]
        if len(played) > 1:
            now += shift.tables.get(number, 0)
            usual += divided(sum(played), len(played))
    return (now, usual) if usual > 0 else None
