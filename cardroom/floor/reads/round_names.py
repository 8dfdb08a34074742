"""Names of the players in a round's documents, which refer to them."""

from __future__ import annotations

from collections.abc import Iterable

from cardroom.people.models import Player
from cardroom.people.names import Names

from ..models import Round


def names_of(round_: Round, players: Iterable[Player] = ()) -> Names:
    """Return the names for a round as it was read: they are read once, and not where `players` are all whom it refers to."""
    kept: Names | None = vars(round_).get("_names")
    if kept is None:
        kept = vars(round_)["_names"] = Names(players)
    return kept
