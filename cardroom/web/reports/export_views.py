"""Views of a room's exported gaming days: which were written as Parquet, in which version, and what could not be."""

from __future__ import annotations

from collections import defaultdict

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.documents.formatting import several
from cardroom.people.rights import Right
from cardroom.reports.exports.manifest import NotWhole, manifest_read
from cardroom.reports.exports.schema import SCHEMA
from cardroom.reports.exports.waiting import WaitingDay, days_waiting
from cardroom.reports.models import DayExport
from cardroom.rooms.models import Room

from ..parts.access import room_for

#: Versions on a page: two weeks of days, as many as a phone shows without end.
ROWS = 14
#: The same beside days that are not written, which come first with their reasons.
ROWS_BESIDE = 7
#: Days that are not written, the oldest ones; the others are counted.
MOST_WAITING = 3


@login_required
@require_GET
def exports_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the exported gaming days, the newest first, and those that are not written, with the reason."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    made = DayExport.objects.filter(room=room).select_related("report").defer(*_NOT_SHOWN)
    waiting = days_waiting(room, timezone.now())
    shown_first = settings.EXPORT_URL is not None and waiting
    page = Paginator(made, ROWS_BESIDE if shown_first else ROWS).get_page(request.GET.get("page"))
    last: dict[object, int] = defaultdict(int)
    days = {each.gaming_day for each in page}
    for day, version in DayExport.objects.filter(room=room, gaming_day__in=days).values_list(
        "gaming_day", "version"
    ):
        last[day] = max(last[day], version)
    context = {
        "room": room,
        "permissions": permissions,
        "page": page,
        "listed": [(each, each.version < last[each.gaming_day], _size(each, room)) for each in page],
        "place": settings.EXPORT_URL,
        "schema": SCHEMA,
        "answer": _answer(room, waiting),
        "waiting": waiting[:MOST_WAITING],
        "more": len(waiting) - MOST_WAITING,
        "why_not": permissions.why_not(Right.TRY_AGAIN),
    }
    return render(request, "web/reports/exports.html", context)


def _answer(room: Room, waiting: list[WaitingDay]) -> str:
    """Say whether the closed days are exported: "32 closed gaming days are exported, 2 could not be, 1 is not yet".

    A day that was restated since it was exported is one of those that are not.
    """
    written = DayExport.objects.filter(room=room).exclude(
        gaming_day__in=[each.report.first for each in waiting]
    )
    days = written.order_by().values("gaming_day").distinct().count()
    if not days and not waiting:
        return "No gaming day is closed and reported yet"
    said = f"{several(days, 'closed gaming day')} {'is' if days == 1 else 'are'} exported"
    if not waiting:
        return f"{said}, none is missing"
    failed, others = sum(each.has_failed for each in waiting), sum(not each.has_failed for each in waiting)
    told = [f"{failed:,} could not be"] if failed else []
    told += [f"{others:,} {'is' if others == 1 else 'are'} not yet"] if others else []
    return f"{said}, {', '.join(told)}"


_NOT_SHOWN = ("report__figures", "report__sections", "report__changes", "report__heads")


def _size(made: DayExport, room: Room) -> tuple[int, int] | None:
    """How many rows and kilobytes a version has; None where its manifest cannot be read."""
    try:
        files = manifest_read(made.manifest, str(made), room.code, made.gaming_day).files.values()
    except NotWhole:
        return None
    return sum(each.rows for each in files), -(-sum(each.bytes for each in files) // 1000)
