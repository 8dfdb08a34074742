"""Simulates the demo room's past: days of play at its own tables, up to its evening."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Final

from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.people.models import Staff
from cardroom.rooms.models import Room

from .filings import JACKPOT, own_schedules_seed
from .other_games import BACCARAT
from .simulation.charges import Charge
from .simulation.month import Progress, Wanted, simulate

#: The tables that have a past, from this number on: the numbers of the game and of the schedule that each plays by.
FIRST_TABLE: Final = 7
PLAYED: Final = ((1, 1), (1, 2), (1, JACKPOT), (BACCARAT, BACCARAT))
#: A quiet room: few rounds an hour, at tables that are open for an afternoon or an evening, so that a start does not take long.
ROUNDS_PER_HOUR: Final = 9
OPEN_TENTHS: Final = (1, 2)
SEED: Final = 1


def past_played(
    room: Room, by: Staff, days: int, now: datetime.datetime, until: datetime.datetime
) -> Iterator[Progress]:
    """Play so many gaming days before the one of `now` at the room's tables, and that one up to `until`.

    The shift of `until` stays open, and the tables are closed. Yields the progress after every table's shift.
    """
    own_schedules_seed(room, by)
    charges = [
        Charge(
            GameFiling.objects.get(room=room, number=game),
            FeeSchedule.objects.get(room=room, number=schedule),
        )
        for game, schedule in PLAYED
    ]
    wanted = Wanted(
        days=days,
        tables=len(PLAYED),
        seed=SEED,
        rounds_per_hour=ROUNDS_PER_HOUR,
        open_tenths=OPEN_TENTHS,
        first_table=FIRST_TABLE,
    )
    yield from simulate(room, wanted, now, charges, until=until)
