"""Plan of a simulated gaming day: shifts, hours of the tables, downs, and who sits where and when.

No person is in two places at once. All instants are UTC; a shift is a third of the gaming day, which has 23 or 25 hours
when the clocks change.
"""

from __future__ import annotations

import dataclasses
import datetime
import itertools
import random
from collections.abc import Sequence

from cardroom.people.models import Staff

from .people import Guest, People

Instant = datetime.datetime
#: Between the end of a game and the end of its gaming day: boxes, chips, and the cleaning.
_LAST_MINUTES = datetime.timedelta(minutes=12)
#: Before a table opens.
_FIRST_MINUTES = datetime.timedelta(minutes=10)
_DOWN = datetime.timedelta(minutes=40)
#: A table that could be open for less than this stays closed.
_SHORTEST = datetime.timedelta(minutes=30)


@dataclasses.dataclass(frozen=True)
class Opening:
    """So many `tables` open within half an hour of `at`, counted from the beginning of a gaming day, for about `lasts`."""

    at: datetime.timedelta
    tables: int
    lasts: datetime.timedelta


#: What opens on each weekday, from Monday on.
Week = Sequence[Sequence[Opening]]


@dataclasses.dataclass(frozen=True)
class Stay:
    """A guest at a seat, from `since` to `until`."""

    guest: Guest
    seat: int
    since: Instant
    until: Instant


@dataclasses.dataclass(frozen=True)
class TableDay:
    """A table's day: open from `opens` to `closes`. `downs` and `stays` are ordered by when they begin."""

    opens: Instant
    closes: Instant
    downs: list[tuple[Instant, Staff]]
    stays: list[Stay]


