"""One round's record, and the turns at a table."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from cardroom.floor.selectors.turns import runs_of

from ..access import round_for, table_for
from ..record import record_of


@login_required
@require_GET
def round_page(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show a round as it was recorded; with `?folded=show` the folded hands face up (south_dakota (8).7)."""
    round_, powers = round_for(request, round_id)
    record = record_of(round_, show_folded=request.GET.get("folded") == "show")
    return render(request, "web/round.html", {"record": record, "room": round_.room, "powers": powers})


@login_required
@require_GET
def turns_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """Show who was offered the bank at a table, what they answered, and the turns that came of it."""
    table, powers = table_for(request, table_id)
    typed = request.GET.get("before", "")
    before = int(typed) if typed.isascii() and typed.isdigit() and len(typed) <= 18 else None
    runs, onward = runs_of(table, before=before)
    context = {
        "table": table,
        "room": table.room,
        "powers": powers,
        "runs": runs,
        "onward": onward,
        "before": before,
    }
    return render(request, "web/turns.html", context)
