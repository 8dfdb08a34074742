"""The wagers of Ultimate Texas Hold'em by name."""

from enum import StrEnum


class Wager(StrEnum):
    """What a line of a settlement is about."""

    ANTE = "ante"
    BLIND = "blind"
    PLAY = "play"
    TRIPS = "trips"


WAGER_IDS: tuple[str, ...] = tuple(wager.value for wager in Wager)

ANTE, BLIND, PLAY, TRIPS = WAGER_IDS

PLACED_BEFORE_DEAL = frozenset({ANTE, BLIND, TRIPS})
"""What a sheet may give under `wagers`: the blind equals the ante and may be left out; play follows from the decision."""

MAIN = frozenset({ANTE})
"""The wager that bears the table limit and is charged a fee; by itself it counts toward total table action."""

TIP_SPOTS = frozenset({ANTE, PLAY, TRIPS})
"""The wagers beside which a dealer tip may stand, where a rulebook allows it."""

NEEDS = ("nothing", "ante")
"""What a wager may require."""
