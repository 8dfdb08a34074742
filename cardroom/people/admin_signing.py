"""Forms of the admin that a second person signs, with user name or badge and PIN."""

from __future__ import annotations

from typing import cast

from allauth.core import context
from django import forms
from django.core.exceptions import ValidationError

from cardroom.rooms.models import Room

from .duties import SIGNED_BY, Duty, may_sign, takes_signature
from .models import Staff
from .pins import MOST_DIGITS, PinRefused, person_by_pin
from .rights import RIGHTS

#: The fields of the signature, as an admin page lists them.
SIGNATURE = ("approver", "approver_pin")


class SignatureFields(forms.Form):
    """The fields of a signature; a form of the admin has them beside its own."""

    approver = forms.CharField(
        max_length=150,
        required=False,
        label="Second person",
        help_text="User name or badge of somebody else of compliance or room management, who signs here.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    approver_pin = forms.CharField(
        max_length=MOST_DIGITS,
        required=False,
        label="Their PIN",
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )


def signed_in() -> Staff:
    """Return who sends the form."""
    return cast(Staff, context.request.user)


def signature(form: forms.BaseForm, duty: Duty, room: Room | None, about: Staff | None) -> Staff | None:
    """Return who signed; None where the room has nobody who could. Raises ValidationError, asked last of all."""
    by = signed_in()
    if room is None or not takes_signature(duty, room, by=by, about=about):
        return None
    named, pin = form.cleaned_data.get("approver", ""), form.cleaned_data.get("approver_pin", "")
    roles = " or ".join(sorted(role.label for role in RIGHTS[SIGNED_BY[duty]]))
    if not named or not pin:
        raise ValidationError(
            f"To {duty.value} takes two: somebody else who is {roles} in {room} signs with their PIN.",
            code="approver_required",
        )
    try:
        person = person_by_pin(room, named, pin)
    except PinRefused as refused:
        raise ValidationError(refused.message, code=refused.code) from refused
    if not may_sign(person, duty, room, by=by, about=about):
        raise ValidationError(
            f"{person} may not sign for this: somebody else does who is {roles} in {room}.",
            code="approver_may_not",
        )
    return person
