"""The form that subscribes a person to an e-mail."""

from __future__ import annotations

from typing import Any

from django import forms

from cardroom.people.models import Staff
from cardroom.reports.commands.subscriptions import ADDRESS_LENGTH
from cardroom.reports.models import Subscription


class SubscribeForm(forms.Form):
    """What is sent, and to whom: one of the staff, or an address that is typed."""

    what = forms.ChoiceField(label="What", choices=Subscription.What.choices)
    staff_id = forms.TypedChoiceField(
        label="To one of the staff", coerce=int, empty_value=None, required=False
    )
    address = forms.CharField(
        label="or to an address",
        max_length=ADDRESS_LENGTH,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "email", "autocomplete": "off"}),
    )
    restatements = forms.BooleanField(label="Restatements too", required=False, initial=True)

    def __init__(self, readers: list[Staff], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        people = [(each.pk, f"{each} · {each.email}") for each in readers]
        self.fields["staff_id"].choices = [("", "nobody of them"), *people]  # type: ignore[attr-defined]
