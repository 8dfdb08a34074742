"""The form that has the fees of a period computed again."""

from __future__ import annotations

from django import forms

from ..parts.forms.days import DAYS


class RecomputeForm(forms.Form):
    """The gaming days, both included."""

    first = forms.DateField(
        label="From gaming day",
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=DAYS,
    )
    last = forms.DateField(
        label="to, included",
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        validators=DAYS,
    )
