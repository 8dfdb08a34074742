"""A room's fee schedules as filed, and one version: its tariff, its jumps, what it changed, and its document."""

from __future__ import annotations

import json

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from fees.models import FeeSchedule
from fees.selectors import schedule_versions

from ..access import Powers, room_for
from ..filings import filing_of, series_of


@login_required
@require_GET
def schedules_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show every schedule of a room with its versions, and which of them is in force today."""
    room, powers = room_for(request, code)
    may_file = powers.may(Right.FILE_SCHEDULES)
    context = {
        "room": room,
        "powers": powers,
        "series": series_of(room, gaming_day(room, timezone.now()), with_drafts=may_file),
        "may_file": may_file,
    }
    return render(request, "web/schedules.html", context)


@login_required
@require_GET
def schedule_page(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Show one version of a schedule."""
    room, powers = room_for(request, code)
    filed = _version(powers, number, version)
    context = {
        "room": room,
        "powers": powers,
        "filing": filing_of(filed),
        "in_force": filed.in_force(gaming_day(room, timezone.now())),
    }
    return render(request, "web/schedule.html", context)


@login_required
@require_GET
def schedule_file(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Give the document of one version as a file of JSON, as people write it."""
    room, powers = room_for(request, code)
    filed = _version(powers, number, version)
    return HttpResponse(
        json.dumps(filed.document, indent=2, ensure_ascii=False) + "\n",
        content_type="application/json",
        headers={
            "Content-Disposition": f'attachment; filename="{room.code}-schedule-{number}-version-{version}.json"'
        },
    )


def _version(powers: Powers, number: int, version: int) -> FeeSchedule:
    """The version of that number in the room; a draft is there for those alone who file."""
    found = schedule_versions(powers.room).filter(number=number, version=version).first()
    if found is None or (found.status == FeeSchedule.Status.DRAFT and not powers.may(Right.FILE_SCHEDULES)):
        raise Http404(f"There is no version {version} of schedule {number} in this room.")
    return found
