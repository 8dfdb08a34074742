"""Views of drop and count: the boxes of a room, one box with its counts, and the count sheet of a shift."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from cardroom.drop.models import DropBox
from cardroom.drop.reads.boxes import box_count, shift_count, variances_of
from cardroom.floor.boxes import usual_numbers
from cardroom.floor.commands.boxes import boxes_drop, boxes_place
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import Shift, Table
from cardroom.floor.reads.records import shifts_of
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..parts.access import Permissions, box_for, room_for, shift_for, staff_of
from ..parts.command_headers import done_once
from .forms import BOX_COMMANDS, BoxForm, DropForm, PlaceForm
from .page import BoxView, CountRoom
from .sheet_pdf import count_sheet_pdf

RECENT_SHIFTS = 12


@login_required
@require_GET
def count_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the boxes of a room that are not counted, the variances that wait, and the latest shifts."""
    room, permissions = room_for(request, code, Right.SEE_BOXES)
    return _show_room(request, room, permissions)


@login_required
@require_POST
def place(request: HttpRequest, code: str) -> HttpResponse:
    """Put the boxes on whose numbers were typed."""
    room, permissions = room_for(request, code, Right.DROP_BOXES)
    view = _room_view(room, permissions)
    jackpot = request.POST.get("kind") == DropBox.Kind.JACKPOT
    form = _jackpot_form(view, request.POST) if jackpot else _place_form(view, request.POST)
    place_form, jackpot_form = (None, form) if jackpot else (form, None)
    if not form.is_valid():
        return _show_room(request, room, permissions, place=place_form, jackpot=jackpot_form, status=422)

    def command(meta: CommandMeta) -> str:
        answer = boxes_place(meta, room.pk, boxes=form.boxes())
        return f"{len(answer['boxes'])} put on."

    if error := done_once(request, command):
        return _show_room(request, room, permissions, place=place_form, jackpot=jackpot_form, error=error)
    return redirect("web:count", code=room.code)


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def drop(request: HttpRequest, code: str) -> HttpResponse:
    """Take the chosen boxes off, signed for by a second person."""
    room, permissions = room_for(request, code, Right.DROP_BOXES)
    form = DropForm(_room_view(room, permissions).hanging, request.POST)
    if not form.is_valid():
        return _show_room(request, room, permissions, drop=form, status=422)

    def command(meta: CommandMeta) -> str:
        answer = boxes_drop(meta, room.pk, boxes=form.cleaned_data["boxes"], witness=form.signature())
        return f"{len(answer['boxes'])} pulled. They wait for their counts."

    if error := done_once(request, command):
        return _show_room(request, room, permissions, drop=form, error=error)
    return redirect("web:count", code=room.code)


@login_required
@require_GET
def box_page(request: HttpRequest, box_id: int) -> HttpResponse:
    """Show a box: the form of its next count, or what stands and what is expected."""
    box, permissions = box_for(request, box_id)
    return _show_box(request, box, permissions)


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def box_command(request: HttpRequest, box_id: int, slug: str) -> HttpResponse:
    """Carry out a command at a box: count it, correct its count, check its variance again, answer for its variance."""
    form_of = BOX_COMMANDS.get(slug)
    if form_of is None:
        raise Http404(f"There is no action {slug!r} at a box.")
    form = form_of(box_for(request, box_id)[0], request.POST)
    box, permissions = box_for(request, box_id, form.command.right)
    if not form.fits:
        return redirect("web:box", box_id=box.pk)
    if not form.is_valid():
        return _show_box(request, box, permissions, form, status=422)

    def command(meta: CommandMeta) -> str:
        return form.done_message(form.command(meta, box.room_id, box_id=box.pk, **form.arguments()))

    if error := done_once(request, command):
        return _show_box(request, box, permissions, form, error=error)
    return (
        redirect("web:count", code=box.room.code) if slug == "count" else redirect("web:box", box_id=box.pk)
    )


@login_required
@require_GET
def shift_page(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Show the count sheet of a shift: what was counted in each box, compared with what was collected."""
    shift, permissions = shift_for(request, shift_id, Right.SEE_COUNTS)
    counted = shift_count(shift)
    context = {
        "room": shift.room,
        "permissions": permissions,
        "shift": shift,
        "count": counted,
        "may_floor": permissions.may(Right.SEE_FLOOR),
        "now": timezone.now(),
    }
    return render(request, "web/count/sheet.html", context)


@login_required
@require_GET
def sheet_print(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Give the count sheet of a shift as a PDF to be signed (4 CCR 12385)."""
    shift, _ = shift_for(request, shift_id, Right.SEE_COUNTS)
    document = count_sheet_pdf(
        shift_count(shift), printed_by=str(staff_of(request)), printed_at=timezone.now()
    )
    name = f"count-{shift.room.code}-{shift.gaming_day}-{slugify(shift.name) or shift.pk}"
    return HttpResponse(
        document,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}.pdf"'},
    )


def _room_view(room: Room, permissions: Permissions) -> CountRoom:
    return CountRoom(room, permissions, Shift.objects.filter(room=room, closed_at__isnull=True).first())


def _place_form(view: CountRoom, data: Any = None) -> PlaceForm:
    """The form of drop boxes: the usual ones for tables that are open, none for those that are closed."""
    usual = usual_numbers(view.room, [table for table in view.bare if table.state == Table.State.OPEN])
    return PlaceForm(view.bare, usual, data)


def _jackpot_form(view: CountRoom, data: Any = None) -> PlaceForm:
    """The form of jackpot boxes: not every table collects for a jackpot, so none is filled in."""
    return PlaceForm(view.without_jackpot, {}, data, kind=DropBox.Kind.JACKPOT)


def _show_room(
    request: HttpRequest,
    room: Room,
    permissions: Permissions,
    *,
    place: PlaceForm | None = None,
    jackpot: PlaceForm | None = None,
    drop: DropForm | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    view = _room_view(room, permissions)
    sees = permissions.may(Right.SEE_COUNTS)
    context: dict[str, Any] = {
        "room": room,
        "permissions": permissions,
        "view": view,
        "place": place or _place_form(view),
        "jackpot": jackpot or _jackpot_form(view),
        "drop": drop or DropForm(view.hanging, initial={"boxes": []}),
        "sees_counts": sees,
        "may_floor": permissions.may(Right.SEE_FLOOR),
        "variances": variances_of(room) if sees else [],
        "answered": variances_of(room, answered=True) if sees and "answered" in request.GET else None,
        "shifts": list(shifts_of(room).filter(drop_boxes__isnull=False).distinct()[:RECENT_SHIFTS]),
        "error": error,
        "now": timezone.now(),
    }
    return render(request, "web/count/room.html", context, status=error.status if error else status)


def _show_box(
    request: HttpRequest,
    box: DropBox,
    permissions: Permissions,
    given: BoxForm | None = None,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    """Show a box with its forms; the one that was `given` with what was typed."""
    view = BoxView(box_count(box), permissions)
    context: dict[str, Any] = {
        "room": box.room,
        "permissions": permissions,
        "view": view,
        "count": view.count,
        "box": box,
        "forms": {
            slug: given if type(given) is form_of else form_of(box)
            for slug, form_of in BOX_COMMANDS.items()
            if slug == "count" or view.sees_figures
        },
        "may_floor": permissions.may(Right.SEE_FLOOR),
        "error": error,
        "now": timezone.now(),
    }
    return render(request, "web/count/box.html", context, status=error.status if error else status)
