"""Template context of the betting spots of a table: what a player may place, under the rulebook's names."""

from __future__ import annotations

import dataclasses
from typing import Any

from cardroom.floor.models import Round
from cardroom.floor.places import Place
from games.ran_out import read_ran_out
from games.rulebook import Rulebook
from games.terms import Terms

WAGERS, TIPS = "wagers", "tips"
#: Letters of a name that a seat has room for.
SHORT = 9
#: Letters of one that shares it with five and more: a name of so many is whole, of a longer word its first ones.
BRIEF = 8
BEGINNING = 4


@dataclasses.dataclass(frozen=True)
class Spot:
    """A place on the layout: the wager's `id`, and its display `name`; `main` wagers make a round.

    `follows`: it is laid with the wager that it equals, and nobody enters it.
    """

    id: str
    name: str
    main: bool = False
    follows: bool = False

    @property
    def brief(self) -> str:
        """The name where five spots and more share a seat: "Banker", "Dragon 7", "6CB", "Prog"."""
        if len(self.name) <= BRIEF:
            return self.name
        words = self.name.split()
        return "".join(word[0] for word in words) if len(words) > 1 else self.name[:BEGINNING]

    @property
    def short(self) -> str:
        """The name where there is little room: long ones by the first letters of their words, "6CB"."""
        if len(self.name) <= SHORT:
            return self.name
        return "".join(word[0] for word in self.name.split())


def laid_spots(terms: Terms) -> list[Spot]:
    """What lies on the layout before the deal, in its order."""
    return [
        Spot(spot.id, spot.name, spot.charged, follows=spot.equals is not None)
        for spot in terms.spots
        if spot.placed
    ]


def wager_spots(terms: Terms) -> list[Spot]:
    """What is entered before the deal, in the order of the layout; a wager that equals another one follows it."""
    return [spot for spot in laid_spots(terms) if not spot.follows]


def tip_spots(terms: Terms) -> list[Spot]:
    """Return the spots beside which a tip may be placed before the deal (ruling 4)."""
    return [Spot(spot.id, spot.name, spot.charged) for spot in terms.spots if spot.placed and spot.tip]


def late_tip_spot(terms: Terms) -> Spot | None:
    """The spot whose tip comes with the decision, if the table takes one."""
    return next((Spot(spot.id, spot.name) for spot in terms.spots if spot.tip and not spot.placed), None)


def takes_late_tip(terms: Terms, bet: dict[str, Any]) -> bool:
    """Tell whether a tip may come with the decision: only beside a tip on the wager that it follows (ruling 4)."""
    spot = late_tip_spot(terms)
    return spot is not None and bool((bet.get(TIPS) or {}).get(terms.needs[spot.id]))


def spot_name(rulebook: Rulebook, wager: str) -> str:
    """Return the display name of a wager; lines that are no wager of their own have their id's words."""
    rule = rulebook.wagers.get(wager)
    return rule.name if rule else wager.replace("_", " ").capitalize()


def ran_out_at(round_: Round) -> str:
    """The place at which the bank of a round that is not carded ran out, and the wager where one is named; empty for nowhere."""
    if round_.ran_out is None:
        return ""
    said = read_ran_out(round_.ran_out)
    place = str(Place(said.seat, said.behind))
    return f"{place}, {spot_name(round_.book, said.spot)}" if said.spot else place
