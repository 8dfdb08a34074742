"""View of the procedures at a table: its decks, and every inspection, count, recut and irregularity."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from cardroom.floor.models import Procedure
from cardroom.floor.reads.meters import meter_of
from cardroom.floor.reads.procedures import decks_at, procedures_at
from cardroom.floor.reads.table_state import read_table

from ..parts.access import table_for
from .reminders import format_procedure

ROWS = 50


@login_required
@require_GET
def procedures_page(request: HttpRequest, table_id: int) -> HttpResponse:
    """List the procedures of a table, the latest first; `?kind=` shows one kind alone."""
    table, permissions = table_for(request, table_id)
    kind = request.GET.get("kind", "")
    rows = procedures_at(table)
    if kind in Procedure.Kind.values:
        rows = rows.filter(kind=kind)
    page = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    state = read_table(table)
    context = {
        "table": table,
        "room": table.room,
        "permissions": permissions,
        "procedures": state.procedures,
        "decks": decks_at(table),
        "meter": meter_of(table) if state.rulebook.meter is not None else None,
        "kind": kind,
        "kinds": Procedure.Kind.choices,
        "page": page,
        "listed": [(made, format_procedure(made)) for made in page],
    }
    return render(request, "web/procedures/procedures.html", context)
