"""msgspec structs that decode the JSON of the wagers of a round sheet, before its cards, of any game (`games.sheet_json`)."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from games.sheet_json import Form, Number

#: Cents by wager or by spot, as a document gives them.
Amounts = dict[str, Number]


class BankForm(Form):
    """`bank`: the banking seat and its wager in cents."""

    seat: Number
    wager: Number


class BetForm(Form, kw_only=True):
    """A position at "no more bets"."""

    seat: Number
    player: str | UnsetType = UNSET
    wagers: Amounts
    tips: Amounts | UnsetType = UNSET

    def count_keys(self) -> int:
        keys = 2 + len(self.wagers) + (self.player is not UNSET)
        return keys if self.tips is UNSET else keys + 1 + len(self.tips)


class RecordedDealtForm(BetForm, kw_only=True):
    """A position with cards of its own as a table records it: null for a hand that was not exposed."""

    hand: str | None
    decision: str | UnsetType = UNSET

    def count_keys(self) -> int:
        return super().count_keys() + 1 + (self.decision is not UNSET)


class DealtForm(RecordedDealtForm, kw_only=True):
    """A position with cards of its own, of a whole round."""

    hand: str


class BetsForm(Form, kw_only=True):
    """A sheet at "no more bets"."""

    rulebook: str
    options: dict[str, Any] | UnsetType = UNSET
    bank: Any = UNSET  # whether there may be one is for the rulebook to say: see BankForm
    action_seat: Number | UnsetType = UNSET
    meter: Number | UnsetType = UNSET
    positions: Sequence[BetForm]

    def count_keys(self) -> int:
        keys = 2 + sum([position.count_keys() for position in self.positions])
        keys += (self.action_seat is not UNSET) + (self.meter is not UNSET)
        if self.bank is not UNSET:
            keys += 1 + (len(self.bank) if type(self.bank) is dict else 0)
        if self.options is not UNSET:
            keys += 1 + len(self.options)
            keys += sum([len(value) for value in self.options.values() if type(value) is dict])
        return keys
