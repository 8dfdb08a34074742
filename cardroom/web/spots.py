"""The betting spots of a table: what a player may place, under the names that the rulebook gives them."""

from __future__ import annotations

import dataclasses
from typing import Any

from games.three_card_poker.rulebook import Rulebook, load_rulebook

WAGERS, TIPS = "wagers", "tips"
PLAY = "play"
#: Letters of a name that a seat has room for.
SHORT = 9


@dataclasses.dataclass(frozen=True)
class Spot:
    """A place on the layout: the wager's `id`, and its display `name`."""

    id: str
    name: str

    @property
    def short(self) -> str:
        """The name where there is little room: long ones by the first letters of their words, "6CB"."""
        if len(self.name) <= SHORT:
            return self.name
        return "".join(word[0] for word in self.name.split())


def wager_spots(rulebook: Rulebook, options: dict[str, Any]) -> list[Spot]:
    """What may be placed before the deal, in the order of the layout. The play wager comes with the decision."""
    chosen = {**rulebook.default_options, **options}
    return [
        Spot(wager, rule.name)
        for wager, rule in rulebook.wagers.items()
        # A bonus whose paytable the room has left out is not offered.
        if wager != PLAY and chosen.get(f"{wager}_table", "") is not None
    ]


def tip_spots(rulebook: Rulebook, options: dict[str, Any]) -> list[Spot]:
    """Return the spots beside which a tip may be placed before the deal (ruling 4)."""
    return [spot for spot in wager_spots(rulebook, options) if spot.id in _tipped(rulebook, options)]


def takes_play_tips(rulebook: Rulebook, options: dict[str, Any]) -> bool:
    """Tell whether a tip on play may come with a decision at this table."""
    return PLAY in _tipped(rulebook, options)


def _tipped(rulebook: Rulebook, options: dict[str, Any]) -> frozenset[str]:
    """The spots that take tips; none where the room's options say so (ruling 8)."""
    return frozenset() if options.get("tips") == "none" else rulebook.tip_spots


def takes_play_tip(rulebook: Rulebook, bet: dict[str, Any]) -> bool:
    """Tell whether a tip on play may come with the decision: only beside a tip on the ante (ruling 4)."""
    return PLAY in rulebook.tip_spots and bool((bet.get(TIPS) or {}).get("ante"))


def spot_name(rulebook: str, wager: str) -> str:
    """Return the display name of a wager; lines that are no wager of their own have their id's words."""
    rule = load_rulebook(rulebook).wagers.get(wager)
    return rule.name if rule else wager.replace("_", " ").capitalize()
