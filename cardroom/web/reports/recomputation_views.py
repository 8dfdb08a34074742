"""Fees computed again in the background: asking for it, how far it has come, and what came of it."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from cardroom.floor.errors import FloorError, NotFound
from cardroom.jobs.models import Job
from cardroom.people.rights import Right
from cardroom.reports.background.fee_audits import (
    Recomputation,
    recomputation_document,
    recomputation_of,
    recomputations_of,
    why_not_recompute,
)
from cardroom.reports.commands.recomputations import recomputation_start
from cardroom.reports.queries.parser import last_day

from ..parts.access import Permissions, room_for
from ..parts.command_headers import meta_of
from ..parts.documents import FORMS, document_file, document_view_of
from .recomputation_form import RecomputeForm


@login_required
@require_http_methods(["GET", "POST"])
def recomputations_page(request: HttpRequest, code: str) -> HttpResponse:
    """List what was computed again, and ask for more."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    now = timezone.now()
    error: FloorError | None = None
    if request.method == "POST":
        form = RecomputeForm(request.POST)
        if form.is_valid():
            try:
                answer = recomputation_start(meta_of(request), room.pk, **form.cleaned_data)
            except FloorError as refused:
                error = refused
            else:
                return redirect("web:recomputation", code=code, run_id=answer["recomputation"])
    else:
        day = last_day(room, now)
        form = RecomputeForm(initial={"first": day.replace(day=1), "last": day})
    context = {
        "room": room,
        "permissions": permissions,
        "form": form,
        "runs": recomputations_of(room),
        "why_not": permissions.why_not(Right.VERIFY) or why_not_recompute(room),
        "error": error,
    }
    status = error.status if error else 422 if form.errors else 200
    return render(request, "web/reports/recomputations.html", context, status=status)


@login_required
@require_GET
def recomputation_page(request: HttpRequest, code: str, run_id: int) -> HttpResponse:
    """Show how far it has come; asked by htmx, that part alone, and once it has ended the page anew."""
    run, permissions = _run(request, code, run_id)
    address = reverse("web:recomputation", args=[code, run.job.pk])
    context = {
        "room": permissions.room,
        "permissions": permissions,
        "run": run,
        "job": run.job,
        "address": address,
    }
    if request.htmx:  # type: ignore[attr-defined]  # django-htmx sets it
        if run.job.has_ended:
            return HttpResponse(headers={"HX-Refresh": "true"})
        return render(request, "web/reports/progress.html", context)
    if run.job.state == Job.State.FINISHED:
        context["document_view"] = document_view_of(
            recomputation_document(run, permissions.staff), request.GET
        )
        context["files"] = {
            form: reverse(f"web:recomputation_{form}", args=[code, run.job.pk]) for form in FORMS
        }
    return render(request, "web/reports/recomputation.html", context)


@login_required
@require_GET
def recomputation_file(request: HttpRequest, code: str, run_id: int, form: str) -> HttpResponse:
    """Give what came of it as a file."""
    run, permissions = _run(request, code, run_id)
    if run.job.state != Job.State.FINISHED:
        raise Http404(f"{run}: it has not been finished.")
    return document_file(
        recomputation_document(run, permissions.staff),
        form,
        file_name=f"{code}-recomputed-{run.first}-to-{run.last}",
        printed_by=str(permissions.staff),
        now=timezone.now(),
        grid=request.GET.get("grid", ""),
    )


def _run(request: HttpRequest, code: str, run_id: int) -> tuple[Recomputation, Permissions]:
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    try:
        return recomputation_of(room, run_id), permissions
    except NotFound as error:
        raise Http404(error.message) from error
