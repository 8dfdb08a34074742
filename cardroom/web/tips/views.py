"""Views of tips: the rule of the room and its shifts, the entries of a shift, the pool's sheet, and one's own tips."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from cardroom.core.json_types import REASON_LENGTH
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import Shift
from cardroom.floor.reads.records import shifts_of
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.reports.shift.tip_documents import SIGNED_BY, person_document, pool_document
from cardroom.rooms.gaming_day import gaming_day
from cardroom.tips.checks import why_not_touch
from cardroom.tips.commands.entries import hand_in_reverse, hours_enter, hours_reverse, tips_hand_in
from cardroom.tips.commands.rules import pool_rule_set, pool_rule_withdraw
from cardroom.tips.commands.sheets import pool_close
from cardroom.tips.models import HandIn, WorkedHours
from cardroom.tips.reads.earned import stints_of
from cardroom.tips.reads.pools import (
    HandLine,
    HoursLine,
    dealers_of,
    pool_of,
    pool_sheet_of,
    roles_held,
    why_not_closed,
)
from cardroom.tips.reads.rules import format_rule, rule_on, rules_of, supporters_of
from games.money import dollars

from ..parts.access import Permissions, room_for, shift_for, staff_of
from ..parts.command_headers import READ, done_once
from ..parts.documents import FORMS, document_file, document_view_of
from .forms import HandInForm, HoursForm, ReverseForm, RuleForm

RECENT_SHIFTS = 12
#: Entries of a shift by their kind in the address.
_KINDS: dict[str, type[HandIn | WorkedHours]] = {"hand-ins": HandIn, "hours": WorkedHours}


@login_required
@require_GET
def tips_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show how tips are shared in a room, and its latest shifts."""
    _, permissions = room_for(request, code, Right.SEE_OWN_TIPS)
    return _show_room(request, permissions)


@login_required
@require_POST
def rule(request: HttpRequest, code: str) -> HttpResponse:
    """Make the rule that was typed."""
    room, permissions = room_for(request, code, Right.SET_TIPS)
    form = RuleForm(request.POST)
    if not form.is_valid():
        return _show_room(request, permissions, form=form, status=422)

    def command(meta: CommandMeta) -> str:
        pool_rule_set(meta, room.pk, **form.arguments())
        return f"The rule holds from gaming day {form.cleaned_data['effective_from']}."

    if error := done_once(request, command):
        return _show_room(request, permissions, form=form, error=error)
    return redirect("web:tips", code=room.code)


@login_required
@require_POST
def rule_withdraw(request: HttpRequest, code: str, rule_id: int) -> HttpResponse:
    """Withdraw a rule without another in its place."""
    room, permissions = room_for(request, code, Right.SET_TIPS)

    def command(meta: CommandMeta) -> str:
        pool_rule_withdraw(
            meta,
            room.pk,
            rule_id=rule_id,
            digest=request.POST.get(READ, ""),
            reason=request.POST.get("reason", "")[:REASON_LENGTH],
        )
        return "The rule is withdrawn."

    if error := done_once(request, command):
        return _show_room(request, permissions, error=error)
    return redirect("web:tips", code=room.code)


