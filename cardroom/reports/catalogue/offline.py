"""Report on offline work: commands given offline, and how long each tablet was offline (ruling 61; 4 CCR 12290(c)(3))."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from django.db.models import Q

from cardroom.documents.answering import Told
from cardroom.documents.document import Column, Grid, Kind, Mark, ReportDocument, Row
from cardroom.floor.models import OfflineEntry, Shift, Table, TabletGap
from cardroom.floor.screens import silent_screens
from cardroom.people.rights import Right

from ..queries.query import Report, ReportQuery
from ..sections.listed import CountAnswer, SummedTable, count_answers

#: A provider reports an electronic playing book that was not synchronized for longer (4 CCR 12290(c)(3)).
REPORTED = datetime.timedelta(hours=24)
OFFLINE_ANSWERS = (
    CountAnswer("entries", "Entries given offline"),
    CountAnswer("earlier", "Given in an earlier shift", if_any=Mark.LOOK),
    CountAnswer("late", "Recorded after the shift had closed", if_any=Mark.LOOK),
    CountAnswer("gaps", "Times out of touch"),
    CountAnswer("over", "Over 24 hours", if_any=Mark.STOP),
)
_TABLETS = (
    Column("table", "Table", Kind.COUNT),
    Column("tablet", "Tablet"),
    Column("times", "Times out of touch", Kind.COUNT, adds=True),
    Column("longest_seconds", "Longest", Kind.SPAN),
    Column("total_seconds", "In all", Kind.SPAN, adds=True),
    Column("over", "Over 24 hours", Kind.COUNT, adds=True),
)
GAPS_BY_TABLET = SummedTable(
    "tablets",
    "By tablet",
    _TABLETS,
    by=("table", "tablet"),
    mark=lambda tablet: Mark.STOP if tablet["over"] else Mark.NONE,
    empty="Every tablet was in touch.",
)
_GAPS = (
    Column("table", "Table", Kind.COUNT),
    Column("tablet", "Tablet"),
    Column("since_at", "Last heard", Kind.INSTANT),
    Column("until_at", "Heard again", Kind.INSTANT),
    Column("out_seconds", "Out of touch", Kind.SPAN),
)
_ENTRIES = (
    Column("table", "Table", Kind.COUNT),
    Column("entry", "Entry"),
    Column("by", "Given by"),
    Column("given_at", "Given", Kind.INSTANT),
    Column("taken_at", "Recorded", Kind.INSTANT),
    Column("waited_seconds", "Waited", Kind.SPAN),
    Column("given_in", "Given in"),
    Column("shift", "Counts in"),
)
_NOTES = (
    "When an entry was given is the tablet's time, corrected by what its clock differed when it was in touch.",
    "An entry counts in the shift in which it was recorded; one that was given in an earlier shift is in both reports.",
    "A tablet is out of touch when it was not heard for 90 seconds and its page was not closed: 4 CCR 12290(c)(3).",
)


class _Gap(NamedTuple):
    table: int
    tablet: str
    since: datetime.datetime
    until: datetime.datetime | None
    seconds: int

    @property
    def mark(self) -> Mark:
        return Mark.STOP if self.seconds > REPORTED.total_seconds() else Mark.NONE


def offline(query: ReportQuery) -> ReportDocument:
    """List what was given offline in the shifts asked about, or recorded in them, and how long tablets were out of touch."""
    shifts = [shift.pk for shift in query.shifts]
    entries = OfflineEntry.objects.filter(Q(shift__in=shifts) | Q(given_in__in=shifts), room=query.room)
    if query.table is not None:
        entries = entries.filter(table=query.table)
    found = list(entries.select_related("table", "given_by", "shift", "given_in").order_by("taken_at", "pk"))
    recorded = [entry for entry in found if entry.shift_id in shifts]
    gaps = sorted(_gaps(query), key=lambda gap: (gap.since, gap.table, gap.tablet))
    counts = {
        "entries": len(recorded),
        "earlier": sum(entry.given_in_id is not None for entry in recorded),
        "late": sum(entry.given_in_id in shifts for entry in found),
        "gaps": len(gaps),
        "over": sum(gap.mark is Mark.STOP for gap in gaps),
    }
    return query.document(
        "offline",
        "Offline",
        answers=count_answers(OFFLINE_ANSWERS, counts),
        grids=[
            GAPS_BY_TABLET.drawn(_by_tablet(gaps)),
            Grid(
                "gaps",
                "Out of touch",
                _GAPS,
                [_gap_row(gap) for gap in gaps],
                empty="Every tablet was in touch.",
            ),
            Grid("entries", "Entries given offline", _ENTRIES, list(_rows(found)), empty="None."),
        ],
        notes=_NOTES,
    )


def _rows(entries: Iterable[OfflineEntry]) -> Iterator[Row]:
    for entry in entries:
        yield Row(
            {
                "table": entry.table.number,
                "entry": entry.command.replace("_", " "),
                "by": str(entry.given_by),
                "given_at": entry.given_at,
                "taken_at": entry.taken_at,
                "waited_seconds": int((entry.taken_at - entry.given_at).total_seconds()),
                "given_in": str(entry.given_in or entry.shift or ""),
                "shift": str(entry.shift or ""),
            },
            mark=Mark.NONE if entry.given_in is None else Mark.LOOK,
        )


def _gaps(query: ReportQuery) -> Iterator[_Gap]:
    """The times out of touch that touch the shifts asked about; one that goes on still, up to now."""
    tables = Table.objects.filter(room=query.room)
    if query.table is not None:
        tables = tables.filter(pk=query.table.pk)
    numbers = dict(tables.values_list("pk", "number"))
    noted = TabletGap.objects.filter(table__in=numbers)
    met = Q()
    for shift in query.shifts:
        met |= Q(until__gt=shift.opened_at, since__lt=shift.closed_at or query.now)
    if met:
        for gap in noted.filter(met):
            seconds = int((gap.until - gap.since).total_seconds())
            yield _Gap(numbers[gap.table_id], gap.screen, gap.since, gap.until, seconds)
    if not any(_goes_on(shift, query.now) for shift in query.shifts):
        return
    for table_id, silent in silent_screens(numbers, query.now).items():
        for screen, since in silent.items():
            yield _Gap(numbers[table_id], screen, since, None, int((query.now - since).total_seconds()))


def _goes_on(shift: Shift, now: datetime.datetime) -> bool:
    return shift.closed_at is None or shift.closed_at > now


def _by_tablet(gaps: Sequence[_Gap]) -> Iterator[dict[str, Any]]:
    by_tablet: dict[tuple[int, str], list[_Gap]] = {}
    for gap in gaps:
        by_tablet.setdefault((gap.table, gap.tablet), []).append(gap)
    for (table, tablet), of_it in sorted(by_tablet.items()):
        yield {
            "table": table,
            "tablet": tablet,
            "times": len(of_it),
            "longest_seconds": max(gap.seconds for gap in of_it),
            "total_seconds": sum(gap.seconds for gap in of_it),
            "over": sum(gap.mark is Mark.STOP for gap in of_it),
        }


def _gap_row(gap: _Gap) -> Row:
    return Row(
        {
            "table": gap.table,
            "tablet": gap.tablet,
            "since_at": gap.since,
            "until_at": gap.until,
            "out_seconds": gap.seconds,
        },
        mark=gap.mark,
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    gaps, entries = figures.number("gaps"), figures.number("entries")
    if not gaps and not entries:
        return "Every tablet was in touch, and nothing was given offline"
    over = f", {figures.text('over')} of them over 24 hours" if figures.number("over") else ""
    times = figures.several("gaps", "time")
    return f"Tablets were out of touch {times}{over}; {figures.several('entries', 'entry')} given offline"


OFFLINE = Report(
    name="offline",
    title="Offline",
    text="How long was each tablet out of touch, and what was given meanwhile?",
    right=Right.SEE_REPORTS,
    make=offline,
    answer=_answer,
    by_shift=True,
)
