"""allauth's adapter and backend: sign-in by user name and password; a room manager creates the accounts, sign-up is closed."""

from __future__ import annotations

from typing import Any, cast

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.core import context
from django.contrib.auth.hashers import check_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse

from .lockouts import Kind, try_counted, try_was_right, try_was_wrong
from .models import Pin, Staff
from .second_factor import with_guarded_role
from .sessions import is_fresh


class StaffBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth ships no types
    """allauth's backend; a session's person is read together with whether their role asks for a second factor."""

    def get_user(self, user_id: Any) -> Staff | None:
        try:
            found = with_guarded_role(Staff.objects.all()).get(pk=user_id)
        except Staff.DoesNotExist:
            return None
        return found if self.user_can_authenticate(found) else None


class StaffAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's account adapter with sign-up closed."""

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Whether allauth's own pages ask for the password once more: not right after a sign-in."""
        return bool(super().is_reauthentication_required(app=app, **more)) and not is_fresh(context.request)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Where a changed password leads: to a first PIN, or on to work."""
        has_pin = Pin.objects.filter(staff=cast(Staff, request.user)).exists()
        return reverse("web:home" if has_pin else "web:pin")

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a try at a password before it is checked, by person, in the database: allauth counts in the cache."""
        named = str(credentials.get("username", ""))
        if not try_counted(Kind.PASSWORD, _named(named), named):
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Any:
        """Return who signs in; a right password ends the count of wrong ones."""
        user = super().authenticate(request, **credentials)
        if isinstance(user, Staff):
            try_was_right(Kind.PASSWORD, user)
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Write a wrong password into the journals of the person's rooms."""
        named = str(credentials.get("username", ""))
        try_was_wrong(Kind.PASSWORD, _named(named), named, "sign_in_fail")

    def clean_password(self, password: str, user: Any = None) -> str:
        """Return a new password, if it may be one; the present one is none."""
        if isinstance(user, Staff) and user.has_usable_password() and check_password(password, user.password):
            raise ValidationError("This is the password that you have already. Choose another.", code="same")
        return str(super().clean_password(password, user))

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send nothing: accounts need no mail server; a room manager resets a lost password."""


def _named(username: str) -> Staff | None:
    """Return the person as the sign-in finds them: by user name, in any case."""
    return Staff.objects.filter(username__iexact=username).first() if username else None
