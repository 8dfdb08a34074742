"""The wagers by number and by name; one name each across rulebooks, whatever a layout calls them.

Stakes of a position are held in a tuple by these numbers: 0 cents where nothing was placed.
"""

ANTE, PLAY, PAIR_PLUS, SIX_CARD_BONUS, BAD_BEAT, COVER_ALL, PROGRESSIVE = range(7)
ANTE_BONUS, ENVY = 7, 8
"""The two lines that carry no stake of their own."""

WAGER_IDS: tuple[str, ...] = (
    "ante",
    "play",
    "pair_plus",
    "six_card_bonus",
    "bad_beat",
    "cover_all",
    "progressive",
    "ante_bonus",
    "envy",
)
WAGER_NUMBERS: dict[str, int] = {wager: number for number, wager in enumerate(WAGER_IDS)}

STAKED = 7
"""How many wagers carry a stake: the length of a position's stakes."""

PLACED_BEFORE_DEAL: frozenset[str] = frozenset(WAGER_IDS[:STAKED]) - {"play"}
"""What a sheet may give under `wagers`; play follows from the ante and the decision."""

TIPS = 4
"""Tip wagers stand beside the first four wagers alone: the length of a position's tips."""

TIP_SPOTS: frozenset[str] = frozenset(WAGER_IDS[:TIPS])
