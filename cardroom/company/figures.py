"""Adds up what the cells of a company export: sums by cell, room, month, game, provider and kind of exception.

Each day's files are read from the cell's store, held against the SHA-256 of their manifest, and added up by DuckDB in memory,
which may open neither files nor connections. What comes out is `DayFigures`: sums of a day, never a row. They are cached by
the SHA-256 of the manifest, so that a day is read once for each of its versions.

Everything is added up as the rooms' reports do: money by transfers of the shifts of a day, table time by the downs in them,
time at the bank between the bounds of the gaming day, and rounded once.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import datetime
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from django.core.cache import cache

from cardroom.floor.reads.bank_time import whole_seconds
from cardroom.reports.exports.manifest import Manifest, NotWhole, days_in, newest
from cardroom.reports.exports.reading import stored_table
from cardroom.reports.exports.schema import SCHEMA
from cardroom.reports.exports.store import Store, StoreRefused, package
from cardroom.reports.summary.key_figures import rounds_an_hour

from .cells import Cell, Company

#: What time at the bank is called that was no provider's.
NOBODYS: Final = "players of the room"
#: The files that are read; of what is in none of them nothing is known here.
_READ: Final = ("rounds", "transfers", "fees", "exceptions", "table_time", "bank_time")
_MICROSECOND: Final = datetime.timedelta(microseconds=1)
#: Counts up with a change of what is kept of a day.
_KEPT: Final = 1
_ROUNDS: Final = "SELECT count(*) FROM rounds WHERE state = 'settled' AND corrects_id IS NULL"
_FLOW: Final = "SELECT coalesce(sum(CASE WHEN target = ? THEN cents WHEN source = ? THEN -cents ELSE 0 END), 0) FROM transfers"
_GAMES: Final = (
    "SELECT coalesce(game, ''), coalesce(game_number, 0), coalesce(game_version, 0), box, sum(cents) FROM fees "
    "GROUP BY ALL ORDER BY ALL"
)
_EXCEPTIONS: Final = (
    "SELECT kind, count(*), coalesce(sum(cents), 0) FROM exceptions GROUP BY ALL ORDER BY ALL"
)
_TABLE_TIME: Final = "SELECT coalesce(sum(microseconds), 0) FROM table_time"
_BANK_TIME: Final = (
    "SELECT coalesce(provider, ''), sum(microseconds) FROM bank_time GROUP BY ALL ORDER BY ALL"
)


class NotAddedUp(Exception):
    """Figures that cannot be told; the message names cell, file and day, and what to do."""


@dataclasses.dataclass
class Figures:
    """Sums of some days. Keys are plain words: a game's title with its number and version, a provider, a kind of exception.

    `table_us` and `bank_us` are microseconds; `exceptions` counts and `exception_cents` adds up what they came to.
    """

    days: int = 0
    rounds: int = 0
    drop_cents: int = 0
    jackpot_cents: int = 0
    table_us: int = 0
    games: Counter[str] = dataclasses.field(default_factory=Counter)
    exceptions: Counter[str] = dataclasses.field(default_factory=Counter)
    exception_cents: Counter[str] = dataclasses.field(default_factory=Counter)
    bank_us: Counter[str] = dataclasses.field(default_factory=Counter)

    @property
    def table_seconds(self) -> int:
        """Table time in whole seconds, rounded once."""
        return whole_seconds([self.table_us * _MICROSECOND])

    @property
    def rounds_an_hour(self) -> str | None:
        """Rounds an hour of a dealer at a table, with a tenth; None without time."""
        return rounds_an_hour(self.rounds, self.table_seconds)

    @property
    def bank_seconds(self) -> dict[str, int]:
        """Time at the bank by provider in whole seconds, each rounded once."""
        return {name: whole_seconds([us * _MICROSECOND]) for name, us in sorted(self.bank_us.items())}

    @property
    def game_rows(self) -> list[tuple[str, int]]:
        """Each filed game with its fees in cents, the most first."""
        return sorted(
            ((game, cents) for game, cents in self.games.items() if cents), key=lambda row: (-row[1], row[0])
        )

    @property
    def fee_cents(self) -> int:
        """Fees of all games."""
        return sum(self.games.values())

    @property
    def bank_seconds_in_all(self) -> int:
        """Time at the bank of everybody in whole seconds, rounded once."""
        return whole_seconds([sum(self.bank_us.values()) * _MICROSECOND])

    @property
    def exception_rows(self) -> list[tuple[str, int, int]]:
        """Each kind of exception in words, how often, and what it came to in cents."""
        rows = sorted(self.exceptions.items())
        return [(kind.replace("_", " "), count, self.exception_cents[kind]) for kind, count in rows]

    def add(self, more: Figures) -> None:
        """Add the sums of `more` to these."""
        for field in dataclasses.fields(self):
            mine, theirs = getattr(self, field.name), getattr(more, field.name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            else:
                setattr(self, field.name, mine + theirs)


@dataclasses.dataclass(frozen=True)
class RoomMonth:
    """The figures of a room of a cell in a month, of its gaming days `first` to `last` that are exported."""

    cell: str
    room: str
    month: str
    first: datetime.date
    last: datetime.date
    figures: Figures


@dataclasses.dataclass
class CompanyFigures:
    """What a company's cells came to: by cell, room and month, and what is not in it, cell by cell, in words."""

    company: str
    first: datetime.date
    last: datetime.date
    months: list[RoomMonth] = dataclasses.field(default_factory=list)
    faults: list[str] = dataclasses.field(default_factory=list)

    @property
    def total(self) -> Figures:
        """All of it. Of games, exceptions and providers those of one name are added up, whichever cell has them."""
        return _added(each.figures for each in self.months)


