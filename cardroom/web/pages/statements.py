"""Statements of providers: their own lead draws the firm's, oversight anybody's."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from cardroom.people.firms import providers_within
from cardroom.people.rights import Right
from cardroom.reports.statement import statement_report

from ..access import provider_for, room_for
from .catalogue import give_report, show_report

TEMPLATE = "web/statements/statement.html"


@login_required
@require_GET
def statements_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the providers whose statements are open to the person; the only one is opened at once."""
    room, powers = room_for(request, code, Right.SEE_STATEMENTS)
    providers = list(providers_within(powers.staff, room))
    if len(providers) == 1:
        return redirect("web:statement", code=code, provider_id=providers[0].pk)
    context = {"room": room, "powers": powers, "providers": providers}
    return render(request, "web/statements/list.html", context)


@login_required
@require_GET
def statement_page(request: HttpRequest, code: str, provider_id: int) -> HttpResponse:
    """Show the statement of a provider for what the address asks."""
    provider, powers = provider_for(request, code, provider_id)
    report = statement_report(provider)
    return show_report(request, report, powers, address=_address(code, provider_id), template=TEMPLATE)


@login_required
@require_GET
def statement_file(request: HttpRequest, code: str, provider_id: int, form: str) -> HttpResponse:
    """Give the statement of a provider as a file."""
    provider, powers = provider_for(request, code, provider_id)
    report = statement_report(provider)
    return give_report(request, report, powers, form, address=_address(code, provider_id), template=TEMPLATE)


def _address(code: str, provider_id: int) -> Callable[[str], str]:
    return lambda form: reverse(f"web:statement_{form}", args=[code, provider_id])
