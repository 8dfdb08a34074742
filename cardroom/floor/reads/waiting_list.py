"""Queries on the waiting list of a room and on its must-move tables: who is next for a seat in a game."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Annotated, TypedDict

from django.db.models import QuerySet

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant
from cardroom.rooms.models import Room

from ..models import Seating, Table, WaitingEntry


class WaitingRow(TypedDict):
    """Somebody who waits for a seat."""

    entry: int
    game: Annotated[int, "Number of the filed game."]
    player: Annotated[int | None, "Null for a guest who has not been seated yet."]
    name: str
    number: Annotated[int | None, "The room's number of the player."]
    added_at: Instant
    called_at: Annotated[Instant | None, "When they were called last; null before."]


def waiting_row(entry: WaitingEntry) -> WaitingRow:
    """Return an entry of the list as plain data."""
    return {
        "entry": entry.pk,
        "game": entry.game,
        "player": None if entry.player is None else entry.player.person_id,
        "name": entry.called_name,
        "number": None if entry.player is None else entry.player.number,
        "added_at": utc_text(entry.added_at),
        "called_at": utc_text(entry.called_at),
    }


def waiting_of(room: Room, game: int | None = None) -> QuerySet[WaitingEntry]:
    """Return who waits in a room, for one game or any, the first first."""
    entries = WaitingEntry.objects.filter(room=room, ended_at__isnull=True)
    if game is not None:
        entries = entries.filter(game=game)
    return entries.select_related("player__merged_into").order_by("game", "added_at", "pk")


def is_overdue(entry: WaitingEntry, room: Room, now: datetime.datetime) -> bool:
    """Whether somebody was called longer ago than a call holds in the room, and is not seated."""
    holds = datetime.timedelta(minutes=room.call_minutes)
    return entry.called_at is not None and now - entry.called_at > holds


@dataclasses.dataclass(frozen=True)
class MustMove:
    """A must-move table, and who has sat longest at one of its seats; None where nobody sits there."""

    table: Table
    first: Seating | None


def must_moves_to(table: Table) -> list[MustMove]:
    """Return the open must-move tables of a table that play its game, by number; two queries where there are any."""
    if table.game is None:
        return []
    pairs = Table.objects.filter(
        must_move_to=table, state=Table.State.OPEN, game__number=table.game.number
    ).order_by("number")
    stays = Seating.objects.filter(table__in=pairs, behind=0, left_at__isnull=True, held_until__isnull=True)
    first: dict[int, Seating] = {}
    for stay in stays.select_related("player__merged_into", "table").order_by("seated_at", "pk"):
        first.setdefault(stay.table_id, stay)
    return [MustMove(each, first.get(each.pk)) for each in pairs]
