"""Search for players: by the room's number, or by a name, which other names may look like."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.db.models import CharField, Q, QuerySet, Value
from django.db.models.functions import Cast, Coalesce, Concat

from cardroom.core.names import looks_like
from cardroom.rooms.models import Room

from .models import Player

#: "12", "#12", "Lee Chan #12".
_NUMBERED = re.compile(r"(?:(?P<name>.*\S)\s*#|#)?\s*(?P<number>[0-9]{1,9})", re.DOTALL)


def players_meant(room: Room | int, given: str) -> list[Player]:
    """Return whom `given` may mean: one player, where it is a number of the room or a name that nobody else's looks like.

    Several are all whose names look alike, in whatever case or script; one who is no longer active is meant where nobody
    else is. An entry that was merged means the player whom it was merged into.
    """
    players = _by_name(Player.objects.filter(room=room, is_unused=False))
    if (numbered := _NUMBERED.fullmatch(given.strip())) is not None:
        named = _is_called(looks_like(numbered["name"])) if numbered["name"] else Q()
        if found := players.filter(named, number=numbered["number"]):
            return [player.merged_into or player for player in found]
    alike = list(players.filter(_is_called(looks_like(given)), merged_into__isnull=True))
    return [player for player in alike if player.is_active] or alike


def players_found(room: Room, search: str, *, barred: bool = False) -> QuerySet[Player]:
    """Return the active players of a room whose number is `search`, or a name of whom has it as a part, by name.

    With `barred` those too who may no longer play there. Nobody is found twice: entries that were merged are left out.
    """
    players = Player.objects.filter(room=room, merged_into__isnull=True, is_unused=False)
    if not barred:
        players = players.filter(is_active=True)
    if (numbered := _NUMBERED.fullmatch(search.strip())) is not None and not numbered["name"]:
        players = players.filter(
            Q(number=numbered["number"]) | _has_in_a_name(looks_like(numbered["number"]))
        )
    elif numbered is not None:
        players = players.filter(_is_called(looks_like(numbered["name"])), number=numbered["number"])
    elif search.strip():
        players = players.filter(_has_in_a_name(looks_like(search)))
    return _by_name(players)


def _by_name(players: QuerySet[Player]) -> QuerySet[Player]:
    return players.select_related("provider", "merged_into__provider").order_by("name", "number")


def _is_called(key: str) -> Q:
    return Q(name_key=key) | Q(other_name_key=key)


def _has_in_a_name(key: str) -> Q:
    return Q(name_key__contains=key) | Q(other_name_key__contains=key)


def same_person(player: Player, path: str = "") -> Q:
    """Return what rows of the same person as `player` have in common; `path` leads to the player, as in `player__`."""
    return Q(**{f"{path}pk": player.person_id}) | Q(**{f"{path}merged_into": player.person_id})


def known_as(path: str) -> Coalesce:
    """Return the expression for the name of who a player is; `path` leads to the player, as in `bank_player__`."""
    return Coalesce(f"{path}merged_into__name", f"{path}name")


def ref_of(path: str) -> Concat:
    """Return the expression for what texts that are kept call a player by (`Player.ref`); `path` as in `known_as`."""
    entry = Coalesce(f"{path}merged_into", f"{path}pk")
    return Concat(Value("player:"), Cast(entry, CharField()), output_field=CharField())


def others_alike(player: Player) -> QuerySet[Player]:
    """Return the other players of the room, as they are now, whose names look like one of this one's."""
    names = {player.name_key, player.other_name_key} - {""}
    others = Player.objects.filter(room=player.room_id, merged_into__isnull=True, is_unused=False)
    alike = others.filter(Q(name_key__in=names) | Q(other_name_key__in=names))
    return _by_name(alike.exclude(same_person(player)))


def in_words(players: Iterable[Player]) -> str:
    """Name players so that they can be told apart."""
    return ", ".join(player.label for player in players)
