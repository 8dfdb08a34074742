"""Trends over weeks: collection, uncovered wagers, rounds an hour and time at the bank, week by week.

Money and rounds are those of the shift reports as they stand, added up; table time is that of the downs in those shifts.
Time at the bank is what the report about it tells of each week.
"""

from __future__ import annotations

import bisect
import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse

from cardroom.documents.document import Answer, Chart, Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.floor.models import Down, Shift, Turn
from cardroom.floor.reads.bank_time import bank_time
from cardroom.people.rights import Right

from ..banking import banking_in
from ..first_page import rounds_an_hour
from ..models import ShiftReport
from ..query import Report, ReportQuery
from ..trays import hold_in_words
from .bank_time import NOBODYS, share_in_words, without_house

#: Weeks that the report is about where no days are given.
WEEKS: Final = 13
#: Turns at the bank that are gone through while a user waits.
MOST_TURNS: Final = 100_000
#: Figures of shift reports, by where they stand in the totals, with their headings: everywhere, of players, of the house.
_EVERYWHERE: Final = (("rounds_settled", "Rounds"), ("tips_cents", "Tips"))
_OF_PLAYERS: Final = (
    ("drop_expected_cents", "Drop expected"),
    ("uncovered_cents", "Returned uncovered"),
    ("exhausted_banks", "Banks exhausted"),
)
_OF_THE_HOUSE: Final = (
    ("buy_ins_cents", "Cash bought in"),
    ("win_by_slips_cents", "House win by slips"),
    ("house_win_cents", "House win by rounds"),
)
_NOTES: Final = (
    (
        "A week begins on Monday. The first and the last one may lie in the time asked about in part: the column of days says "
        "of how many gaming days a shift was reported."
    ),
    "Money and rounds are the totals of the shift reports as they stand; a shift without a report is in none of them.",
    "Table time is the time in which dealers were at tables in those shifts. Rounds an hour are of that.",
)
_NOTE_OF_BANKS: Final = (
    "Time at the bank is that of all gaming days of the week that were asked about, as the report “Time at the bank” tells it; "
    "its share is of the time in which tables were in play."
)


def trends(query: ReportQuery) -> ReportDocument:
    """Tell the weeks of the time asked about."""
    banking = banking_in(query.room, query.shifts)
    figures = (
        *_EVERYWHERE,
        *(_OF_PLAYERS if banking.players else ()),
        *(_OF_THE_HOUSE if banking.house else ()),
    )
    weeks = _weeks(query, [name for name, _ in figures])
    rows = [_row(query, week, banking.house) for week in weeks]
    columns = [
        Column("week_of", "Week of", Kind.DAY),
        Column("days", "Days", Kind.COUNT, adds=True),
        Column("shifts", "Shifts", Kind.COUNT, adds=True),
        *(
            Column(name, heading, Kind.MONEY if name.endswith("_cents") else Kind.COUNT, adds=True)
            for name, heading in figures
        ),
        Column("table_seconds", "Table time", Kind.SPAN, adds=True),
        Column("rounds_an_hour", "Rounds an hour", Kind.FIGURE),
        *([Column("hold", "Hold", Kind.FIGURE)] if banking.house else []),
    ]
    by_week = Grid("weeks", "Week by week", columns, rows, empty="No shift of this time is reported.")
    grids = [by_week]
    charts = [*_charts(weeks, figures)]
    if banking.players:
        at_bank = _at_bank(query, weeks)
        grids.append(_providers(at_bank))
        charts += _provider_charts(weeks, at_bank)
    return query.document(
        "trends",
        "Trends over weeks",
        answers=list(_answers(query, by_week, figures)),
        charts=charts,
        grids=grids,
        notes=[*_NOTES, *([_NOTE_OF_BANKS] if banking.players else [])],
    )


class _Week:
    """What the shift reports of a week come to; None of a figure that one of them does not know."""

    def __init__(self, monday: datetime.date, names: Sequence[str]) -> None:
        self.monday = monday
        self.days: set[datetime.date] = set()
        self.shifts = 0
        self.sums: dict[str, int | None] = dict.fromkeys(names, 0)
        self.seconds = 0

    def add(self, day: datetime.date, figures: Mapping[str, Any], seconds: int) -> None:
        """Add the report of a shift of a gaming day."""
        self.days.add(day)
        self.shifts += 1
        self.seconds += seconds
        for name, sum_ in self.sums.items():
            value = figures[name]
            self.sums[name] = None if sum_ is None or value is None else sum_ + value

    @property
    def label(self) -> str:
        return f"{self.monday:%b} {self.monday.day}"


