"""msgspec structs that decode the JSON of a whole round sheet of Three Card Poker (`games.sheet_json`)."""

from collections.abc import Sequence

from games.bet_forms import BetsForm, DealtForm, RecordedDealtForm


class RecordedSheetForm(BetsForm, kw_only=True):
    """A sheet of a whole round as a table records it."""

    bank_hand: str
    positions: Sequence[RecordedDealtForm]

    def count_keys(self) -> int:
        return 1 + super().count_keys()


class SheetForm(RecordedSheetForm, kw_only=True):
    """A sheet of a whole round."""

    positions: Sequence[DealtForm]
