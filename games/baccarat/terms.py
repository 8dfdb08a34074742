"""The terms of baccarat: a rulebook with the room's options put in."""

from collections.abc import Mapping
from typing import Any

from games.baccarat.rulebook import BaccaratRulebook
from games.terms import Terms, option_rule, read_choice


class BaccaratTerms(Terms):
    """Everything the engine needs beside the sheet."""

    rulebook: BaccaratRulebook


def read_options(rulebook: BaccaratRulebook, given: Mapping[str, Any]) -> BaccaratTerms:
    """The room's options, checked and put in; Refusal `unknown_option` or `bad_option`, path `options.X`."""
    choices = rulebook.default_options.copy()
    for name, value in given.items():
        choices[name] = read_choice(option_rule(rulebook, name), value)
    return BaccaratTerms(rulebook, choices)
