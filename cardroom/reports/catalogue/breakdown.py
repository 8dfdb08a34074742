"""Report by game, table, dealer and provider: who and what made the drop, the rounds and the tips of a time.

Counted from the rounds, as the report on collection is; times are those of the downs and of the turns at the bank.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from django.db.models import Count, F, Q, Sum

from cardroom.core.dates import day_text
from cardroom.documents.answering import Told, largest
from cardroom.documents.document import Answer, Chart, Column, Grid, Kind, ReportDocument, Row, Value
from cardroom.filings.models import GameFiling
from cardroom.floor.models import BuyIn, Round, Table, TimeCollection, Turn
from cardroom.floor.reads.bank_time import bank_time, whole_seconds
from cardroom.inbox.models import Item, ItemPerson
from cardroom.people.firms import Firms
from cardroom.people.models import Provider, Staff
from cardroom.people.rights import Right
from games.rotation.profile import HOUSE_BANKS

from ..queries.banking import banking_in
from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import counts, report_address, rounds_of
from ..queries.table_time import GameTimes, times_at_tables
from ..results.figures import DROP
from ..results.played import same_days_before, span_text
from ..stored.game_fees import drop_counted, filing_text, game_of_time
from ..stored.late_corrections import corrections_of, standing_rounds
from ..summary.key_figures import pace_tenths, rounds_an_hour
from .bank_time import NOBODYS, format_share, without_house
from .trends import MOST_TURNS

_NOTES: Final = (
    "Counted from the rounds, those of an open shift too: fees where they were moved, uncovered wagers with their round.",
    (
        "Time collected by the clock counts for the table, and for the game of the last round opened there before; it is no "
        "dealer’s. Tips are those won on wagers, of the dealer who opened the round."  # noqa: RUF001
    ),
    (
        "Table time is the time in which a dealer was at the table, and rounds an hour are of that. It is a game’s from the first "  # noqa: RUF001
        "round of it at a table until the first of another there."
    ),
    "Exceptions are the items of the inbox at a table, or that name the dealer; one may name several.",
    "Per cent is of the drop before: of the same weekdays, or of days from the first of a month on of those of the month before.",
)


@dataclasses.dataclass
class _Sums:
    """What one game, table or dealer came to, in cents and rounds."""

    rounds: int = 0
    drop: int = 0
    jackpot: int = 0
    tips: int = 0
    uncovered: int = 0
    won: int = 0
    time: datetime.timedelta = datetime.timedelta()

    @property
    def seconds(self) -> int:
        return whole_seconds([self.time])


#: The sums by table, by dealer and by game (None: on none), each by its id.
_By = Mapping[Any, _Sums]


@dataclasses.dataclass
class _Found:
    tables: defaultdict[int, _Sums] = dataclasses.field(default_factory=lambda: defaultdict(_Sums))
    dealers: defaultdict[int, _Sums] = dataclasses.field(default_factory=lambda: defaultdict(_Sums))
    games: defaultdict[int | None, _Sums] = dataclasses.field(default_factory=lambda: defaultdict(_Sums))

    def at(self, table: int, dealer: int | None, game: int | None) -> Iterator[_Sums]:
        """Those for which something counts."""
        yield self.tables[table]
        yield self.games[game]
        if dealer is not None:
            yield self.dealers[dealer]


def breakdown(query: ReportQuery) -> ReportDocument:
    """Tell what was made by which game, table, dealer and provider."""
    banking = banking_in(query.room, query.shifts)
    found = _found(query)
    then = same_days_before(query.first, query.last)
    why_not = _why_not_compared(query, then)
    before = None if why_not else _found(dataclasses.replace(query, first=then[0], last=then[1]))
    text = why_not or f"The change is that of the drop, against {span_text(*then)}."
    tables = _tables(query, found, before, text, house=banking.house)
    grids = [_games(query, found, before, text), tables, _dealers(query, found, before, text)]
    if banking.players:
        grids.append(_providers(query))
    return query.document(
        "breakdown",
        "By game, table, dealer and provider",
        answers=list(_answers(found)),
        charts=list(_charts(tables, found, before, then)),
        grids=grids,
        notes=_NOTES,
    )


def _found(query: ReportQuery) -> _Found:
    """Add up what the shifts of a query collected: a few queries, however long the time."""
    found, shifts = _Found(), [shift.pk for shift in query.shifts]
    counted = rounds_of(query).exclude(bets_closed_at__isnull=True)
    of_house = Q(rotation=HOUSE_BANKS)
    groups = counted.values_list("table", "dealer", "game").annotate(
        rounds=Count("pk", filter=Q(state=Round.State.SETTLED, corrects__isnull=True)),
        drop=Sum(drop_counted()),
        jackpot=Sum(counts("jackpot_cents") - counts("jackpot_refunded_cents")),
        tips=Sum(counts("tips_cents")),
        won=Sum(counts("taken_cents") - counts("paid_cents"), filter=of_house),
    )
    for table, dealer, game, rounds, drop, jackpot, tips, won in groups:
        for sums in found.at(table, dealer, game):
            sums.rounds += rounds
            sums.drop += int(drop or 0)
            sums.jackpot += int(jackpot or 0)
            sums.tips += int(tips or 0)
            sums.won += int(won or 0)
    stands = standing_rounds(corrections_of(shifts)).filter(uncovered_cents__gt=0)
    for table, dealer, game, cents in stands.values_list("table", "dealer", "game").annotate(
        cents=Sum("uncovered_cents")
    ):
        for sums in found.at(table, dealer, game):
            sums.uncovered += int(cents)
    timed = TimeCollection.objects.filter(shift__in=shifts).annotate(game=game_of_time()).order_by()
    for table, game, cents in timed.values_list("table", "game").annotate(sum=Sum("cents")):
        for sums in found.at(table, None, game):
            sums.drop += int(cents)
    bought = BuyIn.objects.filter(shift__in=shifts).order_by()
    for table, cents in bought.values_list("table").annotate(sum=Sum("cents")):
        found.tables[table].drop += int(cents)
    played = GameTimes(query)
    for each in times_at_tables(query):
        found.tables[each.table].time += each.time
        found.dealers[each.dealer].time += each.time
        for game, time in played.split(each):
            found.games[game].time += time
    return found


def _why_not_compared(query: ReportQuery, then: tuple[datetime.date, datetime.date]) -> str:
    """Why the drop is not held against an earlier one; empty where it is."""
    before = dataclasses.replace(query, first=then[0], last=then[1]).shifts
    began = query.room.shifts.order_by("gaming_day").values_list("gaming_day", flat=True).first()
    if began is None or began > then[0] or not before:
        return (
            f"There is nothing of {span_text(*then)} to compare with."
            if began is None or began <= then[0]
            else (f"There is nothing before {day_text(began)} to compare with.")
        )
    if any(shift.closed_at is None for shift in query.shifts) or query.now < query.until:
        return "The time is not over, so it is not compared yet."
    return ""


_ROUNDS: Final = Column("rounds", "Rounds", Kind.COUNT, adds=True)
_TIME: Final = Column("table_seconds", "Table time", Kind.SPAN, adds=True)
_PACE: Final = Column("rounds_an_hour", "Rounds an hour", Kind.FIGURE)
_DROP: Final = (
    Column("drop_cents", "Drop", Kind.MONEY, adds=True),
    Column("share", "Share of it", Kind.FIGURE),
    Column("change", "Change", Kind.FIGURE),
)
_TIPS: Final = Column("tips_cents", "Tips won", Kind.MONEY, adds=True)
_UNCOVERED: Final = Column("uncovered_cents", "Returned uncovered", Kind.MONEY, adds=True)
_EXCEPTIONS: Final = Column("exceptions", "Exceptions", Kind.COUNT)


def _values(sums: _Sums, of: _By, was: _Sums | None, *, compared: bool) -> dict[str, Value]:
    """The cells that the three tables have in common."""
    change = "none"
    if compared:
        change = DROP.change_text(sums.drop, was.drop) if was is not None else "new"
    return {
        "rounds": sums.rounds,
        "drop_cents": sums.drop,
        "share": format_share(sums.drop, sum(each.drop for each in of.values())),
        "change": change,
        "tips_cents": sums.tips,
        "uncovered_cents": sums.uncovered,
    }


def _paced(sums: _Sums) -> dict[str, Value]:
    return {
        "table_seconds": sums.seconds,
        "rounds_an_hour": rounds_an_hour(sums.rounds, sums.seconds) or "none",
    }


def _by_drop(of: _By) -> list[tuple[Any, _Sums]]:
    """Those that came to anything, the largest drop first."""
    there = ((key, sums) for key, sums in of.items() if sums.rounds or sums.drop or sums.time)
    return sorted(there, key=lambda each: (-each[1].drop, -each[1].rounds, str(each[0])))


def _in_all(of: _By, was: _By | None) -> dict[str, str]:
    """The pace of all rows, and by how much their drop changed."""
    rounds, seconds = sum(each.rounds for each in of.values()), _exact(of)["table_seconds"]
    drop = sum(each.drop for each in of.values())
    pace = {"rounds_an_hour": rounds_an_hour(rounds, seconds) or "none"}
    change = "none" if was is None else DROP.change_text(drop, sum(each.drop for each in was.values()))
    return {**pace, "share": format_share(drop, drop), "change": change}


def _exact(of: _By) -> dict[str, int]:
    """The total of times, rounded once."""
    return {"table_seconds": whole_seconds(sums.time for sums in of.values())}


def _games(query: ReportQuery, found: _Found, before: _Found | None, text: str) -> Grid:
    filed = GameFiling.objects.in_bulk([pk for pk in found.games if pk is not None])
    rows = []
    for pk, sums in _by_drop(found.games):
        game = None if pk is None else filed[pk]
        was = None if before is None else before.games.get(pk)
        values = _values(sums, found.games, was, compared=before is not None)
        asked = "none" if game is None else f"{game.number}v{game.version}"
        opens = report_address(query, "rounds", game=asked)
        name = "no filed game, or none played" if game is None else game.title
        rows.append(
            Row(
                {
                    "game": name,
                    "filing": filing_text(game),
                    **values,
                    **_paced(sums),
                    "jackpot_cents": sums.jackpot,
                },
                {"game": opens, "drop_cents": opens},
            )
        )
    columns = (
        Column("game", "Game"),
        Column("filing", "Filed as"),
        *(_ROUNDS, _TIME, _PACE, *_DROP, _TIPS, _UNCOVERED),
        Column("jackpot_cents", "Jackpot box", Kind.MONEY, adds=True),
    )
    in_all = _in_all(found.games, None if before is None else before.games)
    empty = "Nothing was played in this time."
    exact = _exact(found.games)
    return Grid("games", "By game", columns, rows, text=text, empty=empty, exact=exact, in_all=in_all)


def _tables(query: ReportQuery, found: _Found, before: _Found | None, text: str, *, house: bool) -> Grid:
    numbers = dict(Table.objects.filter(room=query.room).values_list("pk", "number"))
    exceptions = _exceptions(_items(query).exclude(table=None).values_list("table", flat=True))
    rows = []
    for pk, sums in sorted(_by_drop(found.tables), key=lambda each: numbers[each[0]]):
        was = None if before is None else before.tables.get(pk)
        values = _values(sums, found.tables, was, compared=before is not None)
        won = {"won_cents": sums.won} if house else {}
        asked = dataclasses.replace(query, table=Table(pk=pk, number=numbers[pk]))
        links = {name: report_address(asked, report) for name, report in _OF_A_TABLE}
        rows.append(
            Row({"table": numbers[pk], **values, **_paced(sums), **won, "exceptions": exceptions[pk]}, links)
        )
    columns = (
        Column("table", "Table", Kind.COUNT),
        *(_ROUNDS, _TIME, _PACE, *_DROP),
        *((Column("won_cents", "House win by rounds", Kind.MONEY, adds=True),) if house else ()),
        *(_TIPS, _UNCOVERED, _EXCEPTIONS),
    )
    in_all = _in_all(found.tables, None if before is None else before.tables)
    return Grid("tables", "By table", columns, rows, text=text, exact=_exact(found.tables), in_all=in_all)


#: The reports that hold the rows of a table's figures.
_OF_A_TABLE: Final = (
    ("table", "rounds"),
    ("drop_cents", "collection"),
    ("uncovered_cents", "coverage"),
    ("exceptions", "exceptions"),
)


def _dealers(query: ReportQuery, found: _Found, before: _Found | None, text: str) -> Grid:
    names = Staff.objects.in_bulk(list(found.dealers))
    people = ItemPerson.objects.filter(item__in=_items(query), staff__isnull=False)
    exceptions = _exceptions(people.values_list("staff", flat=True))
    rows = []
    for pk, sums in _by_drop(found.dealers):
        was = None if before is None else before.dealers.get(pk)
        values = _values(sums, found.dealers, was, compared=before is not None)
        opens = report_address(query, "rounds", dealer=pk)
        rows.append(
            Row(
                {"dealer": str(names[pk]), **values, **_paced(sums), "exceptions": exceptions[pk]},
                {"dealer": opens, "drop_cents": opens, "tips_cents": report_address(query, "tips")},
            )
        )
    columns = (Column("dealer", "Dealer"), _ROUNDS, _TIME, _PACE, *_DROP, _TIPS, _UNCOVERED, _EXCEPTIONS)
    in_all = _in_all(found.dealers, None if before is None else before.dealers)
    return Grid("dealers", "By dealer", columns, rows, text=text, exact=_exact(found.dealers), in_all=in_all)


def _items(query: ReportQuery) -> Any:
    return Item.objects.filter(room=query.room, gaming_day__range=(query.first, query.last)).order_by()


def _exceptions(ids: Iterable[Hashable]) -> Counter[Any]:
    return Counter(ids)


def _providers(query: ReportQuery) -> Grid:
    """Who held the bank, for which provider, and what went back uncovered under them."""
    columns = (
        Column("provider", "Provider"),
        Column("turns", "Turns begun", Kind.COUNT, adds=True),
        Column("rounds", "Rounds banked", Kind.COUNT, adds=True),
        Column("bank_seconds", "Time at the bank", Kind.SPAN, adds=True),
        Column("share", "Share of table time", Kind.FIGURE),
        Column("exhausted", "Banks exhausted", Kind.COUNT, adds=True),
        _UNCOVERED,
    )
    title = "By provider"
    if Turn.objects.filter(shift__in=query.shifts).order_by()[: MOST_TURNS + 1].count() > MOST_TURNS:
        empty = f"These are more than {MOST_TURNS:,} turns at the bank: ask for fewer days."
        return Grid("providers", title, columns, [], empty=empty)
    time = without_house(query, bank_time(query.room, query.since, query.until))
    play = whole_seconds(time.in_play.values())
    held: defaultdict[int | None, list[Any]] = defaultdict(lambda: [0, 0, datetime.timedelta()])
    for share in time.shares:
        of = held[share.provider.pk if share.provider else None]
        of[0] += share.turns
        of[1] += share.rounds
        of[2] += share.held
    exhausted, uncovered = _uncovered_by_provider(query)
    names: dict[int | None, str] = {
        each.pk: each.name for each in Provider.objects.filter(room=query.room)
    } | {None: NOBODYS}
    rows = [
        Row(
            {
                "provider": names[pk],
                "turns": held[pk][0],
                "rounds": held[pk][1],
                "bank_seconds": whole_seconds([held[pk][2]]),
                "share": format_share(whole_seconds([held[pk][2]]), play),
                "exhausted": exhausted[pk],
                "uncovered_cents": uncovered[pk],
            },
            {
                "provider": report_address(query, "bank-time"),
                "uncovered_cents": report_address(query, "coverage"),
            },
        )
        for pk in sorted({*held, *uncovered, *exhausted}, key=lambda pk: (-held[pk][2], names[pk]))
    ]
    exact = {"bank_seconds": whole_seconds(share.held for share in time.shares)}
    in_all = {"share": format_share(exact["bank_seconds"], play)}
    return Grid(
        "providers", title, columns, rows, exact=exact, in_all=in_all, empty="Nobody banked in this time."
    )


def _uncovered_by_provider(query: ReportQuery) -> tuple[Counter[int | None], Counter[int | None]]:
    """Banks exhausted, and cents that went back uncovered, by the provider for which the bank was held."""
    firms, exhausted, uncovered = Firms(query.room), Counter[int | None](), Counter[int | None]()
    stands = standing_rounds(corrections_of(shift.pk for shift in query.shifts))
    wanted = stands.filter(Q(exhausted=True) | Q(uncovered_cents__gt=0), bank_player__isnull=False)
    rows = wanted.annotate(at=F("turn__began_at")).values_list(
        "bank_player", "at", "opened_at", "exhausted", "uncovered_cents"
    )
    for player, began_at, opened_at, was_exhausted, cents in rows:
        firm = firms.firm_at(player, began_at or opened_at)
        exhausted[firm] += was_exhausted
        uncovered[firm] += cents
    return exhausted, uncovered


def _answers(found: _Found) -> Iterator[Answer]:
    def total(of: Callable[[_Sums], int]) -> int:
        return sum(of(sums) for sums in found.tables.values())

    rounds = total(lambda sums: sums.rounds)
    yield Answer("drop_cents", "Drop", total(lambda sums: sums.drop), Kind.MONEY)
    yield Answer("rounds", "Rounds", rounds, Kind.COUNT)
    pace = rounds_an_hour(rounds, _exact(found.tables)["table_seconds"]) or "none"
    yield Answer("rounds_an_hour", "Rounds an hour", pace, Kind.FIGURE)
    yield Answer("tips_cents", "Tips won", total(lambda sums: sums.tips), Kind.MONEY)
    yield Answer("uncovered_cents", "Returned uncovered", total(lambda sums: sums.uncovered), Kind.MONEY)


def _charts(
    tables: Grid, found: _Found, before: _Found | None, then: tuple[datetime.date, datetime.date]
) -> Iterator[Chart]:
    """The tables side by side: their drop, with that before as a line, and their rounds an hour."""
    numbers = dict(Table.objects.filter(pk__in=list(found.tables)).values_list("number", "pk"))
    shown: Sequence[int] = [
        row.values["table"] for row in tables.rows if isinstance(row.values["table"], int)
    ]
    if len(shown) < 2:
        return
    sums = [found.tables[numbers[number]] for number in shown]
    labels = [str(number) for number in shown]
    was: Sequence[int] = () if before is None else [before.tables[numbers[each]].drop for each in shown]
    yield Chart(
        "drop-by-table",
        "Drop, by table",
        labels,
        [each.drop for each in sums],
        text_money=True,
        unit="$",
        links=[str(row.links.get("drop_cents", "")) for row in tables.rows],
        before=was if any(was) else (),
        before_name=span_text(*then),
    )
    paces = [pace_tenths(each.rounds, each.seconds) if each.seconds else 0 for each in sums]
    yield Chart("paces", "Rounds an hour, by table", labels, paces, tenths=True, unit="rounds")


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("rounds") and not figures.number("drop_cents"):
        return f"{figures.several('rounds', 'round').capitalize()} was played in this time"
    first = largest(figures, "games", "drop_cents")
    most = (
        ""
        if first is None
        else f", most of it by {first.values['game']}: {figures.cell('games', first, 'drop_cents')}"
    )
    return f"{figures.text('drop_cents')} was collected in {figures.several('rounds', 'round')}{most}"


BREAKDOWN = Report(
    name="breakdown",
    title="By game, table, dealer and provider",
    text="Which games, tables, dealers and providers made the drop, the rounds and the tips?",
    right=Right.SEE_REPORTS,
    make=breakdown,
    answer=_answer,
    by_table=False,
    by_shift=True,
)
