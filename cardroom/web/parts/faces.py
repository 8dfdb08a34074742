"""Faces of people where no photograph is: initials, on one of a few quiet grounds that stays with the person."""

from __future__ import annotations

from cardroom.people.models import Player, Staff

#: The grounds of initials, as `tokens.css` names them. None of them is the colour of a state.
TONES = ("a", "b", "c", "d")


def initials_of(name: str) -> str:
    """The first letters of the first and the last word of a name: "Thaddeus Adeyemi-Brown" is "TA", "Kim" is "K"."""
    firsts = [next(filter(str.isalnum, word), "") for word in name.split()]
    letters = [letter for letter in firsts if letter]
    return "".join([*letters[:1], *letters[1:][-1:]]).upper()


def tone_of(person: Staff | Player) -> str:
    """The ground of a person's initials: the same on every page and every day."""
    return TONES[person.pk % len(TONES)]
