"""The words of a rulebook's options: what each is called, and what its values mean at the table."""

from collections.abc import Mapping
from typing import Any, NamedTuple


class OptionWords(NamedTuple):
    """`labels` by option, `values` by option and value, `nones` by option that is left out."""

    labels: Mapping[str, str]
    values: Mapping[tuple[str, Any], str]
    nones: Mapping[str, str]


RAKE_MODES: Mapping[str, str] = {
    "all": "every player and the bank",
    "all_but_bank": "every player but the bank",
    "bank_only": "the bank alone",
}
COMMON = OptionWords(
    labels={
        "coverage": "Coverage",
        "forfeits": "Folded wagers are settled",
        "tips": "Tips",
        "fee_schedule": "Fee schedule",
        "house_rake": "House rake",
        "back_line": "Back-line bettors on each player's spot",
        "decks": "Decks in use",
    },
    values={
        ("coverage", "gross"): "gross: every dollar paid or taken uses up the player-dealer wager",
        ("coverage", "net"): (
            "net: what the bank takes covers more of what it pays; it wins no more than its wager either"
        ),
        ("forfeits", "in_turn"): "at their seat's turn",
        ("forfeits", "first"): "before all others",
        ("tips", "in_turn"): "settled with their seat",
        ("tips", "after_players"): "settled after all wagers of the players",
        ("tips", "none"): "not taken",
        ("back_line", 0): "none: a spot is its player's alone",
        **{("house_rake", mode): who for mode, who in RAKE_MODES.items()},
    },
    nones={"fee_schedule": "none: no fee is collected"},
)
"""The words of the options that rulebooks of every game may have."""


def words_with(
    labels: Mapping[str, str], values: Mapping[tuple[str, Any], str], nones: Mapping[str, str]
) -> OptionWords:
    """A game's own words beside the common ones."""
    return OptionWords({**COMMON.labels, **labels}, {**COMMON.values, **values}, {**COMMON.nones, **nones})
