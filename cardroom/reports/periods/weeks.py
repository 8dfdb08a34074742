"""Groups the stored reports of shifts by weeks, with what is usual on the same days of other weeks.

Money and rounds are those of the shift reports with later corrections (`late_corrections`); table time is that of the downs in those
shifts, added up exactly and rounded once a week.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from cardroom.floor.reads.bank_time import whole_seconds
from cardroom.rooms.gaming_day import gaming_day

from ..models import ShiftReport
from ..queries.query import ReportQuery
from ..queries.table_time import times_at_tables
from ..stored.figure_types import CorrectionMade, GameFees, TableFigures
from ..stored.late_corrections import added_up, brought_of, changed_sums, later_of
from ..summary.comparison import divided

WEEK: Final = datetime.timedelta(days=7)
_DAY: Final = datetime.timedelta(days=1)


@dataclasses.dataclass(frozen=True)
class ReportedShift:
    """The totals of a shift's report, later corrections included; None for a figure that it does not know.

    `tables` is what each table dropped, by its number; those that did not play are left out.
    """

    shift: int
    day: datetime.date
    name: str
    sums: Mapping[str, int | None]
    time: datetime.timedelta
    later: Sequence[CorrectionMade]
    games: Sequence[GameFees]
    tables: Mapping[int, int]

    @property
    def slot(self) -> tuple[int, str]:
        """Weekday and shift: what it is like in other weeks."""
        return self.day.weekday(), self.name


class Week:
    """The reported shifts of a week, as far as its days were asked about."""

    def __init__(self, monday: datetime.date, first: datetime.date, last: datetime.date) -> None:
        self.monday, self.first, self.last = monday, first, last
        self.shifts: list[ReportedShift] = []
        self.missing = 0
        self.is_over = True

    @property
    def label(self) -> str:
        return f"{self.monday:%b} {self.monday.day}"

    @property
    def days(self) -> list[datetime.date]:
        """The gaming days of which a shift was reported."""
        return sorted({shift.day for shift in self.shifts})

    @property
    def in_part(self) -> bool:
        """Whether it is not over, lacks a report, or was asked about in part."""
        whole = self.last - self.first == WEEK - _DAY
        return not whole or not self.is_over or self.missing > 0

    @property
    def standing(self) -> str:
        """The same in words: "whole", "in part, 2 of 7 days: Mon, Tue"."""
        if not self.in_part:
            return "whole"
        days = self.days
        named = f": {', '.join(f'{day:%a}' for day in days)}" if days else ""
        missing = (
            f"; {self.missing} shift{'' if self.missing == 1 else 's'} not reported" if self.missing else ""
        )
        return f"in part, {len(days)} of 7 days{named}{missing}"

    def sum(self, name: str) -> int | None:
        """The sum of a figure over the shifts; None where one of them does not know it."""
        return _sum(shift.sums[name] for shift in self.shifts)

    def since(self, name: str) -> int:
        """What corrections made outside of the week have changed of it."""
        shifts = {shift.shift for shift in self.shifts}
        later = [each for shift in self.shifts for each in shift.later if each["shift"] not in shifts]
        return added_up(later).get(name, 0)

    @property
    def time(self) -> datetime.timedelta:
        return sum((shift.time for shift in self.shifts), datetime.timedelta())

    @property
    def seconds(self) -> int:
        """Table time, rounded once."""
        return whole_seconds([self.time])


def _sum(values: Iterator[int | None]) -> int | None:
    known = list(values)
    return None if None in known else sum(value for value in known if value is not None)


class Weeks:
    """The weeks of the time asked about in which a shift was reported, and those between them, with `names` of figures."""

    def __init__(self, query: ReportQuery, names: Sequence[str]) -> None:
        self._query, self.room = query, query.room
        weeks: dict[datetime.date, Week] = {}
        for shift in _reported(query, names):
            monday = monday_of(shift.day)
            last = max(weeks, default=monday)
            while last < monday:
                last += WEEK
                weeks[last] = self._week(last)
            weeks.setdefault(monday, self._week(monday)).shifts.append(shift)
        reported = {shift.shift for week in weeks.values() for shift in week.shifts}
        today = gaming_day(query.room, query.now)
        for shift_ in query.shifts:
            if shift_.pk not in reported and (week := weeks.get(monday_of(shift_.gaming_day))):
                week.missing += 1
        for week in weeks.values():
            week.is_over = week.monday + WEEK - _DAY < today
        self.all = list(weeks.values())

    def _week(self, monday: datetime.date) -> Week:
        return Week(monday, *self.asked(monday))

    def asked(self, monday: datetime.date) -> tuple[datetime.date, datetime.date]:
        """Return the first and the last gaming day of a week that were asked about."""
        return max(self._query.first, monday), min(self._query.last, monday + WEEK - _DAY)

    def like(self, week: Week) -> list[tuple[ReportedShift, list[ReportedShift]]]:
        """Return those shifts of a week that whole other weeks have too, each with theirs of the same weekday and name."""
        slots: defaultdict[tuple[int, str], list[ReportedShift]] = defaultdict(list)
        for other in self.all:
            if other is not week and not other.in_part:
                for shift in other.shifts:
                    slots[shift.slot].append(shift)
        return [(shift, slots[shift.slot]) for shift in week.shifts if shift.slot in slots]

    def usual(self, week: Week, name: str) -> tuple[int, int] | None:
        """Return a figure over the shifts of `like`, and what is usual of them: the mean of the others. None: nothing to compare."""
        now, usual = 0, 0
        found = self.like(week)
        for shift, others in found:
            values = [shift.sums[name], *(other.sums[name] for other in others)]
            if None in values:
                return None
            mine, *theirs = (value for value in values if value is not None)
            now += mine
            usual += divided(sum(theirs), len(theirs))
        return (now, usual) if found else None

    def usual_pace(self, week: Week, name: str) -> tuple[int, datetime.timedelta] | None:
        """Return how many of `name` and how much table time is usual of the shifts of `like`."""
        count, time = 0, datetime.timedelta()
        found = self.like(week)
        for _, others in found:
            values = [other.sums[name] for other in others]
            if None in values:
                return None
            count += divided(1000 * sum(value for value in values if value is not None), len(values))
            time += sum((other.time for other in others), datetime.timedelta()) / len(others)
        return (count, time * 1000) if found else None


def monday_of(day: datetime.date) -> datetime.date:
    """Return the Monday on which the week of a day begins."""
    return day - datetime.timedelta(days=day.weekday())


def _reported(query: ReportQuery, names: Sequence[str]) -> Iterator[ReportedShift]:
    """The reports of the shifts asked about, in the order in which the shifts were opened."""
    reports = ShiftReport.objects.filter(shift__in=query.shifts, restatement__isnull=True)
    totals = [f"figures__total__{name}" for name in names]
    about = (
        "shift",
        "shift__gaming_day",
        "shift__name",
        "figures__corrections",
        "figures__later",
        "figures__games",
        "figures__tables",
    )
    times = _table_times(query)
    for shift, day, name, corrections, later, games, tables, *values in (
        reports.order_by("shift__opened_at").values_list(*about, *totals).iterator()
    ):
        sums: dict[str, int | None] = dict(zip(names, values, strict=True))
        figures: dict[str, Any] = {"corrections": corrections or [], "later": later}
        made_later = later_of(figures, {shift})
        changed = changed_sums(sums, added_up(made_later), added_up(brought_of(figures, {shift})))
        yield ReportedShift(
            shift, day, name, {**sums, **changed}, times[shift], made_later, games or [], _drops(tables)
        )


def _drops(tables: Sequence[TableFigures]) -> dict[int, int]:
    """What tables dropped, those that played."""
    played = (table for table in tables if table["rounds_settled"] or table["drop_expected_cents"])
    return {table["number"]: table["drop_expected_cents"] for table in played}


def _table_times(query: ReportQuery) -> dict[int, datetime.timedelta]:
    """How long dealers were at tables in each shift, by its id."""
    times: defaultdict[int, datetime.timedelta] = defaultdict(datetime.timedelta)
    for each in times_at_tables(query):
        times[each.shift] += each.time
    return times
