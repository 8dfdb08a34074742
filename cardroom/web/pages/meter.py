"""The progressive meter of a table on a screen for the players: what it shows, and what the wager pays. Nothing private."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from cardroom.floor.reads.meters import meter_shown
from games.registry import load_rulebook
from games.spots import PROGRESSIVE

from ..access import table_for
from ..placard import table_placard
from ..placard_wagers import shown_wagers


@login_required
@require_GET
def meter_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show the meter of a table. Raises Http404 where its game has none."""
    table, permissions = table_for(request, table_id)
    rulebook = load_rulebook(table.rulebook)
    if rulebook.meter is None:
        raise Http404(f"{rulebook.name} has no progressive meter.")
    [shown] = [each for each in shown_wagers(table_placard(table)) if each.wager.id == PROGRESSIVE]
    context = {
        "table": table,
        "room": table.room,
        "permissions": permissions,
        "rulebook": rulebook,
        "meter_cents": meter_shown(table, 0),
        "pays": [] if shown.table is None else shown.table.lines,
    }
    return render(request, "web/meter.html", context)
