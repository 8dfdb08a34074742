"""allauth adapter: sign-in by user name and password; a room manager creates the accounts, sign-up is closed."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context
from django.http import HttpRequest

from .sessions import is_fresh


class StaffAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's account adapter with sign-up closed."""

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Whether allauth's own pages ask for the password once more: not right after a sign-in."""
        return bool(super().is_reauthentication_required(app=app, **more)) and not is_fresh(context.request)

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send nothing: accounts need no mail server; a room manager resets a lost password."""
