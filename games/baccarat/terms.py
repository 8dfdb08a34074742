"""The terms of baccarat: a rulebook with the room's options put in."""

from collections.abc import Mapping
from typing import Any

from games.baccarat.approval import TERMS, approved_rulebook
from games.baccarat.rulebook import BaccaratRulebook
from games.terms import Terms, read_choices, with_approval


class BaccaratTerms(Terms):
    """Everything the engine needs beside the sheet."""

    rulebook: BaccaratRulebook


def read_options(rulebook: BaccaratRulebook, given: Mapping[str, Any]) -> BaccaratTerms:
    """The room's options and its approval, checked and put in; Refusal with a path from `options` on."""
    rulebook = with_approval(rulebook, given, approved_rulebook)
    return BaccaratTerms(rulebook, read_choices(rulebook, given, TERMS))
