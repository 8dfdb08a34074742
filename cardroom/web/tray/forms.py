"""Forms of the tray: chips by denomination for each kind of slip, buy-ins, and taking either back."""

from __future__ import annotations

from typing import Any

from django import forms

from cardroom.core.commands import COMMANDS
from cardroom.core.json_types import REASON_LENGTH

from ..parts.forms.chips import CountsChips
from ..parts.forms.command import CommandForm
from ..parts.forms.declared import form_of
from ..parts.forms.signed import SignedForm


class ChipsForm(CountsChips, SignedForm):
    """The form of one kind of slip: a number field a denomination, a note, and who signs. What is left empty is none."""

    note = forms.CharField(
        max_length=REASON_LENGTH,
        required=False,
        label="Note",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def build(self) -> None:
        self.add_chips()
        self.fields["approver"].label = "Second person's user name or badge"
        self.fields["approver_pin"].label = "Their PIN"

    def arguments(self) -> dict[str, Any]:
        return {
            "chips": self.counted(),
            "note": self.cleaned_data["note"],
            "approver": self.signature(),
        }


class OpenerForm(ChipsForm):
    """Counts a tray and opens it."""


class FillForm(ChipsForm):
    """Brings chips from the cage."""


class CreditForm(ChipsForm):
    """Takes chips to the cage."""


class CloserForm(ChipsForm):
    """Counts a tray and closes it."""


#: The commands at a tray, by the last part of their addresses: the command's name and its form.
TRAY_FORMS: dict[str, tuple[str, type[CommandForm]]] = {
    "open": ("tray_open", OpenerForm),
    "buy-in": ("buy_in", form_of(COMMANDS["buy_in"])),
    "fill": ("tray_fill", FillForm),
    "credit": ("tray_credit", CreditForm),
    "close": ("tray_close", CloserForm),
    "slip-back": ("slip_take_back", form_of(COMMANDS["slip_take_back"])),
    "buy-in-back": ("buy_in_take_back", form_of(COMMANDS["buy_in_take_back"])),
}
