"""A screen at a table for its players, in one of the languages of `LANGUAGES`: `?language=vi`."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_GET

from cardroom.floor.reads.table_state import read_table

from ..parts.access import table_for
from ..parts.languages import language_asked
from .players_display import players_display_of


@login_required
@require_GET
def display_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show what the players of a table may see; a language that there is none of is English."""
    table, permissions = table_for(request, table_id)
    language = language_asked(request)
    with translation.override(language):
        context = {
            "table": table,
            "room": table.room,
            "permissions": permissions,
            "display": players_display_of(read_table(table)),
            "language": language,
            "languages": settings.LANGUAGES,
        }
        return render(request, "web/display/display.html", context)
