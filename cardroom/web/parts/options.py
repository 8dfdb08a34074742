"""Formats a rulebook's options as text: what each is called, and what each of its values means at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fees.rake import OPTION, Rake
from games.approval import APPROVAL
from games.money import dollars
from games.option_words import RAKE_MODES
from games.registry import game_of
from games.rulebook import Rulebook


def option_label(rulebook: Rulebook, name: str) -> str:
    """What an option is called."""
    return game_of(rulebook.id).option_words.labels[name]


def option_value(rulebook: Rulebook, name: str, value: Any) -> str:
    """What one of its values means; None is the option left out, where a rulebook lets it be."""
    words = game_of(rulebook.id).option_words
    if value is None:
        return words.nones.get(name, "none")
    if name == "fee_schedule":
        schedule = rulebook.fee_schedule(value)
        most = schedule.ante_max_cents
        to = "" if most is None else f" to {dollars(most)}"
        return f"{value}: antes from {dollars(schedule.ante_min_cents)}{to}"
    return words.values.get((name, value), str(value))


def format_options(rulebook: Rulebook, options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Every option with its value, as (label, words) pairs in the order of the rulebook.

    `options` are whole, as `games.terms.Terms.options` has them. The fee schedule is left out: a room files its own. So are
    an approval, whose terms are the rulebook's by now, and the spots, terms and clauses that a filing lists: a placard has them.
    """
    return [
        (option_label(rulebook, name), _chosen(rulebook, name, value))
        for name, value in options.items()
        if name not in ("fee_schedule", APPROVAL)
        and not isinstance(value, list)
        and not (isinstance(value, Mapping) and name not in rulebook.options)
    ]


def format_rake(rake: Rake) -> str:
    """Who pays how much a round: `$1.50 from every player and the bank`."""
    return f"{dollars(rake.cents)} from {RAKE_MODES[rake.mode]}"


def _chosen(rulebook: Rulebook, name: str, value: Any) -> str:
    if name not in rulebook.options:  # what a filing says of its game: the name, a number of seats
        return option_value(rulebook, name, value)
    if rulebook.options[name].own_table or rulebook.options[name].printed:
        return "the house's own" if isinstance(value, Mapping) else "the printed one"
    if name == OPTION and value is not None:
        return format_rake(Rake(**value))
    return option_value(rulebook, name, value)
