"""Removing a passkey or security key: allauth's page, which is not asked whether the factor is the last one."""

from __future__ import annotations

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn.views import RemoveWebAuthnView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from cardroom.people.second_factor import LAST_FACTOR


class RemoveKey(RemoveWebAuthnView):  # type: ignore[misc]  # allauth ships no types
    """Remove one, unless it is the only factor of a person whose role needs one: as allauth's page of an app does."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not get_adapter().can_delete_authenticator(self.get_object()):
            messages.error(request, LAST_FACTOR)
            return redirect("mfa_list_webauthn")
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        return answer


remove_key = login_required(RemoveKey.as_view())
