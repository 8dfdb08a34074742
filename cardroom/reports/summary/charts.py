"""Computes the charts of a stored report, with the earlier time as a line."""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter
from collections.abc import Iterator
from typing import Final

from cardroom.documents.document import Chart

from ..models import PeriodReport
from ..sections.collection import drop_by_day, hours_chart
from ..stored.reading import Report, is_banked_by, scope_of, table_seconds_of
from .comparison import Earlier
from .key_figures import pace_tenths

#: Tables of a chart: one bar alone has no shape.
_FEWEST_BARS: Final = 2


def first_charts(report: Report, earlier: Earlier) -> Iterator[Chart]:
    """The charts of a report with the earlier time as a line: collection over time, and its tables side by side."""
    was = earlier.report
    before = {chart.name: chart for chart in _charts(was)} if was is not None else {}
    for chart in _charts(report):
        joined = joined_chart(chart, before.get(chart.name), earlier.short)
        if isinstance(report, PeriodReport):
            yield joined
        elif len((cut := cut_chart(joined)).labels) >= _FEWEST_BARS:
            yield cut
    paces, then = _paces(report), {} if was is None else _paces(was)
    if len(paces) >= _FEWEST_BARS:
        yield Chart(
            "paces",
            "Rounds an hour, by table",
            [str(number) for number in paces],
            list(paces.values()),
            tenths=True,
            unit="rounds",
            before=[then.get(number, 0) for number in paces] if then else (),
            before_name=earlier.short,
        )
    wins = _wins(report)
    if len(wins) >= _FEWEST_BARS:
        title = "House win by rounds, by table"
        yield Chart(
            "wins", title, [str(number) for number in wins], list(wins.values()), text_money=True, unit="$"
        )


def _charts(report: Report) -> list[Chart]:
    """The collection over time, where players bank: by gaming day of a month, else by hour of the day."""
    collection = report.typed_sections.get("collection")
    if collection is None:
        return []
    if isinstance(report, PeriodReport) and report.kind == PeriodReport.Kind.MONTH:
        return [_by_day(report)]
    return [hours_chart(collection)]


def _by_day(report: PeriodReport) -> Chart:
    """A bar a gaming day; one without a shift collected nothing."""
    scope, drops = scope_of(report), Counter[str]()
    for part in report.typed_figures["parts"]:
        drops[part["gaming_day"]] += part["drop_expected_cents"]
    days = [scope.first + datetime.timedelta(days=n) for n in range((scope.last - scope.first).days + 1)]
    return drop_by_day({day: drops[day.isoformat()] for day in days})


def joined_chart(chart: Chart, before: Chart | None, short: str) -> Chart:
    """A chart with the earlier one over it: hour over hour, and of days of two months the first over the first."""
    if before is None:
        return chart
    then = dict(zip(before.labels, before.values, strict=True))
    if not then.keys() & set(chart.labels):
        then = dict(zip(chart.labels, before.values, strict=False))
    line = [then.get(label, 0) for label in chart.labels]
    return dataclasses.replace(chart, before=line, before_name=short) if any(line) else chart


def cut_chart(chart: Chart) -> Chart:
    """A chart from the first bar or point above 0 to the last: the hours of the other shifts are left out."""
    points = [*zip(chart.values, chart.before, strict=True)] if chart.before else [(v,) for v in chart.values]
    shown = [at for at, values in enumerate(points) if any(values)]
    of = slice(shown[0], shown[-1] + 1) if shown else slice(0)
    return dataclasses.replace(
        chart,
        labels=chart.labels[of],
        values=chart.values[of],
        before=chart.before[of],
        in_part=chart.in_part[of],
    )


def _paces(report: Report) -> dict[int, int]:
    """Tenths of rounds an hour of each table at which a dealer was, by its number: as `rounds_an_hour` writes them."""
    seconds = table_seconds_of(report) or {}
    return {
        table["number"]: pace_tenths(table["rounds_settled"], spent)
        for table in report.typed_figures["tables"]
        if (spent := seconds.get(table["number"], 0))
    }


def _wins(report: Report) -> dict[int, int]:
    """What the house won by the rounds of each table that it banked, by its number."""
    return {
        table["number"]: table["house_win_cents"]
        for table in report.typed_figures["tables"]
        if is_banked_by(table, "house") and table["rounds_settled"]
    }
