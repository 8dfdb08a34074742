"""Views of the settings of a room: what may be set, where, and by whom."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from cardroom.people.journal import journalled
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from .forms import ChipsForm


@login_required
@require_GET
def settings_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show what is set for the room, each with the page that sets it and who may."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    return _shown(request, room, permissions, ChipsForm(instance=room))


@login_required
@require_POST
def chips_set(request: HttpRequest, code: str) -> HttpResponse:
    """Set the chips on the keypads of the room's tables; those who keep the room may."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    if why_not := permissions.why_not(Right.SET_PEOPLE):
        raise PermissionDenied(why_not.message)
    before = room.chips
    form = ChipsForm(request.POST, instance=room)
    if not form.is_valid():
        room.chips = before  # the page shows the setting as it is, and the form what was typed
        return _shown(request, room, permissions, form, status=422)
    if room.chips != before:
        data = {"changed": {"chips": [str(before), str(room.chips)]}}
        with journalled([room], permissions.staff, "room_set", data):
            room.save(update_fields=["chips"])
    messages.success(request, "The chips on the keypads are set.")
    return redirect("web:room_settings", code=room.code)


def _shown(
    request: HttpRequest, room: Room, permissions: Permissions, form: ChipsForm, status: int = 200
) -> HttpResponse:
    context = {
        "room": room,
        "permissions": permissions,
        "why_not_file": permissions.why_not(Right.FILE_SCHEDULES),
        "why_not_tips": permissions.why_not(Right.SET_TIPS),
        "why_not_subscribe": permissions.why_not(Right.SUBSCRIBE),
        "why_not_people": permissions.why_not(Right.SET_PEOPLE),
        "may_see_tips": permissions.may(Right.SEE_OWN_TIPS),
        "chips_form": form,
    }
    return render(request, "web/rooms/settings.html", context, status=status)
