"""The form of a room's chips."""

from __future__ import annotations

from django import forms

from cardroom.rooms.models import Room


class ChipsForm(forms.ModelForm[Room]):
    """The chips on the keypads of a room's tables."""

    class Meta:
        model = Room
        fields = ("chips",)
        labels = {"chips": "Chips on the keypads"}
        help_texts = {"chips": "In dollars, with blanks between: one to six amounts."}
        widgets = {"chips": forms.TextInput(attrs={"autocomplete": "off", "inputmode": "decimal"})}
