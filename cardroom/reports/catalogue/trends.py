"""Report on trends over weeks: collection, uncovered wagers, rounds an hour and time at the bank, week by week.

Money and rounds are those of the current shift reports, added up; table time is that of the downs in those shifts.
Time at the bank is what the report on it (`bank_time`) finds for each week.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Chart, Column, Grid, Kind, Mark, ReportDocument, Row, Value
from cardroom.documents.formatting import UNKNOWN, several, tenths_text
from cardroom.floor.models import Turn
from cardroom.floor.reads.bank_time import bank_time, whole_seconds
from cardroom.people.rights import Right
from games.money import dollars

from ..periods.weeks import Week, Weeks
from ..queries.banking import banking_in
from ..queries.query import Report, ReportQuery
from ..shift.trays import format_hold
from ..stored.game_fees import game_values, games_added_up
from ..stored.late_corrections import CHANGES, format_since
from ..summary.comparison import divided, percent_text
from ..summary.key_figures import pace_tenths, rounds_an_hour
from .bank_time import NOBODYS, format_share, without_house
from .tables_by_week import tables_by_week

#: Weeks that the report is about where no days are given.
WEEKS: Final = 13
#: Turns at the bank that are gone through while a user waits.
MOST_TURNS: Final = 100_000
#: Figures of shift reports, by their key in the totals, with their headings: everywhere, of players, of the house.
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
        "A week begins on Monday. One that is not over, lacks a report or lies in the time asked about in part is marked with "
        "the days that it has, and is compared with the same days of other weeks alone."
    ),
    "Money and rounds are the totals of the current shift reports; a shift without a report is in none of them.",
    (
        "What was moved counts in the week in which it was moved; what a bank did not cover counts with its round, as it is on "
        "record now. What corrections made in other weeks have changed is beside it."
    ),
    "Table time is the time in which dealers were at tables in those shifts. Rounds an hour are of that.",
)
_NOTE_OF_BANKS: Final = (
    "Time at the bank is that of all gaming days of the week that were asked about, as in the report “Time at the bank”; "
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
    weeks = Weeks(query, [name for name, _ in figures])
    by_week = _by_week(weeks, figures, house=banking.house)
    drawn = [(name, heading) for name, heading in figures if name in _DRAWN]
    grids = [by_week, _a_day(weeks, drawn)]
    charts = [*_charts(weeks, drawn)]
    if banking.players:
        at_bank = _at_bank(query, weeks)
        grids += [tables_by_week(query, weeks), _games(weeks), _providers(at_bank)]
        charts += _provider_charts(weeks, at_bank)
    return query.document(
        "trends",
        "Trends over weeks",
        answers=list(_answers(query, weeks, by_week, figures)),
        charts=charts,
        grids=grids,
        notes=[*_NOTES, *([_NOTE_OF_BANKS] if banking.players else [])],
    )


def _by_week(weeks: Weeks, figures: Sequence[tuple[str, str]], *, house: bool) -> Grid:
    """The weeks one under the other, with what was changed since beside each figure of which something was."""
    since = {name for name, _ in figures if name in CHANGES and any(week.since(name) for week in weeks.all)}

    def kind(name: str) -> Kind:
        return Kind.MONEY if name.endswith("_cents") else Kind.COUNT

    columns = [
        Column("week_of", "Week of", Kind.DAY),
        Column("standing", "Over"),
        Column("days", "Days", Kind.COUNT, adds=True),
        Column("shifts", "Shifts", Kind.COUNT, adds=True),
    ]
    for name, heading in figures:
        columns.append(Column(name, heading, kind(name), adds=True))
        if name in since:
            columns.append(Column(f"since_{name}", "changed since", kind(name), adds=True))
    columns += [
        Column("table_seconds", "Table time", Kind.SPAN, adds=True),
        Column("rounds_an_hour", "Rounds an hour", Kind.FIGURE),
        *([Column("hold", "Hold", Kind.FIGURE)] if house else []),
    ]
    rows = [_row(weeks, week, figures, since, house) for week in weeks.all]
    grid = Grid("weeks", "Week by week", columns, rows, empty="No shift of this time is reported.")
    sums = grid.totals or {}
    rounds, seconds = sums.get("rounds_settled"), sums.get("table_seconds")
    in_all = {"rounds_an_hour": rounds_an_hour(rounds or 0, seconds or 0) or "none"}
    if house:
        hold = format_hold(sums.get("win_by_slips_cents"), sums.get("buy_ins_cents") or 0)
        in_all["hold"] = hold or UNKNOWN
    return dataclasses.replace(grid, in_all=in_all)


def _row(
    weeks: Weeks, week: Week, figures: Sequence[tuple[str, str]], since: Collection[str], house: bool
) -> Row:
    sums = {name: week.sum(name) for name, _ in figures}
    rounds = sums["rounds_settled"]
    values: dict[str, Value] = {
        "week_of": week.monday,
        "standing": week.standing,
        "days": len(week.days),
        "shifts": len(week.shifts),
        **sums,
        **{f"since_{name}": week.since(name) for name in since},
        "table_seconds": week.seconds,
        "rounds_an_hour": None if rounds is None else rounds_an_hour(rounds, week.seconds) or "none",
    }
    if house:
        values["hold"] = format_hold(sums["win_by_slips_cents"], sums["buy_ins_cents"])
    links = {figure: _days_address(weeks, week, report) for figure, report in _OPENS if figure in values}
    return Row(values, links)


def _days_address(weeks: Weeks, week: Week, report: str) -> str:
    """The address of a report about the days of a week that were asked about."""
    first, last = weeks.asked(week.monday)
    days = urlencode({"from": first, "to": last})
    return f"{reverse('web:catalogue_report', args=[weeks.room.code, report])}?{days}"


#: The report with the details of a figure.
_OPENS: Final = (
    ("drop_expected_cents", "collection"),
    ("uncovered_cents", "coverage"),
    ("tips_cents", "tips"),
    ("win_by_slips_cents", "house-win"),
)


def _a_day(weeks: Weeks, drawn: Sequence[tuple[str, str]]) -> Grid:
    """What the charts show in figures: a day's mean, and what is usual on the same days of other weeks."""
    columns = [Column("week_of", "Week of", Kind.DAY), Column("standing", "Over")]
    for name, heading in drawn:
        columns += [
            Column(f"day_{name}", f"{heading} a day", Kind.MONEY),
            Column(f"usual_{name.removesuffix('_cents')}", "usual on these days", Kind.FIGURE),
            Column(f"against_{name.removesuffix('_cents')}", "against it", Kind.FIGURE),
        ]
    columns += [
        Column("rounds_an_hour", "Rounds an hour", Kind.FIGURE),
        Column("usual_pace", "usual on these days", Kind.FIGURE),
    ]
    rows = []
    for week in weeks.all:
        values: dict[str, Value] = {"week_of": week.monday, "standing": week.standing}
        for name, _ in drawn:
            values[f"day_{name}"] = _mean_a_day(week, week.sum(name))
            compared = weeks.usual(week, name)
            usual_cents = None if compared is None else _mean_a_day(week, compared[1])
            values[f"usual_{name.removesuffix('_cents')}"] = (
                _NOTHING if usual_cents is None else dollars(usual_cents)
            )
            values[f"against_{name.removesuffix('_cents')}"] = _against(compared)
        pace, usual = _pace(week), _usual_pace(weeks, week)
        values["rounds_an_hour"] = "none" if pace is None else tenths_text(pace)
        values["usual_pace"] = _NOTHING if usual is None else tenths_text(usual)
        rows.append(Row(values))
    return Grid("a_day", "A day, against the same days of other weeks", columns, rows, text=_SAYS_A_DAY)


