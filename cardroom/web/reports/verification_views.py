"""Views of a verification of the records: starting one, how many pieces are done, and what came of it."""

from __future__ import annotations

import dataclasses

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from cardroom.core.commands import COMMANDS
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.jobs.models import Job
from cardroom.jobs.pieces import PieceCounts, piece_counts, pieces_failing
from cardroom.people.rights import Right, may
from cardroom.reports.commands.verification import verification_start
from cardroom.reports.verification.runs import (
    VerificationResult,
    result_of,
    verification_under_way,
    verifications_of,
)
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once

#: Breaks that the page lists, and former verifications.
_MOST_BREAKS, _MOST_FORMER = 30, 10


@dataclasses.dataclass(frozen=True)
class Shown:
    """A verification as a person of one room sees it: breaks of other rooms are counted, and not listed."""

    job: Job
    pieces: PieceCounts
    result: VerificationResult | None
    breaks: list[str]

    @property
    def left_out(self) -> int:
        """How many breaks are not listed."""
        return (self.result["broken"] if self.result else 0) - len(self.breaks)

    @property
    def holds(self) -> bool:
        return self.result is not None and not self.result["broken"]


@login_required
@require_GET
def verification_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the verification that is under way, or the last one; asked by htmx, that part alone."""
    _, permissions = room_for(request, code, Right.SEE_REPORTS)
    return _show(request, permissions)


@login_required
@require_POST
def verification_begin(request: HttpRequest, code: str) -> HttpResponse:
    """Have the records verified, and lead to where progress is shown."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)

    def carry_out(meta: CommandMeta) -> str:
        verification_start(meta, room.pk)
        return COMMANDS[verification_start.name].done

    error = done_once(request, carry_out)
    if error is not None:
        return _show(request, permissions, error=error)
    return redirect("web:verification", code=code)


def _show(request: HttpRequest, permissions: Permissions, *, error: FloorError | None = None) -> HttpResponse:
    room = permissions.room
    former = list(verifications_of(room)[: _MOST_FORMER + 1])
    job = verification_under_way() or next(iter(former), None)
    shown = None if job is None else _shown(job, permissions)
    context = {
        "room": room,
        "permissions": permissions,
        "shown": shown,
        "failed": [] if job is None else [piece for piece in pieces_failing(job) if _is_seen(piece, room)],
        "former": [_shown(each, permissions) for each in former if job is None or each.pk != job.pk],
        "why_not": permissions.why_not(Right.VERIFY),
        "error": error,
    }
    if request.htmx:  # type: ignore[attr-defined]  # django-htmx sets it
        if shown is None or shown.job.has_ended:
            return HttpResponse(headers={"HX-Refresh": "true"})
        return render(request, "web/reports/verification_now.html", context)
    status = 200 if error is None else error.status
    return render(request, "web/reports/verification.html", context, status=status)


def _is_seen(piece: Job, room: Room) -> bool:
    """Whether a part is of the room or of the whole site, and not another room's."""
    return piece.arguments["room"] in (None, room.pk)


def _shown(job: Job, permissions: Permissions) -> Shown:
    result = result_of(job)
    breaks = [] if result is None else result["breaks"]
    if not all(may(permissions.staff, Right.VERIFY, room) for room in Room.objects.order_by("pk")):
        breaks = [each for each in breaks if each[1] == permissions.room.pk]
    return Shown(job, piece_counts(job), result, [text for text, _ in breaks[:_MOST_BREAKS]])
