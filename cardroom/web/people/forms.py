"""Forms of a room's people: each is that of one command, with the second person's signature where it takes one."""

from __future__ import annotations

from typing import Any, ClassVar

from django import forms

from cardroom.floor.commands.accounts import (
    BADGE_LENGTH,
    EMAIL_LENGTH,
    LICENCE_LENGTH,
    NAME_LENGTH,
    USER_NAME_LENGTH,
    account_open,
    account_set,
    password_set,
    second_factor_off,
)
from cardroom.floor.commands.roles import role_give, role_set, role_take
from cardroom.floor.commands.second_person import REASON_LENGTH
from cardroom.people.models import Employment, Provider, Staff, WorkPermit
from cardroom.people.passwords import PASSWORD_LENGTH
from cardroom.people.rights import PEOPLE_ROLES
from cardroom.rooms.models import Room

from ..parts.forms.fields import day_field, words_field
from ..parts.forms.signed import WitnessedForm, right_to_sign
from ..parts.languages import format_choices

_LAST_DAY = "Valid through (empty: it does not expire)"


def _password() -> forms.CharField:
    return forms.CharField(
        max_length=PASSWORD_LENGTH,
        label="New password (at least ten characters; they set another at the next sign-in)",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class PersonForm(WitnessedForm):
    """A form of one command about a person: what the command takes is what it cleans.

    `must_sign`: whether a second person signs it, with user name or badge and PIN, below all its other fields.
    """

    #: What the button says, and what is said once it is done.
    button: ClassVar[str] = "Save"
    done: ClassVar[str] = "Saved."
    #: The columns of the account that its fields are called after, by field.
    columns: ClassVar[dict[str, str]] = {}

    def __init__(self, data: Any = None, *, must_sign: bool = False, **options: Any) -> None:
        super().__init__(data, **options)
        self.must_sign = must_sign
        if must_sign:
            self.order_fields([name for name in self.fields if name not in WitnessedForm.base_fields])
        else:
            for name in WitnessedForm.base_fields:
                del self.fields[name]

    @classmethod
    def said(cls, room: Room, person: Staff) -> dict[str, Any]:
        """Return what the form says of a person as they are now."""
        return {name: getattr(person, column) for name, column in cls.columns.items()}

    def fill(self, room: Room) -> None:
        """Add the choices that a room has."""

    def arguments(self) -> dict[str, Any]:
        """Return the keyword arguments of the command, from valid input."""
        values = {
            name: value for name, value in self.cleaned_data.items() if name not in WitnessedForm.base_fields
        }
        return {**values, "approver": self.signature()} if self.must_sign else values


class AccountForm(PersonForm):
    """A new account, which belongs to the room."""

    button, done = "Make the account", "The account is made. Give the person a role."

    name = words_field(NAME_LENGTH, "Name")
    username = words_field(USER_NAME_LENGTH, "User name")
    badge = words_field(BADGE_LENGTH, "Badge", required=False)
    email = words_field(EMAIL_LENGTH, "Email", required=False)
    password = _password()


class NameForm(PersonForm):
    """What a person is called."""

    right = right_to_sign(account_set)
    columns: ClassVar = {"name": "display_name"}
    name = words_field(NAME_LENGTH, "Name")


class BadgeForm(PersonForm):
    """A person's badge."""

    right = right_to_sign(account_set)
    columns: ClassVar = {"badge": "badge"}
    badge = words_field(BADGE_LENGTH, "Badge (empty: none)", required=False)


class SignInForm(PersonForm):
    """What a person signs in with, and where mail goes."""

    right = right_to_sign(account_set)
    columns: ClassVar = {"username": "username", "email": "email", "opens_admin": "is_staff"}
    username = words_field(USER_NAME_LENGTH, "User name")
    email = words_field(EMAIL_LENGTH, "Email", required=False)
    opens_admin = forms.BooleanField(label="May open the admin", required=False)


class LicenceForm(PersonForm):
    """The licence of a person's account."""

    columns: ClassVar = {"number": "licence_number", "expires": "licence_expires"}
    number = words_field(LICENCE_LENGTH, "Number (empty: none)", required=False)
    expires = day_field(_LAST_DAY)


class PermitForm(PersonForm):
    """A person's work permit in the room."""

    number = words_field(LICENCE_LENGTH, "Number")
    expires = day_field(_LAST_DAY)

    @classmethod
    def said(cls, room: Room, person: Staff) -> dict[str, Any]:
        permit = WorkPermit.objects.filter(room=room, staff=person).first()
        return {} if permit is None else {"number": permit.number, "expires": permit.expires}


class PasswordForm(PersonForm):
    """A new password of somebody who has forgotten theirs."""

    right = right_to_sign(password_set)
    button, done = "Set the password", "The password is set, and their sessions are over."

    password = _password()


class ResetForm(PersonForm):
    """A new password of somebody of several rooms, for which every other room is asked."""

    button, done = "Ask the other rooms", "Asked. A manager of each other room consents within 24 hours."

    password = _password()
    reason = words_field(REASON_LENGTH, "Why")


class FactorForm(PersonForm):
    """The second factor is taken off."""

    right = right_to_sign(second_factor_off)
    button, done = "Take it off", "They set a second factor up at the next sign-in."


class LiftForm(PersonForm):
    """A lock is lifted."""

    button, done = "Lift the lock", "They may try again at once."


class CloseForm(PersonForm):
    """An account is closed, at once."""

    button, done = "Close it now", "The account is closed, and its sessions are over."


class OpenForm(PersonForm):
    """A closed account is opened again."""

    right = right_to_sign(account_open)
    button, done = "Open it again", "The account is open again."


class HandOverForm(PersonForm):
    """An account is handed over to the room that employs the person."""

    button, done = "Hand it over", "The account belongs to the room that employs them."


class EndForm(PersonForm):
    """A session is ended."""

    button, done = "End", "That session is over."


class RoleForm(PersonForm):
    """A role in the room."""

    right = right_to_sign(role_give)
    button, done = "Give the role", "The role is given."

    role = forms.ChoiceField(
        label="Role", choices=format_choices([(role.value, role.label) for role in PEOPLE_ROLES])
    )
    provider_id = forms.TypedChoiceField(
        label="Provider, of a provider lead", coerce=int, empty_value=None, required=False
    )

    def fill(self, room: Room) -> None:
        providers = Provider.objects.filter(room=room)
        self.fields["provider_id"].choices = [  # type: ignore[attr-defined]
            ("", "none"),
            *((each.pk, each.name) for each in providers),
        ]


class RoleSetForm(RoleForm):
    """Another role in the place of one that is held."""

    right = right_to_sign(role_set)
    button, done = "Change it", "The role is changed."

    @classmethod
    def of(cls, employment: Employment) -> dict[str, Any]:
        """Return what the form says of a role as it is now."""
        return {"role": employment.role, "provider_id": employment.provider_id}


class RoleTakeForm(PersonForm):
    """A role is taken away."""

    right = right_to_sign(role_take)
    button, done = "Take it away", "The role is taken away."


class EmployForm(RoleForm):
    """A role for somebody who is named exactly: a list would show the people of other rooms."""

    person = words_field(USER_NAME_LENGTH, "Whole user name or badge, exactly as it is written")
    field_order = ("person", "role", "provider_id")
