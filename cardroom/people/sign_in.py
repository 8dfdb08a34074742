"""How people come in: by user name and password, made for them by a room manager. Nobody signs up."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class StaffAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth ships no types
    """allauth's behaviour, with the door for strangers closed."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send nothing: the house has no mail server; a lost password is set anew by a room manager."""
