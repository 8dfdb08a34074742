"""View of the compliance page of a room: what needs a look, what is filed or about to be, and what expires."""

from __future__ import annotations

import datetime

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.filings.models import FeeSchedule, Filing, GameFiling
from cardroom.floor.models import Alert
from cardroom.floor.models.alerts import OPEN
from cardroom.inbox.reads.items import items_by_kind
from cardroom.people.permits import expiring, local_day
from cardroom.people.rights import Right
from cardroom.reports.checkpoints.deliveries import failed_jobs
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..parts.access import room_for
from .do_now import drafts_of


@login_required
@require_GET
def compliance_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the exceptions that are not closed, drafts and filings to come, checkpoints that failed, and badges and permits that expire."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    now = timezone.now()
    today = gaming_day(room, now)
    context = {
        "room": room,
        "permissions": permissions,
        "today": today,
        "local_day": local_day(room, now),
        "kinds": items_by_kind(room, now),
        "open_alerts": Alert.objects.filter(OPEN, room=room).count(),
        "failed_checkpoints": failed_jobs(room).count(),
        "drafts": drafts_of(room) if permissions.may(Right.FILE_SCHEDULES) else [],
        "coming": _coming(room, today),
        "expiring": expiring(room, local_day(room, now)),
    }
    return render(request, "web/rooms/compliance.html", context)


def _coming(room: Room, today: datetime.date) -> list[Filing]:
    """Games and schedules of fees that are filed for a later day, the next first."""
    found: list[Filing] = [
        version
        for kind in (GameFiling, FeeSchedule)
        for version in kind.objects.filter(room=room, status=Filing.Status.FILED, effective_from__gt=today)
    ]
    return sorted(found, key=lambda version: version.effective_from or datetime.date.max)
