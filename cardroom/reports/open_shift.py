"""The open shift in figures so far, beside the same shift a week before: what a shift manager's page begins with.

Counted from the rows as they are now. The shift report, made when the shift has closed, is the record.
"""

from __future__ import annotations

import dataclasses
import datetime
from typing import Final

from django.db.models import Count, Q, Sum

from cardroom.documents.document import Chart
from cardroom.documents.stored import chart_read
from cardroom.floor.models import BuyIn, Shift
from cardroom.people.models import Staff
from cardroom.tips.models import HandIn

from .compliance.collection import drop_by_hour
from .first_page import cut_chart, joined_chart, percent
from .hours import hour_name
from .query import ReportQuery
from .rounds_in_scope import counts, rounds_of
from .selectors import report_of
from .shift_document import shift_of_week_before

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


def open_shift_of(shift: Shift, staff: Staff, now: datetime.datetime) -> OpenShift:
    """Return the figures of an open shift: seven queries, and one of each report."""
    query = ReportQuery(
        room=shift.room, first=shift.gaming_day, last=shift.gaming_day, staff=staff, now=now, shift=shift
    )
    sums = rounds_of(query).aggregate(
        tips=Sum(counts("tokes_cents")),
        uncovered=Sum(counts("uncovered_cents")),
        exhausted=Count("id", filter=Q(exhausted=True)) - Count("id", filter=Q(corrects__exhausted=True)),
    )
    bought = BuyIn.objects.filter(shift=shift).aggregate(cents=Sum("cents"))["cents"]
    handed = HandIn.objects.filter(shift=shift).aggregate(cents=Sum("cents"))["cents"]
    chart, before = drop_by_hour(query), _chart_of_week_before(shift)
    until = hour_name(shift.room, now)
    joined = joined_chart(chart, before, f"last {shift.gaming_day:%A}")
    shown = cut_chart(joined)
    return OpenShift(
        shift=shift,
        lasted=now - shift.opened_at,
        tips_won_cents=int(sums["tips"] or 0),
        tips_handed_cents=int(handed or 0),
        uncovered_cents=int(sums["uncovered"] or 0),
        exhausted_banks=sums["exhausted"],
        buy_ins_cents=int(bought or 0),
        chart=shown if len(shown.labels) >= _FEWEST_BARS else None,
        until=until,
        change=_change(joined, until),
    )


def _chart_of_week_before(shift: Shift) -> Chart | None:
    """The drop by hour of the same shift a week before, from its stored report."""
    before = shift_of_week_before(shift)
    report = None if before is None else report_of(before)
    if report is None:
        return None
    charts = (chart_read(chart) for section in report.sections for chart in section["charts"])
    return next((chart for chart in charts if chart.name == "by-hour"), None)


def _change(chart: Chart, until: str) -> int | None:
    """By how much per cent the drop of the whole hours before `until` is above that of the week before."""
    if not chart.before or until not in chart.labels:
        return None
    over = slice(chart.labels.index(until))
    was = sum(chart.before[over])
    return percent(sum(chart.values[over]) - was, was) if was > 0 else None
