"""Views of a room's signed checkpoints: where they go, what was not delivered, each as a file, bundles for inspectors."""

from __future__ import annotations

import tempfile
from collections import defaultdict

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_GET

from cardroom.jobs.models import Job
from cardroom.people.rights import Right
from cardroom.reports.checkpoints.bundle import CHECKER, bundle_lines
from cardroom.reports.checkpoints.bundle import SUFFIX as BUNDLE_SUFFIX
from cardroom.reports.checkpoints.deliveries import DELIVERY_KINDS
from cardroom.reports.checkpoints.document import SUFFIX
from cardroom.reports.models import SignedCheckpoint, Subscription
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from .checkpoint_form import BundleForm

#: Checkpoints on a page: two days of them.
ROWS = 50


@login_required
@require_GET
def checkpoints_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the checkpoints, the newest first, with what became of their delivery."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    today = gaming_day(room, timezone.now())
    return _show(request, room, permissions, BundleForm(initial={"first": today, "last": today}))


def _show(
    request: HttpRequest, room: Room, permissions: Permissions, form: BundleForm, status: int = 200
) -> HttpResponse:
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
        "form": form,
        "why_not": permissions.why_not(Right.VERIFY),
    }
    return render(request, "web/reports/checkpoints.html", context, status=status)


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


@login_required
@require_GET
def evidence_bundle(request: HttpRequest, code: str) -> HttpResponse | FileResponse:
    """Give journal, checkpoints and reports of some gaming days as one file: `?first=2026-11-30&last=2026-11-30`."""
    room, permissions = room_for(request, code, Right.VERIFY)
    form = BundleForm(request.GET)
    if not form.is_valid():
        return _show(request, room, permissions, form, status=422)
    first, last = form.cleaned_data["first"], form.cleaned_data["last"]
    # Whole before the first byte goes out: what fails is a page that says so, and no half of a file.
    file = tempfile.TemporaryFile()  # noqa: SIM115  # the response closes it
    for line in bundle_lines(room, first, last):
        file.write(line.encode())
    file.seek(0)
    return FileResponse(
        file,
        as_attachment=True,
        filename=f"{room.code}-{first}-{last}{BUNDLE_SUFFIX}",
        content_type="text/plain; charset=utf-8",
    )


@login_required
@require_GET
def evidence_checker(request: HttpRequest, code: str) -> FileResponse:
    """Give the page that checks a bundle, as a file to be opened elsewhere."""
    room_for(request, code, Right.SEE_REPORTS)
    return FileResponse(
        CHECKER.open("rb"), as_attachment=True, filename=CHECKER.name, content_type="text/html"
    )
