"""The tables of a room in a list, each with its pages: play, rotation or tray, procedures, placard."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.floor.models import Shift
from cardroom.floor.reads.board import room_board

from ..parts.access import room_for


@login_required
@require_GET
def table_list(request: HttpRequest, code: str) -> HttpResponse:
    """List the tables by their numbers; that of the dealer who asks comes first."""
    room, permissions = room_for(request, code)
    shift = Shift.objects.filter(room=room, closed_at__isnull=True).first()
    cards = room_board(room, shift, timezone.now())
    own = next(
        (card for card in cards if card.state.down and card.state.down.dealer_id == permissions.staff.pk),
        None,
    )
    context = {
        "room": room,
        "permissions": permissions,
        "shift": shift,
        "own": own,
        "cards": sorted(cards, key=lambda card: card.table.number),
        "now": timezone.now(),
    }
    return render(request, "web/rooms/tables.html", context)
