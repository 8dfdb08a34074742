"""Forms that a second person signs on the same screen, with their own user name and password."""

from __future__ import annotations

from typing import Any

from django import forms

from cardroom.floor.errors import Forbidden
from cardroom.people.approval import ApprovalRefused, approver_authenticate
from cardroom.people.models import Staff
from cardroom.people.rights import Right

from .command import CommandForm


def signature_of(typed: dict[str, Any]) -> Staff:
    """Who signed, by the `approver` and `approver_password` of a form. Raises Forbidden.

    Asked for last, when all else is in order.
    """
    try:
        return approver_authenticate(typed["approver"], typed["approver_password"])
    except ApprovalRefused as refused:
        raise Forbidden(refused.code, refused.message, path="approver_password") from refused


def username_field(label: str) -> forms.CharField:
    """The field of a second person's user name."""
    return forms.CharField(max_length=150, label=label, widget=forms.TextInput(attrs={"autocomplete": "off"}))


def password_field(label: str) -> forms.CharField:
    """The field of their password."""
    return forms.CharField(
        max_length=200,
        strip=False,
        label=label,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )


class WitnessedForm(forms.Form):
    """A form for which a second person signs with their own password."""

    approver = username_field("User name of the second person")
    approver_password = password_field("Their password")

    def signed_by(self) -> Staff:
        """Return who signed; asked last, when all else is in order. Raises Forbidden."""
        return signature_of(self.cleaned_data)


class SignedForm(CommandForm):
    """A form with a signature, which comes after all its other fields."""

    approver = username_field("Approver's user name")
    approver_password = password_field("Approver's password")

    def build(self) -> None:
        self.order_fields([name for name in self.fields if name not in SignedForm.base_fields])

    def signature(self) -> Staff:
        """Who signed; see `signature_of`."""
        return signature_of(self.cleaned_data)


class SupervisedForm(SignedForm):
    """A form of an act that a supervisor orders: one who acts needs no signature, a dealer asks for one."""

    #: What the supervisor must hold.
    right = Right.SUPERVISE

    def __init__(self, *args: Any, must_sign: bool = True, **kwargs: Any) -> None:
        self.must_sign = must_sign
        super().__init__(*args, **kwargs)

    def build(self) -> None:
        super().build()
        self.fields["approver"].label = "Supervisor's user name"
        self.fields["approver_password"].label = "Supervisor's password"
        if not self.must_sign:
            del self.fields["approver"], self.fields["approver_password"]

    def arguments(self) -> dict[str, Any]:
        values = {key: value for key, value in self.cleaned_data.items() if key not in SignedForm.base_fields}
        return {**values, "approver": self.signature()} if self.must_sign else values
