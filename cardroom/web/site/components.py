"""The page of components: every colour, mark, button, field and list that pages are made of, beside its class."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ..parts.cards import faces_of

#: Tokens of colour that `tokens.css` defines, by what they are for.
COLOURS = {
    "Pages": ("ground", "panel", "sunk", "ink", "soft", "line", "edge"),
    "What commands": ("accent", "accent-ink", "accent-soft"),
    "The table": ("felt", "felt-light", "felt-ink", "rail", "brass", "brass-ink"),
    "States": ("stop", "stop-soft", "look", "look-soft", "done", "done-soft"),
    "Settlement": ("pay", "pay-soft", "take", "take-soft", "return", "return-soft"),
    "Cards": ("spade", "heart", "diamond", "club"),
}


@login_required
@require_GET
def components(request: HttpRequest) -> HttpResponse:
    """Show the components, in the light or dark of the system."""
    context = {"colours": COLOURS, "faces": faces_of("As Kh Qd Jc")}
    return render(request, "web/site/components.html", context)
