"""The terms of a filed game: everything of it is in its options."""

from collections.abc import Mapping
from typing import Any

from games.by_eye.filed import Filed, read_filed
from games.by_eye.filed_spots import PAYS_AT_MOST
from games.money import parse_odds
from games.terms import Terms


class ByEyeTerms(Terms):
    """The filed game's own rulebook, the wagers that may follow after the deal (`later`), and the best odds of spots by id."""

    def __init__(self, filed: Filed) -> None:
        super().__init__(filed.rulebook, filed.options)
        self.later = filed.later
        self.pays_at_most = {
            spot["id"]: parse_odds(spot[PAYS_AT_MOST])
            for spot in filed.options["spots"]
            if PAYS_AT_MOST in spot
        }

    def __eq__(self, other: object) -> bool:
        # The same game may be written in several ways, each of which makes a rulebook of its own.
        if not isinstance(other, ByEyeTerms):
            return NotImplemented
        return self.rulebook.id == other.rulebook.id and self.choices == other.choices

    def __hash__(self) -> int:
        return hash((self.rulebook.id, self.rulebook.name))


def read_options(rulebook_id: str, given: Mapping[str, Any]) -> ByEyeTerms:
    """The filing's options, checked; Refusal `unknown_option`, `missing_option` or `bad_option`, path `options.X`."""
    return ByEyeTerms(read_filed(rulebook_id, given))
