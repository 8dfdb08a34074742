"""Views of statements of providers: their own lead draws the firm's, oversight any firm's."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from cardroom.people.firms import providers_within
from cardroom.people.models import Provider
from cardroom.people.rights import Right
from cardroom.reports.providers.statement import statement_report

from ..parts.access import provider_for, room_for
from .catalogue_views import Place, ask_report, give_report, show_report


@login_required
@require_GET
def statements_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the providers whose statements are open to the person; the only one is opened at once."""
    room, permissions = room_for(request, code, Right.SEE_STATEMENTS)
    providers = list(providers_within(permissions.staff, room))
    if len(providers) == 1:
        return redirect("web:statement", code=code, provider_id=providers[0].pk)
    context = {"room": room, "permissions": permissions, "providers": providers}
    return render(request, "web/reports/statements.html", context)


@login_required
@require_GET
def statement_page(request: HttpRequest, code: str, provider_id: int) -> HttpResponse:
    """Show the statement of a provider for what the address asks."""
    provider, permissions = provider_for(request, code, provider_id)
    return show_report(request, statement_report(provider), permissions, _place(code, provider))


@login_required
@require_GET
def statement_file(request: HttpRequest, code: str, provider_id: int, form: str) -> HttpResponse:
    """Give the statement of a provider as a file."""
    provider, permissions = provider_for(request, code, provider_id)
    return give_report(request, statement_report(provider), permissions, form, _place(code, provider))


@login_required
@require_POST
def statement_in_background(request: HttpRequest, code: str, provider_id: int) -> HttpResponse:
    """Have a worker draw the statement of a provider for what the address asks."""
    provider, permissions = provider_for(request, code, provider_id)
    return ask_report(request, statement_report(provider), permissions, _place(code, provider))


def _place(code: str, provider: Provider) -> Place:
    return Place(
        form=lambda form: reverse(f"web:statement_{form}", args=[code, provider.pk]),
        in_background=reverse("web:statement_in_background", args=[code, provider.pk]),
        template="web/reports/statement.html",
        provider=provider,
    )