#: What is said where there is no other week to compare with.
_NOTHING: Final = "none"
_SAYS_A_DAY: Final = (
    "Usual is the mean of the same shifts on the same weekdays in the other weeks that are whole. A week in part is held "
    "against the days of it that are reported, and against no others."
)


def _mean_a_day(week: Week, cents: int | None) -> int | None:
    """Cents over the reported days of a week; 0 of a week without one."""
    return None if cents is None else divided(cents, len(week.days)) if week.days else 0


def _against(compared: tuple[int, int] | None) -> str:
    """By how much per cent, with a tenth, a figure is above the usual: "+2.1%"."""
    if compared is None or compared[1] <= 0:
        return _NOTHING
    return percent_text(*compared)


def _pace(week: Week) -> int | None:
    """Tenths of rounds an hour; None without time or where the rounds are not known."""
    rounds = week.sum("rounds_settled")
    return None if rounds is None or not week.seconds else pace_tenths(rounds, week.seconds)


def _usual_pace(weeks: Weeks, week: Week) -> int | None:
    found = weeks.usual_pace(week, "rounds_settled")
    if found is None or not (seconds := whole_seconds([found[1]])):
        return None
    return pace_tenths(found[0], seconds)


def _games(weeks: Weeks) -> Grid:
    """What was collected by filed game and approval, week by week, by the shift reports."""
    columns = (
        Column("week_of", "Week of", Kind.DAY),
        Column("game", "Game"),
        Column("filing", "Filed as"),
        Column("reference", "State's number"),
        Column("rounds", "Rounds", Kind.COUNT, adds=True),
        Column("drop_cents", "Drop", Kind.MONEY, adds=True),
        Column("jackpot_cents", "Jackpot box", Kind.MONEY, adds=True),
    )
    rows = [
        Row({"week_of": week.monday, **game_values(game)})
        for week in weeks.all
        for game in games_added_up(shift.games for shift in week.shifts)
    ]
    return Grid("games", "Fees by game and approval, week by week", columns, rows)


