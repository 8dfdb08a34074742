"""Views of screens for players: the display of a table in the language asked for, and a progressive meter."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_GET

from cardroom.floor.reads.meters import format_tables, meter_seen
from cardroom.floor.reads.table_state import read_table
from games.registry import game_of, terms_of
from games.spots import PROGRESSIVE

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


@login_required
@require_GET
def meter_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the meter of a table. Raises Http404 where its game has none."""
    table, permissions = table_for(request, table_id)
    rulebook = table.book
    meter = meter_seen(table)
    if meter is None:
        raise Http404(f"{rulebook.name} has no progressive meter.")
    terms = terms_of(table.rulebook, table.sheet_options)
    paytables = game_of(table.rulebook).paytables(terms, PROGRESSIVE)
    context = {
        "table": table,
        "room": table.room,
        "permissions": permissions,
        "rulebook": rulebook,
        "meter": meter,
        "tables": format_tables(meter.tables),
        "pays": [line for paytable in paytables for line in paytable.lines],
    }
    return render(request, "web/display/meter.html", context)
