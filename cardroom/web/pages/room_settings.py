"""The settings page of a room: what may be set, where, and by whom."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from cardroom.people.rights import Right

from ..access import room_for


@login_required
@require_GET
def settings_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show what is set for the room, each with the page that sets it and who may."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    context = {
        "room": room,
        "permissions": permissions,
        "why_not_file": permissions.why_not(Right.FILE_SCHEDULES),
        "why_not_tips": permissions.why_not(Right.SET_TIPS),
        "why_not_subscribe": permissions.why_not(Right.SUBSCRIBE),
        "why_not_people": permissions.why_not(Right.SET_PEOPLE),
        "may_see_tips": permissions.may(Right.SEE_OWN_TIPS),
    }
    return render(request, "web/room_settings.html", context)
