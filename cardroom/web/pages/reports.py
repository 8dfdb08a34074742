"""The report of a shift, as a page and as files."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from cardroom.floor.models import Shift
from cardroom.people.rights import Right
from cardroom.reports.exports import report_csv, report_json
from cardroom.reports.selectors import report_of, why_not_report

from ..access import shift_for
from ..report import arranged


@login_required
@require_GET
def report_page(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Show the report, or that it is being made; asked by htmx while it is being made, only that part."""
    shift, powers = shift_for(request, shift_id, Right.SEE_REPORTS)
    stored = report_of(shift)
    context = {
        "shift": shift,
        "room": shift.room,
        "powers": powers,
        "report": None if stored is None else arranged(stored),
        "why_not": None if stored is not None else why_not_report(shift),
    }
    if stored is None and request.htmx:  # type: ignore[attr-defined]  # django-htmx sets it
        return render(request, "web/report/waiting.html", context)
    answer = render(request, "web/report.html", context)
    if stored is not None and request.htmx:  # type: ignore[attr-defined]
        # It has been made meanwhile: the waiting page loads it whole.
        answer = HttpResponse(headers={"HX-Refresh": "true"})
    return answer


@login_required
@require_GET
def report_file(request: HttpRequest, shift_id: int, form: str) -> HttpResponse:
    """Give the report as a file: `json` or `csv`."""
    shift, _ = shift_for(request, shift_id, Right.SEE_REPORTS)
    stored = report_of(shift)
    if stored is None:
        raise Http404(f"The report of {shift} has not been made.")
    if form == "csv":
        return _file(shift, report_csv(stored), "text/csv; charset=utf-8", "csv")
    return _file(shift, report_json(stored), "application/json", "json")


def _file(shift: Shift, text: str, kind: str, ending: str) -> HttpResponse:
    name = f"{shift.room.code}-{shift.gaming_day}-{slugify(shift.name) or shift.pk}.{ending}"
    return HttpResponse(
        text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
