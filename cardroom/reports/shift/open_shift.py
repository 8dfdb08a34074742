"""Computes the figures so far of the open shift, beside the same shift a week before: what a shift manager's page begins with.

Counted from the rows as they are now. The shift report, made when the shift has closed, is the record.
"""

from __future__ import annotations

import dataclasses
import datetime
from typing import Final

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from cardroom.documents.document import Chart
from cardroom.floor.models import BuyIn, Round, Shift
from cardroom.people.models import Staff
from cardroom.tips.reads.earned import tips_handed

from ..catalogue.collection import time_collected
from ..queries.hours import hour_name, hours_of
from ..queries.query import ReportQuery
from ..queries.rounds_in_scope import counted_at, counts, rounds_of
from ..sections.collection import drop_by_hour, hours_chart
from ..stored.game_fees import drop_counted
from ..stored.late_corrections import corrections_of
from ..stored.selectors import report_of
from ..summary.charts import cut_chart, joined_chart
from ..summary.comparison import percent
from .document import shift_of_week_before

_HOUR: Final = datetime.timedelta(hours=1)

#: Bars below which a chart has no shape.
_FEWEST_BARS: Final = 2


@dataclasses.dataclass(frozen=True)
class OpenShift:
    """What a shift has come to so far, in cents and rounds.

    `chart` is the drop by hour, the week before as its line; None with too few hours. `until` and `change` say how the
    drop of the whole hours so far compares: by which hour, and by how much per cent; None without a report to compare with.
    """

    shift: Shift
    lasted: datetime.timedelta
    tips_won_cents: int
    tips_handed_cents: int
    uncovered_cents: int
    exhausted_banks: int
    buy_ins_cents: int
    chart: Chart | None
    until: str
    change: int | None

    @property
    def tips_cents(self) -> int:
        """Tips won on wagers and handed in."""
        return self.tips_won_cents + self.tips_handed_cents

    @property
    def hours(self) -> int:
        """Whole hours that the shift has been open."""
        return int(self.lasted.total_seconds()) // 3600

    @property
    def minutes(self) -> int:
        """Minutes beyond the whole hours."""
        return int(self.lasted.total_seconds()) // 60 % 60

    @property
    def fall(self) -> int:
        """By how much per cent the drop is below that of the week before; 0 where it is not."""
        return max(0, -(self.change or 0))

    @property
    def weekday(self) -> str:
        """The day that is compared with: "Saturday"."""
        return f"{self.shift.gaming_day:%A}"


@dataclasses.dataclass(frozen=True)
class _Hour:
    """What the rounds of one hour have come to."""

    began: datetime.datetime
    drop_cents: int
    tips_cents: int
    uncovered_cents: int
    exhausted_banks: int


def open_shift_of(shift: Shift, staff: Staff, now: datetime.datetime) -> OpenShift:
    """Return the figures of an open shift: eight queries, and one of each report."""
    query = ReportQuery(
        room=shift.room, first=shift.gaming_day, last=shift.gaming_day, staff=staff, now=now, shift=shift
    )
    hours = _hours_so_far(query, shift)
    bought = BuyIn.objects.filter(shift=shift).aggregate(cents=Sum("cents"))["cents"]
    until = hour_name(shift.room, now)
    chart, before = drop_by_hour(_drops(query, hours)), _chart_of_week_before(shift)
    chart = dataclasses.replace(chart, in_part=[label == until for label in chart.labels])
    joined = joined_chart(chart, before, f"last {shift.gaming_day:%A}")
    shown = cut_chart(joined)
    return OpenShift(
        shift=shift,
        lasted=now - shift.opened_at,
        tips_won_cents=sum(hour.tips_cents for hour in hours),
        tips_handed_cents=tips_handed(shift),
        uncovered_cents=sum(hour.uncovered_cents for hour in hours),
        exhausted_banks=sum(hour.exhausted_banks for hour in hours),
        buy_ins_cents=int(bought or 0),
        chart=shown if len(shown.labels) >= _FEWEST_BARS else None,
        until=until,
        change=_change(joined, until),
    )


def _hours_so_far(query: ReportQuery, shift: Shift) -> list[_Hour]:
    """What the rounds have come to in each hour since the shift was opened, in three queries.

    The hours are written out as cases: SQLite has no function that truncates a time, so that Django's `TruncHour` calls
    back into Python for each of the shift's rounds, of which a full room has twelve thousand.
    """
    began = shift.opened_at.astimezone(datetime.UTC).replace(minute=0, second=0, microsecond=0)
    lasted = max(query.now - began, datetime.timedelta())  # the clock may have been set back meanwhile
    starts = [began + n * _HOUR for n in range(lasted // _HOUR + 1)]
    ended = [When(at__lt=start + _HOUR, then=number) for number, start in enumerate(starts)]
    counted, own = rounds_counted(query, shift)
    grouped = (
        counted.annotate(at=counted_at())
        .annotate(hour=Case(*ended, default=len(starts) - 1, output_field=IntegerField()))
        .values("hour")
        .annotate(
            drop=Sum(drop_counted()),
            tips=Sum(counts("tips_cents")),
            uncovered=Coalesce(Sum(counts("uncovered_cents"), filter=own), 0),
            exhausted=Count("id", filter=own & Q(exhausted=True))
            - Count("id", filter=own & Q(corrects__exhausted=True)),
        )
    )
    return [
        _Hour(
            began=starts[group["hour"]],
            drop_cents=int(group["drop"]),
            tips_cents=int(group["tips"]),
            uncovered_cents=int(group["uncovered"]),
            exhausted_banks=group["exhausted"],
        )
        for group in grouped
    ]


def rounds_counted(query: ReportQuery, shift: Shift) -> tuple[QuerySet[Round], Q]:
    """Return the rounds that count in a shift, and which of them count there uncovered.

    What was not covered counts with its round: corrections of earlier shifts' rounds change it there.
    """
    own = ~Q(pk__in=[each.round.pk for each in corrections_of([shift.pk]).brought])
    counted = rounds_of(query).exclude(bets_closed_at__isnull=True)  # nothing is due before
    return counted, own


def _drops(query: ReportQuery, hours: list[_Hour]) -> dict[str, int]:
    """The drop of every hour of the gaming day by its name, time collected included, and of hours beyond the day."""
    drops = dict.fromkeys(hours_of(query.room, query.first, query.last), 0)
    collected = ((group["hour"], group["drop_cents"]) for group in time_collected(query))
    for began, cents in (*((hour.began, hour.drop_cents) for hour in hours), *collected):
        name = hour_name(query.room, began)
        drops[name] = drops.get(name, 0) + cents
    return drops


def _chart_of_week_before(shift: Shift) -> Chart | None:
    """The drop by hour of the same shift a week before, from its stored report."""
    before = shift_of_week_before(shift)
    report = None if before is None else report_of(before)
    if report is None:
        return None
    collection = report.typed_sections.get("collection")
    return None if collection is None else hours_chart(collection)


def _change(chart: Chart, until: str) -> int | None:
    """By how much per cent the drop of the whole hours before `until` is above that of the week before."""
    if not chart.before or until not in chart.labels:
        return None
    over = slice(chart.labels.index(until))
    was = sum(value or 0 for value in chart.before[over])
    return percent(sum(chart.values[over]) - was, was) if was > 0 else None
