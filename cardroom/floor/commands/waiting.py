"""Commands on the waiting list of a room: who waits for which game, is called, and leaves the list."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from django.db import IntegrityError, transaction

from cardroom.core.json_types import Id, Label, Text, Whole
from cardroom.filings.models import GameFiling
from cardroom.filings.selectors import in_force
from cardroom.people.models import Player
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from games.phrases import Phrase

from ..checks.seats import why_not_play_on
from ..errors import BadInput, NotFound, NotNow
from ..execution.carry_out import room_command
from ..execution.locks import lock_row
from ..execution.transactions import RoomTransaction, TableTransaction
from ..models import Table, WaitingEntry
from .players import NAME_LENGTH, room_player


class WaitingAnswer(TypedDict):
    """Which entry of the list it was."""

    entry: int


@room_command(
    "POST waiting",
    Right.KEEP_PLAYERS,
    bumps_version=False,
    no_check="it depends on game and player",
    title=Phrase("Put somebody on the waiting list"),
    tag="Waiting list",
    example={"game": 1, "name": "Red cap"},
)
def waiting_add(
    tx: RoomTransaction,
    *,
    game: Annotated[
        int, Whole(1), Label(Phrase("Game")), "Number of a filed game that is played at a table."
    ],
    player_id: Annotated[Id, "A player of the room; left out, a guest."] | None = None,
    name: Annotated[
        str, Text(NAME_LENGTH, blank=True), Label(Phrase("Name")), "What a guest is called by."
    ] = "",
) -> WaitingAnswer:
    """Put a player, or a guest by name, at the end of the waiting list of a game."""
    if game not in games_played(tx):
        raise BadInput(
            "game_not_played",
            Phrase(
                "Game {game} is played at no table of this room. Choose one that is, or set a table to it.",
                game=game,
            ),
            path="game",
        )
    player = None if player_id is None else room_player(tx, player_id)
    if player is None and not name.strip():
        raise BadInput(
            "who_waits", Phrase("Say who waits: a player, or what the guest is called by."), path="name"
        )
    if player is not None and (why := why_not_play_on(player, tx.now)) is not None:
        raise NotNow.because(why)
    entry = WaitingEntry(
        room=tx.room,
        game=game,
        player=player,
        name="" if player is not None else name,
        added_at=tx.now,
        added_by=tx.actor,
    )
    _saved(entry)
    tx.journal("waiting_add", waiting_data(entry))
    return {"entry": entry.pk}


@room_command(
    "POST waiting/{entry_id}/call",
    Right.CALL_WAITING,
    bumps_version=False,
    no_check="it depends on the entry, which must be open",
    title=Phrase("Call somebody who waits"),
    tag="Waiting list",
)
def waiting_call(tx: RoomTransaction, *, entry_id: Id) -> WaitingAnswer:
    """Note that somebody was called to a seat now; they may be called again."""
    entry = open_entry(tx, entry_id)
    entry.called_at, entry.called_by = tx.now, tx.actor
    entry.save()
    tx.journal("waiting_call", waiting_data(entry))
    return {"entry": entry.pk}


@room_command(
    "POST waiting/{entry_id}/no-show",
    Right.CALL_WAITING,
    bumps_version=False,
    no_check="it depends on the entry, which must have been called",
    title=Phrase("Note a no-show"),
    tag="Waiting list",
)
def waiting_no_show(tx: RoomTransaction, *, entry_id: Id) -> WaitingAnswer:
    """Take somebody off the list who was called and did not come."""
    entry = open_entry(tx, entry_id)
    if entry.called_at is None:
        raise NotNow("not_called", Phrase("{name} was not called yet. Call them first.", name=entry))
    return _ended(tx, entry, WaitingEntry.Ended.NO_SHOW, "waiting_no_show")


@room_command(
    "POST waiting/{entry_id}/remove",
    Right.KEEP_PLAYERS,
    bumps_version=False,
    no_check="it depends on the entry, which must be open",
    title=Phrase("Take somebody off the waiting list"),
    tag="Waiting list",
)
def waiting_remove(tx: RoomTransaction, *, entry_id: Id) -> WaitingAnswer:
    """Take somebody off the list who waits no more."""
    return _ended(tx, open_entry(tx, entry_id), WaitingEntry.Ended.REMOVED, "waiting_remove")


def _ended(tx: RoomTransaction, entry: WaitingEntry, why: str, command: str) -> WaitingAnswer:
    entry.ended_at, entry.ended_by, entry.ended_why, entry.name = tx.now, tx.actor, why, ""
    entry.save()
    tx.journal(command, waiting_data(entry))
    return {"entry": entry.pk}


def open_entry(tx: RoomTransaction | TableTransaction, entry_id: int) -> WaitingEntry:
    """Lock and return an entry of the room's list that has not ended. Raises NotFound, or NotNow for one that has."""
    found = WaitingEntry.objects.filter(pk=entry_id, room=tx.room).exists()
    if not found:
        raise NotFound(
            "unknown_entry", Phrase("Nobody waits in this room under number {entry_id}.", entry_id=entry_id)
        )
    entry = lock_row(WaitingEntry, entry_id, "player__merged_into", "player__provider", "table")
    if entry.ended_at is not None:
        text = {
            WaitingEntry.Ended.SEATED: Phrase("{name} was seated at {table}.", name=entry, table=entry.table),
            WaitingEntry.Ended.NO_SHOW: Phrase("{name} was noted as a no-show.", name=entry),
        }
        raise NotNow(
            "waits_no_more",
            text.get(
                WaitingEntry.Ended(entry.ended_why), Phrase("{name} was taken off the list.", name=entry)
            ),
        )
    return entry


def waiting_again(tx: TableTransaction, entry: WaitingEntry, who: Player | str) -> WaitingEntry:
    """Put somebody back whose seating was undone, a guest by name: an entry of its own, at their place in the list."""
    again = WaitingEntry(
        room=tx.room,
        game=entry.game,
        player=None if isinstance(who, str) else who,
        name=who if isinstance(who, str) else "",
        added_at=entry.added_at,
        added_by=entry.added_by,
        called_at=entry.called_at,
        called_by=entry.called_by,
    )
    _saved(again)
    return again


def _saved(entry: WaitingEntry) -> None:
    try:
        with transaction.atomic():
            entry.save(force_insert=True)
    except IntegrityError as error:
        assert entry.player is not None  # guests may wait under one name
        raise NotNow(
            "waits_already",
            Phrase("{player} is on the waiting list of this game already.", player=entry.player.label),
        ) from error


def games_played(tx: RoomTransaction) -> dict[int, GameFiling]:
    """Return by number the filed games that are set at a table of the room and in force today."""
    today = gaming_day(tx.room, tx.now)
    set_there = set(
        Table.objects.filter(room=tx.room, game__isnull=False).values_list("game__number", flat=True)
    )
    return {game.number: game for game in in_force(GameFiling, tx.room, today) if game.number in set_there}


def waiting_data(entry: WaitingEntry) -> dict[str, Any]:
    """An entry of the list as the journal has it."""
    player: Player | None = entry.player
    return {
        "entry": entry.pk,
        "game": entry.game,
        "player": None if player is None else player.pk,
    }
