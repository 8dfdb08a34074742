"""Commands on a player's photograph: one is kept in the place of the one before, or none."""

from __future__ import annotations

import secrets
from typing import Annotated, Final, TypedDict

from cardroom.core.json_types import Base64, Id
from cardroom.people.models import SALT_LENGTH, Player, PlayerPhoto
from cardroom.people.photographs import MOST_BYTES, PhotoRefused, photograph_digest, photograph_read
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..errors import BadInput, NotNow
from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction
from .command_types import bytes_given
from .players import player_data, room_player

#: A white PNG of 32 by 32 points.
_EXAMPLE: Final = {
    "content": "iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAQAAAABbAUdZAAAAEUlEQVR42mP8z8DAwMQwaAkAswEBP25AfJYAAAAASUVORK5CYII="
}

Content = Annotated[
    str,
    Base64.of(MOST_BYTES),
    "The bytes of the photograph, a JPEG, PNG or WebP, in Base64 (RFC 4648), on one line.",
]


class PhotoAnswer(TypedDict):
    """Which player it was, and which photograph they have now."""

    player: int
    number: Annotated[int, "The room's number of the player."]
    photo: Annotated[int | None, "Id of the photograph; null where there is none now."]


@room_command(
    "PUT players/{player_id}/photo",
    Right.KEEP_PLAYERS,
    bumps_version=False,
    no_check="it depends on the player",
    title=Phrase("Set the photograph of a player"),
    tag="People",
    example=_EXAMPLE,
)
def player_photo_set(tx: RoomTransaction, *, player_id: Id, content: Content) -> PhotoAnswer:
    """Keep a photograph of the player, in the place of the one before, which is not kept.

    It is drawn anew, small and upright: nothing else that stands in the file is kept. No digest of it can be tried.
    """
    player = room_player(tx, player_id)
    try:
        kept = photograph_read(bytes_given(content))
    except PhotoRefused as refused:
        raise BadInput(refused.code, refused.message, path="content") from refused
    salt = secrets.token_hex(SALT_LENGTH // 2)
    digest = photograph_digest(salt, kept)
    photo = PlayerPhoto.objects.create(content=kept, salt=salt, digest=digest, set_at=tx.now, set_by=tx.actor)
    before = _replaced(player, photo)
    tx.journal("player_photo_set", {**player_data(player), "photo": photo.pk, "before": before})
    return {"player": player.pk, "number": player.number, "photo": photo.pk}


@room_command(
    "DELETE players/{player_id}/photo",
    Right.KEEP_PLAYERS,
    bumps_version=False,
    no_check="it depends on the player, who must have one",
    title=Phrase("Take the photograph of a player away"),
    tag="People",
)
def player_photo_remove(tx: RoomTransaction, *, player_id: Id) -> PhotoAnswer:
    """Take the photograph away: it is not kept."""
    player = room_player(tx, player_id)
    if player.photo_id is None:
        raise NotNow("no_photo", Phrase("No photograph of {player} is kept.", player=player.label))
    before = _replaced(player, None)
    tx.journal("player_photo_remove", {**player_data(player), "photo": before})
    return {"player": player.pk, "number": player.number, "photo": None}


def _replaced(player: Player, photo: PlayerPhoto | None) -> int | None:
    """Give a player another photograph, or none; return the id of the one before, which goes."""
    before, player.photo = player.photo, photo
    player.save(update_fields=["photo"])
    if before is None:
        return None
    pk: int = before.pk
    before.delete()
    return pk
