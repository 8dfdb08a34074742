"""Second factor of a sign-in: who needs one, who gave one in this session, and how its secret is stored.

Codes of an authenticator app, passkeys and recovery codes are django-allauth's `mfa`.
"""

from __future__ import annotations

import base64
import hashlib
from typing import ClassVar

from allauth.account.authentication import get_authentication_records
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.core import checks
from django.db.models import Exists, OuterRef, QuerySet
from django.dispatch import receiver
from django.http import HttpRequest

from .journal import sign_in_noted
from .models import Employment, Role, Staff

#: Whoever holds one of these roles in any room signs in with a second factor, and so does an administrator of the site.
ROLES = frozenset(
    {
        *(Role.ROOM_MANAGER, Role.SHIFT_MANAGER, Role.COMPLIANCE),
        *(Role.INSPECTOR, Role.SURVEILLANCE, Role.COUNT),
    }
)
#: Recovery codes are the way back to a factor, and none by themselves.
FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
#: Why the last factor of a person stays.
LAST_FACTOR = "Your role signs in with a second factor, and this is the only one you have: set another up first, then remove it."
#: Key of the session: the factor was set up in it, which shows that the person has it.
_SET_UP = "second_factor_set_up"
#: Attribute of a person who was read with `with_guarded_role`.
_GUARDED = "holds_guarded_role"


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's adapter: secrets are encrypted by the site's key, and the last factor of who needs one stays."""

    error_messages: ClassVar = {
        **DefaultMFAAdapter.error_messages,
        "cannot_delete_authenticator": LAST_FACTOR,
    }

    def encrypt(self, text: str) -> str:
        return cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return cipher().decrypt(encrypted_text.encode()).decode()

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        """Whether a person may take a factor off: not the only one where the sign-in needs one."""
        others = Authenticator.objects.filter(user=authenticator.user, type__in=FACTORS)
        return bool(others.exclude(pk=authenticator.pk).exists()) or not needs_second_factor(
            authenticator.user
        )


def needs_second_factor(staff: Staff) -> bool:
    """Tell whether this person signs in with a second factor in this installation."""
    if not settings.SECOND_FACTOR_REQUIRED:
        return False
    if staff.is_superuser:
        return True
    read: bool | None = getattr(staff, _GUARDED, None)
    return Employment.objects.filter(staff=staff, role__in=ROLES).exists() if read is None else read


def with_guarded_role(people: QuerySet[Staff]) -> QuerySet[Staff]:
    """Read with each person whether they hold one of `ROLES`, which every request asks of whom it is from."""
    guarded = Employment.objects.filter(staff=OuterRef("pk"), role__in=ROLES)
    return people.annotate(**{_GUARDED: Exists(guarded)})


def has_second_factor(staff: Staff) -> bool:
    """Tell whether the person has set one up."""
    return bool(Authenticator.objects.filter(user=staff, type__in=FACTORS).exists())


def gave_second_factor(request: HttpRequest) -> bool:
    """Tell whether this session was opened with a second factor, or one was set up or asked for in it."""
    if request.session.get(_SET_UP):
        return True
    return any(record.get("method") == "mfa" for record in get_authentication_records(request, request.user))


def cipher() -> MultiFernet:
    """Return what encrypts secrets by the site's key, and opens those of keys before it."""
    keys = [str(key) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    digests = (hashlib.sha256(f"cardroom.people.second_factor:{key}".encode()).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])


@checks.register("security", deploy=True)
def second_factor_check(app_configs: object, **more: object) -> list[checks.CheckMessage]:
    """`manage.py check --deploy`: warn where a password alone opens a manager's account."""
    if settings.SECOND_FACTOR_REQUIRED:
        return []
    return [
        checks.Warning(
            "CARDROOM_SECOND_FACTOR is off: a password alone signs managers, compliance and the count team in.",
            id="people.W001",
        )
    ]


@receiver(authenticator_added)
def _set_up(
    sender: type, request: HttpRequest, user: Staff, authenticator: Authenticator, **more: object
) -> None:
    if authenticator.type in FACTORS:
        request.session[_SET_UP] = True
        sign_in_noted(user, "second_factor_add", {"kind": str(authenticator.type)})


@receiver(authenticator_reset)
def _codes_made(sender: type, user: Staff, **more: object) -> None:
    sign_in_noted(user, "recovery_codes_make")


@receiver(authenticator_removed)
def _taken_off(
    sender: type, request: HttpRequest, user: Staff, authenticator: Authenticator, **more: object
) -> None:
    if authenticator.type in FACTORS:
        sign_in_noted(user, "second_factor_remove", {"kind": str(authenticator.type)})
    if not has_second_factor(user):
        request.session.pop(_SET_UP, None)


@receiver(user_logged_in)
def _signed_in(sender: type, request: HttpRequest | None, **more: object) -> None:
    if request is not None and hasattr(request, "session"):
        request.session.pop(_SET_UP, None)