def company_figures(company: Company, first: datetime.date, last: datetime.date) -> CompanyFigures:
    """Add up the exported gaming days `first` to `last` of every cell.

    A cell whose store does not answer, and a room of which a file or a day is missing or of another schema, is left out whole
    and named in `faults`: a sum that lacks a day would look like one that does not.
    """
    found = CompanyFigures(company.name, first, last)
    # Side by side: a slow store holds up no other. Nothing in it asks the database.
    with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
        for months, faults in pool.map(lambda cell: _cell_figures(cell, first, last), company.cells):
            found.months += months
            found.faults += faults
    return found


def _cell_figures(cell: Cell, first: datetime.date, last: datetime.date) -> tuple[list[RoomMonth], list[str]]:
    """The months of each room of a cell, and what is left out of it."""
    months: list[RoomMonth] = []
    faults: list[str] = []
    try:
        store = cell.opened()
        rooms = [name for name in store.names() if days_in(store, name)]
    except StoreRefused as fault:
        return [], [f"{cell.name}: {fault}"]
    if not rooms:
        faults.append(
            f"{cell.name}: {store} holds no exported gaming day. See whether it is mounted or reached here, compare it with "
            "CARDROOM_EXPORT_URL of that site, and see Exports there."
        )
    for room in rooms:
        try:
            months += list(_room_months(cell, store, room, first, last))
        except (NotAddedUp, NotWhole, StoreRefused) as fault:
            faults.append(f"{cell.name}, room {room}: {fault}")
    return months, faults


def _room_months(
    cell: Cell, store: Store, room: str, first: datetime.date, last: datetime.date
) -> Iterator[RoomMonth]:
    days = _manifests(store, room, first, last)
    by_month: dict[str, list[Manifest]] = {}
    for manifest in days:
        by_month.setdefault(f"{manifest.day:%Y-%m}", []).append(manifest)
    for month, manifests in by_month.items():
        figures = _added(_day_figures(store, manifest) for manifest in manifests)
        yield RoomMonth(cell.name, room, month, manifests[0].day, manifests[-1].day, figures)


def _manifests(store: Store, room: str, first: datetime.date, last: datetime.date) -> list[Manifest]:
    """The newest whole version of each day of a room, the first first. Raises NotAddedUp for a day that is missing."""
    found: list[Manifest] = []
    for day in days_in(store, room):
        if first <= day <= last:
            manifest = newest(store, room, day)
            if manifest is None:
                raise NotAddedUp(
                    f"{store}/{room}/{day} has no manifest.json: it is not whole. Its site goes on with it by itself; see "
                    "Exports there."
                )
            found.append(manifest)
    known = {manifest.day for manifest in found}
    for manifest in found:
        if (before := manifest.previous_day) is not None and before >= first and before not in known:
            raise NotAddedUp(
                f"gaming day {before} is missing in {store}/{room}, which that of {manifest.day} names. Have the site write "
                f"it: manage.py export_days {room} {before}."
            )
    return found


def _day_figures(store: Store, manifest: Manifest) -> Figures:
    key = f"company-day-{_KEPT}-{SCHEMA}-{manifest.hash}"
    if (kept := cache.get(key)) is None:
        kept = _added_up(store, manifest)
        cache.set(key, kept, timeout=None)
    figures = Figures()
    for name, value in kept.items():
        setattr(figures, name, Counter(value) if isinstance(value, dict) else value)
    return figures


def _added_up(store: Store, manifest: Manifest) -> dict[str, Any]:
    """Add up the files of a day in memory: plain numbers, of which nothing of a round or a person can be told."""
    duckdb = package("duckdb")
    tables = {name: stored_table(store, manifest, name) for name in _READ}
    with duckdb.connect(":memory:", config={"threads": 1}) as database:
        database.execute("SET enable_external_access = false")
        for name, table in tables.items():
            database.register(name, table)

        def one(query: str, *values: str) -> int:
            [(number,)] = database.execute(query, list(values)).fetchall()
            return int(number)

        def all_(query: str) -> list[tuple[Any, ...]]:
            rows: list[tuple[Any, ...]] = database.execute(query).fetchall()
            return rows

        games: Counter[str] = Counter()
        for title, number, version, _, cents in all_(_GAMES):
            games[game_text(title, number, version)] += int(cents)
        exceptions = all_(_EXCEPTIONS)
        return {
            "days": 1,
            "rounds": one(_ROUNDS),
            "drop_cents": one(_FLOW, "drop", "drop"),
            "jackpot_cents": one(_FLOW, "jackpot", "jackpot"),
            "table_us": one(_TABLE_TIME),
            "games": dict(games),
            "exceptions": {kind: int(count) for kind, count, _ in exceptions},
            "exception_cents": {kind: int(cents) for kind, _, cents in exceptions},
            "bank_us": {name or NOBODYS: int(us) for name, us in all_(_BANK_TIME)},
        }


def game_text(title: str, number: int, version: int) -> str:
    """Return a filed game in words: "Three Card Poker, 3, version 2"."""
    return f"{title}, {number}, version {version}" if title else "no filed game"


def _added(several: Iterable[Figures]) -> Figures:
    total = Figures()
    for each in several:
        total.add(each)
    return total


def by_cell(months: Sequence[RoomMonth]) -> dict[str, Figures]:
    """Return the figures of each cell, all rooms and months together, in the order of the months."""
    names = dict.fromkeys(each.cell for each in months)
    return {name: _added(each.figures for each in months if each.cell == name) for name in names}
