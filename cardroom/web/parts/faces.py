"""Faces of people: the photograph of a player who has one over initials, on one of a few quiet grounds that stays with the person."""

from __future__ import annotations

from typing import TypedDict

from django.urls import reverse

from cardroom.people.models import Player, Staff

#: The grounds of initials, as `tokens.css` names them. None of them is the colour of a state.
TONES = ("a", "b", "c", "d")


class Face(TypedDict):
    """A face as `web/parts/face.html` draws it; `photo` is an address, or empty."""

    initials: str
    tone: str
    photo: str


def face_of(person: Staff | Player, *, code: str = "") -> Face:
    """The face of a person; with the photograph of a player on pages of their room, whose `code` is given."""
    name = person.known_as if isinstance(person, Player) else str(person)
    photo = photo_of(person, code) if code and isinstance(person, Player) else ""
    return {"initials": initials_of(name), "tone": tone_of(person), "photo": photo}


def initials_of(name: str) -> str:
    """The first letters of the first and the last word of a name: "Thaddeus Adeyemi-Brown" is "TA", "Kim" is "K"."""
    firsts = [next(filter(str.isalnum, word), "") for word in name.split()]
    letters = [letter for letter in firsts if letter]
    return "".join([*letters[:1], *letters[1:][-1:]]).upper()


def tone_of(person: Staff | Player) -> str:
    """The ground of a person's initials: the same on every page and every day."""
    return TONES[person.pk % len(TONES)]


def photo_of(player: Player, code: str) -> str:
    """The address of the photograph of who a player is, on pages of the room `code`; empty where there is none."""
    of = player.merged_into or player
    return "" if of.photo_id is None else reverse("web:player_photo", args=(code, of.pk, of.photo_id))


def photo_at(player: Player, table: int) -> str:
    """The same at a table, where a session that a PIN opened reaches no other address."""
    of = player.merged_into or player
    return "" if of.photo_id is None else reverse("web:table_photo", args=(table, of.pk, of.photo_id))
