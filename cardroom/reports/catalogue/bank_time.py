"""Report on time at the bank: by provider, by person and by table, with its share of the time that the tables were in play."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from cardroom.documents.answering import Told
from cardroom.documents.document import Answer, Chart, Column, Grid, Kind, ReportDocument, Row
from cardroom.floor.reads.bank_time import BankTime, Share, bank_time, whole_seconds
from cardroom.people.rights import Right

from ..queries.banking import tables_of_the_house
from ..queries.query import Report, ReportQuery
from ..queries.rounds_in_scope import report_address

NOBODYS = "none: players of the room"

_SUMS = (
    Column("turns", "Turns begun", Kind.COUNT, adds=True),
    Column("rounds", "Rounds banked", Kind.COUNT, adds=True),
    Column("bank_seconds", "Time at the bank", Kind.SPAN, adds=True),
    Column("share", "Share of table time"),
)
_PROVIDERS = (Column("provider", "Provider"), Column("players", "Players who banked", Kind.COUNT), *_SUMS)
_PEOPLE = (Column("player", "Player"), Column("provider", "Provider"), *_SUMS)
_AT_TABLES = (Column("table", "Table", Kind.COUNT), *_PEOPLE)
_TABLES = (
    Column("table", "Table", Kind.COUNT),
    Column("play_seconds", "Table time", Kind.SPAN, adds=True),
    *_SUMS,
    Column("providers_share", "of it providers'"),
)

_NOTES = (
    (
        "Time at the bank is from the beginning of a turn to its end, as far as it lies in the time asked about; a turn that "
        "goes on counts up to the last round of its table. Turns that were recorded by mistake are left out."
    ),
    (
        "Times are added up exactly and rounded once, each row and each total for itself. "
        "Table time is the time in which a dealer was at the table or somebody held the bank. Shares are of that, rounded to "
        "the tenth of a per cent, half a tenth up."
    ),
    "A player who changed the provider counts for each in the turns that began while they played for it.",
    "Rounds are settled rounds that were opened in the time, banked by the person on record.",
)


def time_at_bank(query: ReportQuery) -> ReportDocument:
    """Tell how long each provider and each person held the bank."""
    since, until = query.since, query.until
    if query.shift is not None:
        since, until = query.shift.opened_at, query.shift.closed_at or query.now
    found = without_house(query, bank_time(query.room, since, until, query.table))
    play = whole_seconds(found.in_play.values())
    seconds = whole_seconds(share.held for share in found.shares)
    providers = whole_seconds(share.held for share in found.shares if share.provider is not None)
    exact, in_all = {"bank_seconds": seconds}, {"share": format_share(seconds, play)}
    at_tables = {**exact, "play_seconds": play}
    of_tables = {**in_all, "providers_share": format_share(providers, play)}
    grids = [
        Grid("providers", "By provider", _PROVIDERS, _provider_rows(found, play), exact=exact, in_all=in_all),
        Grid("people", "By person", _PEOPLE, _person_rows(found, play), exact=exact, in_all=in_all),
        Grid("tables", "By table", _TABLES, _table_rows(query, found), exact=at_tables, in_all=of_tables),
        Grid("people_at_tables", "By table and person", _AT_TABLES, _place_rows(found), exact=exact),
    ]
    return query.document(
        "bank-time",
        "Time at the bank",
        answers=[
            Answer("providers_share", "Held by providers' players", format_share(providers, play)),
            Answer("providers_seconds", "Providers' time at the bank", providers, Kind.SPAN),
            Answer("bank_seconds", "All time at the bank", seconds, Kind.SPAN),
            Answer("play_seconds", "Table time", play, Kind.SPAN),
        ],
        charts=[
            _chart("providers", "Hours at the bank, by provider", grids[0], "provider"),
            _chart("tables", "Hours at the bank, by table", grids[2], "table"),
        ],
        grids=grids,
        notes=_NOTES,
    )


def _chart(name: str, title: str, grid: Grid, of: str) -> Chart:
    """The times of a grid as bars, in tenths of an hour, half a tenth up."""
    seconds = [row.values["bank_seconds"] for row in grid.rows]
    tenths = [(each * 20 + 3600) // 7200 for each in seconds if isinstance(each, int)]
    return Chart(
        f"bank-by-{name}",
        title,
        [str(row.values[of]) for row in grid.rows],
        tenths,
        tenths=True,
        unit="hours",
    )


def without_house(query: ReportQuery, found: BankTime) -> BankTime:
    """Leave out the tables at which the house banked and no player did: nobody's share is one of their time."""
    of_players = {share.table.pk for share in found.shares}
    left_out = tables_of_the_house(query) - of_players
    tables = [table for table in found.tables if table.pk not in left_out]
    return BankTime(tables, found.shares, {table.pk: found.in_play[table.pk] for table in tables})


