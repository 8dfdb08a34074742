"""Queries on when dealers were at tables in the shifts of a query: their downs, cut to the shifts, and the games of that time."""

from __future__ import annotations

import bisect
import datetime
from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import F, Q, Window
from django.db.models.functions import Lag

from cardroom.floor.models import Down

from .query import ReportQuery
from .rounds_in_scope import rounds_of


class AtTable(NamedTuple):
    """A dealer's time at a table within a shift, each by its id; `until` exclusive."""

    shift: int
    table: int
    dealer: int
    begins: datetime.datetime
    until: datetime.datetime

    @property
    def time(self) -> datetime.timedelta:
        return self.until - self.begins


def times_at_tables(query: ReportQuery) -> Iterator[AtTable]:
    """Return every down in the shifts asked about, as far as it lies in each; in one query. What is open lasts until now."""
    shifts = query.shifts
    if not shifts:
        return
    opened = [shift.opened_at for shift in shifts]
    closed = [shift.closed_at or query.now for shift in shifts]
    downs = Down.objects.filter(room=query.room, started_at__lt=max(closed)).filter(
        Q(ended_at__isnull=True) | Q(ended_at__gt=opened[0])
    )
    rows = downs.order_by().values_list("table", "dealer", "started_at", "ended_at")
    for table, dealer, started_at, ended_at in rows.iterator():
        # From the last shift that had been opened when the down began.
        for at in range(max(0, bisect.bisect_right(opened, started_at) - 1), len(shifts)):
            if ended_at is not None and opened[at] >= ended_at:
                break
            begins = max(started_at, opened[at])
            until = closed[at] if ended_at is None else min(ended_at, closed[at])
            if begins < until:
                yield AtTable(shifts[at].pk, table, dealer, begins, until)


class GameTimes:
    """Which game a table was at: from the first round of it on record there until the first of another; before any round the first one's."""

    def __init__(self, query: ReportQuery) -> None:
        """Read the rounds of a query at which a table changed its game; one query."""
        first = rounds_of(query).filter(revision=0)
        before = Window(Lag("game"), partition_by="table", order_by=["opened_at", "pk"])
        changed = Q(before__isnull=True) | ~Q(game=F("before"))
        changes = first.annotate(before=before).filter(changed).order_by("table", "opened_at", "pk")
        self._changes: dict[int, tuple[list[datetime.datetime], list[int | None]]] = {}
        for table, at, game in changes.values_list("table", "opened_at", "game"):
            instants, games = self._changes.setdefault(table, ([], []))
            instants.append(at)
            games.append(game)

    def split(self, stay: AtTable) -> Iterator[tuple[int | None, datetime.timedelta]]:
        """Part a dealer's time at a table by game, each by its id; None where no round was played."""
        instants, games = self._changes.get(stay.table, ([], [None]))
        at, begins = max(0, bisect.bisect_right(instants, stay.begins) - 1), stay.begins
        for instant, game in zip([*instants[at + 1 :], stay.until], games[at:], strict=True):
            until = min(instant, stay.until)
            yield game, until - begins
            if until == stay.until:
                return
            begins = until
