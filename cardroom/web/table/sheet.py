"""Template context of the seating sheet: who may sit down at a free seat, a line each, and the other ways to fill it."""

from __future__ import annotations

import dataclasses
import datetime

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from cardroom.core.dates import day_text
from cardroom.floor.models import Seating
from cardroom.floor.reads.seating import Seatable, Seatables
from cardroom.floor.reads.table_state import TableState
from cardroom.floor.reads.waiting_list import is_overdue, waiting_of
from cardroom.people.models import Player
from cardroom.rooms.models import Room

from ..parts.clock import clock_of
from ..parts.faces import initials_of, photo_at, tone_of
from ..parts.languages import translated


@dataclasses.dataclass(frozen=True)
class PersonLine:
    """A person in the sheet: face, the name with what was found of it set apart, what tells them apart, what a touch does.

    `command` is the page's command of the touch with its `fields`; where none may be given, `why_not` says why.
    """

    initials: str
    tone: str
    photo: str
    name: tuple[str, str, str]
    other_name: str
    number: int
    where: str
    act: str
    command: str
    fields: dict[str, str | int]
    why_not: str


def lines_of(state: TableState, seat: int, people: Seatables, search: str = "") -> list[PersonLine]:
    """Return the lines of those who were found for a seat."""
    return [_line(state, seat, each, search.strip()) for each in people.people]


def _line(state: TableState, seat: int, each: Seatable, search: str) -> PersonLine:
    player = each.player
    command, fields = _touch(state, each, seat)
    return PersonLine(
        initials=initials_of(player.name),
        tone=tone_of(player),
        photo=photo_at(player, state.table.pk),
        name=_parted(player.name, search),
        other_name=player.other_name,
        number=player.number,
        where=_where(state, each),
        act=_("Ask a shift manager")
        if not player.may_play(state.now)
        else _("Not now")
        if each.why_not is not None
        else _("Move here")
        if each.moves
        else pgettext("what a touch does", "Seat"),
        command=command,
        fields=fields,
        why_not="" if each.why_not is None else translated(each.why_not.message),
    )


def _touch(state: TableState, each: Seatable, seat: int) -> tuple[str, dict[str, str | int]]:
    """The command of a touch, with its fields."""
    if not each.moves:
        return "seat", {"seat": seat, "player": each.player.label}
    assert each.stay is not None  # who moves is at a table
    if each.stay.table_id != state.table.pk:
        return "bring", {"seat": seat, "player_id": each.player.pk}
    if each.stay.behind:
        return "back-line-move", {"seat": each.stay.seat, "behind": each.stay.behind, "to_seat": seat}
    return "move", {"seat": each.stay.seat, "to_seat": seat}


def _where(state: TableState, each: Seatable) -> str:
    """Where somebody is now, or was last; nothing of who may not be seated from here."""
    room = state.table.room
    if not each.player.may_play(state.now):
        return _("not seated from here")
    if (stay := each.stay) is not None:
        return _("at %(table)s, seat %(place)s, since %(time)s") % {
            **_at(stay),
            "time": clock_of(room, stay.seated_at),
        }
    if (last := each.last) is None or last.left_at is None:
        return _("new here")
    day = day_text(last.left_at.astimezone(room.zone).date())
    return _("last here %(day)s, %(table)s") % {"day": day, **_at(last)}


def _at(stay: Seating) -> dict[str, str]:
    return {"table": translated(str(stay.table)), "place": str(stay.place)}


def _parted(name: str, search: str) -> tuple[str, str, str]:
    """A name before, in and after what was searched for, as far as it stands there letter by letter."""
    at = name.casefold().find(search.casefold()) if search else -1
    # Folding may lengthen a name: then its parts would be others.
    if at < 0 or len(name.casefold()) != len(name):
        return name, "", ""
    return name[:at], name[at : at + len(search)], name[at + len(search) :]


@dataclasses.dataclass(frozen=True)
class WaitingLine:
    """Somebody who waits for this table's game; `number` is the room's, None for a guest, and `overdue` a call too old."""

    entry: int
    name: str
    number: int | None
    added_at: datetime.datetime
    called_at: datetime.datetime | None
    overdue: bool


def waiting_lines(room: Room, game: int | None, now: datetime.datetime) -> list[WaitingLine]:
    """Return the lines of a waiting list, the first first; none for a table without a game."""
    if game is None:
        return []
    return [
        WaitingLine(
            entry=entry.pk,
            name=entry.called_name,
            number=None if entry.player is None else entry.player.number,
            added_at=entry.added_at,
            called_at=entry.called_at,
            overdue=is_overdue(entry, room, now),
        )
        for entry in waiting_of(room, game)
    ]


def next_guest(state: TableState) -> int:
    """The number that a guest would have, who is seated next."""
    return Player.next_guest(state.table.room_id)
