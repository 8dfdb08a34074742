"""Views of bundles for an inspector: the page that asks for one, the archive, the page that checks it."""

from __future__ import annotations

import datetime
import tempfile

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from cardroom.core.dates import day_text
from cardroom.floor.journal import chain_name
from cardroom.floor.models import JournalEntry
from cardroom.people.rights import Right
from cardroom.reports.checkpoints.bundle import CHECKER
from cardroom.reports.queries.parser import last_day
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from .archive import MOST_ROUNDS, Asked, archive_write
from .forms import BundleForm

#: As many bundles as are listed.
_LISTED = 20


@login_required
@require_GET
def inspection_page(request: HttpRequest, code: str) -> HttpResponse:
    """Ask which table and days, and list the bundles that were drawn."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    day = last_day(room, timezone.now())
    return _show(request, room, permissions, BundleForm(room, initial={"first": day, "last": day}))


def _show(
    request: HttpRequest, room: Room, permissions: Permissions, form: BundleForm, status: int = 200
) -> HttpResponse:
    drawn = JournalEntry.objects.filter(chain=chain_name(room), command="evidence_bundle").order_by("-seq")
    context = {
        "room": room,
        "permissions": permissions,
        "form": form,
        "why_not": permissions.why_not(Right.VERIFY),
        "drawn": [(entry, _days(entry)) for entry in drawn[:_LISTED]],
    }
    return render(request, "web/inspection/page.html", context, status=status)


def _days(entry: JournalEntry) -> str:
    first, last = (datetime.date.fromisoformat(entry.data[name]) for name in ("first", "last"))
    return day_text(first) if first == last else f"{day_text(first)} to {day_text(last)}"


@login_required
@require_POST
def evidence_bundle(request: HttpRequest, code: str) -> HttpResponse | FileResponse:
    """Give a bundle of some gaming days as one archive; that it was drawn is an entry of the room's journal."""
    room, permissions = room_for(request, code, Right.VERIFY)
    form = BundleForm(room, request.POST)
    if not form.is_valid():
        return _show(request, room, permissions, form, status=422)
    given = form.cleaned_data
    asked = Asked(room, given["first"], given["last"], form.chosen, permissions.staff, timezone.now())
    if (rounds := asked.rounds) > MOST_ROUNDS:
        form.add_error(
            "last",
            f"These are {rounds:,} rounds, and {MOST_ROUNDS:,} are drawn while you wait. Choose one table or fewer days; the "
            "administrator of the server writes more: manage.py evidence_bundle.",
        )
        return _show(request, room, permissions, form, status=422)
    # Whole before the first byte goes out: what fails is a page that says so, and no half of a file.
    file = tempfile.TemporaryFile()  # noqa: SIM115  # the response closes it
    archive_write(asked, file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=asked.file_name, content_type="application/zip")


@login_required
@require_GET
def evidence_checker(request: HttpRequest, code: str) -> FileResponse:
    """Give the page that checks a bundle, as a file to be opened elsewhere."""
    room_for(request, code, Right.SEE_REPORTS)
    return FileResponse(
        CHECKER.open("rb"), as_attachment=True, filename=CHECKER.name, content_type="text/html"
    )
