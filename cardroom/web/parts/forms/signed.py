"""Forms that a second person signs on the same screen, with their user name or badge and their PIN."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.people.approval import SignatureGiven
from cardroom.people.pins import MOST_DIGITS
from cardroom.people.rights import Right

from .command import CommandForm


def signature_of(typed: dict[str, Any]) -> Any:
    """The signature in the `approver` and `approver_pin` of a form: the command makes the person of it, when nothing else refuses it."""
    return SignatureGiven(typed["approver"], typed["approver_pin"], path="approver_pin")


def name_field(label: Any) -> forms.CharField:
    """The field of somebody's user name or badge; a reader types the badge, and Enter."""
    return forms.CharField(
        max_length=150,
        label=label,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}),
    )


def pin_field(label: Any) -> forms.CharField:
    """The field of their PIN, hidden as it is typed."""
    return forms.CharField(
        max_length=MOST_DIGITS,
        label=label,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )


class WitnessedForm(forms.Form):
    """A form that a second person signs."""

    approver = name_field(_("Second person's user name or badge"))
    approver_pin = pin_field(_("Their PIN"))

    def signature(self) -> Any:
        """The signature; see `signature_of`."""
        return signature_of(self.cleaned_data)


class SignedForm(CommandForm):
    """A form with a signature, which comes after all its other fields."""

    approver = name_field(_("Approver's user name or badge"))
    approver_pin = pin_field(_("Approver's PIN"))

    def build(self) -> None:
        self.order_fields([name for name in self.fields if name not in SignedForm.base_fields])

    def signature(self) -> Any:
        """The signature; see `signature_of`."""
        return signature_of(self.cleaned_data)


class SupervisedForm(SignedForm):
    """A form of a command that a supervisor orders: one who acts needs no signature, a dealer asks for one."""

    #: What the supervisor must hold.
    right = Right.SUPERVISE

    def __init__(self, *args: Any, must_sign: bool = True, **kwargs: Any) -> None:
        self.must_sign = must_sign
        super().__init__(*args, **kwargs)

    def build(self) -> None:
        super().build()
        self.fields["approver"].label = _("Supervisor's user name or badge")
        self.fields["approver_pin"].label = _("Supervisor's PIN")
        if not self.must_sign:
            del self.fields["approver"], self.fields["approver_pin"]

    def arguments(self) -> dict[str, Any]:
        values = {key: value for key, value in self.cleaned_data.items() if key not in SignedForm.base_fields}
        return {**values, "approver": self.signature()} if self.must_sign else values
