"""Views of the report of a shift, as a page and as files; every report that was made of it can be read."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from cardroom.people.rights import Right
from cardroom.reports.shift.document import shift_document_of
from cardroom.reports.stored.exports import shift_file_name
from cardroom.reports.stored.selectors import reports_of, why_not_report_shown

from ..parts.access import shift_for
from .stored import give_stored, show_stored


@login_required
@require_GET
def report_page(request: HttpRequest, shift_id: int) -> HttpResponse:
    """Show the report, or that it is being made; `?revision=` chooses one of those that were made."""
    shift, permissions = shift_for(request, shift_id, Right.SEE_REPORTS)
    context = {
        "room": shift.room,
        "permissions": permissions,
        "title": "Shift report",
        "what": str(shift),
        "subject": shift.name,
        "day": shift.gaming_day,
        "over_at": shift.closed_at,
        "why_not": why_not_report_shown(shift),
    }
    return show_stored(
        request,
        reports_of(shift),
        shift_document_of,
        context,
        address=reverse("web:report", args=[shift.pk]),
        file_address=lambda form: reverse(f"web:report_{form}", args=[shift.pk]),
    )


@login_required
@require_GET
def report_file(request: HttpRequest, shift_id: int, form: str) -> HttpResponse:
    """Give the report as a file, one of `FORMS`."""
    shift, permissions = shift_for(request, shift_id, Right.SEE_REPORTS)
    name = shift_file_name(shift)
    return give_stored(request, reports_of(shift), shift_document_of, permissions, form=form, file_name=name)