def _answers(
    query: ReportQuery, weeks: Weeks, by_week: Grid, figures: Iterable[tuple[str, str]]
) -> Iterator[Answer]:
    totals = by_week.totals or {}
    for name, heading in figures:
        kind = Kind.MONEY if name.endswith("_cents") else Kind.COUNT
        since = sum(week.since(name) for week in weeks.all)
        yield Answer(name, heading, totals[name], kind, text=format_since(name, since))
    rounds, seconds = totals["rounds_settled"], totals["table_seconds"]
    pace = None if rounds is None else rounds_an_hour(rounds, seconds) or "none"
    yield Answer("rounds_an_hour", "Rounds an hour", pace, Kind.FIGURE)
    waiting = len(query.shifts) - (totals["shifts"] or 0)
    mark = Mark.LOOK if waiting else Mark.DONE
    yield Answer("not_reported", "Shifts without a report", waiting, Kind.COUNT, mark)


def _charts(weeks: Weeks, drawn: Iterable[tuple[str, str]]) -> Iterator[Chart]:
    """A chart of each figure that has a shape: those of fewer than two weeks have none."""
    if len(weeks.all) < 2:
        return
    labels, in_part = [week.label for week in weeks.all], [week.in_part for week in weeks.all]
    links = [_days_address(weeks, week, "days") for week in weeks.all]
    for name, heading in drawn:
        values = [_mean_a_day(week, week.sum(name)) for week in weeks.all]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            continue
        compared = [weeks.usual(week, name) for week in weeks.all]
        usual = [
            None if each is None else _mean_a_day(week, each[1])
            for week, each in zip(weeks.all, compared, strict=True)
        ]
        yield Chart(
            name.removesuffix("_cents"),
            f"{heading} a day, by week",
            labels,
            known,
            text_money=True,
            unit="$",
            links=links,
            before=usual if any(usual) else (),
            before_name=_USUAL,
            in_part=in_part,
        )
    paces = [_usual_pace(weeks, week) for week in weeks.all]
    yield Chart(
        "paces",
        "Rounds an hour, by week",
        labels,
        [_pace(week) or 0 for week in weeks.all],
        tenths=True,
        unit="rounds",
        links=links,
        before=paces if any(paces) else (),
        before_name=_USUAL,
        in_part=in_part,
    )


