"""Queries on when dealers were at tables in the shifts of a query: their downs, cut to the shifts."""

from __future__ import annotations

import bisect
import datetime
from collections.abc import Iterator
from typing import NamedTuple

from django.db.models import Q

from cardroom.floor.models import Down

from .query import ReportQuery


class AtTable(NamedTuple):
    """A dealer's time at a table within a shift, each by its id."""

    shift: int
    table: int
    dealer: int
    time: datetime.timedelta


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
                yield AtTable(shifts[at].pk, table, dealer, until - begins)
