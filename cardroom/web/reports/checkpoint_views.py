"""Views of a room's signed checkpoints: where they go, what was not delivered, each as a file."""

from __future__ import annotations

from collections import defaultdict

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from cardroom.jobs.models import Job
from cardroom.people.rights import Right
from cardroom.reports.checkpoints.deliveries import DELIVERY_KINDS
from cardroom.reports.checkpoints.document import SUFFIX
from cardroom.reports.models import SignedCheckpoint, Subscription
from cardroom.rooms.models import Room

from ..parts.access import room_for

#: Checkpoints on a page: two days of them.
ROWS = 50


@login_required
@require_GET
def checkpoints_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the checkpoints, the newest first, with what became of their delivery."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    made = SignedCheckpoint.objects.filter(room=room).select_related("time_stamp").defer("document")
    page = Paginator(made, ROWS).get_page(request.GET.get("page"))
    deliveries = _deliveries(room, [each.number for each in page])
    subscribed = Subscription.objects.filter(
        room=room, what=Subscription.What.CHECKPOINT, ended_at__isnull=True
    )
    context = {
        "room": room,
        "permissions": permissions,
        "page": page,
        "listed": [(each, deliveries[each.number]) for each in page],
        "has_key": settings.CHECKPOINT_KEY_FILE.exists(),
        "subscribers": subscribed.count(),
    }
    return render(request, "web/reports/checkpoints.html", context)


def _deliveries(room: Room, numbers: list[int]) -> dict[int, list[Job]]:
    """The jobs that bring checkpoints to their places, by the number of the checkpoint."""
    keys = {f"checkpoint {number}": number for number in numbers}
    found: defaultdict[int, list[Job]] = defaultdict(list)
    kinds = [kind.name for kind in DELIVERY_KINDS]
    for job in Job.objects.filter(room=room, kind__in=kinds, key__in=keys).order_by("pk"):
        found[keys[job.key]].append(job)
    return found


@login_required
@require_GET
def checkpoint_file(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Give a checkpoint as its file."""
    room, _ = room_for(request, code, Right.SEE_REPORTS)
    checkpoint = get_object_or_404(SignedCheckpoint, room=room, number=number)
    name = f'attachment; filename="{checkpoint.file_name}{SUFFIX}"'
    return HttpResponse(
        checkpoint.signed.file(),
        content_type="application/x-ndjson; charset=utf-8",
        headers={"Content-Disposition": name},
    )
