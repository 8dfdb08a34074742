"""View of one round's record."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.models import Round
from cardroom.floor.reads.table_state import read_table
from cardroom.inbox.commands.disputes import dispute_open
from cardroom.inbox.reads.items import items_of_round
from cardroom.people.rights import Right

from ..inbox.page import lines_of
from ..parts.access import Permissions, round_for
from .claims import ClaimForm
from .record import Record, record_of


@login_required
@require_GET
def round_page(request: HttpRequest, round_id: int) -> HttpResponse:
    """Show a round as it was recorded; with `?folded=show` the folded hands face up (south_dakota (8).7)."""
    round_, permissions = round_for(request, round_id)
    record = record_of(round_, show_folded=request.GET.get("folded") == "show")
    context = {
        "record": record,
        "room": round_.room,
        "permissions": permissions,
        "may_correct": _may_correct(round_, record, permissions),
        "may_claim": permissions.may(dispute_open.right) and not round_.is_live,
        "claim_form": ClaimForm(record),
        "exceptions": lines_of(items_of_round(round_), timezone.now())
        if permissions.may(Right.SEE_ITEMS)
        else [],
    }
    return render(request, "web/rounds/round.html", context)


def _may_correct(round_: Round, record: Record, permissions: Permissions) -> bool:
    """Whether the person gets a link to the page that corrects the round: it is theirs to do, and there is what to correct."""
    if not record.may_correct or not permissions.may(round_correct.right):
        return False
    return permissions.why_not_at(round_correct.right, read_table(round_.table)) is None
