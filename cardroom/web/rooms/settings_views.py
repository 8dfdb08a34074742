"""Views of the settings of a room: what may be set, where, and by whom; the room's own settings and its list of tables."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from cardroom.floor.commands.rooms import room_set, table_add, table_number_set
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import Table
from cardroom.people.duties import NobodySigns, why_alone
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once
from ..parts.forms.signed import right_to_sign
from .forms import ChipsForm, RoomForm, TableForm


@login_required
@require_GET
def settings_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show what is set for the room, each with the page that sets it and who may."""
    _room, permissions = room_for(request, code, Right.SEE_REPORTS)
    return _shown(request, permissions)


@login_required
@require_POST
def chips_set(request: HttpRequest, code: str) -> HttpResponse:
    """Set the chips on the keypads of the room's tables; those who keep the room may, without a second person."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)

    def command(meta: CommandMeta) -> str:
        room_set(meta, room.pk, chips=request.POST.get("chips", ""))
        return "The chips on the keypads are set."

    if error := done_once(request, command):
        form = ChipsForm(request.POST, instance=Room.objects.get(pk=room.pk))
        form.is_valid()  # says in the field what is wrong there
        return _shown(request, permissions, chips=form, error=error)
    return redirect("web:room_settings", code=room.code)


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def settings_set(request: HttpRequest, code: str) -> HttpResponse:
    """Change the settings of the room, signed by a second person."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    form = RoomForm(room, request.POST, must_sign=_who_signs(permissions)[0])
    if not form.is_valid():
        return _shown(request, permissions, form=form, status=422)

    def command(meta: CommandMeta) -> str:
        room_set(meta, room.pk, **form.arguments())
        return "The settings of the room are changed."

    if error := done_once(request, command):
        return _shown(request, permissions, form=form, error=error)
    return redirect("web:room_settings", code=form.cleaned_data["code"])


@login_required
@require_POST
def table_added(request: HttpRequest, code: str) -> HttpResponse:
    """Add a table to the room."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    form = TableForm(request.POST, auto_id="add-%s")
    if not form.is_valid():
        return _shown(request, permissions, add=form, status=422)

    def command(meta: CommandMeta) -> str:
        table_add(meta, room.pk, **form.cleaned_data)
        return f"Table {form.cleaned_data['number']} is added. Its game is set at the table."

    if error := done_once(request, command):
        return _shown(request, permissions, add=form, error=error)
    return redirect("web:room_settings", code=room.code)


@login_required
@require_POST
def table_renumbered(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Give the table of that number another one."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    table, form = Table.objects.filter(room=room, number=number).first(), TableForm(request.POST)
    if table is None or not form.is_valid():
        return _shown(request, permissions, status=404 if table is None else 422, renumber=(number, form))

    def command(meta: CommandMeta) -> str:
        table_number_set(meta, room.pk, table_id=table.pk, **form.cleaned_data)
        return f"It is table {form.cleaned_data['number']} now."

    if error := done_once(request, command):
        return _shown(request, permissions, error=error, renumber=(number, form))
    return redirect("web:room_settings", code=room.code)


def _who_signs(permissions: Permissions) -> tuple[bool, str]:
    """Return whether a second person signs for settings, and what is said where none does."""
    right = right_to_sign(room_set)
    try:
        alone = why_alone(right, permissions.room, by=permissions.staff, about=None)
    except NobodySigns:
        return False, "nobody else here may sign: an administrator of the site gives somebody the role first"
    return alone is None, alone or ""


def _shown(
    request: HttpRequest,
    permissions: Permissions,
    *,
    chips: ChipsForm | None = None,
    form: RoomForm | None = None,
    add: TableForm | None = None,
    renumber: tuple[int, TableForm] | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    room = Room.objects.get(pk=permissions.room.pk)
    must_sign, alone = _who_signs(permissions)
    tables = Table.objects.filter(room=room).order_by("number")
    context: dict[str, Any] = {
        "room": room,
        "permissions": permissions,
        "why_not_file": permissions.why_not(Right.FILE_SCHEDULES),
        "why_not_tips": permissions.why_not(Right.SET_TIPS),
        "why_not_subscribe": permissions.why_not(Right.SUBSCRIBE),
        "why_not_people": permissions.why_not(Right.SET_PEOPLE),
        "may_see_tips": permissions.may(Right.SEE_OWN_TIPS),
        "chips_form": chips or ChipsForm(instance=room),
        "room_form": form or RoomForm(room, must_sign=must_sign),
        "alone": alone,
        "add_form": add or TableForm(auto_id="add-%s"),
        "tables": [
            (
                table,
                renumber[1]
                if renumber is not None and renumber[0] == table.number
                else TableForm(initial={"number": table.number}, auto_id=f"table-{table.pk}-%s"),
            )
            for table in tables
        ],
        "error": error,
    }
    return render(request, "web/rooms/settings.html", context, status=error.status if error else status)
