"""The form that asks for a bundle for an inspector."""

from __future__ import annotations

from typing import Any

from django import forms

#: Gaming days in one bundle that a page gives; `manage.py evidence_bundle` takes any number.
MOST_DAYS = 7


class BundleForm(forms.Form):
    """The gaming days, both included."""

    first = forms.DateField(label="From gaming day", widget=forms.DateInput(attrs={"type": "date"}))
    last = forms.DateField(label="to", widget=forms.DateInput(attrs={"type": "date"}))

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        first, last = given.get("first"), given.get("last")
        if first and last and not 0 <= (last - first).days < MOST_DAYS:
            self.add_error(
                "last",
                f"Choose 1 to {MOST_DAYS} gaming days, the first one first. The administrator of the server writes more: "
                "manage.py evidence_bundle.",
            )
        return given
