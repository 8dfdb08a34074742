"""The catalogue of reports: the list, and each report with the form that asks for it, as a page and as files."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.floor.errors import BadInput
from cardroom.people.rights import Right
from cardroom.reports.asked import Asked, Report
from cardroom.reports.asking import presets
from cardroom.reports.catalogue import REPORTS
from cardroom.rooms.models import Room

from ..access import Powers, room_for
from ..forms.catalogue import AskForm
from ..papers import FORMS, paper_file, sheet_of


@dataclasses.dataclass(frozen=True)
class Preset:
    """A period that may be chosen at a touch."""

    name: str
    query: str
    chosen: bool


@login_required
@require_GET
def catalogue_page(request: HttpRequest, code: str) -> HttpResponse:
    """List every report that the person may draw in the room."""
    room, powers = room_for(request, code, Right.SEE_REPORTS)
    reports = [report for report in REPORTS.values() if powers.may(report.right)]
    return render(request, "web/catalogue/list.html", {"room": room, "powers": powers, "reports": reports})


@login_required
@require_GET
def report_page(request: HttpRequest, code: str, name: str) -> HttpResponse:
    """Show a report of what the address asks for; what it cannot be asked is said above the form (400)."""
    report, powers = _report(request, code, name)
    return show_report(request, report, powers, address=_address(code, name))


@login_required
@require_GET
def report_file(request: HttpRequest, code: str, name: str, form: str) -> HttpResponse:
    """Give a report as a file, one of `FORMS`; what cannot be asked shows the page with the form (400)."""
    report, powers = _report(request, code, name)
    return give_report(request, report, powers, form, address=_address(code, name))


def show_report(
    request: HttpRequest,
    report: Report,
    powers: Powers,
    *,
    address: Callable[[str], str],
    template: str = "web/catalogue/report.html",
) -> HttpResponse:
    """Show what the address asks of a report; `address` answers with where its files lie, by form."""
    ask = AskForm(report, powers.room, powers.staff, timezone.now(), request.GET)
    return _show(request, report, powers, ask, address=address, template=template)


def give_report(
    request: HttpRequest,
    report: Report,
    powers: Powers,
    form: str,
    *,
    address: Callable[[str], str],
    template: str = "web/catalogue/report.html",
) -> HttpResponse:
    """Give what the address asks of a report as a file; what cannot be asked shows the page with the form (400)."""
    ask = AskForm(report, powers.room, powers.staff, timezone.now(), request.GET)
    if not ask.is_valid():
        return _show(request, report, powers, ask, address=address, template=template)
    try:
        paper = report.make(ask.asked)
    except BadInput as error:
        return _show(request, report, powers, ask, address=address, template=template, refusal=error.message)
    return paper_file(
        paper,
        form,
        file_name=f"{powers.room.code}-{report.name}-{_days(ask.asked)}",
        printed_by=str(powers.staff),
        now=ask.now,
        grid=request.GET.get("grid", ""),
    )


def _address(code: str, name: str) -> Callable[[str], str]:
    return lambda form: reverse(f"web:catalogue_{form}", args=[code, name])


def _report(request: HttpRequest, code: str, name: str) -> tuple[Report, Powers]:
    """The report of that name; what the catalogue does not hold is not there, after the room and the right."""
    report = REPORTS.get(name)
    _, powers = room_for(request, code, Right.SEE_REPORTS if report is None else report.right)
    if report is None:
        raise Http404(f"There is no report {name!r}.")
    return report, powers


def _show(
    request: HttpRequest,
    report: Report,
    powers: Powers,
    form: AskForm,
    *,
    address: Callable[[str], str],
    template: str,
    refusal: str = "",
) -> HttpResponse:
    room, sheet = powers.room, None
    if form.is_valid() and not refusal:
        try:
            sheet = sheet_of(report.make(form.asked))
        except BadInput as error:
            refusal = error.message
    query = _query(form)
    context = {
        "room": room,
        "powers": powers,
        "report": report,
        "form": _filled(form),
        "presets": _presets(room, form),
        "sheet": sheet,
        "refusal": refusal,
        "files": {kind: f"{address(kind)}?{query}" for kind in FORMS},
    }
    return render(request, template, context, status=400 if sheet is None else 200)


def _filled(form: AskForm) -> AskForm:
    """The form with the days that were chosen for it, where it left them out."""
    if form.is_valid():
        form.data = {
            **{name: form.data.get(name, "") for name in form.fields},
            "from": str(form.asked.first),
            "to": str(form.asked.last),
        }
    return form


def _query(form: AskForm) -> str:
    """The address's query of what is on show, with its days written out: a file stays what it was asked for."""
    if not form.is_valid():
        return ""
    asked = form.asked
    chosen = {name: form.cleaned_data[name] for name in form.fields if form.cleaned_data.get(name)}
    return urlencode({**chosen, "from": asked.first, "to": asked.last})


def _presets(room: Room, form: AskForm) -> list[Preset]:
    """The periods often asked for, with all else as it was chosen. A shift has days of its own and is left out."""
    kept = {
        name: form.data[name]
        for name in form.fields
        if name not in ("from", "to", "shift") and form.data.get(name)
    }
    shown = (form.asked.first, form.asked.last) if form.is_valid() and form.asked.shift is None else None
    return [
        Preset(name, urlencode({"from": first, "to": last, **kept}), (first, last) == shown)
        for name, first, last in presets(room, form.now)
    ]


def _days(asked: Asked) -> str:
    """The days in a file's name: `2026-11-20`, `2026-11-01-to-2026-11-20`, with table and shift where narrowed."""
    days: datetime.date | str = asked.first if asked.first == asked.last else f"{asked.first}-to-{asked.last}"
    shift = f"-shift-{asked.shift.pk}" if asked.shift else ""
    return f"{days}{shift}" + (f"-table-{asked.table.number}" if asked.table else "")
