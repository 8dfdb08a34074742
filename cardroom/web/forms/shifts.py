"""The form that opens a shift of a room."""

from __future__ import annotations

from django import forms

#: What most rooms call their shifts; a room may type another name.
USUAL = ("Day", "Swing", "Graveyard")


class ShiftOpenForm(forms.Form):
    """The name of the shift that begins."""

    name = forms.CharField(
        max_length=20,
        label="Name of the shift",
        widget=forms.TextInput(attrs={"list": "shift-names", "autocomplete": "off"}),
    )
