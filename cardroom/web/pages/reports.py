"""The report of a shift, as a page and as files; every report that was made of it can be read."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.floor.models import Shift
from cardroom.people.rights import Right
from cardroom.reports.exports import report_csv, report_file_name, report_json
from cardroom.reports.models import ShiftReport
from cardroom.reports.selectors import reports_of, why_not_report
from cardroom.reports.shift_paper import SIGNED_BY, shift_paper

from ..access import shift_for
from ..papers import FORMS, paper_file, sheet_of


@login_required
@require_GET
def report_page(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Show the report, or that it is being made; asked by htmx while it is being made, only that part.

    `?revision=0` shows the report as it was made first, and so on; without it, the one that stands.
    """
    shift, powers = shift_for(request, shift_id, Right.SEE_REPORTS)
    made = reports_of(shift)
    stored = _chosen(request, shift, made)
    context = {"shift": shift, "room": shift.room, "powers": powers, "report": stored}
    if stored is None:
        context["why_not"] = why_not_report(shift)
        if request.htmx:  # type: ignore[attr-defined]  # django-htmx sets it
            return render(request, "web/report/waiting.html", context)
        return render(request, "web/report.html", context)
    if request.htmx:  # type: ignore[attr-defined]
        # It has been made meanwhile: the waiting page loads it whole.
        return HttpResponse(headers={"HX-Refresh": "true"})
    query = f"?revision={stored.revision}"
    context |= {
        "sheet": sheet_of(shift_paper(stored)),
        "made": made,
        "superseded": stored.pk != made[-1].pk,
        "files": {form: reverse(f"web:report_{form}", args=[shift.pk]) + query for form in FORMS},
    }
    return render(request, "web/report.html", context)


@login_required
@require_GET
def report_file(request: HttpRequest, shift_id: int, form: str) -> HttpResponse:
    """Give the report as a file, one of `FORMS`.

    `json` is the whole record; `csv` is a line a table with every figure, or with `?grid=` one table of the page.
    """
    shift, powers = shift_for(request, shift_id, Right.SEE_REPORTS)
    stored = _chosen(request, shift, reports_of(shift))
    if stored is None:
        raise Http404(f"The report of {shift} has not been made.")
    name = report_file_name(stored)
    grid = request.GET.get("grid", "")
    if form == "csv" and not grid:
        return _file(f"{name}.csv", report_csv(stored), "text/csv; charset=utf-8")
    if form == "json":
        return _file(f"{name}.json", report_json(stored), "application/json")
    return paper_file(
        shift_paper(stored),
        form,
        file_name=name,
        printed_by=str(powers.staff),
        now=timezone.now(),
        grid=grid,
        signed_by=SIGNED_BY,
    )


def _chosen(request: HttpRequest, shift: Shift, made: list[ShiftReport]) -> ShiftReport | None:
    """The report that the address names, by default the last; None while there is none."""
    wanted = request.GET.get("revision")
    if wanted is None:
        return made[-1] if made else None
    found = [report for report in made if str(report.revision) == wanted]
    if not found:
        raise Http404(f"There is no report {wanted!r} of {shift}.")
    return found[0]


def _file(name: str, text: str, kind: str) -> HttpResponse:
    return HttpResponse(
        text, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