def shift_bounds(begins: Instant, ends: Instant, shifts: int) -> list[tuple[Instant, Instant]]:
    """Part the gaming day into shifts, each as long as the others to the minute."""
    minutes = (ends - begins) // datetime.timedelta(minutes=1)
    marks = [begins + datetime.timedelta(minutes=minutes * n // shifts) for n in range(shifts)] + [ends]
    return list(itertools.pairwise(marks))


def day_planned(
    chance: random.Random,
    people: People,
    *,
    seats: Sequence[int],
    shifts: Sequence[tuple[Instant, Instant]],
    hours: Sequence[tuple[Instant, Instant]],
    seats_taken: int,
    walk: datetime.timedelta,
) -> list[TableDay]:
    """Plan the day of tables with so many `seats`, each open in its `hours`; one whose hours are none stays closed.

    People play at `seats_taken` of a table's seats.
    Between two tables a player takes `walk` at least: a round that goes on as they mean to leave lasts a while.
    """
    free: dict[int, Instant] = {}
    return [
        TableDay(
            opens,
            closes,
            _downs(people, number, shifts, opens, closes),
            _stays(
                chance, people, free, (opens, closes), seats=_taken(chance, of_table, seats_taken), walk=walk
            ),
        )
        for number, ((opens, closes), of_table) in enumerate(zip(hours, seats, strict=True))
    ]


def hours_of_week(
    chance: random.Random,
    day: datetime.date,
    week: Week,
    *,
    tables: int,
    bounds: tuple[Instant, Instant],
    until: Instant | None = None,
) -> list[tuple[Instant, Instant]]:
    """When each of so many tables opens and closes on `day`, which begins and ends at these `bounds`.

    The tables take turns: those that opened first on one day are the last on the next. Two equal instants where one stays closed.
    Of a day that is under way as many are open in the end, up to `until`.
    """
    begins, ends = bounds
    hours = [(begins, begins)] * tables
    openings = week[day.weekday()]
    turns = itertools.cycle(range(tables))
    first = itertools.islice(turns, day.toordinal() * max(each.tables for each in openings) % tables, None)
    for opening in openings:
        for table in itertools.islice(first, min(opening.tables, tables)):
            lasts = _minutes(opening.lasts * chance.uniform(0.85, 1.2))
            opens = begins + opening.at + _minutes(datetime.timedelta(minutes=chance.uniform(0, 30)))
            closes = min(opens + lasts, ends - _LAST_MINUTES)
            if until is not None:
                opens, closes = max(begins + _FIRST_MINUTES, until - lasts), until
            if closes - opens >= _SHORTEST:
                hours[table] = opens, closes
    return hours


def hours_drawn(
    chance: random.Random,
    begins: Instant,
    ends: Instant,
    open_tenths: tuple[int, int],
    until: Instant | None,
) -> tuple[Instant, Instant]:
    """When a table opens and closes that is open for so many tenths of a day, at least and at most.

    Two equal instants where it stays closed. Of a day that is under way all is over by `until`; a table that would have been open
    for a few minutes only stays closed.
    """
    last = ends - _LAST_MINUTES
    first = begins + _FIRST_MINUTES
    whole = last - first
    length = _minutes(whole * chance.uniform(*open_tenths) / 10)
    if until is not None:
        opens = max(first, until - length)
        return (opens, until) if until - opens >= _SHORTEST else (begins, begins)
    opens = first + _minutes((whole - length) * chance.triangular(0, 1, 0.6))
    return opens, opens + length


def _downs(
    people: People,
    table: int,
    shifts: Sequence[tuple[Instant, Instant]],
    opens: Instant,
    closes: Instant,
) -> list[tuple[Instant, Staff]]:
    """Dealers go from table to table every `_DOWN`, with a rest where there are more of them than tables."""
    downs = []
    for (begins, ends), dealers in zip(shifts, people.dealers, strict=True):
        at, number = begins, 0
        while at < min(ends, closes):
            if at + _DOWN > opens:
                # From each table to the next one, whose game is given with it (`Game.worked`), and then a rest.
                downs.append((max(at, opens), dealers[(table - number) % len(dealers)]))
            at, number = at + _DOWN, number + 1
    return downs


def _taken(chance: random.Random, seats: int, taken: int) -> Sequence[int]:
    """The seats of a table at which people play in a day."""
    every = range(1, seats + 1)
    return every if seats <= taken else sorted(chance.sample(every, taken))


def _stays(
    chance: random.Random,
    people: People,
    free: dict[int, Instant],
    hours: tuple[Instant, Instant],
    *,
    seats: Sequence[int],
    walk: datetime.timedelta,
) -> list[Stay]:
    """Fill these seats of a table; `free` says from when a player who has been seated somewhere may sit down again.

    One seat is a provider's: its players follow one another there, for one of them sits at a table at a time.
    """
    opens, closes = hours
    theirs = chance.choice(seats)
    stays = []
    for seat in seats:
        at = opens + _minutes(datetime.timedelta(minutes=chance.uniform(0, 25 if seat != theirs else 2)))
        while at + datetime.timedelta(minutes=15) < closes:
            pool = people.propositions if seat == theirs else people.regulars
            length = chance.uniform(110, 230) if seat == theirs else chance.triangular(20, 240, 70)
            until = min(closes, at + _minutes(datetime.timedelta(minutes=length)))
            guest = _free_one(chance, pool, free, at)
            if guest is not None:
                free[guest.player.pk] = until + walk
                stays.append(Stay(guest, seat, at, until))
            at = until + _minutes(datetime.timedelta(minutes=chance.uniform(2, 30 if seat != theirs else 6)))
    return sorted(stays, key=lambda stay: (stay.since, stay.seat))


def _free_one(
    chance: random.Random, pool: Sequence[Guest], free: dict[int, Instant], at: Instant
) -> Guest | None:
    for _ in range(12):
        guest = chance.choice(pool)
        if free.get(guest.player.pk, at) <= at:
            return guest
    return None


def _minutes(length: datetime.timedelta) -> datetime.timedelta:
    """To the second: no log says when a table opened to the microsecond."""
    return datetime.timedelta(seconds=int(length.total_seconds()))
