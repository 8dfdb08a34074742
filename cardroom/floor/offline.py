"""Keeping both instants of what was given offline, and how long tablets were out of touch (ruling 61)."""

from __future__ import annotations

import dataclasses
import datetime
from typing import TYPE_CHECKING

from cardroom.people.models import Staff

from .clock import moment_at
from .locks import locked, run_again
from .models import OfflineEntry, Shift, Table, TabletGap
from .report_jobs import Cause, report_ask

if TYPE_CHECKING:
    from .commands import AtTable

#: The acts by which a table's journal keeps them.
GIVEN_ACT, GAP_ACT = "given_offline", "tablet_back"


@dataclasses.dataclass(frozen=True)
class GivenOffline:
    """When a command was given at a tablet, by its own clock, and what its clock was behind the server's when last in touch."""

    tablet_at: datetime.datetime
    offset_ms: int | None = None
    screen: str = ""

    def at(self, now: datetime.datetime) -> datetime.datetime:
        """Return the instant by the server's clock; never after `now`, when it was taken."""
        return min(now, self.tablet_at + datetime.timedelta(milliseconds=self.offset_ms or 0))


def offline_note(at: AtTable, given: GivenOffline, act: str) -> None:
    """Note that `act`, which the table has just taken, was given offline: a row, and an entry of the journal.

    Where it was given in a shift that is closed by now, the report of that shift is made again.
    """
    given_at = given.at(at.now)
    shift = Shift.objects.filter(room=at.room, closed_at__isnull=True).first()
    closed = Shift.objects.filter(room=at.room, opened_at__lte=given_at, closed_at__gt=given_at).first()
    entry = OfflineEntry.objects.create(
        room=at.room,
        table=at.table,
        screen=given.screen,
        act=act,
        given_by=at.actor,
        given_at=given_at,
        offset_ms=given.offset_ms,
        taken_at=at.now,
        shift=shift,
        given_in=closed,
    )
    at.journal(
        GIVEN_ACT,
        {
            "act": act,
            "given_at": given_at.isoformat(),
            "waited_seconds": int((at.now - given_at).total_seconds()),
            "offset_ms": given.offset_ms,
            "screen": given.screen,
            "shift": None if shift is None else str(shift),
            "given_in": None if closed is None else str(closed),
        },
    )
    if entry.given_in is not None:
        report_ask(entry.given_in, Cause.GIVEN_OFFLINE, at.now)


@run_again
def gap_note(
    table_id: int, by: Staff, screen: str, since: datetime.datetime, until: datetime.datetime
) -> None:
    """Note that a tablet, at which `by` is signed in, was out of touch: a row, and an entry of the journal."""
    from .commands import AtTable  # which stands on the note above

    with locked(Table, table_id, "room") as table:
        at = AtTable(table=table, actor=by, now=moment_at(table).now)
        TabletGap.objects.create(room=table.room, table=table, screen=screen, since=since, until=until)
        at.journal(GAP_ACT, {"screen": screen, "since": since.isoformat(), "until": until.isoformat()})
