"""Views of the report catalogue: the list, and each report with the form that asks for it, as a page and as files."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from cardroom.floor.errors import BadInput, FloorError
from cardroom.floor.reads.records import shifts_of
from cardroom.people.models import Provider
from cardroom.people.names import named
from cardroom.people.rights import Right
from cardroom.reports.background.background_reports import BackgroundReport, background_reports_of
from cardroom.reports.background.limits import MOST_ROUNDS, draw, drawn, too_many_at_once, too_many_message
from cardroom.reports.catalogue.questions import QUESTIONS, REPORTS, Question, listed_in
from cardroom.reports.commands.background_reports import background_report_ask
from cardroom.reports.queries.parser import presets, usual_days
from cardroom.reports.queries.query import Report, ReportQuery
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from ..parts.command_headers import meta_of
from ..parts.documents import FORMS, document_file, document_view_of
from .catalogue_form import AskForm

#: Shifts whose reports the list begins with.
LATEST_SHIFTS = 6


@dataclasses.dataclass(frozen=True)
class Place:
    """Where a report lies: `form` answers with the address of a file, `in_background` is where it is asked for a worker."""

    form: Callable[[str], str]
    in_background: str
    template: str = "web/reports/catalogue_report.html"
    provider: Provider | None = None


@dataclasses.dataclass(frozen=True)
class TooLong:
    """A report about too many rounds to wait for, and where it is asked for in the background instead."""

    rounds: int
    at_once: int
    address: str


@dataclasses.dataclass(frozen=True)
class Preset:
    """A period that may be chosen at a touch."""

    name: str
    query: str
    chosen: bool


@login_required
@require_GET
def catalogue_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the latest shifts, and every report that the person may draw in the room under its question."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    listed = [report for report in listed_in(room) if permissions.may(report.right)]
    questions = [
        Question(question.asks, [report for report in question.reports if report in listed])
        for question in QUESTIONS
    ]
    context = {
        "room": room,
        "permissions": permissions,
        "shifts": shifts_of(room).filter(closed_at__isnull=False)[:LATEST_SHIFTS],
        "questions": [question for question in questions if question.reports],
    }
    return render(request, "web/reports/catalogue.html", context)


@login_required
@require_GET
def report_page(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """Show a report of what the address asks for; what it cannot be asked is said above the form (400)."""
    report, permissions = _report(request, code, name)
    return show_report(request, report, permissions, _place(code, name))


@login_required
@require_GET
def report_file(request: HttpRequest, code: str, name: str, form: str) -> HttpResponse:
    """Give a report as a file, one of `FORMS`; what cannot be asked shows the page with the form (400)."""
    report, permissions = _report(request, code, name)
    return give_report(request, report, permissions, form, _place(code, name))


@login_required
@require_POST
def report_in_background(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """Have a worker draw what the address asks of a report, and lead to where it is shown."""
    report, permissions = _report(request, code, name)
    return ask_report(request, report, permissions, _place(code, name))


def show_report(request: HttpRequest, report: Report, permissions: Permissions, place: Place) -> HttpResponse:
    """Show what the address asks of a report; of more rounds than are waited for, how it is had all the same."""
    return _show(request, report, permissions, _form(request, report, permissions), place)


def give_report(
    request: HttpRequest, report: Report, permissions: Permissions, form: str, place: Place
) -> HttpResponse:
    """Give what the address asks of a report as a file; what cannot be asked shows the page with the form (400)."""
    ask = _form(request, report, permissions)
    if not ask.is_valid():
        return _show(request, report, permissions, ask, place)
    try:
        document = draw(report, ask.query)
    except BadInput as error:
        return _show(request, report, permissions, ask, place, refusal=error.message)
    return document_file(
        document,
        form,
        file_name=file_name(ask.query, report.name),
        printed_by=str(permissions.staff),
        now=ask.now,
        grid=request.GET.get("grid", ""),
        signed_by=report.signed_by,
    )


def ask_report(request: HttpRequest, report: Report, permissions: Permissions, place: Place) -> HttpResponse:
    """Have a worker draw what the address asks; a user who asks the same meanwhile is led to the same."""
    ask = _form(request, report, permissions)
    if not ask.is_valid():
        return _show(request, report, permissions, ask, place)
    try:
        answer = background_report_ask(meta_of(request), ask.query, report, place.provider)
    except FloorError as error:
        return _show(request, report, permissions, ask, place, refusal=error.message)
    return redirect(
        "web:background_report", code=permissions.room.code, report_id=answer["background_report"]
    )


def _form(request: HttpRequest, report: Report, permissions: Permissions) -> AskForm:
    return AskForm(report, permissions.room, permissions.staff, timezone.now(), request.GET)


def _place(code: str, name: str) -> Place:
    return Place(
        form=lambda form: reverse(f"web:catalogue_{form}", args=[code, name]),
        in_background=reverse("web:report_in_background", args=[code, name]),
    )


def _report(request: HttpRequest, code: str, name: str) -> tuple[Report, Permissions]:
    """The report of that name; what the catalogue does not hold is not there, after the room and the right."""
    report = REPORTS.get(name)
    _, permissions = room_for(request, code, Right.SEE_REPORTS if report is None else report.right)
    if report is None:
        raise Http404(f"There is no report {name!r}.")
    return report, permissions


def _show(
    request: HttpRequest,
    report: Report,
    permissions: Permissions,
    form: AskForm,
    place: Place,
    *,
    refusal: str = "",
) -> HttpResponse:
    room, document_view, too_long = permissions.room, None, None
    query = _query(form)
    if form.is_valid():
        if (rounds := too_many_at_once(report, form.query)) is not None:
            too_long = _too_long(report, rounds, f"{place.in_background}?{query}")
        elif not refusal:
            try:
                document_view = document_view_of(named(drawn(report, form.query)), request.GET)
            except BadInput as error:
                refusal = error.message
    if too_long is not None and too_long.rounds > MOST_ROUNDS:
        refusal, too_long = refusal or too_many_message(), None
    context = {
        "room": room,
        "permissions": permissions,
        "report": report,
        "form": _filled(form),
        "presets": _presets(room, form),
        "document_view": document_view,
        "too_long": too_long,
        "drawn": _drawn(room, report, place),
        "refusal": refusal,
        "files": {kind: f"{place.form(kind)}?{query}" for kind in FORMS},
    }
    shown = document_view is not None or (too_long is not None and not refusal)
    return render(request, place.template, context, status=200 if shown else 400)


def _drawn(room: Room, report: Report, place: Place) -> list[BackgroundReport]:
    if report.at_once is None:
        return []
    return background_reports_of(room, report, place.provider)


def _too_long(report: Report, rounds: int, address: str) -> TooLong:
    assert report.at_once is not None  # or it would not be too long
    return TooLong(rounds, report.at_once, address)


def _filled(form: AskForm) -> AskForm:
    """The form with the days that were chosen for it, where it left them out."""
    if form.is_valid():
        form.data = {
            **{name: form.data.get(name, "") for name in form.fields},
            "from": str(form.query.first),
            "to": str(form.query.last),
        }
    return form


def _query(form: AskForm) -> str:
    """The address's query of what is on show, with its days written out: a file stays what it was asked for."""
    if not form.is_valid():
        return ""
    query = form.query
    chosen = {name: form.cleaned_data[name] for name in form.fields if form.cleaned_data.get(name)}
    return urlencode({**chosen, "from": query.first, "to": query.last})


