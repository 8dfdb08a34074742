"""Names of players in what is kept: documents and texts have `player:12` for them, and who reads them is given names of today.

A name stands in the player's row and in those of the names before (`Player`, `PlayerName`), and nowhere else, so that it can be
erased there. What is kept of a name is a digest with a random salt, which stands beside the name and goes with it.
"""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeVar

from games.phrases import Phrase

from .models import Player, PlayerName, PlayerPhoto, Staff, names_digest
from .photographs import photograph_digest

#: What stands for a player in a text that is kept (`Player.ref`).
_REF: Final = re.compile(r"\bplayer:([0-9]{1,18})\b")

Kept = TypeVar("Kept")


class Names:
    """The names of today by the ids of players, read as they are asked for."""

    def __init__(self, players: Iterable[Player] = ()) -> None:
        """`players` are known already, and not read again."""
        self._known = {player.person_id: player.known_as for player in players}

    def in_place(self, kept: Kept) -> Kept:
        """Return a text, or plain data or dataclasses with texts in them, with names in place of references.

        One query, and none where all are known.
        """
        if not (wanted := set(_ids_in(kept))):
            return kept
        if missing := wanted - self._known.keys():
            others = Player.objects.filter(pk__in=missing).select_related("merged_into")
            self._known |= {player.pk: player.known_as for player in others}
        replaced: Kept = _replaced(kept, self._known)
        return replaced


def named(kept: Kept, players: Iterable[Player] = ()) -> Kept:
    """Return `kept` with names in place of references: see `Names.in_place`."""
    return Names(players).in_place(kept)


def names_of_refs(kept: Any) -> dict[str, str]:
    """Return what the players are called today to whom `kept` refers, by reference."""
    refs = sorted({f"player:{pk}" for pk in _ids_in(kept)})
    return dict(zip(refs, named(refs), strict=True))


def referring(text: str, players: Iterable[Player], most: int | None = None) -> str:
    """Return a text to be kept, with references in place of the names of `players`, and no longer than `most`."""
    refs = {player.known_as: player.ref for player in players}
    if refs:
        # Longer names first: "Lee Chan #41" before "Lee Chan".
        names = "|".join(re.escape(name) for name in sorted(refs, key=len, reverse=True))
        text = re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda found: refs[found[0]], text)
    return text if most is None else cut(text, most)


def cut(text: str, most: int) -> str:
    """Return the first `most` letters of a text, without half a reference, which would be another player's."""
    if len(text) <= most:
        return text
    halved = (found.start() for found in _REF.finditer(text) if found.start() < most < found.end())
    return text[: next(halved, most)]


def _ids_in(kept: Any) -> Iterator[int]:
    if isinstance(kept, str):
        for found in _REF.finditer(kept):
            yield int(found[1])
    else:
        for part in _parts(kept):
            yield from _ids_in(part)


def _parts(kept: Any) -> Iterable[Any]:
    if isinstance(kept, Mapping):
        return (*kept.keys(), *kept.values())
    if isinstance(kept, list | tuple):
        return kept
    if dataclasses.is_dataclass(kept):
        return [getattr(kept, field.name) for field in dataclasses.fields(kept)]
    return ()


def _replaced(kept: Any, names: Mapping[int, str]) -> Any:
    if isinstance(kept, str):
        if _REF.search(kept) is None:
            return kept
        return _phrase_replaced(kept, names) if isinstance(kept, Phrase) else _text_replaced(kept, names)
    if isinstance(kept, Mapping):
        return _mapping_replaced(kept, names)
    if isinstance(kept, list):
        return [_replaced(each, names) for each in kept]
    if isinstance(kept, tuple):
        parts = [_replaced(each, names) for each in kept]
        return kept._make(parts) if hasattr(kept, "_make") else tuple(parts)
    if dataclasses.is_dataclass(kept) and not isinstance(kept, type):
        fields = {each.name: _replaced(getattr(kept, each.name), names) for each in dataclasses.fields(kept)}
        return dataclasses.replace(kept, **fields)
    return kept


def _mapping_replaced(kept: Mapping[Any, Any], names: Mapping[int, str]) -> dict[Any, Any]:
    """What has names as keys are sums by player: those of two entries that are one person by now are one sum."""
    found: dict[Any, Any] = {}
    for key, value in kept.items():
        called, said = _replaced(key, names), _replaced(value, names)
        found[called] = found[called] + said if called in found and isinstance(said, int) else said
    return found


def _text_replaced(text: str, names: Mapping[int, str]) -> str:
    return _REF.sub(lambda found: names.get(int(found[1]), found[0]), text)


def _phrase_replaced(phrase: Phrase, names: Mapping[int, str]) -> Phrase:
    """The same phrase with its parts replaced, so that it can still be translated."""
    same = str.__new__(Phrase, _text_replaced(str(phrase), names))
    same.template, same.first, same.forms = phrase.template, phrase.first, phrase.forms
    same.parts = {name: _replaced(part, names) for name, part in phrase.parts.items()}
    return same


def names_before(player: Player, actor: Staff, now: datetime.datetime) -> PlayerName | None:
    """Return the names of a player to be kept beside those that they are given; None for a guest, whose name was none."""
    if player.is_guest:
        return None
    return PlayerName(
        player=player,
        name=player.name,
        other_name=player.other_name,
        name_salt=player.name_salt,
        name_digest=player.name_digest,
        ended_at=now,
        ended_by=actor,
    )


def names_verify() -> Iterator[str]:
    """Yield every name, of today or of before, and photograph that is not the one which its digest proves: it was changed past the commands."""
    columns = ("pk", "number", "name", "other_name", "name_key", "other_name_key", "name_salt", "name_digest")
    for player in (
        Player.objects.only(*columns, "erased_at", "photo").order_by("pk").iterator(chunk_size=2000)
    ):
        called = f"people.Player {player.pk}"
        if player.erased_at is not None:
            if (player.name, player.other_name) != (player.nameless, ""):
                yield f"{called}: was erased, and has a name"
        elif names_digest(player.name_salt, player.name, player.other_name) != player.name_digest:
            yield f"{called}: a name, or its salt, is not what its digest proves"
        if (player.name_key, player.other_name_key) != player.name_keys():
            yield f"{called}: is found by another name than the one it has"
    for before in PlayerName.objects.order_by("pk").iterator(chunk_size=2000):
        if names_digest(before.name_salt, before.name, before.other_name) != before.name_digest:
            yield f"people.PlayerName {before.pk}: a name, or its salt, is not what its digest proves"
    yield from _photographs_verify()


def _photographs_verify() -> Iterator[str]:
    for photo in PlayerPhoto.objects.select_related("player").order_by("pk").iterator(chunk_size=50):
        if photograph_digest(photo.salt, bytes(photo.content)) != photo.digest:
            yield f"people.PlayerPhoto {photo.pk}: the photograph, or its salt, is not what its digest proves"
        if not hasattr(photo, "player"):
            yield f"people.PlayerPhoto {photo.pk}: it is nobody's, and was not taken away with the player's"
