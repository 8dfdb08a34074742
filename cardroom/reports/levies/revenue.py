"""Reads the revenue of a period, day by day, from the current reports of its shifts, and how many tables were open."""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cardroom.floor.models import Shift
from fees.levy import COLLECTION, HOUSE_WIN, JACKPOT

from ..models import PeriodReport, ShiftReport
from ..queries.query import ReportQuery
from ..queries.table_time import times_at_tables

#: Columns of a report's totals that a statement reads.
_READ: Final = (
    *("player_fees_cents", "bank_fees_cents", "time_fees_cents", "rake_cents", "fees_refunded_cents"),
    *(
        "drop_expected_cents",
        "buy_ins_cents",
        "jackpot_expected_cents",
        "win_by_slips_cents",
        "trays_not_closed",
    ),
)


@dataclasses.dataclass(frozen=True)
class Revenue:
    """The sums of some shifts, in cents; `open_trays` counts trays that were not closed, of which the win is not known."""

    player_fees: int = 0
    bank_fees: int = 0
    time: int = 0
    rake: int = 0
    refunded: int = 0
    collection: int = 0
    jackpot: int = 0
    house_win: int = 0
    open_trays: int = 0

    def __add__(self, other: Revenue) -> Revenue:
        names = [field.name for field in dataclasses.fields(Revenue)]
        return Revenue(**{name: getattr(self, name) + getattr(other, name) for name in names})

    def base(self, of: Sequence[str]) -> int:
        """What of it a levy takes as gross revenue."""
        values = {COLLECTION: self.collection, JACKPOT: self.jackpot, HOUSE_WIN: self.house_win}
        return sum(values[name] for name in of)


@dataclasses.dataclass(frozen=True)
class Restated:
    """A shift whose report was made again: what it came to at first, what it comes to now, and when that was made."""

    shift: Shift
    times: int
    made_at: datetime.datetime
    first: Revenue
    now: Revenue


@dataclasses.dataclass(frozen=True)
class DayRevenue:
    """A gaming day: its shifts, those without a report, its sums, and at how many tables a dealer stood."""

    day: datetime.date
    shifts: Sequence[Shift]
    waiting: Sequence[Shift]
    revenue: Revenue
    tables: int


@dataclasses.dataclass(frozen=True)
class PeriodRevenue:
    """The gaming days of a period that had a shift, and the reports of them that were made again."""

    days: Sequence[DayRevenue]
    restated: Sequence[Restated]

    @property
    def revenue(self) -> Revenue:
        return sum((day.revenue for day in self.days), Revenue())

    @property
    def waiting(self) -> list[Shift]:
        return [shift for day in self.days for shift in day.waiting]

    @property
    def peak(self) -> DayRevenue | None:
        """The first day on which the most tables were open."""
        return max(self.days, key=lambda day: day.tables, default=None)


def period_revenue(query: ReportQuery) -> PeriodRevenue:
    """Read the days asked about: of each shift its current report, and nothing of one that has none."""
    totals = [f"figures__total__{name}" for name in _READ]
    made: defaultdict[int, list[tuple[int, datetime.datetime, Revenue]]] = defaultdict(list)
    reports = ShiftReport.objects.filter(shift__in=query.shifts).order_by("revision")
    for shift, revision, made_at, *values in reports.values_list(
        "shift", "revision", "made_at", *totals
    ).iterator():
        made[shift].append((revision, made_at, revenue_of(dict(zip(_READ, values, strict=True)))))
    tables: defaultdict[int, set[int]] = defaultdict(set)
    for each in times_at_tables(query):
        tables[each.shift].add(each.table)
    by_day: defaultdict[datetime.date, list[Shift]] = defaultdict(list)
    for shift in query.shifts:
        by_day[shift.gaming_day].append(shift)
    days = [
        DayRevenue(
            day,
            shifts,
            [shift for shift in shifts if shift.pk not in made],
            sum((made[shift.pk][-1][2] for shift in shifts if shift.pk in made), Revenue()),
            len(set().union(*(tables[shift.pk] for shift in shifts))),
        )
        for day, shifts in sorted(by_day.items())
    ]
    restated = [
        Restated(
            shift, made[shift.pk][-1][0], made[shift.pk][-1][1], made[shift.pk][0][2], made[shift.pk][-1][2]
        )
        for shift in query.shifts
        if len(made.get(shift.pk, ())) > 1
    ]
    return PeriodRevenue(days, restated)


def month_revenues(query: ReportQuery) -> dict[datetime.date, Revenue]:
    """Return what the current reports of months say, by the first day; of those that are made."""
    totals = [f"figures__total__{name}" for name in _READ]
    reports = PeriodReport.objects.filter(
        room=query.room,
        kind=PeriodReport.Kind.MONTH,
        first__range=(query.first, query.last),
        restatement__isnull=True,
    )
    return {
        first: revenue_of(dict(zip(_READ, values, strict=True)))
        for first, *values in reports.values_list("first", *totals)
    }


def revenue_of(total: Mapping[str, Any]) -> Revenue:
    """Return the sums of a report from its totals."""
    return Revenue(
        player_fees=total["player_fees_cents"],
        bank_fees=total["bank_fees_cents"],
        time=total["time_fees_cents"],
        rake=total["rake_cents"],
        refunded=total["fees_refunded_cents"],
        collection=total["drop_expected_cents"] - (total["buy_ins_cents"] or 0),
        jackpot=total["jackpot_expected_cents"],
        house_win=total["win_by_slips_cents"] or 0,
        open_trays=total["trays_not_closed"] or 0,
    )
