"""A rulebook's options in words: what each is called, and what each of its values means at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fees.rake import OPTION, Rake
from games.three_card_poker.rulebook import Rulebook

from .money import dollars_of

_LABELS = {
    "coverage": "Coverage",
    "forfeits": "Folded wagers are settled",
    "tips": "Tips",
    "fee_schedule": "Fee schedule",
    "house_rake": "House rake",
    "pair_plus_table": "Pair Plus table",
    "pair_plus_requires_win": "Pair Plus is paid",
    "pair_plus_on_fold": "Pair Plus of a folded hand",
    "six_card_bonus_table": "6 Card Bonus table",
    "version": "Version of the game",
    "ante_bonus_table": "Ante bonus table",
    "designator": "Designator",
    "progressive_table": "Progressive paytable",
    "progressive_on_fold": "A folded hand",
}
RAKE_MODES: Mapping[str, str] = {
    "all": "every player and the bank",
    "all_but_bank": "every player but the bank",
    "bank_only": "the bank alone",
}
_VALUES: Mapping[tuple[str, Any], str] = {
    ("coverage", "gross"): "gross: every dollar paid or taken uses up the bank's wager",
    (
        "coverage",
        "net",
    ): "net: what the bank takes covers more of what it pays; it wins no more than its wager either",
    ("forfeits", "in_turn"): "at their seat's turn",
    ("forfeits", "first"): "before all others",
    ("tips", "in_turn"): "settled with their seat",
    ("tips", "after_players"): "settled after all wagers of the players",
    ("tips", "none"): "not taken",
    ("pair_plus_on_fold", "forfeit"): "is lost",
    ("pair_plus_on_fold", "evaluate"): "is paid or taken by the hand",
    ("pair_plus_requires_win", False): "on the hand alone, once it has called",
    ("pair_plus_requires_win", True): "only when the hand wins",
    ("progressive_on_fold", True): "can win the progressive",
    ("progressive_on_fold", False): "cannot win the progressive",
    ("version", "standard"): "ante and pair plus apart",
    ("version", "ante_covers_pair_plus"): "pair plus no more than the ante",
    ("version", "ante_covers_half"): "pair plus no more than twice the ante",
    ("version", "both_within_five"): "both compulsory, within five times each other",
    **{(OPTION, mode): who for mode, who in RAKE_MODES.items()},
}
_NONES = {"six_card_bonus_table": "not offered", "fee_schedule": "none: no fee is collected"}


def option_label(name: str) -> str:
    """What an option is called."""
    return _LABELS[name]


def option_value(rulebook: Rulebook, name: str, value: Any) -> str:
    """What one of its values means; None is the option left out, where a rulebook lets it be."""
    if value is None:
        return _NONES.get(name, "none")
    if name == "fee_schedule":
        schedule = rulebook.fee_schedule(value)
        most = schedule.ante_max_cents
        to = "" if most is None else f" to {dollars_of(most)}"
        return f"{value}: antes from {dollars_of(schedule.ante_min_cents)}{to}"
    return _VALUES.get((name, value), str(value))


def options_in_words(rulebook: Rulebook, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Every option with its value, as (label, words) pairs in the order of the rulebook.

    `options` are whole, as `games.three_card_poker.terms.Terms.options` has them. The fee schedule is left out: a room files its own.
    """
    return [
        (option_label(name), _chosen(rulebook, name, value))
        for name, value in options.items()
        if name != "fee_schedule"
    ]


def rake_in_words(rake: Rake) -> str:
    """Who pays how much a round: `$1.50 from every player and the bank`."""
    return f"{dollars_of(rake.cents)} from {RAKE_MODES[rake.mode]}"


def _chosen(rulebook: Rulebook, name: str, value: Any) -> str:
    if name == "pair_plus_table":
        return "the printed one" if isinstance(value, str) else "the house's own"
    if name == "house_rake" and value is not None:
        return rake_in_words(Rake(**value))
    return option_value(rulebook, name, value)
