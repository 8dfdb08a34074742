"""Forms that take a step back: the undo of a step and the void of a round, with a second person's signature."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.floor.commands.rounds import right_to_void
from cardroom.floor.commands.undo import undo
from games.phrases import Phrase, capital

from ...parts.forms.signed import SignedForm, right_to_sign
from ...parts.languages import translated

OTHER = "other"


class VoidForm(SignedForm):
    """Void the live round."""

    # Where scripts run, one of the two is asked for before the sheet of the signature opens.
    named_reason = forms.ChoiceField(
        label=_("Reason"), required=False, widget=forms.Select(attrs={"data-required": "other_reason"})
    )
    other_reason = forms.CharField(
        required=False,
        max_length=200,
        label=_("In your words"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def build(self) -> None:
        super().build()
        if self.state.live is not None:
            self.right = right_to_void(self.state.live)
        reasons = [
            (reason.name, translated(capital(Phrase(reason.name))))
            for reason in self.state.rulebook.void_reasons
        ]
        choices = [("", _("choose")), *reasons, (OTHER, _("Another reason"))]
        self.fields["named_reason"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        named, own = cleaned.get("named_reason", ""), cleaned.get("other_reason", "")
        if not (named or own):
            self.add_error(
                "named_reason", _("A void needs a reason: choose one, or say in your words what happened.")
            )
        elif named == OTHER and not own:
            self.add_error("other_reason", _("Say in your words what happened."))
        # A reason that the rule document names stays findable by its name; what was added comes after it.
        cleaned["reason"] = ": ".join(part for part in (named if named != OTHER else "", own) if part)
        return cleaned

    def arguments(self) -> dict[str, Any]:
        return {"reason": self.cleaned_data["reason"], "approver": self.signature()}

    def field_at(self, path: str) -> str | None:
        return "other_reason" if path == "reason" else super().field_at(path)


class UndoForm(SignedForm):
    """Take the last step back. "No more bets" and the deal are signed for (ruling 42)."""

    right = right_to_sign(undo)
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
