"""The signature of a second person on a form of the admin, with user name or badge and PIN: where a room is set up.

Two fields and no faces: the room is chosen on the same form, the list of faces is shown to people of the room and an administrator of the
site is none, and the admin's pages load neither styles nor scripts of the others.
"""

from __future__ import annotations

import dataclasses
from typing import Any, cast

from allauth.core import context as request_context
from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminPasswordWidget, UnfoldAdminTextInputWidget

from cardroom.rooms.models import Room

from .duties import ALONE, DUTIES, Duty, NobodySigns, may_sign, why_alone
from .journal import person_data
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
        help_text="User name or badge of somebody else of compliance or room management, who signs here; empty for the first of a room.",
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
    )
    approver_pin = forms.CharField(
        max_length=MOST_DIGITS,
        required=False,
        label="Their PIN",
        widget=UnfoldAdminPasswordWidget(attrs={"autocomplete": "off", "inputmode": "numeric"}),
    )


def signed_in() -> Staff:
    """Return who sends the form."""
    return cast(Staff, request_context.request.user)


@dataclasses.dataclass(frozen=True)
class Signed:
    """Who signed for a command; where one person did it, why nobody else could."""

    by: Staff | None
    alone: str | None = None

    @property
    def data(self) -> dict[str, Any]:
        """What the journal says of it."""
        return {"approved_by": person_data(self.by), **({} if self.alone is None else {ALONE: self.alone})}


def signature(form: forms.BaseForm, duty: Duty, room: Room | None, about: Staff | None) -> Signed:
    """Return who signed for a command that takes two. Raises ValidationError, asked last of all."""
    right, by = DUTIES[duty].second, signed_in()
    assert right is not None, f"to {duty.value} takes one person"
    try:
        alone = why_alone(right, room, by=by, about=about)
    except NobodySigns:
        raise ValidationError(
            f"To {duty.value} takes two, and nobody else in {room} may sign for this: an administrator of the site does it.",
            code="nobody_signs",
        ) from None
    if alone is not None or room is None:
        return Signed(None, alone)
    named, pin = form.cleaned_data.get("approver", ""), form.cleaned_data.get("approver_pin", "")
    roles = " or ".join(sorted(role.label for role in RIGHTS[right]))
    if not named or not pin:
        raise ValidationError(
            f"To {duty.value} takes two: somebody else who is {roles} in {room} signs with their PIN.",
            code="approver_required",
        )
    try:
        person = person_by_pin(room, named, pin)
    except PinRefused as refused:
        raise ValidationError(refused.message, code=refused.code) from refused
    if not may_sign(person, right, room, by=by, about=about):
        raise ValidationError(
            f"{person} may not sign for this: somebody else does who is {roles} in {room}.",
            code="approver_may_not",
        )
    return Signed(person)
