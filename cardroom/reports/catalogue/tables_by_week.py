"""Table of what each table dropped week by week, with how its last week stands beside what is usual of it."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import Final

from cardroom.documents.document import Column, Grid, Kind, Mark, Row, Shade, Value
from cardroom.floor.models import Table

from ..periods.weeks import Week, Weeks
from ..queries.query import ReportQuery
from ..queries.rounds_in_scope import report_address
from ..summary.comparison import divided, percent_text

#: Weeks that stand beside each other.
_MOST_WEEKS: Final = 6
#: A table that has fallen to so many per cent of its usual drop is marked.
_FALLEN: Final = 85
#: What a week comes to of its usual drop, in per cent, from which on it is shaded.
_SHADES: Final = ((_FALLEN, Shade.FAR_BELOW), (95, Shade.BELOW))
_SHADES_ABOVE: Final = ((115, Shade.FAR_ABOVE), (105, Shade.ABOVE))
_TEXT: Final = (
    "The largest first. Each week is held against the mean of the same shifts on the same weekdays in the other weeks that "
    "are whole, two of them at least: an arrow says whether it was above or below, open from 5% on and filled from 15% on. A "
    "table whose last week is 15% or more below is marked. One that did not play has $0."
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
    rows, last = [], []
    for number in sorted(total, key=lambda number: (-total[number], number)):
        against = {_name(week): _usual(weeks, week, number) for week in shown}
        compared = against[_name(shown[-1])]
        last += [compared] if compared is not None else []
        shades = {name: shade for name, each in against.items() if (shade := _shade(each)) is not None}
        fallen = compared is not None and compared[0] * 100 <= compared[1] * _FALLEN
        values: dict[str, Value] = {
            "table": number,
            **{_name(week): drop[number] for week, drop in zip(shown, drops, strict=True)},
            "total_cents": total[number],
            "against": "none" if compared is None else percent_text(*compared),
        }
        asked = dataclasses.replace(query, table=tables.get(number), first=weeks.asked(shown[0].monday)[0])
        links = {"table": report_address(asked, "collection")} if number in tables else {}
        rows.append(Row(values, links, Mark.LOOK if fallen else Mark.NONE, shades))
    all_of_them = (sum(now for now, _ in last), sum(usual for _, usual in last))
    return Grid(
        "tables",
        "Drop by table and week",
        columns,
        rows,
        text=_TEXT,
        empty="No table dropped anything.",
        in_all={"against": percent_text(*all_of_them) if last else "none"},
    )


def _shade(compared: tuple[int, int] | None) -> Shade | None:
    """How what a table dropped stands against what is usual."""
    if compared is None:
        return None
    now, usual = compared
    below = next((shade for most, shade in _SHADES if now * 100 <= usual * most), None)
    return below or next((shade for least, shade in _SHADES_ABOVE if now * 100 >= usual * least), None)


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
