"""Simulates the demo room's past: days of play at its own tables, up to its evening."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Final

from cardroom.rooms.models import Room

from .floor_plan import TABLES
from .simulation.month import Progress, Wanted, simulate

#: The tables that have a past: those that are open in the evening. They are numbered one after the other.
PLAYED: Final = tuple(table for table in TABLES if table.dealer is not None)
#: A quiet room: few rounds an hour, at tables that are open for an afternoon or an evening, so that a start does not take long.
ROUNDS_PER_HOUR: Final = 7
OPEN_TENTHS: Final = (1, 2)
SEATS_TAKEN: Final = 6
SEED: Final = 1


def past_played(
    room: Room, days: int, now: datetime.datetime, until: datetime.datetime
) -> Iterator[Progress]:
    """Play so many gaming days before the one of `now` at the room's tables, and that one up to `until`.

    The shift of `until` stays open, and the tables are closed. Yields the progress after every table's shift.
    """
    wanted = Wanted(
        days=days,
        tables=len(PLAYED),
        seed=SEED,
        rounds_per_hour=ROUNDS_PER_HOUR,
        open_tenths=OPEN_TENTHS,
        first_table=PLAYED[0].number,
        seats_taken=SEATS_TAKEN,
    )
    yield from simulate(room, wanted, now, [table.charge(room) for table in PLAYED], until=until)
