"""Forms of the points of a round at which positions decide: the board as it is shown, and one decision as it is made."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ...parts.cards import hand_of
from ...parts.forms.command import CommandForm


class BoardForm(CommandForm):
    """The cards of the board that lie there."""

    cards = forms.CharField(max_length=80, required=False, label=_("Board"))

    def clean_cards(self) -> str:
        return hand_of(self.cleaned_data["cards"])


class DecisionForm(CommandForm):
    """What one seat decides at the present point."""

    seat = forms.IntegerField(min_value=1, label=_("Seat"))
    decision = forms.CharField(max_length=80, label=_("Decision"))

    def arguments(self) -> dict[str, Any]:
        return {"positions": [dict(self.cleaned_data)]}
