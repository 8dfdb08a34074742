"""allauth's forms of the second factor, whose tries are counted by person in the database (`cardroom.people.lockouts`).

allauth counts in the cache, which a restart of its server empties; its own limit is off in the settings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from allauth.account.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import (
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django.core.exceptions import ValidationError

from .journal import stranger_noted
from .lockouts import Kind, try_counted, try_was_right, try_was_wrong
from .models import Staff

R = TypeVar("R")


def _counted(person: Staff, check: Callable[[], R]) -> R:
    """Return what a check of the person's factor returns, and count the try."""
    if not try_counted(Kind.SECOND_FACTOR, person):
        raise get_adapter().validation_error("too_many_login_attempts")
    try:
        given = check()
    except ValidationError:
        try_was_wrong(Kind.SECOND_FACTOR, person, "", "sign_in_fail")
        raise
    try_was_right(Kind.SECOND_FACTOR, person)
    return given


class CodeForm(AuthenticateForm):  # type: ignore[misc]  # allauth ships no types
    """A code at the sign-in."""

    def clean_code(self) -> str:
        return str(_counted(self.user, super().clean_code))


class CodeAgainForm(ReauthenticateForm):  # type: ignore[misc]
    """A code for a fresh sign-in."""

    def clean_code(self) -> str:
        return str(_counted(self.user, super().clean_code))


class KeyForm(AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey or security key at the sign-in, after the password."""

    def clean_credential(self) -> Authenticator:
        return _counted(self.user, super().clean_credential)


class KeyAgainForm(ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey or security key for a fresh sign-in."""

    def clean_credential(self) -> Authenticator:
        return _counted(self.user, super().clean_credential)


class KeyAloneForm(LoginWebAuthnForm):  # type: ignore[misc]
    """A passkey alone. Not counted: whoever sends one says whose it is, and could lock others out."""

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()
        except ValidationError:
            stranger_noted("a wrong passkey")
            raise
