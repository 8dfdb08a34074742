"""The wagers of baccarat by name."""

from enum import StrEnum


class Wager(StrEnum):
    """What a line of a settlement is about; every wager is laid before the deal."""

    PLAYER = "player"
    BANKER = "banker"
    TIE = "tie"
    DRAGON_7 = "dragon_7"
    PANDA_8 = "panda_8"


WAGER_IDS: tuple[str, ...] = tuple(wager.value for wager in Wager)

PLAYER, BANKER, TIE, DRAGON_7, PANDA_8 = WAGER_IDS

MAIN = frozenset({PLAYER, BANKER})
"""The wagers that bear the table limit and are charged a fee; by themselves they count toward total table action."""

NEEDS = ("nothing", "main")
"""What a wager may require: nothing, or a wager on player or banker on the same position."""
