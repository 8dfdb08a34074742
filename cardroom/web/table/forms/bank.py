"""Forms of the bank: an answer to an offer, the wager."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.floor.models import Offer

from ...parts.forms.command import CommandForm
from ...parts.forms.fields import DollarsField


class AnswerForm(CommandForm):
    """The answer of the seat that is offered the bank; the buttons carry it."""

    seat = forms.IntegerField(min_value=1, max_value=99, widget=forms.HiddenInput)
    answer = forms.ChoiceField(choices=Offer.Answer.choices, widget=forms.HiddenInput)
    reason = forms.CharField(
        required=False,
        max_length=200,
        label=_("Why this seat is ineligible"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": _("why, if ineligible")}),
    )


class OpenRoundForm(CommandForm):
    """The bank's wager, with which betting opens; where the house banks there is none."""

    bank_wager_cents = DollarsField(label=_("Player-dealer wager"))
    repeat_bets = forms.BooleanField(required=False, label=_("Place the last round's wagers again"))

    def build(self) -> None:
        if self.state.house_banks:
            del self.fields["bank_wager_cents"]
        super().build()

    def clean_bank_wager_cents(self) -> int:
        return _wagered(self.cleaned_data["bank_wager_cents"])


def _wagered(cents: Any) -> int:
    if cents is None:
        raise forms.ValidationError(_("The bank wagers more than nothing. Write its amount in dollars."))
    return int(cents)
