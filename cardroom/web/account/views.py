"""Views of one's own account: PIN, language, open sessions, removing a passkey."""

from __future__ import annotations

from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn.views import RemoveWebAuthnView
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom.people.models import Pin, Staff
from cardroom.people.pins import LEAST_DIGITS, MOST_DIGITS, pin_set, why_not_pin
from cardroom.people.second_factor import LAST_FACTOR, has_second_factor
from cardroom.people.sessions import open_sessions, session_end

from ..parts.access import staff_of
from .fresh_sign_in import fresh_sign_in_required


class PinForm(forms.Form):
    """A new PIN, twice."""

    pin = forms.CharField(
        label=f"New PIN, {LEAST_DIGITS} to {MOST_DIGITS} digits",
        max_length=MOST_DIGITS,
        widget=forms.PasswordInput(
            attrs={"autocomplete": "off", "inputmode": "numeric", "autofocus": True, "pattern": "[0-9]*"}
        ),
    )
    again = forms.CharField(
        label="Once more",
        max_length=MOST_DIGITS,
        widget=forms.PasswordInput(
            attrs={"autocomplete": "off", "inputmode": "numeric", "pattern": "[0-9]*"}
        ),
    )

    def __init__(self, staff: Staff, data: object = None) -> None:
        self.staff = staff
        super().__init__(data, auto_id="pin-%s")  # type: ignore[arg-type]

    def clean_pin(self) -> str:
        pin: str = self.cleaned_data["pin"]
        if why := why_not_pin(pin, self.staff):
            raise forms.ValidationError(why, code="simple")
        return pin

    def clean_again(self) -> str:
        again: str = self.cleaned_data["again"]
        if "pin" in self.cleaned_data and again != self.cleaned_data["pin"]:
            raise forms.ValidationError("The two are not the same.", code="different")
        return again


@login_required
@require_GET
def account_page(request: HttpRequest) -> HttpResponse:
    """Show who is signed in, and what they set themselves."""
    staff = staff_of(request)
    context = {
        "roles": staff.employments.select_related("room", "provider"),
        "sessions": [
            (each, each.session_key == request.session.session_key) for each in open_sessions(staff)
        ],
        "has_second_factor": has_second_factor(staff),
        "pin": Pin.objects.filter(staff=staff).first(),
        "languages": settings.LANGUAGES,
    }
    return render(request, "web/account/account.html", context)


@login_required
@require_POST
def own_language(request: HttpRequest) -> HttpResponse:
    """Set the language in which the person reads table pages."""
    staff = staff_of(request)
    if (language := request.POST.get("language")) in dict(settings.LANGUAGES):
        staff.language = language
        staff.save(update_fields=["language"])
        messages.success(request, "Table pages are in that language now.")
    return redirect("web:account")


@login_required
@require_POST
def end_session(request: HttpRequest, session_id: int) -> HttpResponse:
    """End one of the person's own sessions, on whatever tablet it is; the one of this request by signing out."""
    if session_end(staff_of(request), session_id):
        messages.success(request, "That session is over.")
    return redirect("web:account")


@sensitive_post_parameters("pin", "again")
@require_http_methods(["GET", "POST"])
@fresh_sign_in_required
def pin_page(request: HttpRequest) -> HttpResponse:
    """Let a person set their own PIN, after a fresh sign-in. A PIN is never shown, and nobody sets another's."""
    staff = staff_of(request)
    form = PinForm(staff, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        pin_set(staff, form.cleaned_data["pin"])
        messages.success(request, "Your PIN is set.")
        return redirect("web:account")
    return render(request, "web/account/pin.html", {"form": form}, status=422 if form.is_bound else 200)


class RemoveKey(RemoveWebAuthnView):  # type: ignore[misc]  # allauth ships no types
    """Remove one, unless it is the only factor of a person whose role needs one: as allauth's page of an app does."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not get_adapter().can_delete_authenticator(self.get_object()):
            messages.error(request, LAST_FACTOR)
            return redirect("mfa_list_webauthn")
        answer: HttpResponse = super().dispatch(request, *args, **kwargs)
        return answer


remove_key = login_required(RemoveKey.as_view())