@login_required
@require_GET
def sheet_page(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Show the pool's sheet of a shift."""
    shift, permissions = shift_for(request, shift_id, Right.SEE_TIPS)
    return _show_sheet(request, shift, permissions)


@login_required
@require_GET
def sheet_file(request: HttpRequest, shift_id: int, form: str) -> HttpResponse:
    """Give the pool's sheet of a shift as a file; the PDF has lines to sign."""
    shift, permissions = shift_for(request, shift_id, Right.SEE_TIPS)
    now = timezone.now()
    return document_file(
        pool_document(shift, pool_of(shift, now), pool_sheet_of(shift)),
        form,
        file_name=f"tips-{shift.room.code}-{shift.gaming_day}-{slugify(shift.name) or shift.pk}",
        printed_by=str(permissions.staff),
        now=now,
        grid=request.GET.get("grid", ""),
        signed_by=SIGNED_BY,
    )


@login_required
@require_POST
def close(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Close the sheet with the sum that was on the page."""
    shift, permissions = shift_for(request, shift_id, Right.CLOSE_TIPS)
    typed = request.POST.get("total_cents", "")
    total = int(typed) if typed.removeprefix("-").isdecimal() and len(typed) < 18 else -1

    def command(meta: CommandMeta) -> str:
        pool_close(meta, shift.room_id, shift_id=shift.pk, total_cents=total)
        return f"The tips of {shift} are shared out."

    if error := done_once(request, command):
        return _show_sheet(request, shift, permissions, error=error)
    return redirect("web:tip_sheet", shift_id=shift.pk)


@login_required
@require_GET
def person_page(request: HttpRequest, shift_id: int, staff_id: int) -> HttpResponse:
    """Show what one person brought and gets."""
    shift, permissions = shift_for(request, shift_id, Right.SEE_TIPS)
    people = Staff.objects.filter(employments__room=shift.room).distinct()
    return _show_person(request, shift, permissions, get_object_or_404(people, pk=staff_id))


@login_required
@require_GET
def own_page(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Show what the person who is signed in brought and gets."""
    shift, permissions = shift_for(request, shift_id, Right.SEE_OWN_TIPS)
    return _show_person(request, shift, permissions, staff_of(request))


@login_required
@require_GET
def entries_page(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Show what was handed in and which hours were entered, with the forms for more."""
    shift, permissions = shift_for(request, shift_id, Right.KEEP_TIPS)
    return _show_entries(request, shift, permissions)


@login_required
@require_POST
def hand_in(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Receive tips from a dealer."""
    shift, permissions = shift_for(request, shift_id, Right.KEEP_TIPS)
    form = _hand_in_form(shift, request.POST)
    if not form.is_valid():
        return _show_entries(request, shift, permissions, hand_in_form=form, status=422)

    def command(meta: CommandMeta) -> str:
        tips_hand_in(meta, shift.room_id, shift_id=shift.pk, **form.arguments())
        return f"{dollars(form.cleaned_data['cents'] or 0)} received."

    if error := done_once(request, command):
        return _show_entries(request, shift, permissions, hand_in_form=form, error=error)
    return redirect("web:tip_entries", shift_id=shift.pk)


@login_required
@require_POST
def hours(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Enter hours of support staff."""
    shift, permissions = shift_for(request, shift_id, Right.KEEP_TIPS)
    form = _hours_form(shift, request.POST)
    if not form.is_valid():
        return _show_entries(request, shift, permissions, hours_form=form, status=422)

    def command(meta: CommandMeta) -> str:
        hours_enter(meta, shift.room_id, shift_id=shift.pk, **form.arguments())
        return "The hours are entered."

    if error := done_once(request, command):
        return _show_entries(request, shift, permissions, hours_form=form, error=error)
    return redirect("web:tip_entries", shift_id=shift.pk)


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def reverse_entry(request: HttpRequest, shift_id: int, kind: str, entry_id: int) -> HttpResponse:
    """Take a hand-in or hours back, signed for by a second person."""
    shift, permissions = shift_for(request, shift_id, Right.KEEP_TIPS)
    model = _KINDS.get(kind)
    if model is None or not model._default_manager.filter(shift=shift, pk=entry_id).exists():
        raise Http404(f"{shift} has no such entry.")
    form = ReverseForm(request.POST, auto_id=f"{kind}-{entry_id}-%s")
    if not form.is_valid():
        return _show_entries(request, shift, permissions, reverse_form=(kind, entry_id, form), status=422)

    def command(meta: CommandMeta) -> str:
        values = {"reason": form.cleaned_data["reason"], "approver": form.signature()}
        if model is HandIn:
            hand_in_reverse(meta, shift.room_id, hand_in_id=entry_id, **values)
        else:
            hours_reverse(meta, shift.room_id, hours_id=entry_id, **values)
        return "It is reversed. Enter the right one again."

    if error := done_once(request, command):
        return _show_entries(request, shift, permissions, reverse_form=(kind, entry_id, form), error=error)
    return redirect("web:tip_entries", shift_id=shift.pk)


def _show_room(
    request: HttpRequest,
    permissions: Permissions,
    *,
    form: RuleForm | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    room = permissions.room
    today = gaming_day(room, timezone.now())
    in_force = rule_on(room, today)
    begins = today if in_force is None else today + datetime.timedelta(days=1)
    context: dict[str, Any] = {
        "room": room,
        "permissions": permissions,
        "today": today,
        "rule": in_force,
        "rule_text": format_rule(in_force),
        "rules": [(each, format_rule(each)) for each in rules_of(room)],
        "shifts": list(shifts_of(room).select_related("pool_sheet")[:RECENT_SHIFTS]),
        "may_see": permissions.may(Right.SEE_TIPS),
        "may_keep": permissions.may(Right.KEEP_TIPS),
        "may_set": permissions.may(Right.SET_TIPS),
        "may_floor": permissions.may(Right.SEE_FLOOR),
        "form": form or RuleForm(initial={"effective_from": begins, "sharing": "hours"}),
        "error": error,
    }
    return render(request, "web/tips/room.html", context, status=error.status if error else status)


def _show_sheet(
    request: HttpRequest, shift: Shift, permissions: Permissions, *, error: FloorError | None = None
) -> HttpResponse:
    closed = pool_sheet_of(shift)
    pool = pool_of(shift, timezone.now())
    context = {
        "room": shift.room,
        "permissions": permissions,
        "shift": shift,
        "closed": closed,
        "pool": pool,
        "document_view": document_view_of(pool_document(shift, pool, closed), request.GET),
        "files": {form: reverse(f"web:tip_sheet_{form}", args=[shift.pk]) for form in FORMS},
        "why_not_close": permissions.why_not(Right.CLOSE_TIPS) or why_not_closed(shift, pool, closed),
        "may_keep": permissions.may(Right.KEEP_TIPS),
        "error": error,
    }
    return render(request, "web/tips/sheet.html", context, status=error.status if error else 200)


def _show_person(request: HttpRequest, shift: Shift, permissions: Permissions, staff: Staff) -> HttpResponse:
    pool = pool_of(shift, timezone.now())
    context = {
        "room": shift.room,
        "permissions": permissions,
        "shift": shift,
        "staff": staff,
        "may_see": permissions.may(Right.SEE_TIPS),
        "may_floor": permissions.may(Right.SEE_FLOOR),
        "document_view": document_view_of(
            person_document(shift, pool, pool_sheet_of(shift), staff), request.GET
        ),
    }
    return render(request, "web/tips/person.html", context)


def _hand_in_form(shift: Shift, data: Any = None) -> HandInForm:
    roles = roles_held(shift.room)
    dealers = dealers_of(shift.room)
    stints = [
        each for each in stints_of(shift, timezone.now()) if "dealer" in roles.get(each.down.dealer_id, ())
    ]
    return HandInForm(stints, dealers, data)


def _hours_form(shift: Shift, data: Any = None) -> HoursForm:
    return HoursForm(supporters_of(shift.room, rule_on(shift.room, shift.gaming_day)), data)


def _show_entries(
    request: HttpRequest,
    shift: Shift,
    permissions: Permissions,
    *,
    hand_in_form: HandInForm | None = None,
    hours_form: HoursForm | None = None,
    reverse_form: tuple[str, int, ReverseForm] | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    pool = pool_of(shift, timezone.now())
    rule = rule_on(shift.room, shift.gaming_day)
    context = {
        "room": shift.room,
        "permissions": permissions,
        "shift": shift,
        "why_not": why_not_touch(shift, pool_sheet_of(shift)),
        "hand_ins": _entries("hand-ins", pool.hand_ins, reverse_form),
        "handed_cents": pool.handed_cents,
        "hours": _entries("hours", pool.hours, reverse_form),
        "hand_in_form": hand_in_form or _hand_in_form(shift),
        "hours_form": hours_form or _hours_form(shift),
        "shares_support": rule is not None and rule.support != "none",
        "rule_text": format_rule(rule),
        "may_see": permissions.may(Right.SEE_TIPS),
        "error": error,
    }
    return render(request, "web/tips/entries.html", context, status=error.status if error else status)


def _entries(
    kind: str, lines: Sequence[HandLine | HoursLine], posted: tuple[str, int, ReverseForm] | None
) -> list[tuple[HandLine | HoursLine, bool, ReverseForm]]:
    """Each entry with whether it was taken back, and the form that takes it back: the posted one at its place."""
    back = {line.reverses for line in lines if line.reverses}
    forms = {posted[1]: posted[2]} if posted is not None and posted[0] == kind else {}
    return [
        (line, line.id in back, forms.get(line.id) or ReverseForm(auto_id=f"{kind}-{line.id}-%s"))
        for line in lines
    ]