def _presets(room: Room, form: AskForm) -> list[Preset]:
    """The periods often asked for, with all else as it was chosen. A shift has days of its own and is left out."""
    kept = {
        name: form.data[name]
        for name in form.fields
        if name not in ("from", "to", "shift") and form.data.get(name)
    }
    shown = (form.query.first, form.query.last) if form.is_valid() and form.query.shift is None else None
    periods = presets(room, form.now)
    if weeks := form.report.weeks:
        periods = [(f"{weeks} weeks", *usual_days(form.report, room, form.now)), *periods]
    # On a Monday "today" and "this week" are the same days: the first of them is marked.
    chosen = next((name for name, first, last in periods if (first, last) == shown), None)
    return [
        Preset(name, urlencode({"from": first, "to": last, **kept}), name == chosen)
        for name, first, last in periods
    ]


def file_name(query: ReportQuery, name: str) -> str:
    """Return what a report's files are called, without an ending: room, report, days, and what it is narrowed to."""
    days: datetime.date | str = query.first if query.first == query.last else f"{query.first}-to-{query.last}"
    shift = f"-shift-{query.shift.pk}" if query.shift else ""
    table = f"-table-{query.table.number}" if query.table else ""
    return f"{query.room.code}-{name}-{days}{shift}{table}"