def _weeks(query: ReportQuery, names: Sequence[str]) -> list[_Week]:
    """The weeks of the time asked about in which a shift was reported, and those between them."""
    reports = ShiftReport.objects.filter(shift__in=query.shifts, restatement__isnull=True)
    totals = [f"figures__total__{name}" for name in names]
    stored = reports.order_by("shift__opened_at").values_list("shift", "shift__gaming_day", *totals)
    seconds = _table_seconds(query)
    weeks: dict[datetime.date, _Week] = {}
    for shift, day, *values in stored:
        monday = _monday(day)
        last = max(weeks, default=monday)
        while last < monday:
            last += _WEEK
            weeks[last] = _Week(last, names)
        week = weeks.setdefault(monday, _Week(monday, names))
        week.add(day, dict(zip(names, values, strict=True)), seconds[shift])
    return list(weeks.values())


_WEEK: Final = datetime.timedelta(days=7)


def _monday(day: datetime.date) -> datetime.date:
    return day - datetime.timedelta(days=day.weekday())


def _table_seconds(query: ReportQuery) -> dict[int, int]:
    """Seconds of dealers at tables in each shift, by its id: the downs, cut to the shifts."""
    shifts = [shift for shift in query.shifts if shift.closed_at is not None]
    seconds: defaultdict[int, int] = defaultdict(int)
    if not shifts:
        return seconds
    opened = [shift.opened_at for shift in shifts]
    ends = max(_closed(shift) for shift in shifts)
    downs = Down.objects.filter(room=query.room, started_at__lt=ends).filter(
        Q(ended_at__isnull=True) | Q(ended_at__gt=opened[0])
    )
    for started_at, ended_at in downs.order_by().values_list("started_at", "ended_at").iterator():
        # From the last shift that had been opened when the down began.
        for shift in shifts[max(0, bisect.bisect_right(opened, started_at) - 1) :]:
            if ended_at is not None and shift.opened_at >= ended_at:
                break
            begins = max(started_at, shift.opened_at)
            until = _closed(shift) if ended_at is None else min(ended_at, _closed(shift))
            seconds[shift.pk] += max(0, int((until - begins).total_seconds()))
    return seconds


def _closed(shift: Shift) -> datetime.datetime:
    assert shift.closed_at is not None  # the others are left out
    return shift.closed_at


def _row(query: ReportQuery, week: _Week, house: bool) -> Row:
    rounds = week.sums["rounds_settled"]
    values: dict[str, Value] = {
        "week_of": week.monday,
        "days": len(week.days),
        "shifts": week.shifts,
        **week.sums,
        "table_seconds": week.seconds,
        "rounds_an_hour": None if rounds is None else rounds_an_hour(rounds, week.seconds) or "none",
    }
    if house:
        values["hold"] = hold_in_words(week.sums["win_by_slips_cents"], week.sums["buy_ins_cents"])
    first, last = _in_week(query, week.monday)
    days = urlencode({"from": first, "to": last})
    links = {
        figure: f"{reverse('web:catalogue_report', args=[query.room.code, report])}?{days}"
        for figure, report in _OPENS
        if figure in values
    }
    return Row(values, links)


#: The report that tells more of a figure.
_OPENS: Final = (
    ("drop_expected_cents", "collection"),
    ("uncovered_cents", "coverage"),
    ("tips_cents", "tips"),
    ("win_by_slips_cents", "house-win"),
)


def _in_week(query: ReportQuery, monday: datetime.date) -> tuple[datetime.date, datetime.date]:
    """The first and the last gaming day of a week that were asked about."""
    return max(query.first, monday), min(query.last, monday + _WEEK - datetime.timedelta(days=1))


def _answers(query: ReportQuery, by_week: Grid, figures: Iterable[tuple[str, str]]) -> Iterator[Answer]:
    totals = by_week.totals or {}
    for name, heading in figures:
        kind = Kind.MONEY if name.endswith("_cents") else Kind.COUNT
        yield Answer(name, heading, totals[name], kind)
    rounds, seconds = totals["rounds_settled"], totals["table_seconds"]
    pace = None if rounds is None else rounds_an_hour(rounds, seconds) or "none"
    yield Answer("rounds_an_hour", "Rounds an hour", pace, Kind.FIGURE)
    waiting = len(query.shifts) - (totals["shifts"] or 0)
    mark = Mark.LOOK if waiting else Mark.DONE
    yield Answer("not_reported", "Shifts without a report", waiting, Kind.COUNT, mark)


