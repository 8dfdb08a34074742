"""Views of reports that a worker draws: how far one has come, and what it said."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.floor.errors import NotFound
from cardroom.jobs.models import Job
from cardroom.jobs.pieces import piece_counts
from cardroom.people.rights import Right
from cardroom.reports.background.background_reports import (
    BackgroundReport,
    background_report_document,
    get_background_report_for,
)

from ..parts.access import Permissions, room_for
from ..parts.documents import FORMS, document_file, document_view_of
from .catalogue_views import file_name


@login_required
@require_GET
def background_report_page(request: HttpRequest, code: str, report_id: int) -> HttpResponse:
    """Show how far it has come; asked by htmx, that part alone, and once it has ended the page anew."""
    run, permissions = _run(request, code, report_id)
    address = reverse("web:background_report", args=[code, run.job.pk])
    context = {
        "room": permissions.room,
        "permissions": permissions,
        "run": run,
        "job": run.job,
        "address": address,
        "pieces": piece_counts(run.job),
    }
    if request.htmx:  # type: ignore[attr-defined]  # django-htmx sets it
        if run.job.has_ended:
            return HttpResponse(headers={"HX-Refresh": "true"})
        return render(request, "web/reports/progress.html", context)
    if run.job.state == Job.State.FINISHED:
        context["document_view"] = document_view_of(
            background_report_document(run, permissions.staff), request.GET
        )
        context["files"] = {
            form: reverse(f"web:background_report_{form}", args=[code, run.job.pk]) for form in FORMS
        }
    return render(request, "web/reports/background_report.html", context)


@login_required
@require_GET
def background_report_file(request: HttpRequest, code: str, report_id: int, form: str) -> HttpResponse:
    """Give what it said as a file."""
    run, permissions = _run(request, code, report_id)
    if run.job.state != Job.State.FINISHED:
        raise Http404(f"{run.title}: it has not been finished.")
    return document_file(
        background_report_document(run, permissions.staff),
        form,
        file_name=file_name(run.query, run.report.name),
        printed_by=str(permissions.staff),
        now=timezone.now(),
        grid=request.GET.get("grid", ""),
        signed_by=run.report.signed_by,
    )


def _run(request: HttpRequest, code: str, pk: int) -> tuple[BackgroundReport, Permissions]:
    """One that the person may read: a provider lead sees statements of their firm, and no other report."""
    try:
        room, permissions = room_for(request, code, Right.SEE_REPORTS)
    except PermissionDenied:
        room, permissions = room_for(request, code, Right.SEE_STATEMENTS)
    try:
        return get_background_report_for(permissions.staff, room, pk), permissions
    except NotFound as error:
        raise Http404(error.message) from error
