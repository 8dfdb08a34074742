"""Queries of players: where they sat, when they were last here, and who may not play."""

from __future__ import annotations

import base64
import datetime
from collections.abc import Iterable
from typing import Annotated, TypedDict

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from cardroom.core.dates import utc_text
from cardroom.core.json_types import DayText, Instant, OneOf
from cardroom.people.journal import administration_noted
from cardroom.people.models import Exclusion, Player, Staff
from cardroom.people.players import same_person
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from games.phrases import Phrase

from ..errors import BadInput, NotFound
from ..models import Seating
from .access import get_room_for


def stays_of(player: Player) -> QuerySet[Seating]:
    """Return the stays of a person, under whichever entry, the latest first."""
    # By ids and in their order, as the index has them: by a join, the database would read and sort the stays of years.
    entries = list(Player.objects.filter(same_person(player)).values_list("pk", flat=True))
    return Seating.objects.filter(player__in=entries).select_related("table", "player").order_by("-pk")


def get_player_for(staff: Staff, room_id: int, player_id: int, right: Right) -> Player:
    """Return a player, if `staff` holds `right` in the room."""
    return player_of(get_room_for(staff, room_id, right), player_id)


def player_of(room: Room, player_id: int, *, path: str = "") -> Player:
    """Return a player of a room, merged and erased ones too. Raises NotFound, or BadInput where `path` is the input that named them."""
    players = Player.objects.filter(room=room, pk=player_id)
    player = players.select_related("room", "provider", "staff", "merged_into").first()
    if player is not None:
        return player
    why = Phrase("This room has no player {player_id}.", player_id=player_id)
    raise BadInput("unknown_player", why, path=path) if path else NotFound("unknown_player", why)


class PhotoRecord(TypedDict):
    """The photograph of a player."""

    photo: Annotated[int, "Its id: another photograph has another."]
    set_at: Instant
    content: Annotated[str, "The bytes of the JPEG in Base64."]


def photo_record(player: Player) -> PhotoRecord:
    """Return the photograph of a player with its content. Raises NotFound where none is kept."""
    if (photo := player.photo) is None:
        raise NotFound("no_photo", f"No photograph of {player.label} is kept.")
    content = base64.b64encode(bytes(photo.content)).decode()
    return {"photo": photo.pk, "set_at": utc_text(photo.set_at), "content": content}


def last_seen(players: Iterable[Player]) -> dict[int, datetime.datetime]:
    """Return by player when they last sat down or left, of those who ever did."""
    # The last stay of each, by its index: to aggregate them, the database would read the stays of years.
    last = Seating.objects.filter(player=OuterRef("pk")).order_by("-pk")
    seen = Player.objects.filter(pk__in=[player.pk for player in players]).annotate(
        at=Subquery(last.values(at=Coalesce("left_at", "seated_at"))[:1])
    )
    return {pk: at for pk, at in seen.values_list("pk", "at") if at is not None}


def exclusions_looked_at(room: Room, by: Staff) -> list[Exclusion]:
    """Return every exclusion of a room, the latest first; that somebody looked is an entry of the room's journal."""
    people = ("player", "room", "entered_by", "lifted_by", "lifted_approved_by")
    rows = list(Exclusion.objects.filter(room=room).select_related(*people))
    administration_noted(room, by, "exclusions_look", {"exclusions": len(rows)})
    return rows


class ExclusionRow(TypedDict):
    """Somebody who may not play in the room, or could not."""

    id: int
    player: Annotated[int, "Id of the player's entry."]
    number: int
    name: str
    kind: Annotated[str, OneOf(Exclusion.Kind)]
    reason: str
    began_on: DayText
    ends_on: Annotated[DayText | None, "Its last day; null: until it is lifted."]
    entered_at: Instant
    entered_by: str
    lifted_at: Instant | None
    lifted_by: str | None
    lifted_approved_by: str | None
    lifted_reason: str


def exclusion_row(exclusion: Exclusion) -> ExclusionRow:
    """Return an exclusion as plain data."""
    lifted, signed = exclusion.lifted_by, exclusion.lifted_approved_by
    return {
        "id": exclusion.pk,
        "player": exclusion.player_id,
        "number": exclusion.player.number,
        "name": exclusion.player.known_as,
        "kind": exclusion.kind,
        "reason": exclusion.reason,
        "began_on": exclusion.began_on.isoformat(),
        "ends_on": None if exclusion.ends_on is None else exclusion.ends_on.isoformat(),
        "entered_at": utc_text(exclusion.entered_at),
        "entered_by": str(exclusion.entered_by),
        "lifted_at": utc_text(exclusion.lifted_at),
        "lifted_by": None if lifted is None else str(lifted),
        "lifted_approved_by": None if signed is None else str(signed),
        "lifted_reason": exclusion.lifted_reason,
    }
