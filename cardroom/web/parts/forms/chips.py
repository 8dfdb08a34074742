"""Number fields of chips by denomination, as a tray's slips and the counts of a provider's rack have them."""

from __future__ import annotations

from collections.abc import Iterator

from django import forms
from django.forms.boundfield import BoundField

from cardroom.floor.chips import DENOMINATIONS, MOST_CHIPS
from games.money import dollars

_PREFIX = "chips-"


class CountsChips(forms.Form):
    """What a form has that counts chips; what is left empty is none."""

    def add_chips(self) -> None:
        """Add a number field a denomination, after the other fields."""
        for cents in DENOMINATIONS:
            widget = forms.TextInput(
                attrs={"inputmode": "numeric", "autocomplete": "off", "maxlength": 6, "data-worth": cents}
            )
            self.fields[f"{_PREFIX}{cents}"] = forms.IntegerField(
                min_value=0, max_value=MOST_CHIPS, required=False, label=dollars(cents), widget=widget
            )

    def chips(self) -> Iterator[BoundField]:
        """The number fields, the smallest denomination first."""
        for cents in DENOMINATIONS:
            yield self[f"{_PREFIX}{cents}"]

    def counted(self) -> dict[str, int]:
        """How many chips there are of each worth, of valid input; without zeros."""
        numbers = {str(cents): self.cleaned_data.get(f"{_PREFIX}{cents}") for cents in DENOMINATIONS}
        return {worth: number for worth, number in numbers.items() if number}
