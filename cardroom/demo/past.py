"""Simulates the demo room's past: days of play at its own tables, up to its evening."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from .floor_plan import PROPOSITION_PLAYERS, TABLES
from .office import EXPIRED_DAYS, EXPIRED_PLAYER, Office
from .simulation.charges import Charge
from .simulation.mishaps import Mishap, Mishaps
from .simulation.month import Progress, Wanted, simulate
from .simulation.plan import Opening, Week

#: The tables that have a past: those that are open in the evening. They are numbered one after the other.
PLAYED: Final = tuple(table for table in TABLES if table.dealer is not None)
#: A small room: one table on the evenings of a week, three on those of its end.
ROUNDS_PER_HOUR: Final = 30
SEATS_TAKEN: Final = 7


def _opening(hour: float, tables: int, minutes: int) -> Opening:
    """So many tables from that hour of the day on; gaming days begin at six."""
    return Opening(datetime.timedelta(hours=hour - 6), tables, datetime.timedelta(minutes=minutes))


#: From Monday on. On Sundays play begins in the afternoon.
WEEK: Final[Week] = (
    (_opening(18.5, 1, 75),),
    (_opening(18.5, 1, 75),),
    (_opening(18.5, 1, 85),),
    (_opening(18, 2, 60),),
    (_opening(18.5, 3, 65),),
    (_opening(20, 3, 85),),
    (_opening(14.5, 2, 75),),
)
SEED: Final = 1
#: One arrival in so many is somebody whom the room does not know.
GUESTS: Final = 9
#: What goes otherwise, by how many days before now: as soon from then on as it can. The three of the rotation are of three kinds.
MISHAPS: Final[Mapping[int, Sequence[Mishap]]] = {
    33: (Mishap.VOID_AFTER_DEAL,),
    30: (Mishap.VARIANCE_EXPLAINED,),
    29: (Mishap.CORRECTION,),
    26: (Mishap.OVER_LIMIT,),
    24: (Mishap.VOID_BEFORE_DEAL, Mishap.TABLET_GAP),
    22: (Mishap.CLAIM_ANSWERED,),
    20: (Mishap.CORRECTION, Mishap.VOID_AFTER_DEAL),
    17: (Mishap.OUT_OF_ORDER,),
    15: (Mishap.RACK_HANDED_OVER,),
    13: (Mishap.VOID_AFTER_DEAL,),
    10: (Mishap.PASSED_OVER,),
    8: (Mishap.CORRECTION, Mishap.VOID_BEFORE_DEAL),
    6: (Mishap.CLAIM_UNDER_REVIEW,),
    4: (Mishap.EXPIRED_BADGE,),
    3: (Mishap.VARIANCE_OPEN, Mishap.VOID_AFTER_DEAL),
}


def past_played(
    room: Room, days: int, now: datetime.datetime, until: datetime.datetime
) -> Iterator[Progress]:
    """Play so many gaming days before the one of `now` at the room's tables, and that one up to `until`.

    The shift of `until` stays open, and the tables are closed. Yields the progress after every table's shift.
    """
    office = Office(days, gaming_day(room, now))
    mishaps = Mishaps({before: due for before, due in MISHAPS.items() if before <= days})
    wanted = dataclasses.replace(evenings(days, SEED), mishaps=mishaps, morning=office.morning)
    if days <= EXPIRED_DAYS:  # every badge holds
        wanted = dataclasses.replace(wanted, propositions=PROPOSITION_PLAYERS)
    yield from simulate(room, wanted, now, charges(room), until=until)


def evenings(days: int, seed: int) -> Wanted:
    """So many days as the room's weeks are, where mistakes come by luck."""
    return Wanted(
        days=days,
        tables=len(PLAYED),
        seed=seed,
        rounds_per_hour=ROUNDS_PER_HOUR,
        first_table=PLAYED[0].number,
        seats_taken=SEATS_TAKEN,
        week=WEEK,
        one_crew=True,
        propositions=[name for name in PROPOSITION_PLAYERS if name != EXPIRED_PLAYER],
        guests=GUESTS,
    )


def charges(room: Room) -> list[Charge]:
    """What the tables of the demo's room play and charge."""
    return [table.charge(room) for table in PLAYED]
