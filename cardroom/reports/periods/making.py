"""Creates period reports: of gaming days and of months, from the stored reports of their shifts."""

from __future__ import annotations

import dataclasses
import datetime
import itertools
from collections.abc import Iterable, Sequence

from django.db import IntegrityError, transaction
from django.utils import timezone

from cardroom.core.canonical import canonical_hash
from cardroom.core.dates import utc_text
from cardroom.floor.errors import NotNow
from cardroom.floor.execution.locks import locked, run_again
from cardroom.floor.journal import Head
from cardroom.floor.models import Shift
from cardroom.floor.report_jobs import Cause, report_ask
from cardroom.rooms.models import Room

from ..emails.sending import emails_of_report
from ..models import PeriodReport, ShiftReport
from ..queries.hours import all_hours
from ..sections.count import counted_of
from ..sections.registry import sections_added
from ..sections.section import Span
from ..stored.figure_types import PeriodFigures, PeriodSubject
from ..stored.late_corrections import standing
from ..stored.selectors import (
    PERIOD_REPORT_KINDS,
    current_reports,
    period_report_of,
    period_reports_due,
    why_not_period_report,
)
from ..stored.store import report_keep
from .figures import Source, period_figures
from .period import Period, day_of, month_of
from .tie_out import differences_with_rows

#: The command by which the room's journal keeps that a period report was made, and what was in it.
PERIOD_REPORT_COMMAND = "period_report"
#: Periods that are asked for at once: a site that has played for years before gets its past bit by bit.
MOST_ASKED = 60


def period_report_make(period: Period) -> PeriodReport:
    """Make the report of a period, restate it when it rests on other reports now, or return the current one.

    However often it runs, there is one period report of a revision. Raises NotNow while the period lasts, and while a shift of
    it is open or has no report.
    """
    if why := why_not_period_report(period, timezone.now()):
        raise NotNow.because(why)
    current = period_report_of(period)
    resting = [report.pk for report in current_reports(period)]
    if current is not None and _rests_on(current) == resting:
        return current
    # Outside of any transaction: reports and the rows of closed shifts stay as they are, and a month of them takes time.
    sources = _sources(resting)
    figures = period_figures(sources, _subject(period))
    span = Span(is_month=period.kind == PeriodReport.Kind.MONTH, hours=all_hours(period.room))
    sections = sections_added([source.sections for source in sources], span)
    period_report = PeriodReport(
        room=period.room, kind=period.kind, first=period.first, figures=figures, sections=sections
    )
    try:
        if (kept := _written(period_report, current, period)) is not None:
            return kept
    except IntegrityError:  # another worker made it at the same moment; the database lets one through
        if period_report_of(period) == current:
            raise
    return period_report_make(period)


@run_again
def _written(
    period_report: PeriodReport, current: PeriodReport | None, period: Period
) -> PeriodReport | None:
    """Write a period report; None where the reports of its period are others by now."""
    with locked(Room, period.room.pk) as room:
        # Under the lock under which reports are written: none of them is superseded unseen.
        if [report.pk for report in current_reports(period)] != _rests_on(period_report):
            return None
        kept = report_keep(
            period_report,
            room,
            current=current,
            inputs_hash=lambda heads: period_inputs_hash(period_report.typed_figures, heads),
            command=PERIOD_REPORT_COMMAND,
            about={"period": period.name},
        )
        emails_of_report(kept, kept.made_at)
        return kept


def period_reports_ask(now: datetime.datetime) -> None:
    """Ask for a job for every day and month that is over, has all its reports and lacks its period report."""
    for period in itertools.islice(period_reports_due(now), MOST_ASKED):
        own, kind = period.shifts.last(), PERIOD_REPORT_KINDS[period.kind]
        last = own or period.ran_in.last()
        assert last is not None  # one without a shift is not due
        with transaction.atomic():
            report_ask(last, Cause.PERIOD_OVER, now, kind, day=period.first if own is None else None)


def period_reports_ask_again(shift: Shift, now: datetime.datetime) -> None:
    """Ask for a job for the period reports that rest on an earlier report of `shift`, in the transaction of the new one."""
    for period in (day_of(shift.room, shift.gaming_day), month_of(shift.room, shift.gaming_day)):
        made = PeriodReport.objects.filter(room=period.room, kind=period.kind, first=period.first)
        if made.exists():
            report_ask(shift, Cause.REPORT_RESTATED, now, PERIOD_REPORT_KINDS[period.kind])


def period_inputs_hash(figures: PeriodFigures, heads: Iterable[Head]) -> str:
    """Return the hex SHA-256 of the hashes of the reports on which a period report rests, and of chain heads."""
    return canonical_hash(
        {
            "reports": [part["content_hash"] for part in figures["parts"]],
            "heads": [dataclasses.asdict(head) for head in heads],
        }
    )


def figures_again(period_report: PeriodReport) -> PeriodFigures:
    """Add a period report's figures up again, from the reports that it names and from the rows as they are now."""
    return period_figures(_sources(_rests_on(period_report)), period_report.typed_figures["subject"])


def _rests_on(period_report: PeriodReport) -> list[int]:
    return [part["report"] for part in period_report.typed_figures["parts"]]


def _sources(pks: Sequence[int]) -> list[Source]:
    """Take the reports up, in the order of `pks`."""
    reports = ShiftReport.objects.select_related("shift__room").in_bulk(pks)
    return [_source(reports[pk]) for pk in pks if pk in reports]


def _source(report: ShiftReport) -> Source:
    figures = report.typed_figures
    total = standing(figures).total
    differences = differences_with_rows(report)
    return Source(
        part={
            "shift": report.shift_id,
            "shift_name": report.shift.name,
            "gaming_day": report.shift.gaming_day.isoformat(),
            "report": report.pk,
            "revision": report.revision,
            "content_hash": report.content_hash,
            "rounds_settled": total["rounds_settled"],
            "total_table_action_cents": total["total_table_action_cents"],
            "drop_expected_cents": total["drop_expected_cents"],
            **counted_of(report.typed_sections["count"]),
            "tips_cents": total["tips_cents"],
            "buy_ins_cents": total["buy_ins_cents"],
            "house_win_cents": total["house_win_cents"],
            "win_by_slips_cents": total["win_by_slips_cents"],
            "tray_variance_cents": total["tray_variance_cents"],
            "differences": len(differences),
        },
        figures=figures,
        sections=report.typed_sections,
        differences=differences,
    )


def _subject(period: Period) -> PeriodSubject:
    begins_at, ends_at = utc_text(period.since), utc_text(period.until)
    assert begins_at is not None
    assert ends_at is not None
    return {
        "room": period.room.pk,
        "room_name": period.room.name,
        "time_zone": period.room.time_zone,
        "kind": period.kind.value,
        "first": period.first.isoformat(),
        "last": period.last.isoformat(),
        "begins_at": begins_at,
        "ends_at": ends_at,
        "ran_in": [
            {
                "shift": shift.pk,
                "shift_name": shift.name,
                "gaming_day": shift.gaming_day.isoformat(),
                "closed_at": utc_text(shift.closed_at) or "",
            }
            for shift in period.ran_in
        ],
    }
