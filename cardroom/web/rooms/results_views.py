"""View of a room manager's home: how the last day went beside the same weekday, and what needs doing now."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.people.rights import Right
from cardroom.reports.queries.banking import banking_of_room
from cardroom.reports.results.figures import figures_of
from cardroom.reports.results.headline import basis, headline, reports_to_come
from cardroom.reports.results.overview import overview_of

from ..parts.access import room_for
from .do_now import FIRST, counts_text, others_text, to_do
from .result_lines import groups_of, month_chart


@login_required
@require_GET
def results_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show how the room did, and what needs doing now."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    now = timezone.now()
    overview = overview_of(room, permissions.staff, now)
    banking = banking_of_room(room)
    figures = figures_of(banking)
    todos = to_do(permissions, overview)
    context = {
        "room": room,
        "permissions": permissions,
        "now": now,
        "overview": overview,
        "headline": headline(overview, players_bank=banking.players),
        "basis": " ".join(basis(overview, players_bank=banking.players)),
        "to_come": reports_to_come(overview),
        "todos": todos[:FIRST],
        "more": todos[FIRST:],
        "others": others_text(todos[FIRST:]),
        "counts": counts_text(todos),
        "figures": figures,
        "groups": groups_of(overview, figures),
        "chart": month_chart(overview) if banking.players else None,
    }
    return render(request, "web/rooms/results.html", context)
