"""Places where a bettor wagers (`seat` and `behind`): a seat's own spot, or a place on its back line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

#: What a place on a back line is called after its seat: "3b" is the first bettor behind seat 3, "3c" the second.
_LETTERS = "abcdefgh"
_NAMED = re.compile(r"(\d{1,2})([b-h]?)")


class Place(NamedTuple):
    """A bettor's place: `behind` is 0 for the player of the seat, else the place on the back line of its spot, from 1.

    Places are in the order in which their wagers are settled within a spot.
    """

    seat: int
    behind: int = 0

    def __str__(self) -> str:
        return f"{self.seat}{_LETTERS[self.behind] if self.behind else ''}"


def place_of(facts: Mapping[str, Any]) -> Place:
    """The place of a bet, a result or a fee as the floor keeps it: `behind` is left out for the player of the seat."""
    return Place(facts["seat"], facts.get("behind") or 0)


#: Places by seat and name, as the documents of a round name those who wager in it.
Places = Mapping[tuple[int, str], Place]


def places_of(bets: Iterable[Mapping[str, Any]]) -> Places:
    """The place of each of `bets` by the seat and name by which the round's sheet and settlement name its bettor."""
    return {(bet["seat"], bet.get("player", "")): place_of(bet) for bet in bets}


def place_in(places: Places, named: Mapping[str, Any]) -> Place:
    """The place of a position or line of a round's documents; the seat itself, where no wager is of that name."""
    return places.get((named["seat"], named.get("player", "")), Place(named["seat"]))


def place_named(text: str) -> Place | None:
    """The place that a text names, as in "3" or "3b"; None for any other text."""
    match = _NAMED.fullmatch(text)
    return None if match is None else Place(int(match[1]), _LETTERS.index(match[2]) if match[2] else 0)


class PlaceKeys(TypedDict):
    """A place as JSON has it."""

    seat: int
    behind: NotRequired[Annotated[int, "Of a back-line bettor: the place behind the seat, from 1."]]


def place_as_json(place: Place) -> PlaceKeys:
    """The keys of a place in a bet or an entry of the journal; `behind` is left out for the player of the seat."""
    return {"seat": place.seat, "behind": place.behind} if place.behind else {"seat": place.seat}