def _charts(weeks: Sequence[_Week], figures: Iterable[tuple[str, str]]) -> Iterator[Chart]:
    """A chart of each figure that has a shape: those of fewer than two weeks have none."""
    if len(weeks) < 2:
        return
    names = {name: heading for name, heading in figures if name in _DRAWN}
    labels = [week.label for week in weeks]
    for name, heading in names.items():
        values = [week.sums[name] for week in weeks]
        known = [value for value in values if value is not None]
        if len(known) == len(values):
            yield Chart(name.removesuffix("_cents"), f"{heading}, by week", labels, known, says_money=True)
    paces = [
        ((week.sums["rounds_settled"] or 0) * 7200 + week.seconds) // (2 * week.seconds)
        if week.seconds
        else 0
        for week in weeks
    ]
    yield Chart("paces", "Rounds an hour, by week", labels, paces)


_DRAWN: Final = ("drop_expected_cents", "uncovered_cents", "win_by_slips_cents")


class _Held:
    """What a provider's players held of the bank in a week."""

    def __init__(self) -> None:
        self.turns = self.rounds = self.seconds = 0


#: By week, its seconds of play and what each provider held, by the provider's name.
_AtBank = dict[datetime.date, tuple[int, dict[str, _Held]]]


def _at_bank(query: ReportQuery, weeks: Sequence[_Week]) -> _AtBank | None:
    """Who held the bank in each week; None where that would be more turns than are waited for."""
    turns = Turn.objects.filter(shift__in=query.shifts)
    if turns.order_by()[: MOST_TURNS + 1].count() > MOST_TURNS:
        return None
    at_bank: _AtBank = {}
    for week in weeks:
        first, last = _in_week(query, week.monday)
        asked = dataclasses.replace(query, first=first, last=last)
        found = without_house(asked, bank_time(query.room, asked.since, asked.until))
        held: defaultdict[str, _Held] = defaultdict(_Held)
        for share in found.shares:
            mine = held[NOBODYS if share.provider is None else share.provider.name]
            mine.turns += share.turns
            mine.rounds += share.rounds
            mine.seconds += share.seconds
        play = sum(found.in_play.values())
        at_bank[week.monday] = (play, dict(sorted(held.items(), key=lambda item: -item[1].seconds)))
    return at_bank


def _providers(at_bank: _AtBank | None) -> Grid:
    columns = (
        Column("week_of", "Week of", Kind.DAY),
        Column("provider", "Provider"),
        Column("turns", "Turns begun", Kind.COUNT, adds=True),
        Column("rounds", "Rounds banked", Kind.COUNT, adds=True),
        Column("bank_seconds", "Time at the bank", Kind.SPAN, adds=True),
        Column("share", "Share of table time", Kind.FIGURE),
    )
    rows = [
        Row(
            {
                "week_of": monday,
                "provider": provider,
                "turns": held.turns,
                "rounds": held.rounds,
                "bank_seconds": held.seconds,
                "share": share_in_words(held.seconds, play),
            }
        )
        for monday, (play, providers) in (at_bank or {}).items()
        for provider, held in providers.items()
    ]
    empty = (
        f"These are more than {MOST_TURNS:,} turns at the bank: ask for fewer weeks."
        if at_bank is None
        else "Nobody held the bank."
    )
    return Grid("providers", "Time at the bank by provider, week by week", columns, rows, empty=empty)


def _provider_charts(weeks: Sequence[_Week], at_bank: _AtBank | None) -> Iterator[Chart]:
    """The share of table time in which providers' players held the bank, in whole per cents."""
    if at_bank is None or len(weeks) < 2:
        return
    shares = []
    for week in weeks:
        play, providers = at_bank[week.monday]
        seconds = sum(held.seconds for provider, held in providers.items() if provider != NOBODYS)
        shares.append((seconds * 200 + play) // (2 * play) if play else 0)
    labels = [week.label for week in weeks]
    yield Chart("shares", "Bank held by providers, per cent of table time by week", labels, shares)


TRENDS = Report(
    name="trends",
    title="Trends over weeks",
    says="How do collection or house win, uncovered wagers, rounds an hour and the providers' time at the bank develop?",
    right=Right.SEE_REPORTS,
    make=trends,
    by_table=False,
    weeks=WEEKS,
)
