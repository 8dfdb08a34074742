"""Middleware: what a session may open, by how its person signed in. Asked on every request, pages and API alike.

In this order: a session that has lasted a long shift is over; one that is locked waits for its person's PIN or
password; one that a PIN opened works at its table and nowhere else; a password that somebody else set is changed first;
whose role asks for a second factor gives one, or sets one up; changes of people take a fresh sign-in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import ResolverMatch, reverse
from django.utils.http import urlencode
from django.views.defaults import permission_denied

from cardroom.people.second_factor import gave_second_factor, has_second_factor, needs_second_factor
from cardroom.people.sessions import is_locked, is_over, table_of_pin

from ..parts.access import staff_of
from .fresh_sign_in import why_not_fresh

#: Addresses that are open to every session: they end it, or open another.
_OPEN = frozenset({"account_login", "account_logout", "web:service_worker", "health", "ready", "metrics"})
#: Those open to a session that is locked: they unlock it, open another (with the faces to touch), or show what the board shows.
_LOCKS = frozenset({"web:locked", "web:unlock", "web:lock"})
_LOCKED = _LOCKS | {
    "web:take_over",
    "web:table_signers",
    "web:table_live",
    "web:room_live",
    "web:table_screen",
}
#: Those open while a password is changed or a second factor set up.
_CHANGING = frozenset({"account_reauthenticate", "account_change_password"})

#: Answers a request in place of its view, or None.
Check = Callable[[HttpRequest, ResolverMatch], HttpResponseBase | None]


class SessionGuard:
    """The middleware, inside those of sessions and sign-in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> HttpResponseBase | None:
        """Answer a request that the session does not reach, in place of its view."""
        match = request.resolver_match
        if match is None or match.view_name in _OPEN or not request.user.is_authenticated:
            return None
        if is_over(request):
            logout(request)
            return None if _is_api(request) else redirect_to_login(request.get_full_path())
        checks = _BY_PIN if table_of_pin(request) is not None else _BY_PASSWORD
        return next((answer for check in checks if (answer := check(request, match)) is not None), None)


def _lock_opened(request: HttpRequest, match: ResolverMatch) -> HttpResponseBase | None:
    if not is_locked(request) or match.view_name in _LOCKED:
        return None
    if request.method == "GET" and not _is_api(request):
        return redirect(f"{reverse('web:locked')}?{urlencode({'next': request.get_full_path()})}")
    return _refusal(request, "locked", "This session is locked: unlock it by your PIN or password.")


def _at_own_table(request: HttpRequest, match: ResolverMatch) -> HttpResponseBase | None:
    table = table_of_pin(request)
    if match.kwargs.get("table_id") == table or match.view_name in _LOCKS:
        return None
    if match.view_name == "web:home":
        return redirect("web:table", table_id=table)
    return _refusal(
        request,
        "password_required",
        "You signed in by PIN at one table's tablet, which opens that table and nothing else. "
        "Sign in with your password for this.",
    )


def _own_password(request: HttpRequest, match: ResolverMatch) -> HttpResponseBase | None:
    if not staff_of(request).must_change_password or match.view_name in _CHANGING:
        return None
    if _is_api(request):
        return _refusal(
            request, "password_change_required", "Change your password first: somebody else set it."
        )
    return redirect("account_change_password")


def _second_factor(request: HttpRequest, match: ResolverMatch) -> HttpResponseBase | None:
    if match.view_name.startswith("mfa_") or match.view_name in _CHANGING:
        return None
    staff = staff_of(request)
    if gave_second_factor(request) or not needs_second_factor(staff):
        return None
    if _is_api(request):
        return _refusal(
            request, "second_factor_required", "Your role asks for a second factor: sign in with it first."
        )
    if has_second_factor(staff):  # set up in another session: this one was opened without it
        logout(request)
        return redirect_to_login(request.get_full_path())
    return redirect("mfa_index")


def _people_afresh(request: HttpRequest, match: ResolverMatch) -> HttpResponseBase | None:
    """Ask for a fresh sign-in where the admin makes a room's first people; its lists are read without."""
    page = match.view_name
    if not page.startswith("admin:people_"):
        return None
    changes = request.method == "POST" or page.endswith("_add")
    return why_not_fresh(request) if changes else None


_BY_PIN: tuple[Check, ...] = (_lock_opened, _at_own_table)
_BY_PASSWORD: tuple[Check, ...] = (_lock_opened, _own_password, _second_factor, _people_afresh)


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def _refusal(request: HttpRequest, code: str, message: str) -> HttpResponseBase:
    if _is_api(request):
        return JsonResponse({"error": {"code": code, "message": message, "path": ""}}, status=403)
    return permission_denied(request, PermissionDenied(message))
