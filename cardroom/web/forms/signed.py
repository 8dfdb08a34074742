"""Forms that a second person signs on the same screen, with their user name or badge and their PIN."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.floor.errors import Forbidden
from cardroom.people.models import Staff
from cardroom.people.pins import MOST_DIGITS, PinRefused, person_by_pin
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from .command import CommandForm


def signature_of(room: Room, typed: dict[str, Any]) -> Staff:
    """Who signed, by the `approver` and `approver_pin` of a form. Raises Forbidden.

    Asked for last, when all else is in order.
    """
    try:
        return person_by_pin(room, typed["approver"], typed["approver_pin"])
    except PinRefused as refused:
        raise Forbidden(refused.code, refused.message, path="approver_pin") from refused


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

    def signed_by(self, room: Room) -> Staff:
        """Return who signed; asked last, when all else is in order. Raises Forbidden."""
        return signature_of(room, self.cleaned_data)


class SignedForm(CommandForm):
    """A form with a signature, which comes after all its other fields."""

    approver = name_field(_("Approver's user name or badge"))
    approver_pin = pin_field(_("Approver's PIN"))

    def build(self) -> None:
        self.order_fields([name for name in self.fields if name not in SignedForm.base_fields])

    def signature(self) -> Staff:
        """Who signed; see `signature_of`."""
        return signature_of(self.reading.table.room, self.cleaned_data)


class SupervisedForm(SignedForm):
    """A form of an act that a supervisor orders: one who acts needs no signature, a dealer asks for one."""

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
