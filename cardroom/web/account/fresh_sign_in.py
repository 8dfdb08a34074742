"""Views that ask for the password, or a second factor, once more: what they change outlasts the session."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode, urlsplit

from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from cardroom.people.sessions import FRESH, TO_SEND, is_fresh, table_of_pin


def why_not_fresh(request: HttpRequest) -> HttpResponse | None:
    """Return the way to a fresh sign-in, where the last is older than `FRESH`; None where it is fresh.

    What was opened with a fresh one may be sent within `TO_SEND`. Nothing that was posted is kept meanwhile: it may
    hold a PIN or a password. The way leads back to the page that posted it.
    """
    is_sent = request.method == "POST"
    if is_fresh(request, TO_SEND if is_sent else FRESH):
        return None
    back = request.get_full_path()
    if is_sent:
        messages.warning(request, "Nothing was changed. Sign in afresh, then do it once more.")
        back = page_before(request)
    return redirect(f"{_way(request)}?{urlencode({'next': back})}")


def page_before(request: HttpRequest) -> str:
    """Return the address of this site from which a request was sent; the front page where the browser does not say."""
    before: str = request.META.get("HTTP_REFERER", "")
    if not url_has_allowed_host_and_scheme(before, {request.get_host()}):
        return "/"
    parts = urlsplit(before)
    return parts.path + (f"?{parts.query}" if parts.query else "")


def fresh_sign_in_required(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorator: asks a signed-in person for a fresh sign-in before the view."""

    @login_required
    @functools.wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return why_not_fresh(request) or view(request, *args, **kwargs)

    return checked


def _way(request: HttpRequest) -> str:
    """Where a person signs in afresh: at a tablet that a PIN opened, by PIN."""
    table = table_of_pin(request)
    if table is not None:
        return reverse("web:take_over", args=[table])
    methods = get_adapter().get_reauthentication_methods(request.user)
    return str(methods[0]["url"]) if methods else reverse("account_login")
