"""Views of a room's exported gaming days: which were written as Parquet, in which version, and what could not be."""

from __future__ import annotations

from collections import defaultdict

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from cardroom.jobs.models import Job
from cardroom.people.rights import Right
from cardroom.reports.exports.making import EXPORT, exports_due
from cardroom.reports.exports.manifest import NotWhole, manifest_read
from cardroom.reports.exports.schema import SCHEMA
from cardroom.reports.models import DayExport

from ..parts.access import room_for

#: Versions on a page: a month of days, some of them restated.
ROWS = 40
#: Days that are not written, as many as fit above the list.
MOST_WAITING = 10


@login_required
@require_GET
def exports_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the exported gaming days, the newest first, and those that are not written, with the reason."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    made = DayExport.objects.filter(room=room).select_related("report").defer(*_NOT_SHOWN)
    page = Paginator(made, ROWS).get_page(request.GET.get("page"))
    waiting = exports_due(room).defer("figures", "sections", "changes", "heads")
    last: dict[object, int] = defaultdict(int)
    days = {each.gaming_day for each in page}
    for day, version in DayExport.objects.filter(room=room, gaming_day__in=days).values_list(
        "gaming_day", "version"
    ):
        last[day] = max(last[day], version)
    shown = list(waiting[:MOST_WAITING])
    jobs = {
        job.arguments["report"]: job
        for job in Job.objects.filter(room=room, kind=EXPORT).exclude(state=Job.State.FINISHED)
    }
    context = {
        "room": room,
        "permissions": permissions,
        "page": page,
        "listed": [(each, each.version < last[each.gaming_day], _size(each)) for each in page],
        "place": settings.EXPORT_URL,
        "schema": SCHEMA,
        "waiting": [(report, jobs.get(report.pk)) for report in shown],
        "more": waiting.count() - len(shown),
    }
    return render(request, "web/reports/exports.html", context)


_NOT_SHOWN = ("report__figures", "report__sections", "report__changes", "report__heads")


def _size(made: DayExport) -> tuple[int, int] | None:
    """How many rows and kilobytes a version has; None where its manifest cannot be read."""
    try:
        files = manifest_read(made.manifest, str(made)).files.values()
    except NotWhole:
        return None
    return sum(each.rows for each in files), -(-sum(each.bytes for each in files) // 1000)
