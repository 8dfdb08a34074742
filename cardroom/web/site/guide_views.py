"""The guides of the site, for everybody who is signed in."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from .guides import GUIDES


@login_required
@require_GET
def guide_page(request: HttpRequest, role: str) -> HttpResponse:
    """Show one guide."""
    if role not in GUIDES:
        raise Http404(f"There is no guide {role}.")
    return render(
        request, f"web/site/guides/{role}.html", {"role": role, "name": GUIDES[role], "guides": GUIDES}
    )
