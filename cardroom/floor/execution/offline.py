"""Records offline commands with both instants, the tablet's and the server's, and how long tablets were offline (ruling 61)."""

from __future__ import annotations

import dataclasses
import datetime

from cardroom.people.models import Staff

from ..models import OfflineEntry, Shift, Table, TabletGap
from ..report_jobs import Cause, report_ask
from .clock import command_time
from .locks import locked, run_again
from .transactions import TableTransaction

#: The commands by which a table's journal keeps them.
GIVEN_COMMAND, GAP_COMMAND = "given_offline", "tablet_back"


@dataclasses.dataclass(frozen=True)
class GivenOffline:
    """When a command was given at a tablet, by its own clock, and what its clock was behind the server's when last in touch."""

    tablet_at: datetime.datetime
    offset_ms: int | None = None
    screen: str = ""

    def at(self, now: datetime.datetime) -> datetime.datetime:
        """Return the instant by the server's clock; never after `now`, when it was taken."""
        return min(now, self.tablet_at + datetime.timedelta(milliseconds=self.offset_ms or 0))


def offline_note(tx: TableTransaction, given: GivenOffline, command: str) -> None:
    """Note that `command`, which the table has just taken, was given offline: a row, and an entry of the journal.

    Where it was given in a shift that is closed by now, the report of that shift is made again.
    """
    given_at = given.at(tx.now)
    shift = Shift.objects.filter(room=tx.room, closed_at__isnull=True).first()
    closed = Shift.objects.filter(room=tx.room, opened_at__lte=given_at, closed_at__gt=given_at).first()
    entry = OfflineEntry.objects.create(
        room=tx.room,
        table=tx.table,
        screen=given.screen,
        command=command,
        given_by=tx.actor,
        given_at=given_at,
        offset_ms=given.offset_ms,
        taken_at=tx.now,
        shift=shift,
        given_in=closed,
    )
    tx.journal(
        GIVEN_COMMAND,
        {
            "command": command,
            "given_at": given_at.isoformat(),
            "waited_seconds": int((tx.now - given_at).total_seconds()),
            "offset_ms": given.offset_ms,
            "screen": given.screen,
            "shift": None if shift is None else str(shift),
            "given_in": None if closed is None else str(closed),
        },
    )
    if entry.given_in is not None:
        report_ask(entry.given_in, Cause.GIVEN_OFFLINE, tx.now)


@run_again
def gap_note(
    table_id: int, by: Staff, screen: str, since: datetime.datetime, until: datetime.datetime
) -> None:
    """Note that a tablet, at which `by` is signed in, was out of touch: a row, and an entry of the journal."""
    with locked(Table, table_id, "room") as table:
        gap_record(TableTransaction(table=table, actor=by, now=command_time(table).now), screen, since, until)


def gap_record(tx: TableTransaction, screen: str, since: datetime.datetime, until: datetime.datetime) -> None:
    """The same at a table that is locked."""
    TabletGap.objects.create(room=tx.room, table=tx.table, screen=screen, since=since, until=until)
    tx.journal(GAP_COMMAND, {"screen": screen, "since": since.isoformat(), "until": until.isoformat()})
