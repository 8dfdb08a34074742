"""A rulebook's options in words: what each is called, and what each of its values means at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.rulebook import Rulebook

from .forms.settings import OPTIONS
from .money import dollars_of

_LABELS = {
    "fee_schedule": "Fee schedule",
    "house_rake": "House rake",
    "pair_plus_table": "Pair Plus table",
    "pair_plus_requires_win": "Pair Plus is paid",
    "six_card_bonus_table": "6 Card Bonus table",
    "version": "Version of the game",
    "ante_bonus_table": "Ante bonus table",
    "designator": "Designator",
    "progressive_table": "Progressive paytable",
    "progressive_on_fold": "A folded hand",
}
_VALUES: Mapping[tuple[str, Any], str] = {
    ("pair_plus_requires_win", False): "on the hand alone, once it has called",
    ("pair_plus_requires_win", True): "only when the hand wins",
    ("progressive_on_fold", True): "can win the progressive",
    ("progressive_on_fold", False): "cannot win the progressive",
    ("version", "standard"): "ante and pair plus apart",
    ("version", "ante_covers_pair_plus"): "pair plus no more than the ante",
    ("version", "ante_covers_half"): "pair plus no more than twice the ante",
    ("version", "both_within_five"): "both compulsory, within five times each other",
    ("house_rake", "all"): "every player and the bank",
    ("house_rake", "all_but_bank"): "every player but the bank",
    ("house_rake", "bank_only"): "the bank alone",
}
_NONES = {"six_card_bonus_table": "not offered", "fee_schedule": "none: no fee is collected"}


def option_label(name: str) -> str:
    """What an option is called."""
    return OPTIONS[name][0] if name in OPTIONS else _LABELS[name]


def option_value(rulebook: Rulebook, name: str, value: Any) -> str:
    """What one of its values means; None is the option left out, where a rulebook lets it be."""
    if value is None:
        return _NONES.get(name, "none")
    if name in OPTIONS:
        return dict(OPTIONS[name][1])[value]
    if name == "fee_schedule":
        schedule = rulebook.fee_schedule(value)
        most = schedule.ante_max_cents
        to = "" if most is None else f" to {dollars_of(most)}"
        return f"{value}: antes from {dollars_of(schedule.ante_min_cents)}{to}"
    return _VALUES.get((name, value), str(value))


def options_in_words(rulebook: Rulebook, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Every option with its value, as (label, words) pairs in the order of the rulebook.

    `options` are whole, as `games.terms.Terms.options` has them. The fee schedule is left out: a room files its own.
    """
    return [
        (option_label(name), _chosen(rulebook, name, value))
        for name, value in options.items()
        if name != "fee_schedule"
    ]


def _chosen(rulebook: Rulebook, name: str, value: Any) -> str:
    if name == "pair_plus_table":
        return "the printed one" if isinstance(value, str) else "the house's own"
    if name == "house_rake" and value is not None:
        return f"{dollars_of(value['cents'])} from {option_value(rulebook, name, value['mode'])}"
    return option_value(rulebook, name, value)
