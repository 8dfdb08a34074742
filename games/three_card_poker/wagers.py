"""The wagers of Three Card Poker by name: one name each across rulebooks, regardless of the layout."""

from enum import StrEnum


class Wager(StrEnum):
    """What a line of a settlement is about. `ANTE_BONUS` and `ENVY` have no stake of their own."""

    ANTE = "ante"
    PLAY = "play"
    PAIR_PLUS = "pair_plus"
    SIX_CARD_BONUS = "six_card_bonus"
    BAD_BEAT = "bad_beat"
    COVER_ALL = "cover_all"
    PROGRESSIVE = "progressive"
    ANTE_BONUS = "ante_bonus"
    ENVY = "envy"


WAGER_IDS: tuple[str, ...] = tuple(wager.value for wager in Wager)
"""The same as a sheet and a settlement name them: plain texts."""

ANTE, PLAY, PAIR_PLUS, SIX_CARD_BONUS, BAD_BEAT, COVER_ALL, PROGRESSIVE, ANTE_BONUS, ENVY = WAGER_IDS

PLACED_BEFORE_DEAL = frozenset({ANTE, PAIR_PLUS, SIX_CARD_BONUS, BAD_BEAT, COVER_ALL, PROGRESSIVE})
"""What a sheet may give under `wagers`; play follows from the ante and the decision."""

MAIN = frozenset({ANTE})
"""The wager that bears the table limit and is charged a fee; by itself it counts toward total table action."""

TIP_SPOTS = frozenset({ANTE, PLAY, PAIR_PLUS, SIX_CARD_BONUS})
"""The wagers beside which a dealer tip may stand, where a rulebook allows it."""
