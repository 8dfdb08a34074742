"""The form of a void: a reason, and a second person who signs with their own password on the same screen."""

from __future__ import annotations

from typing import Any

from django import forms

from cardroom.floor.errors import Forbidden
from cardroom.people.approval import ApprovalRefused, approver_authenticate

from .command import CommandForm

OTHER = "other"


class VoidForm(CommandForm):
    """Void the live round."""

    named_reason = forms.ChoiceField(label="Reason", required=False)
    other_reason = forms.CharField(
        required=False,
        max_length=200,
        label="In your words",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    approver = forms.CharField(
        max_length=150, label="Approver's user name", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    approver_password = forms.CharField(
        max_length=200,
        strip=False,
        label="Approver's password",
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )

    def build(self) -> None:
        reasons = [
            (reason.name, reason.name[:1].upper() + reason.name[1:])
            for reason in self.view.rulebook.void_reasons
        ]
        choices = [("", "choose"), *reasons, (OTHER, "Another reason")]
        self.fields["named_reason"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        named, own = cleaned.get("named_reason", ""), cleaned.get("other_reason", "")
        if not (named or own):
            self.add_error(
                "named_reason", "A void needs a reason: choose one, or say in your words what happened."
            )
        elif named == OTHER and not own:
            self.add_error("other_reason", "Say in your words what happened.")
        # A reason that the rule document names stays findable by its name; what was added stands behind it.
        cleaned["reason"] = ": ".join(part for part in (named if named != OTHER else "", own) if part)
        return cleaned

    def arguments(self) -> dict[str, Any]:
        """Asks for the approver's signature last, when all else is in order. Raises Forbidden."""
        try:
            approver = approver_authenticate(
                self.cleaned_data["approver"], self.cleaned_data["approver_password"]
            )
        except ApprovalRefused as refused:
            raise Forbidden(refused.code, refused.message, path="approver_password") from refused
        return {"reason": self.cleaned_data["reason"], "approver": approver}

    def field_at(self, path: str) -> str | None:
        return "other_reason" if path == "reason" else super().field_at(path)
