"""The form of an undo: nothing to fill in, or a reason and a second person's signature where the step takes them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from ...parts.forms.signed import SignedForm


class UndoForm(SignedForm):
    """Take the last step back. "No more bets" and the deal are signed for (ruling 42)."""

    reason = forms.CharField(
        max_length=200, label=_("Reason"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def build(self) -> None:
        super().build()
        step = self.state.step_back
        self.signed = step is not None and step.signed
        if not self.signed:
            self.fields.clear()

    def arguments(self) -> dict[str, Any]:
        if not self.signed:
            return {}
        return {"reason": self.cleaned_data["reason"], "approver": self.signature()}
