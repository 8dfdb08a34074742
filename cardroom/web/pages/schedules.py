"""A room's fee schedules as filed, and one version: its tariff, its jumps, what it changed, its document and its draft."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom.filings.models import FeeSchedule
from cardroom.filings.schedule_file import ScheduleFileRefused, read_schedule_file, written_schedule
from cardroom.floor.acts import filings
from cardroom.floor.acts.commands import Envelope
from cardroom.floor.errors import FloorError
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from games.rulebook import load_rulebook

from ..access import Powers, room_for
from ..command_headers import done_once
from ..filings import filing_of, series_of
from ..forms.schedule import (
    FileForm,
    NewForm,
    ScheduleForm,
    UploadForm,
    WithdrawForm,
    fits_form,
    planned,
)
from .filing import FilingPages

_DRAFT = FeeSchedule.Status.DRAFT


@login_required
@require_GET
def schedules_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show every schedule of a room with its versions, and which of them is in force today."""
    room, powers = room_for(request, code)
    return _show_series(request, room, powers)


@login_required
@require_GET
def schedule_page(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Show one version of a schedule."""
    _, powers = room_for(request, code)
    return _show(request, powers, _PAGES.version(powers, number, version))


@login_required
@require_http_methods(["GET", "POST"])
def schedule_edit(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Write on a draft: head, lines and waivers in one form, saved whole; a filed version has no such page."""
    room, powers = room_for(request, code, Right.FILE_SCHEDULES)
    draft = _PAGES.version(powers, number, version)
    if draft.status != _DRAFT:
        return redirect("web:schedule", code, number, version)
    if request.method == "GET":
        return _show_draft(request, powers, draft, _form_of(draft))
    form = ScheduleForm(request.POST)
    if request.POST.get("more"):
        return _show_draft(request, powers, draft, form)
    if not form.is_valid():
        return _show_draft(request, powers, draft, form, status=422)

    def act(envelope: Envelope) -> str:
        filings.schedule_edit(envelope, room.pk, schedule_id=draft.pk, **form.arguments())
        return "The draft is saved."

    if error := done_once(request, act):
        return _show_draft(request, powers, draft, form, error=error, status=error.status)
    return redirect("web:schedule_edit", code, number, version)


@login_required
@require_POST
def schedule_new(request: HttpRequest, code: str) -> HttpResponse:
    """Draft the first version of a new number, with nothing in it yet."""
    room, powers = room_for(request, code, Right.FILE_SCHEDULES)
    form = NewForm(request.POST, room=room)
    if not form.is_valid():
        return _show_series(request, room, powers, new=form, status=422)

    def act(envelope: Envelope) -> str:
        empty: dict[str, Any] = {"ante_max_cents": None, "lines": []}
        filings.schedule_draft(envelope, room.pk, document=empty, **form.cleaned_data)
        return f"Schedule {form.cleaned_data['number']} has a draft."

    if error := done_once(request, act):
        return _show_series(request, room, powers, new=form, error=error, status=error.status)
    return _PAGES.to_draft(room, form.cleaned_data["number"])


@login_required
@require_POST
def schedule_upload(request: HttpRequest, code: str) -> HttpResponse:
    """Draft the next version of a schedule from a file that was written elsewhere."""
    room, powers = room_for(request, code, Right.FILE_SCHEDULES)
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _show_series(request, room, powers, upload=form, status=422)
    given = form.cleaned_data["file"]
    try:
        said = read_schedule_file(given.read(), file=given.name)
    except ScheduleFileRefused as refused:
        form.add_error("file", str(refused))
        return _show_series(request, room, powers, upload=form, status=422)

    def act(envelope: Envelope) -> str:
        filings.schedule_draft(envelope, room.pk, **said._asdict())
        return f"{given.name} is a draft of schedule {said.number}."

    if error := done_once(request, act):
        return _show_series(request, room, powers, upload=form, error=error, status=error.status)
    return _PAGES.to_draft(room, said.number)


@login_required
@require_POST
def schedule_next(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Draft the next version of a schedule, which begins by saying what this one says."""
    room, powers = room_for(request, code, Right.FILE_SCHEDULES)
    model = _PAGES.version(powers, number, version)

    def act(envelope: Envelope) -> str:
        filings.schedule_draft(
            envelope,
            room.pk,
            number=number,
            rulebook=model.rulebook,
            document=model.document,
            title=model.title,
        )
        return f"The draft says what version {version} says."

    if error := done_once(request, act):
        return _show(request, powers, model, error=error, status=error.status)
    return _PAGES.to_draft(room, number)


@login_required
@require_POST
def schedule_discard(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Delete a draft."""
    return _PAGES.drop(request, code, number, version)


@login_required
@require_POST
def schedule_lodge(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """File a draft, or say line by line why not."""
    return _PAGES.lodge(request, code, number, version)


@login_required
@require_POST
def schedule_withdraw(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Close a filed version without another in its place."""
    return _PAGES.close(request, code, number, version)


@login_required
@require_GET
def schedule_file(request: HttpRequest, code: str, number: int, version: int, form: str) -> HttpResponse:
    """Give one version as a file: its document as JSON, or the whole of it as TOML, as people write it."""
    room, powers = room_for(request, code)
    filed = _PAGES.version(powers, number, version)
    if form == "toml":
        try:
            text, kind = written_schedule(filed), "application/toml"
        except ScheduleFileRefused as refused:
            return HttpResponse(str(refused), status=409, content_type="text/plain; charset=utf-8")
    else:
        text, kind = json.dumps(filed.document, indent=2, ensure_ascii=False) + "\n", "application/json"
    name = f"{room.code}-schedule-{number}-version-{version}.{form}"
    return HttpResponse(
        text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def _show_series(
    request: HttpRequest,
    room: Room,
    powers: Powers,
    *,
    new: NewForm | None = None,
    upload: UploadForm | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    may_file = powers.may(Right.FILE_SCHEDULES)
    series = series_of(room, gaming_day(room, timezone.now()), with_drafts=may_file)
    context = {
        "room": room,
        "powers": powers,
        "series": series,
        "may_file": may_file,
        "new": new
        or NewForm(initial={"number": max((each.number for each in series), default=0) + 1}, room=room),
        "upload": upload or UploadForm(),
        "error": error,
    }
    return render(request, "web/schedules.html", context, status=status)


def _show(
    request: HttpRequest,
    powers: Powers,
    filed: FeeSchedule,
    *,
    file: FileForm | None = None,
    withdraw: WithdrawForm | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        **_PAGES.context(powers, filed, file, withdraw),
        "filing": filing_of(filed),
        "rulebook": load_rulebook(filed.rulebook),
        "error": error,
    }
    return render(request, "web/schedule.html", context, status=status)


def _show_draft(
    request: HttpRequest,
    powers: Powers,
    draft: FeeSchedule,
    form: ScheduleForm | None,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    filing = filing_of(draft)
    # Only an unchanged form shows the lines that the problems count.
    as_saved = form is not None and not form.head.is_bound
    context = {
        "room": powers.room,
        "powers": powers,
        "filing": filing,
        "form": form,
        "lines": form.numbered(filing.problems if as_saved else []) if form else [],
        "as_saved": as_saved,
        "error": error,
    }
    return render(request, "web/schedule_edit.html", context, status=status)


def _form_of(draft: FeeSchedule) -> ScheduleForm | None:
    """The form of a draft as it stands; None for one from elsewhere that holds what the form cannot."""
    if not fits_form(draft.document):
        return None
    plans = planned(draft.effective_from, draft.state_reference)
    return ScheduleForm(initial={"title": draft.title, **plans}, document=draft.document)


_PAGES = FilingPages(
    "schedule",
    FeeSchedule,
    filings.schedule_discard,
    filings.schedule_file,
    filings.schedule_withdraw,
    _show,
)
