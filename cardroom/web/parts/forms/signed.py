"""Forms that a second person signs on the same screen: a touched face, a user name or a badge, and their PIN.

The fields are those of a page without scripts. Where scripts run, `web/parts/signing.js` asks for both on a sheet of its own
(`templates/web/parts/signing.html`), and fills the fields in.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.core.commands import Declaration
from cardroom.core.json_types import Signature
from cardroom.people.approval import SignatureGiven
from cardroom.people.pins import MOST_DIGITS
from cardroom.people.rights import Right, roles_with

from ..languages import translated
from .command import CommandForm

#: Posted beside a name that came with a touched face.
TOUCHED = "touched"


def right_to_sign(command: Declaration) -> Right:
    """The right that the second person of a command must hold, as it is declared; it must be the same in every case."""
    signed = command.signature
    assert signed is not None
    assert isinstance(signed.kind, Signature)
    held: Right = signed.kind.held
    return held


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


class Signed(forms.Form):
    """What every form has that is signed: who may sign, and when a signature is asked for."""

    #: What whoever signs must hold.
    right: Right
    #: A second right that it takes in this case.
    also: Right | None = None
    #: The field and its value with which a signature is asked for, `by:floor`; empty where it always is.
    signed_when = ""
    #: Ids of people who wrote what is signed, and of those whom it is about: they do not sign it.
    wrote: tuple[int, ...] = ()
    about: tuple[int, ...] = ()

    @property
    def signing_roles(self) -> str:
        """The roles that may sign, in words: "Floor, Shift manager"."""
        return ", ".join(sorted(translated(role.label) for role in roles_with(self.right, self.also)))

    def signature(self) -> Any:
        """The signature that was given: the command makes the person of it, when nothing else refuses it."""
        return SignatureGiven(
            self.cleaned_data["approver"],
            self.cleaned_data["approver_pin"],
            path="approver_pin",
            touched=self.data.get(TOUCHED) == "1",
        )


class WitnessedForm(Signed):
    """A form that a second person signs."""

    approver = name_field(_("Second person's user name or badge"))
    approver_pin = pin_field(_("Their PIN"))


class SignedForm(CommandForm, Signed):
    """A form with a signature, which comes after all its other fields."""

    approver = name_field(_("Approver's user name or badge"))
    approver_pin = pin_field(_("Approver's PIN"))

    def build(self) -> None:
        self.order_fields([name for name in self.fields if name not in SignedForm.base_fields])


class SupervisedForm(SignedForm):
    """A form of a command that a supervisor orders: one who acts needs no signature, a dealer asks for one."""

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
