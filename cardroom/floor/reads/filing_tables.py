"""Query on the tables that a version of a filing is for: which are to be set to it, from when, and which are not, and why.

A table plays what the floor has set it to (`table_set`), and deals no round on a version that is not in force on the gaming day of
the open shift (`why_filing_expired`). So it does not go over to another version by itself: from the first day of the new one on its
next round is refused until the floor has set it, between rounds, and posted the placard.
"""

from __future__ import annotations

import dataclasses
import datetime
from typing import TypeVar

from cardroom.filings.models import FeeSchedule, Filing, GameFiling
from cardroom.filings.selectors import in_force
from cardroom.rooms.gaming_day import gaming_day, gaming_day_bounds
from games.phrases import Phrase
from games.refusal import Refusal

from ..checks.filings import why_not_set_to
from ..checks.limits import TIPS, limited_wagers, why_outside_fees
from ..models import Shift, Table

Version = TypeVar("Version", FeeSchedule, GameFiling)


@dataclasses.dataclass(frozen=True)
class TableChange:
    """A table that plays another version: which, and why the floor will not be able to set it to the new one as it stands."""

    table: Table
    before: Filing
    why_not: str


@dataclasses.dataclass(frozen=True)
class TableKept:
    """A table that stays as it is, and why."""

    table: Table
    why: str


@dataclasses.dataclass(frozen=True)
class FilingTables:
    """What a version means for the tables of its room.

    `first` is the gaming day from which it holds, which begins at `begins_at`; None for a draft without a day. `open_shift` is
    the one of an earlier gaming day that is open: rounds that join it are played as before until it closes.
    """

    first: datetime.date | None
    begins_at: datetime.datetime | None
    has_begun: bool
    open_shift: Shift | None
    set_to_it: list[Table]
    changes: list[TableChange]
    kept: list[TableKept]


def filing_tables(version: Version, now: datetime.datetime) -> FilingTables:
    """Return the tables of the room by what a version means for them: drafted, filed, or no longer in force."""
    room, today = version.room, gaming_day(version.room, now)
    is_draft = version.status == Filing.Status.DRAFT
    first = version.effective_from
    if is_draft:
        following = version.free_from(today)
        first = following if first is None else max(first, following)
    comes = version.status in (Filing.Status.DRAFT, Filing.Status.FILED)
    shift = Shift.objects.filter(room=room, closed_at__isnull=True, gaming_day__lt=first or today).first()
    found = FilingTables(
        first,
        None if first is None else gaming_day_bounds(room, first)[0],
        not is_draft and first is not None and first <= today,
        shift,
        [],
        [],
        [],
    )
    tables = Table.objects.filter(room=room).select_related("room", "game", "schedule")
    for table in tables.order_by("number"):
        now_set: Filing | None = table.schedule if isinstance(version, FeeSchedule) else table.game
        if now_set is None:
            found.kept.append(TableKept(table, _without(version, table)))
        elif now_set.number != version.number or (now_set.pk != version.pk and not comes):
            found.kept.append(TableKept(table, Phrase("{filing} is set there", filing=now_set)))
        elif now_set.pk == version.pk:
            found.set_to_it.append(table)
        else:
            found.changes.append(TableChange(table, now_set, _why_not(version, table, first or today)))
    return found


def _without(version: Filing, table: Table) -> str:
    """Why nothing of that kind is set at a table."""
    if isinstance(version, GameFiling) or table.game is None:
        return Phrase("no filed game is set there")
    return Phrase("{game} charges by no fee schedule", game=table.game)


def _why_not(version: FeeSchedule | GameFiling, table: Table, first: datetime.date) -> str:
    """Why the floor cannot set a table to a version as the table stands, by the checks of the command; empty where it can."""
    if isinstance(version, FeeSchedule) and version.problems:
        return Phrase("the draft cannot be filed yet")
    try:
        return _refusal(version, table, first)
    except Refusal as refused:  # options of a draft that the game does not know
        return refused.message


def _refusal(version: FeeSchedule | GameFiling, table: Table, first: datetime.date) -> str:
    """The refusal of the command by which the floor would set a table to a version on its first day; empty for none."""
    game, schedule = table.game, table.schedule
    if isinstance(version, FeeSchedule):
        schedule, game = version, None if game is None else _then(game, first)
    else:
        game, schedule = version, None if schedule is None else _then(schedule, first)
    if game is None:
        return Phrase("no filed game is set there")
    if refused := why_not_set_to(table.room, game, schedule, table.recording, first):
        return refused[1].message
    wagers = limited_wagers(game.rulebook, game.play_options, main_by_schedule=schedule is not None)
    names = {each.key: each.name for each in wagers}
    if missing := [each.name for each in wagers if each.key not in table.wager_limits]:
        return Phrase("No limits are set there for {names}.", names=", ".join(missing))
    limits = {key: limit for key, limit in table.wager_limits.items() if key in names or key == TIPS}
    outside = None if schedule is None else why_outside_fees(limits, schedule.schedule, names)
    return "" if outside is None else outside[1]


def _then(filing: Version, day: datetime.date) -> Version:
    """The version of a filing's number that is in force on a day; the filing itself where none is."""
    return in_force(type(filing), filing.room, day).filter(number=filing.number).first() or filing
