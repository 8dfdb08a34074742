"""Views of the floor board: the page, its cards one by one, and the alerts with their answers."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from cardroom.floor.commands.alerts import alert_acknowledge
from cardroom.floor.errors import FloorError
from cardroom.floor.models import Alert, Shift
from cardroom.floor.reads.board import room_board
from cardroom.floor.reads.records import alerts_named, alerts_of
from cardroom.inbox.reads.items import item_address, items_of_alerts
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from ..parts.command_headers import meta_of
from .board import Board, board_of

#: Alerts on one page of their list.
ALERTS_A_PAGE = 100


@login_required
@require_GET
def floor_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show every table of a room on one screen."""
    room, permissions = room_for(request, code)
    return _show(request, room, permissions)


@login_required
@require_GET
def floor_cards(request: HttpRequest, code: str) -> HttpResponse:
    """Show the cards of the tables that are named (`?table=3&table=7`), to be put in the place of older ones."""
    room, permissions = room_for(request, code)
    named = {int(pk) for pk in request.GET.getlist("table") if pk.isascii() and pk.isdigit() and len(pk) < 19}
    board = _board(room, permissions, named)
    return render(request, "web/board/cards.html", {"board": board, "room": room, "now": timezone.now()})


def rendered_cards(room_id: int, tables: Collection[int]) -> list[tuple[int, int, str]]:
    """Draw cards for viewers, outside of any request: table, last entry of its journal, and HTML.

    They hold the forms of those who may answer alerts, with neither token nor key: a page puts in its own, or takes
    the forms out. Listeners were checked for the right to see the floor (`room_live`).
    """
    close_old_connections()
    try:
        room = Room.objects.get(pk=room_id)
        now = timezone.now()
        shift = Shift.objects.filter(room=room, closed_at__isnull=True).first()
        common = {"room": room, "now": now, "may_answer": True, "everybody": True}
        return [
            (
                card.table.pk,
                card.table.chain_seq,
                render_to_string("web/board/card.html", {**common, "card": card}),
            )
            for card in room_board(room, shift, now, tables)
        ]
    finally:
        close_old_connections()


@login_required
@require_GET
def alerts_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the alerts of a room, the latest first: what came when, when it was over, who answered and how."""
    room, permissions = room_for(request, code)
    return _list(request, room, permissions)


def _list(
    request: HttpRequest, room: Room, permissions: Permissions, error: FloorError | None = None
) -> HttpResponse:
    """Draw the list of alerts; after an `error`, with the note that was typed."""
    alerts = alerts_of(room)
    before = request.GET.get("before", "")
    if before.isascii() and before.isdigit() and len(before) < 19:
        alerts = alerts.filter(pk__lt=int(before))
    found = alerts_named(alerts[: ALERTS_A_PAGE + 1])
    shown = found[:ALERTS_A_PAGE]
    earlier = shown[-1].pk if len(found) > ALERTS_A_PAGE else None
    note = request.POST.get("note", "") if error else ""
    addresses = _item_addresses(permissions, shown)
    context = {
        "rows": [(alert, addresses.get(alert.pk, "")) for alert in shown],
        "room": room,
        "permissions": permissions,
        "may_answer": permissions.may(Right.ANSWER_ALERTS),
        "earlier": earlier,
        "error": error,
        "typed": [("Note", note)] if note else [],
        "now": timezone.now(),
    }
    return render(request, "web/board/alerts.html", context, status=200 if error is None else error.status)


def _item_addresses(permissions: Permissions, alerts: Collection[Alert]) -> dict[int, str]:
    """Where the inbox tells of alerts that are exceptions, by their ids."""
    if not permissions.may(Right.SEE_ITEMS):
        return {}
    found = {alert: item_address(item) for alert, item in items_of_alerts(permissions.room, alerts).items()}
    old = f"{reverse('web:inbox', args=[permissions.room.code])}?age=old"
    return found | {alert.pk: old for alert in alerts if alert.kind == Alert.Kind.ITEMS_OLD}


@login_required
@require_POST
def alert_answer(request: HttpRequest, code: str, alert_id: int) -> HttpResponse:
    """Say that an alert was seen, with the note that was typed; `from=list` goes back to the list of alerts."""
    room, permissions = room_for(request, code)
    alert = get_object_or_404(Alert, pk=alert_id, room=room)
    by_script = request.headers.get("X-Requested-With") == "fetch"
    from_list = request.POST.get("from") == "list"
    try:
        meta = meta_of(request)
        note = request.POST.get("note", "")
        alert_acknowledge(meta, alert.table_id, alert_id=alert.pk, note=note)
    except FloorError as error:
        if by_script:
            return render(request, "web/parts/refusal.html", {"error": error}, status=error.status)
        return (_list if from_list else _show)(request, room, permissions, error)
    if by_script:
        return HttpResponse(status=204)
    messages.success(request, f"{alert}: answered.")
    return redirect("web:alerts" if from_list else "web:floor", code=room.code)


def _show(
    request: HttpRequest, room: Room, permissions: Permissions, error: FloorError | None = None
) -> HttpResponse:
    context = {
        "board": _board(room, permissions, show=request.GET.get("show", "all")),
        "room": room,
        "permissions": permissions,
        "may_line_up": permissions.may(Right.CHANGE_DEALER),
        "error": error,
        "now": timezone.now(),
    }
    return render(request, "web/board/floor.html", context, status=200 if error is None else error.status)


def _board(room: Room, permissions: Permissions, only: set[int] | None = None, show: str = "all") -> Board:
    shift = Shift.objects.filter(room=room, closed_at__isnull=True).first()
    return board_of(room, permissions, shift, room_board(room, shift, timezone.now(), only), show)
