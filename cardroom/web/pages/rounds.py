"""One round's record."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from ..access import round_for
from ..record import record_of


@login_required
@require_GET
def round_page(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show a round as it was recorded; with `?folded=show` the folded hands face up (south_dakota (8).7)."""
    round_, powers = round_for(request, round_id)
    record = record_of(round_, show_folded=request.GET.get("folded") == "show")
    return render(request, "web/round.html", {"record": record, "room": round_.room, "powers": powers})
