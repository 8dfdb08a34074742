"""Views of the calendar of obligations: its months, one obligation, what is done about it, its documents, and a file for other calendars."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_POST

from cardroom.floor.errors import FloorError, NotFound
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.obligations.commands.obligations import obligation_add
from cardroom.obligations.ics import Event, calendar_text
from cardroom.obligations.models import Obligation, ObligationStep
from cardroom.obligations.reads.calendar import (
    CalendarFilter,
    calendar_of,
    entry_of,
    get_obligation_for,
    overdue_before,
)
from cardroom.obligations.recurrence import next_due, recurrence_text
from cardroom.obligations.sources import DATE, Entry, kinds
from cardroom.people.models import Staff
from cardroom.people.names import named
from cardroom.people.permits import local_day
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from ..parts.attached import attached
from ..parts.command_headers import done_once
from .forms import ACTS, ActForm, AddForm, SayForm
from .page import CalendarPage, Chosen, left_of, mark_of, owners_of, state_of

#: What the file for other calendars holds: from this long ago, for so long from now on.
_BACK: Final = datetime.timedelta(days=31)
_AHEAD: Final = datetime.timedelta(days=2 * 366)
#: Names of what a step changed, as its form calls them.
_LABELS: Final = {name: str(field.label) for name, field in SayForm.base_fields.items()}


@login_required
@require_GET
def calendar_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the calendar of a room by months, with what is overdue before them."""
    room, permissions = room_for(request, code, Right.SEE_OBLIGATIONS)
    return _show_calendar(request, CalendarPage(room, permissions, Chosen.of(request.GET)))


@login_required
@require_POST
def obligation_added(request: HttpRequest, code: str) -> HttpResponse:
    """Add an obligation, and lead to its page."""
    room, permissions = room_for(request, code, Right.SEE_OBLIGATIONS)
    page = CalendarPage(room, permissions, Chosen.of(QueryDict()))
    form, made = AddForm(None, page.owners, request.POST, auto_id="add-%s"), dict[str, Any]()
    if not form.is_valid():
        return _show_calendar(request, page, form, status=422)

    def command(meta: CommandMeta) -> str:
        made.update(obligation_add(meta, room.pk, **form.arguments()))
        return "Added."

    if error := done_once(request, command):
        return _show_calendar(request, page, form, error=error)
    return redirect("web:obligation", code, made["obligation"])


@login_required
@require_GET
def obligation_page(request: HttpRequest, code: str, obligation_id: int) -> HttpResponse:
    """Show an obligation: what it says, its proof, what can be done about it, and each step."""
    room, permissions = room_for(request, code, Right.SEE_OBLIGATIONS)
    return _show(request, permissions, _obligation(permissions, room, obligation_id))


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def obligation_act(request: HttpRequest, code: str, obligation_id: int, slug: str) -> HttpResponse:
    """Do something about an obligation; what is refused comes back with what was typed."""
    room, permissions = room_for(request, code, Right.SEE_OBLIGATIONS)
    if (act := ACTS.get(slug)) is None:
        raise Http404(f"There is no action {slug} of an obligation.")
    obligation = _obligation(permissions, room, obligation_id)
    form = act.form(obligation, owners_of(room), request.POST, request.FILES, auto_id=f"{slug}-%s")
    if not form.is_valid():
        return _show(request, permissions, obligation, {slug: form}, status=422)

    def command(meta: CommandMeta) -> str:
        act.command(meta, room.pk, obligation_id=obligation.pk, **form.arguments())
        return act.done

    if error := done_once(request, command):
        return _show(request, permissions, obligation, {slug: form}, error=error)
    return redirect("web:obligation", code, obligation.pk)


@login_required
@require_GET
def step_document(request: HttpRequest, code: str, obligation_id: int, number: int) -> HttpResponse:
    """Give the document that was attached in a step of an obligation."""
    room, permissions = room_for(request, code, Right.SEE_OBLIGATIONS)
    obligation = _obligation(permissions, room, obligation_id)
    step = obligation.steps.filter(pk=number, document__isnull=False).select_related("document").first()
    if step is None or step.document is None:
        raise Http404("No document was attached in that step.")
    return attached(bytes(step.document.content), "application/pdf", step.document.name)


