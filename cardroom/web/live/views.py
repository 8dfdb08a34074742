"""Views of event streams: who may listen to a room or table, its current version, and the heartbeat of a table's screen.

The stream itself is `cardroom.web.live.streams`'s.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from cardroom.floor.execution.offline import gap_note
from cardroom.floor.models import Table
from cardroom.floor.notify import METER, ROOM, TABLE, current_movement_of, current_version_of
from cardroom.floor.screens import screen_closed, screen_heard
from cardroom.people.rights import Right

from ..parts.access import room_for, table_for
from .event_hub import serialize_event
from .streams import FOLLOW


def _without_pages(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Refuse with a bare status: no person reads what a stream is answered, and a sign-in page is no stream."""

    @functools.wraps(view)
    def bare(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return HttpResponse(status=401)
        try:
            return view(request, **kwargs)
        except PermissionDenied:
            return HttpResponse(status=403)
        except Http404:
            return HttpResponse(status=404)

    return bare


@require_GET
@_without_pages
def room_live(request: HttpRequest, code: str) -> HttpResponse:
    """Let a person listen to a room, and send the versions of its tables."""
    room, _ = room_for(request, code)
    tables = Table.objects.filter(room=room).only("pk", "version", "chain_seq").order_by("number")
    events = [
        serialize_event(ROOM, current_version_of(room)),
        *(serialize_event(TABLE, current_version_of(table)) for table in tables),
    ]
    return _stream(f"room={room.pk}", events)


@require_GET
@_without_pages
def table_live(request: HttpRequest, table_id: int) -> HttpResponse:
    """Let a person listen to a table, and send its version."""
    table, _ = table_for(request, table_id)
    events = [serialize_event(TABLE, current_version_of(table))]
    if table.meter_id is not None:
        events.append(serialize_event(METER, current_movement_of(table)))
    return _stream(f"table={table.pk}", events)


@require_POST
@_without_pages
def table_screen(request: HttpRequest, table_id: int) -> HttpResponse:
    """Note that a screen of the table is there (`state` here), or that its people have closed it (`closed`).

    Only screens on which rounds can be run are waited for: viewers may come and go.
    """
    table, permissions = table_for(request, table_id)
    screen = request.POST.get("screen", "")
    if not re.fullmatch(r"[a-z0-9]{1,20}", screen):
        return HttpResponse(status=400)
    if permissions.may(Right.RUN_ROUNDS):
        if request.POST.get("state") == "closed":
            screen_closed(table.pk, screen)
        else:
            now = timezone.now()
            if (since := screen_heard(table.pk, screen, now)) is not None:
                gap_note(table.pk, permissions.staff, screen, since, now)
    return HttpResponse(status=204)


def _stream(follow: str, events: list[str]) -> HttpResponse:
    # X-Accel-Buffering: nginx would hold events back until a buffer is full.
    headers = {FOLLOW: follow, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return HttpResponse("".join(events), content_type="text/event-stream", headers=headers)
