"""Views of the site itself: about, the components of pages, and the guides."""

from __future__ import annotations

import platform

import django
from django.contrib.auth.decorators import login_required
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from cardroom.config.version import VERSION

from ..parts.cards import faces_of
from ..parts.faces import TONES, initials_of
from .guides import GUIDES


@require_GET
@login_required
def about(request: HttpRequest) -> HttpResponse:
    """Show the version, and those of Python, Django and the database."""
    runs_on = [
        ("Python", platform.python_version()),
        ("Django", django.get_version()),
        (connection.display_name, ".".join(map(str, connection.get_database_version()))),
    ]
    return render(request, "web/site/about.html", {"version": VERSION, "runs_on": runs_on})


#: Tokens of colour that `tokens.css` defines, by what they are for.
COLOURS = {
    "Pages": ("ground", "panel", "sunk", "ink", "soft", "line", "edge"),
    "Actions": ("accent", "accent-ink", "accent-soft"),
    "The table": ("felt", "felt-light", "felt-ink", "rail", "brass", "brass-ink"),
    "States": ("stop", "stop-soft", "look", "look-soft", "done", "done-soft"),
    "Settlement": ("pay", "pay-soft", "take", "take-soft", "return", "return-soft"),
    "Cards": ("spade", "heart", "diamond", "club"),
}
#: Somebody on each ground of a face.
SAMPLE_NAMES = ("Ana Ferrer", "Bo", "Cyrus Adeyemi-Brown", "Dee Nakamura")


@login_required
@require_GET
def components(request: HttpRequest) -> HttpResponse:
    """Show the components, in the light or dark of the system."""
    people = [
        {"name": name, "initials": initials_of(name), "tone": tone, "number": 10 + at}
        for at, (name, tone) in enumerate(zip(SAMPLE_NAMES, TONES, strict=True))
    ]
    context = {"colours": COLOURS, "faces": faces_of("As Kh Qd Jc"), "people": people}
    return render(request, "web/site/components.html", context)


@login_required
@require_GET
def guide_page(request: HttpRequest, role: str) -> HttpResponse:
    """Show one guide."""
    if role not in GUIDES:
        raise Http404(f"There is no guide {role}.")
    return render(
        request, f"web/site/guides/{role}.html", {"role": role, "name": GUIDES[role], "guides": GUIDES}
    )
