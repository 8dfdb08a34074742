"""Builds the document of a stored period report: a gaming day by its shifts, a month by its days."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Final

from django.urls import reverse

from cardroom.core.dates import day_text
from cardroom.documents.document import Column, Grid, Kind, Mark, ReportDocument, Row, Value

from ..models import PeriodReport
from ..shift.tie_out import ROW_WAYS
from ..shift.trays import format_hold
from ..stored.document import About, report_document_of
from ..stored.figure_types import Part
from ..stored.reading import clock, house_banks
from ..stored.selectors import period_report_of
from ..summary.comparison import Earlier
from .period import Period, day_of, period_of
from .tie_out import REPORT_WAY

_TITLES: Final = {PeriodReport.Kind.DAY: "Day report", PeriodReport.Kind.MONTH: "Month report"}
#: The columns for each shift, and for each day of a month. A name that ends in `_cents` is money.
_FIGURES: Final = (
    ("rounds_settled", "Rounds"),
    ("total_table_action_cents", "Table action"),
    ("drop_expected_cents", "Drop expected"),
    ("boxes_expected_cents", "Expected in boxes"),
    ("counted_cents", "Counted"),
    ("count_difference_cents", "Over / (short)"),
    ("jackpot_counted_cents", "Jackpot counted"),
    ("tips_cents", "Tips"),
)
#: The further columns where the house banks.
_WINS: Final = (
    ("buy_ins_cents", "Cash bought in"),
    ("win_by_slips_cents", "Win by slips"),
    ("house_win_cents", "Win by rounds"),
    ("tray_variance_cents", "Difference"),
)
_RESTS_ON: Final = (
    Column("shift", "Shift"),
    Column("report", "Report"),
    Column("hash", "Verification code"),
)


def period_report_document(period_report: PeriodReport) -> ReportDocument:
    """Return the report of a day or month as a document; the day a week before, or the month before, from its own report."""
    period = period_of(period_report)
    about = About(
        name=f"{period_report.kind}-report",
        title=_TITLES[period.kind],
        period=str(period),
        subject=f"{period.first:%B %Y}" if period.kind == PeriodReport.Kind.MONTH else day_text(period.first),
        earlier=_before(period_report, period),
        notes=list(_notes(period_report)),
        parts=[
            _by_day(period_report, period)
            if period.kind == PeriodReport.Kind.MONTH
            else _by_shift(period_report)
        ],
        proof=[_rests_on(period_report)],
    )
    return report_document_of(period_report, about)


def _before(period_report: PeriodReport, period: Period) -> Earlier:
    earlier = period_report_of(period.before)
    first = period.before.first
    if period.kind == PeriodReport.Kind.DAY:
        day = day_text(first)
        return Earlier(
            earlier,
            name="week_before",
            title="Against the same day a week before" + ("" if earlier is None else f", {day}"),
            headings=("This day", "A week before"),
            short="a week before",
            missing=f"There is no report of {day}, so there is nothing to compare with.",
        )
    return Earlier(
        earlier,
        name="month_before",
        title="Against the month before" + ("" if earlier is None else f", {first:%B %Y}"),
        headings=("This month", "The month before"),
        short="the month before",
        missing=f"There is no report of {first:%B %Y}, so there is nothing to compare with.",
    )


def _by_shift(period_report: PeriodReport) -> Grid:
    rows = [
        Row(
            {"shift": part["shift_name"], **_sums(period_report, [part])},
            {"shift": _shift_address(part)},
            _mark([part]),
        )
        for part in period_report.typed_figures["parts"]
    ]
    return Grid("shifts", "By shift", (Column("shift", "Shift"), *_columns(period_report)), rows)


def _by_day(period_report: PeriodReport, period: Period) -> Grid:
    by_day: dict[str, list[Part]] = {}
    for part in period_report.typed_figures["parts"]:
        by_day.setdefault(part["gaming_day"], []).append(part)
    rows = [
        Row(
            {"gaming_day": day, "shifts": len(by_day[name]), **_sums(period_report, by_day[name])},
            {
                "gaming_day": reverse(
                    "web:period_report", args=[period.room.code, day_of(period.room, day).name]
                )
            },
            _mark(by_day[name]),
        )
        for day in period.days
        if (name := day.isoformat()) in by_day
    ]
    columns = (
        Column("gaming_day", "Gaming day", Kind.DAY),
        Column("shifts", "Shifts", Kind.COUNT, adds=True),
        *_columns(period_report),
    )
    without = _ranges([day.day for day in period.days if day.isoformat() not in by_day])
    text = f"No shift was opened on {without}." if without else ""
    return Grid("days", "By gaming day", columns, rows, text=text)


def _figures(period_report: PeriodReport) -> Sequence[tuple[str, str]]:
    return (*_FIGURES, *_WINS) if house_banks(period_report) else _FIGURES


def _columns(period_report: PeriodReport) -> Iterator[Column]:
    for name, heading in _figures(period_report):
        yield Column(name, heading, Kind.MONEY if name.endswith("_cents") else Kind.COUNT, adds=True)
    if house_banks(period_report):
        yield Column("hold", "Hold")


def _sums(period_report: PeriodReport, parts: Sequence[Part]) -> dict[str, Value]:
    """The figures over `parts`; not known where one of them does not know it."""
    sums: dict[str, int | None] = {}
    for name, _ in _figures(period_report):
        values = [part[name] for part in parts]  # type: ignore[literal-required]
        sums[name] = None if None in values else sum(values)
    if not house_banks(period_report):
        return {**sums}
    return {**sums, "hold": format_hold(sums["win_by_slips_cents"], sums["buy_ins_cents"])}


def _mark(parts: Sequence[Part]) -> Mark:
    if any(part["differences"] for part in parts):
        return Mark.STOP
    return Mark.LOOK if any(part["counted_cents"] is None for part in parts) else Mark.NONE


def _ranges(days: Sequence[int]) -> str:
    """Days of a month in words: "1 to 14, 20"."""
    ranges: list[tuple[int, int]] = []
    for day in days:
        if ranges and ranges[-1][1] == day - 1:
            ranges[-1] = (ranges[-1][0], day)
        else:
            ranges.append((day, day))
    return ", ".join(str(first) if first == last else f"{first} to {last}" for first, last in ranges)


def _rests_on(period_report: PeriodReport) -> Grid:
    rows = [
        Row(
            {
                "shift": f"{part['shift_name']}, {day_text(datetime.date.fromisoformat(part['gaming_day']))}",
                "report": f"restatement {part['revision']}" if part["revision"] else "as made first",
                "hash": part["content_hash"],
            },
            {"report": f"{_shift_address(part)}?revision={part['revision']}"},
        )
        for part in period_report.typed_figures["parts"]
    ]
    return Grid("rests_on", "Shift reports that it rests on", _RESTS_ON, rows)


def _shift_address(part: Part) -> str:
    return reverse("web:report", args=[part["shift"]])


def _notes(period_report: PeriodReport) -> Iterator[str]:
    subject = period_report.typed_figures["subject"]
    yield (
        f"Made {clock(period_report, period_report.made_at)} from the reports of the shifts alone, when all of them had been made. "
        f"From {clock(period_report, subject['begins_at'])} to {clock(period_report, subject['ends_at'])}."
    )
    yield (
        f"Each of those reports was compared with the rows of its shift ({', '.join(ROW_WAYS)}); where its figure "
        f"({REPORT_WAY}) is another, the shift is named in red. A shift of which a box is not counted has no sum of what was."
    )
    yield (
        "A shift and its rounds belong to the gaming day on which it was opened. A correction counts in the shift in which "
        "it was made. Dealers are listed by name."
    )
