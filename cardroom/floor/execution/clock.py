"""Timestamps of commands: the server's clock, but never before what is on record.

A server's clock may be set back (by hand, or by a time service that corrects it). Facts are ordered by their instants, so
a command is given the later of the clock and a microsecond after the last entry of the journal: at a table, of its own chain
and its room's; on a room, of its own chain and those of all its tables. While the clock is behind, commands thus follow one
another by microseconds, until it has caught up.

A step back of more than a minute is an entry of its own in each chain that meets it (`clock_back`), and one alert in the
room.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import operator

from django.db.models import Q, QuerySet
from django.utils import timezone

from cardroom.rooms.models import Room

from ..alerts import alert_raise
from ..journal import chain_name
from ..models import Alert, JournalEntry, Table
from .transactions import RoomTransaction, TableTransaction

#: Steps back up to this long are taken without a word: clocks of several servers differ, and are corrected.
TOLERATED = datetime.timedelta(minutes=1)
#: The command by which the journal keeps that the clock was set back.
STEP_COMMAND = "clock_back"
_MICROSECOND = datetime.timedelta(microseconds=1)


@dataclasses.dataclass(frozen=True)
class Moment:
    """The instant that a command is given (`now`), and what the server's clock said."""

    now: datetime.datetime
    clock: datetime.datetime

    @property
    def behind(self) -> datetime.timedelta:
        """How far the clock is behind what is on record; nothing where it is not."""
        return self.now - self.clock

    @property
    def is_step(self) -> bool:
        """Whether it is behind by more than clocks differ."""
        return self.behind > TOLERATED


def command_time(holder: Table | Room, clock: datetime.datetime | None = None) -> Moment:
    """Return the instant of a command at a table or on a room whose row is locked; `clock` stands for the server's."""
    clock = clock or timezone.now()
    last = last_instant(holder)
    return Moment(clock if last is None or last <= clock else last + _MICROSECOND, clock)


def last_instant(holder: Table | Room) -> datetime.datetime | None:
    """Return the latest instant in the chains that a command at a table or on a room must not come before."""
    if isinstance(holder, Table):
        holders: list[Room | Table] = [holder, holder.room]
    else:
        holders = [holder, *Table.objects.filter(room=holder).only("pk", "chain_seq")]
    last = functools.reduce(operator.or_, (Q(chain=chain_name(each), seq=each.chain_seq) for each in holders))
    return max(JournalEntry.objects.filter(last).order_by().values_list("at", flat=True), default=None)


def journal_clock_step(tx: TableTransaction | RoomTransaction, holder: Table | Room, moment: Moment) -> None:
    """Write into the journal that the clock was set back, once a chain, and raise the room's one alert at a table."""
    if not moment.is_step:
        return
    if not _noted_before(holder, moment):
        tx.journal(
            STEP_COMMAND,
            {"clock": moment.clock.isoformat(), "behind_seconds": int(moment.behind.total_seconds())},
        )
    if isinstance(tx, TableTransaction) and not clock_alerts(tx.room).exists():
        alert_raise(tx, Alert.Kind.CLOCK_BACK, "", format_step(moment.behind))


def clock_alerts(room: Room) -> QuerySet[Alert]:
    """The alert of a room that says that the clock is behind, while it is."""
    return Alert.objects.filter(room=room, kind=Alert.Kind.CLOCK_BACK, cleared_at__isnull=True)


def format_step(behind: datetime.timedelta) -> str:
    """Say that the clock was set back, what becomes of commands, and what to do."""
    minutes = max(1, round(behind.total_seconds() / 60))
    return (
        f"The server's clock was set back: it is {minutes} minute{'' if minutes == 1 else 's'} behind what is on record. "
        "Entries are still taken, recorded right after the last one until the clock has caught up. Tell whoever runs the server."
    )


def _noted_before(holder: Table | Room, moment: Moment) -> bool:
    """Whether the chain has an entry about this step: among its last ones, which came since the clock was behind."""
    entries = JournalEntry.objects.filter(chain=chain_name(holder)).order_by("-seq")
    for command, at in entries.values_list("command", "at").iterator(chunk_size=100):
        if at <= moment.clock:
            return False
        if command == STEP_COMMAND:
            return True
    return False
