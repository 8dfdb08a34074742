"""Search for players: by the room's number, or by a name, which other names may look like."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.db.models import Q, QuerySet

from cardroom.core.names import looks_like
from cardroom.rooms.models import Room

from .models import Player

#: "12", "#12", "Lee Chan #12".
_NUMBERED = re.compile(r"(?:(?P<name>.*\S)\s*#|#)?\s*(?P<number>[0-9]{1,9})", re.DOTALL)


def players_meant(room: Room | int, given: str) -> list[Player]:
    """Return whom `given` may mean: one player, where it is a number of the room or a name that nobody else's looks like.

    Several are all whose names look alike, in whatever case or script; one who is no longer active is meant where nobody
    else is.
    """
    players = Player.objects.filter(room=room).select_related("provider").order_by("name", "number")
    if (numbered := _NUMBERED.fullmatch(given.strip())) is not None:
        named = {"name_key": looks_like(numbered["name"])} if numbered["name"] else {}
        if found := list(players.filter(number=numbered["number"], **named)):
            return found
    alike = list(players.filter(name_key=looks_like(given)))
    return [player for player in alike if player.is_active] or alike


def players_found(room: Room, search: str) -> QuerySet[Player]:
    """Return the active players of a room whose number is `search`, or whose name has it as a part, by name."""
    players = Player.objects.filter(room=room, is_active=True).select_related("provider")
    if (numbered := _NUMBERED.fullmatch(search.strip())) is not None and not numbered["name"]:
        players = players.filter(
            Q(number=numbered["number"]) | Q(name_key__contains=looks_like(numbered["number"]))
        )
    elif numbered is not None:
        players = players.filter(name_key=looks_like(numbered["name"]), number=numbered["number"])
    elif search.strip():
        players = players.filter(name_key__contains=looks_like(search))
    return players.order_by("name", "id")


def others_alike(player: Player) -> QuerySet[Player]:
    """Return the other players of the room whose names look like this one's."""
    return Player.objects.filter(room=player.room_id, name_key=player.name_key).exclude(pk=player.pk)


def in_words(players: Iterable[Player]) -> str:
    """Name players so that they can be told apart."""
    return ", ".join(player.label for player in players)