def format_share(part: int, whole: int) -> str:
    """Return a share in words: "41.3%"; of nothing there is none."""
    if not whole:
        return "none"
    tenths = (part * 2000 + whole) // (2 * whole)
    return f"{tenths // 10}.{tenths % 10}%"


def _sums(shares: Iterable[Share], play: int) -> dict[str, int | str]:
    shares = list(shares)
    seconds = whole_seconds(share.held for share in shares)
    return {
        "turns": sum(share.turns for share in shares),
        "rounds": sum(share.rounds for share in shares),
        "bank_seconds": seconds,
        "share": format_share(seconds, play),
    }


def _grouped(found: BankTime, key: Callable[[Share], object]) -> list[list[Share]]:
    """The shares that agree in `key`, those with the longest time together first."""
    groups: dict[object, list[Share]] = defaultdict(list)
    for share in found.shares:
        groups[key(share)].append(share)
    return sorted(groups.values(), key=lambda shares: -whole_seconds(share.held for share in shares))


def _provider_name(share: Share) -> str:
    return NOBODYS if share.provider is None else share.provider.name


def _provider_rows(found: BankTime, play: int) -> Sequence[Row]:
    return [
        Row(
            {
                "provider": _provider_name(shares[0]),
                "players": len({share.player.pk for share in shares}),
                **_sums(shares, play),
            }
        )
        for shares in _grouped(found, lambda share: share.provider and share.provider.pk)
    ]


def _person_rows(found: BankTime, play: int) -> Sequence[Row]:
    def person(share: Share) -> object:
        return share.player.pk, share.provider and share.provider.pk

    return [
        Row(
            {
                "player": shares[0].player.ref,
                "provider": _provider_name(shares[0]),
                **_sums(shares, play),
            }
        )
        for shares in _grouped(found, person)
    ]


def _table_rows(query: ReportQuery, found: BankTime) -> Sequence[Row]:
    rows = []
    for table in found.tables:
        shares = [share for share in found.shares if share.table.pk == table.pk]
        play = whole_seconds([found.in_play[table.pk]])
        providers = whole_seconds(share.held for share in shares if share.provider is not None)
        values = {
            "table": table.number,
            "play_seconds": play,
            **_sums(shares, play),
            "providers_share": format_share(providers, play),
        }
        rows.append(Row(values, links={"table": report_address(query, "rotation", table=table.number)}))
    return rows


def _place_rows(found: BankTime) -> Sequence[Row]:
    return [
        Row(
            {
                "table": share.table.number,
                "player": share.player.ref,
                "provider": _provider_name(share),
                **_sums([share], whole_seconds([found.in_play[share.table.pk]])),
            }
        )
        for share in found.shares
    ]


def _answer(figures: Told) -> str:
    """Answer the report's question from its figures."""
    if not figures.number("bank_seconds"):
        return "Nobody held the bank in this time"
    time = f"{figures.text('providers_seconds')} of {figures.text('play_seconds')}"
    return f"Providers held the bank for {figures.text('providers_share')} of table time: {time}"


BANK_TIME = Report(
    name="bank-time",
    title="Time at the bank",
    text="Who held the bank for how long, by provider and by person?",
    right=Right.SEE_REPORTS,
    make=time_at_bank,
    answer=_answer,
    by_shift=True,
    of="players",
)
