"""Responses with a stored report, which shift and period views share: page and files, by revision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from cardroom.documents.document import ReportDocument
from cardroom.documents.export import csv_file
from cardroom.reports.models import PeriodReport, ShiftReport
from cardroom.reports.stored.document import SIGNED_BY
from cardroom.reports.stored.exports import name_of_revision, report_csv, report_json

from ..parts.access import Permissions
from ..parts.documents import FORMS, document_file, document_view_of

R = TypeVar("R", ShiftReport, PeriodReport)


def show_stored(
    request: HttpRequest,
    made: Sequence[R],
    document_of: Callable[[R], ReportDocument],
    context: dict[str, Any],
    *,
    address: str,
    file_address: Callable[[str], str],
) -> HttpResponse:
    """Show one of the reports `made` of something, or, while there is none, that it is being made or why it is not.

    `?revision=0` shows the report as it was made first, and so on; without it, the current one. While it is being
    made, htmx asks for that part alone. `context` holds the page's title and crumbs, and `why_not`.
    """
    stored = revision_chosen(request, made)
    context |= {"report": stored, "address": address}
    if stored is None:
        part = "_waiting" if request.htmx else ""  # type: ignore[attr-defined]  # django-htmx sets it
        return render(request, f"web/reports/stored_report{part}.html", context)
    if request.htmx:  # type: ignore[attr-defined]
        # It has been made meanwhile: the waiting page loads it whole.
        return HttpResponse(headers={"HX-Refresh": "true"})
    query = f"?revision={stored.revision}"
    context |= {
        "document_view": document_view_of(document_of(stored), request.GET),
        "made": made,
        "superseded": stored.pk != made[-1].pk,
        "files": {form: file_address(form) + query for form in FORMS},
    }
    return render(request, "web/reports/stored_report.html", context)


def give_stored(
    request: HttpRequest,
    made: Sequence[R],
    document_of: Callable[[R], ReportDocument],
    permissions: Permissions,
    *,
    form: str,
    file_name: str,
) -> HttpResponse:
    """Give one of the reports `made` as a file, one of `FORMS`.

    `json` is the whole record; `csv` is a line a table with every figure, or with `?grid=` one table of the page.
    """
    stored = revision_chosen(request, made)
    if stored is None:
        raise Http404("The report has not been made.")
    name = name_of_revision(file_name, stored)
    grid = request.GET.get("grid", "")
    if form == "csv" and not grid:
        return _file(f"{name}.csv", csv_file(report_csv(stored)), "text/csv; charset=utf-8")
    if form == "json":
        return _file(f"{name}.json", report_json(stored), "application/json")
    return document_file(
        document_of(stored),
        form,
        file_name=name,
        printed_by=str(permissions.staff),
        now=timezone.now(),
        grid=grid,
        signed_by=SIGNED_BY,
    )


def revision_chosen(request: HttpRequest, made: Sequence[R]) -> R | None:
    """Return the report that the address names, by default the last; None while there is none."""
    wanted = request.GET.get("revision")
    if wanted is None:
        return made[-1] if made else None
    for report in made:
        if str(report.revision) == wanted:
            return report
    raise Http404(f"There is no report {wanted!r}.")


def _file(name: str, content: str | bytes, kind: str) -> HttpResponse:
    return HttpResponse(
        content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