_USUAL: Final = "usual on the same days"
_DRAWN: Final = ("drop_expected_cents", "uncovered_cents", "win_by_slips_cents")


class _Held:
    """What a provider's players held of the bank in a week."""

    def __init__(self) -> None:
        self.turns = self.rounds = 0
        self.held = datetime.timedelta()

    @property
    def seconds(self) -> int:
        return whole_seconds([self.held])


#: By week, its seconds of play and what each provider held, by the provider's name.
_AtBank = dict[datetime.date, tuple[int, dict[str, _Held]]]


def _at_bank(query: ReportQuery, weeks: Weeks) -> _AtBank | None:
    """Who held the bank in each week; None where that would be more turns than are waited for."""
    turns = Turn.objects.filter(shift__in=query.shifts)
    if turns.order_by()[: MOST_TURNS + 1].count() > MOST_TURNS:
        return None
    at_bank: _AtBank = {}
    for week in weeks.all:
        first, last = weeks.asked(week.monday)
        asked = dataclasses.replace(query, first=first, last=last)
        found = without_house(asked, bank_time(query.room, asked.since, asked.until))
        held: defaultdict[str, _Held] = defaultdict(_Held)
        for share in found.shares:
            mine = held[NOBODYS if share.provider is None else share.provider.name]
            mine.turns += share.turns
            mine.rounds += share.rounds
            mine.held += share.held
        play = whole_seconds(found.in_play.values())
        at_bank[week.monday] = (play, dict(sorted(held.items(), key=lambda item: -item[1].held)))
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
                "share": format_share(held.seconds, play),
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


def _provider_charts(weeks: Weeks, at_bank: _AtBank | None) -> Iterator[Chart]:
    """The share of table time in which providers' players held the bank, in tenths of a per cent as its table has it."""
    if at_bank is None or len(weeks.all) < 2:
        return
    shares = []
    for week in weeks.all:
        play, providers = at_bank[week.monday]
        seconds = sum(held.seconds for provider, held in providers.items() if provider != NOBODYS)
        shares.append(divided(seconds * 1000, play) if play else 0)
    yield Chart(
        "shares",
        "Bank held by providers, share of table time by week",
        [week.label for week in weeks.all],
        shares,
        tenths=True,
        unit="%",
        in_part=[week.in_part for week in weeks.all],
    )


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    weeks = figures.rows("weeks")
    waiting = figures.number("not_reported")
    if not weeks:
        shifts = figures.several("not_reported", "shift")
        return (
            f"Nothing is reported yet: {shifts} to come" if waiting else "No shift of this time is reported"
        )
    name = "drop_expected_cents" if "drop_expected_cents" in figures else "house_win_cents"
    took = "took" if name == "drop_expected_cents" else "won"
    fallen = sum(row.mark is Mark.LOOK for row in figures.rows("tables"))
    tables = f"; {several(fallen, 'table')} fell by 15% or more" if fallen else ""
    pace = f"at {figures.text('rounds_an_hour')} rounds an hour"
    return f"{several(len(weeks), 'week')} {took} {figures.text(name)} {pace}{tables}"


TRENDS = Report(
    name="trends",
    title="Trends over weeks",
    text="How do collection or house win, uncovered wagers, rounds an hour and the providers' time at the bank develop?",
    right=Right.SEE_REPORTS,
    make=trends,
    answer=_answer,
    by_table=False,
    weeks=WEEKS,
)
