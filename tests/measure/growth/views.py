"""What the SQL views read of a database with years behind it, asked as docs/sql.md says: by gaming day, table and month.

The export of a gaming day (`cardroom.reports.exports`) is asked too, by the statements that it runs.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import NamedTuple

from django.db import connection
from django.test.utils import CaptureQueriesContext

from cardroom.core.sql_views import registered_views
from cardroom.floor.models import Round, Shift, Transfer
from cardroom.reports.exports.reading import rows_of
from cardroom.reports.exports.schema import DATASETS
from cardroom.reports.periods.period import day_of

_MONTH = datetime.timedelta(days=31)
#: So many rows for each transfer of the days asked about, and so many more: a loop compares the rows of a day with people and
#: tables by turns where statistics, which are drawn at random, say that these are few. A history of a thousand days has more.
_EACH, _MORE = 2, 500


class Question(NamedTuple):
    """A SELECT of a view. `most` is how many rows a step of its plan may examine: by what the days asked about hold."""

    name: str
    query: str
    most: int


def questions() -> Iterator[Question]:
    """Yield what each view is asked, and what the export of a gaming day asks: about a day in the middle of the history."""
    shift, table = _in_the_middle()
    room, day, before = shift.room, shift.gaming_day, shift.gaming_day - _MONTH
    of_day, of_month = f"gaming_day = '{day}'", f"gaming_day BETWEEN '{before}' AND '{day}'"
    a_day, a_month = most_of(day, day), most_of(before, day)
    wheres = {
        "a day": (of_day, a_day),
        "a day of a room": (f"room = '{room.code}' AND {of_day}", a_day),
        "a day of a table": (f"room = '{room.code}' AND table_number = {table} AND {of_day}", a_day),
        "a day of tables of one number": (f"table_number = {table} AND {of_day}", a_day),
        "two days": (f"gaming_day IN ('{day}', '{before}')", a_day + most_of(before, before)),
        "a month": (of_month, a_month),
        "a month of a room": (f"room = '{room.code}' AND {of_month}", a_month),
    }
    for view in registered_views():
        for name, (where, most) in wheres.items():
            yield Question(f"{view.name}, {name}", f"SELECT * FROM {view.name} WHERE {where}", most)
    for dataset in DATASETS:
        if dataset.view:
            with CaptureQueriesContext(connection) as captured:
                list(rows_of(dataset, day_of(room, day)))
            for query in captured.captured_queries:
                yield Question(f"{dataset.view}, its export", query["sql"], a_day)


def most_of(first: datetime.date, last: datetime.date) -> int:
    """Return how many rows a step may examine for these days: transfers are the most rows that a day has."""
    return _MORE + _EACH * Transfer.objects.filter(shift__gaming_day__range=(first, last)).count()


def _in_the_middle() -> tuple[Shift, int]:
    """Return a shift that has half of the others before it, and the number of a table where a round of it was played."""
    played = Round.objects.filter(shift__closed_at__isnull=False).order_by("gaming_day", "pk")
    found = played.select_related("shift__room", "table")[played.count() // 2]
    assert found.shift is not None
    return found.shift, found.table.number
