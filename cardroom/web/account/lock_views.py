"""Views that lock and unlock a session by PIN or password: a tablet that was left is open to nobody."""

from __future__ import annotations

import re

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_GET, require_POST

from cardroom.people.lockouts import Kind, try_counted, try_was_right, try_was_wrong
from cardroom.people.models import Staff
from cardroom.people.pins import LEAST_DIGITS, MOST_DIGITS, PinRefused, own_pin_opens
from cardroom.people.sessions import is_locked, lock, unlock

from ..parts.access import staff_of
from ..parts.languages import in_own_language
from .fresh_sign_in import page_before

_RESTING = gettext_lazy(
    "Too many wrong ones were given under your name. Wait a few minutes, or have a supervisor lift the lock."
)


class UnlockForm(forms.Form):
    """What unlocks: a PIN, or a password."""

    secret = forms.CharField(
        label="Your PIN or password",
        max_length=256,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "autofocus": True}),
    )


@login_required
@require_POST
def lock_session(request: HttpRequest) -> HttpResponse:
    """Lock the session. A script that shows the layer itself is answered without a page."""
    lock(request)
    if _by_script(request):
        return HttpResponse(status=204)
    return redirect(f"{reverse('web:locked')}?{urlencode({'next': page_before(request)})}")


@login_required
@require_GET
def locked_page(request: HttpRequest) -> HttpResponse:
    """Show that the session is locked, with the form that unlocks it."""
    back = _back(request, request.GET.get("next", ""))
    if not is_locked(request):
        return redirect(back)
    return render(request, "web/account/locked.html", {"form": UnlockForm(), "back": back})


@sensitive_post_parameters("secret")
@login_required
@require_POST
@in_own_language
def unlock_session(request: HttpRequest) -> HttpResponse:
    """Unlock the session, or say why not."""
    form, back = UnlockForm(request.POST), _back(request, request.POST.get("next", ""))
    if form.is_valid() and (why := _why_not(request, staff_of(request), form.cleaned_data["secret"])):
        form.add_error("secret", why)
    if not form.is_valid():
        if _by_script(request):
            return JsonResponse({"message": str(form.errors["secret"][0])}, status=403)
        return render(request, "web/account/locked.html", {"form": form, "back": back}, status=403)
    return HttpResponse(status=204) if _by_script(request) else redirect(back)


@sensitive_variables("secret")
def _why_not(request: HttpRequest, staff: Staff, secret: str) -> str | None:
    """Unlock by what was typed, else return a sentence. A password is longer than any PIN."""
    is_pin = re.fullmatch(rf"[0-9]{{{LEAST_DIGITS},{MOST_DIGITS}}}", secret) is not None
    if is_pin:
        try:
            opens = own_pin_opens(staff, secret)
        except PinRefused:
            return str(_RESTING)
    else:
        if not try_counted(Kind.PASSWORD, staff):
            return str(_RESTING)
        if opens := staff.check_password(secret):
            try_was_right(Kind.PASSWORD, staff)
        else:
            try_was_wrong(Kind.PASSWORD, staff, "", "sign_in_fail")
    if not opens:
        return _("This is neither your PIN nor your password.")
    unlock(request, by_password=not is_pin)
    return None


def _by_script(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


def _back(request: HttpRequest, given: str) -> str:
    return given if url_has_allowed_host_and_scheme(given, None) else "/"
