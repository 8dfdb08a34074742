"""The terms of a filed game: everything of it is in its options."""

from collections.abc import Mapping
from typing import Any

from games.by_eye.filed import Filed, read_filed
from games.terms import Terms


class ByEyeTerms(Terms):
    """The filed game's own rulebook, and how many `decks` it is dealt from."""

    def __init__(self, filed: Filed) -> None:
        super().__init__(filed.rulebook, filed.options)
        self.decks = filed.decks

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
