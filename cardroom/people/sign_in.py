"""allauth adapter: sign-in by user name and password; a room manager creates the accounts, sign-up is closed."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class StaffAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's account adapter with sign-up closed."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send nothing: accounts need no mail server; a room manager resets a lost password."""