@login_required
@require_GET
def calendar_file(request: HttpRequest, code: str) -> HttpResponse:
    """Give what is to be done, and the dates to come, as a file for other calendars (RFC 5545)."""
    room, _ = room_for(request, code, Right.SEE_OBLIGATIONS)
    now = timezone.now()
    today = local_day(room, now)
    first = today - _BACK
    chosen = CalendarFilter(state=Obligation.State.OPEN)
    entries = overdue_before(room, first, today, chosen)
    entries += calendar_of(room, first, today + _AHEAD, today, chosen)
    entries += calendar_of(room, today, today + _AHEAD, today, CalendarFilter(state=DATE))
    events = [_event(request, room, entry) for entry in named(entries)]
    text = calendar_text(f"{room} obligations", events, now)
    return attached(text.encode(), "text/calendar; charset=utf-8", f"{room.code}-obligations.ics")


def _event(request: HttpRequest, room: Room, entry: Entry) -> Event:
    says = [entry.rests_on, f"Owner: {entry.owner_name}" if entry.owner_name else "", entry.recurs]
    return Event(
        uid=f"{entry.key.replace(' ', '-')}@{room.code}.{request.get_host()}",
        day=entry.due_on,
        summary=entry.what,
        description="\n".join(each for each in says if each),
        category=kinds()[entry.kind],
        url=request.build_absolute_uri(entry.address),
        remind_days=entry.remind_days if entry.is_open else 0,
    )


def _obligation(permissions: Permissions, room: Room, obligation_id: int) -> Obligation:
    try:
        return get_obligation_for(permissions.staff, room.pk, obligation_id)
    except NotFound as error:
        raise Http404(str(error.message)) from error


def _show_calendar(
    request: HttpRequest,
    page: CalendarPage,
    form: AddForm | None = None,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "room": page.room,
        "permissions": page.permissions,
        "page": page,
        "form": form or AddForm(None, page.owners, auto_id="add-%s"),
        "error": error,
    }
    return render(request, "web/obligations/calendar.html", context, status=error.status if error else status)


def _show(
    request: HttpRequest,
    permissions: Permissions,
    obligation: Obligation,
    given: dict[str, ActForm] | None = None,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    room, given = permissions.room, given or {}
    today, entry = local_day(room, timezone.now()), entry_of(obligation)
    tone, shape = mark_of(entry, today)
    owners = owners_of(room)
    steps = obligation.steps.select_related("made_by", "approved_by", "owner", "document")
    context = {
        "room": room,
        "permissions": permissions,
        "obligation": obligation,
        "tone": tone,
        "shape": shape,
        "state": state_of(entry, today),
        "left": left_of(entry, today),
        "recurs": recurrence_text(obligation),
        "next_due": next_due(obligation),
        "following": Obligation.objects.filter(follows=obligation).first(),
        "steps": [(step, _changed(step)) for step in steps],
        "attached": next((step for step in reversed(steps) if _attached(step, obligation)), None),
        "may_keep": permissions.may(Right.KEEP_OBLIGATIONS),
        "forms": {
            slug.replace("-", "_"): given.get(slug) or _form(slug, obligation, owners) for slug in ACTS
        },
        "given": next(iter(given), ""),
        "error": error,
        "here": reverse("web:obligation", args=[room.code, obligation.pk]),
    }
    return render(
        request, "web/obligations/obligation.html", context, status=error.status if error else status
    )


def _form(slug: str, obligation: Obligation, owners: list[Staff]) -> ActForm:
    initial = {"change": SayForm.of(obligation), "owner": {"owner_id": obligation.owner_id}}.get(slug)
    return ACTS[slug].form(obligation, owners, initial=initial, auto_id=f"{slug}-%s")


def _attached(step: ObligationStep, obligation: Obligation) -> bool:
    """Whether a step attached the document that an obligation has."""
    return obligation.document_id is not None and step.document_id == obligation.document_id


def _changed(step: ObligationStep) -> list[tuple[str, str, str]]:
    """What a step changed: its name, before, after."""
    return [
        (_LABELS[name], _words(name, old), _words(name, new)) for name, (old, new) in step.changes.items()
    ]


def _words(name: str, value: Any) -> str:
    """A value of a change, as the form says it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    choices = {"kind": Obligation.Kind, "every": Obligation.Every}.get(name)
    if choices is not None:
        return str(choices(value).label)
    if name == "due_on":
        day = datetime.date.fromisoformat(value)
        return f"{day:%a %b} {day.day}, {day.year}"
    return str(value) or "nothing"
