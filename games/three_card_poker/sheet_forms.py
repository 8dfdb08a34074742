"""msgspec structs that decode the JSON of a whole round sheet of Three Card Poker (`games.sheet_json`)."""

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from games.bet_forms import BetForm, BetsForm


class RecordedPositionForm(BetForm, kw_only=True):
    """A position of a whole round as a table records it: null for the hand where it was not exposed."""

    hand: str | None
    decision: str | UnsetType = UNSET

    def count_keys(self) -> int:
        keys = 3 + len(self.wagers) + (self.player is not UNSET) + (self.decision is not UNSET)
        return keys if self.tips is UNSET else keys + 1 + len(self.tips)


class PositionForm(RecordedPositionForm, kw_only=True):
    """A position of a whole round."""

    hand: str


class RecordedSheetForm(BetsForm, kw_only=True):
    """A sheet of a whole round as a table records it."""

    bank_hand: str
    positions: Sequence[RecordedPositionForm]

    def count_keys(self) -> int:
        return 1 + super().count_keys()


class SheetForm(RecordedSheetForm, kw_only=True):
    """A sheet of a whole round."""

    positions: Sequence[PositionForm]
