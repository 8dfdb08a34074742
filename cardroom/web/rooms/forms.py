"""Forms of a room: opening a shift, and the chips of its keypads."""

from __future__ import annotations

from collections.abc import Collection

from django import forms

from cardroom.rooms.models import Room

#: What most rooms call their shifts; a room may type another name.
USUAL = ("Day", "Swing", "Graveyard")


def name_after(name: str, used: Collection[str]) -> str:
    """Return the usual name that comes after `name` and is not `used` in the gaming day of now; empty without one."""
    first = USUAL.index(name) + 1 if name in USUAL else 0
    return next((each for each in (*USUAL[first:], *USUAL[:first]) if each not in used), "")


class ShiftOpenForm(forms.Form):
    """The name of the shift that begins."""

    name = forms.CharField(
        max_length=20,
        label="Name of the shift",
        widget=forms.TextInput(attrs={"list": "shift-names", "autocomplete": "off"}),
    )


class ChipsForm(forms.ModelForm[Room]):
    """The chips on the keypads of a room's tables."""

    class Meta:
        model = Room
        fields = ("chips",)
        labels = {"chips": "Chips on the keypads"}
        help_texts = {"chips": "In dollars, with blanks between: one to six amounts."}
        widgets = {"chips": forms.TextInput(attrs={"autocomplete": "off", "inputmode": "decimal"})}
