"""Forms of the tray: chips by denomination for each kind of slip, buy-ins, and taking either back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from cardroom.core.commands import COMMANDS
from cardroom.core.json_types import REASON_LENGTH
from cardroom.floor.chips import DENOMINATIONS, MOST_CHIPS
from games.money import dollars

from ..parts.forms.command import CommandForm
from ..parts.forms.declared import form_of
from ..parts.forms.signed import SignedForm

_PREFIX = "chips-"


class ChipsForm(SignedForm):
    """The form of one kind of slip: a number field a denomination, a note, and who signs. What is left empty is none."""

    note = forms.CharField(
        max_length=REASON_LENGTH,
        required=False,
        label="Note",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def build(self) -> None:
        for cents in DENOMINATIONS:
            widget = forms.TextInput(
                attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 6, "data-worth": cents}
            )
            self.fields[f"{_PREFIX}{cents}"] = forms.IntegerField(
                min_value=0, max_value=MOST_CHIPS, required=False, label=dollars(cents), widget=widget
            )
        self.fields["approver"].label = "Second person's user name or badge"
        self.fields["approver_pin"].label = "Their PIN"

    def chips(self) -> Iterator[BoundField]:
        """The number fields, the smallest denomination first."""
        for cents in DENOMINATIONS:
            yield self[f"{_PREFIX}{cents}"]

    def arguments(self) -> dict[str, Any]:
        counted = {str(cents): self.cleaned_data[f"{_PREFIX}{cents}"] for cents in DENOMINATIONS}
        return {
            "chips": {worth: number for worth, number in counted.items() if number},
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
