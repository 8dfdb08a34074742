"""Views of background work: who does it, what waits, is under way or failed, and having a failed job tried again."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from cardroom.core.commands import COMMANDS
from cardroom.floor.commands.jobs import job_cancel, job_try_again
from cardroom.floor.errors import FloorError, NotFound
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.people.rights import Right
from cardroom.reports.background.overview import background_of

from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once

#: Seconds after which the page asks again, while something is under way and while nothing is.
SOON, LATER = 2, 15


@login_required
@require_GET
def background_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the background as it is now; asked by htmx, that part alone."""
    _, permissions = room_for(request, code, Right.SEE_REPORTS)
    return _show(request, permissions)


@login_required
@require_POST
def command_on_job(request: HttpRequest, code: str, command: str, job_id: int) -> HttpResponse:
    """Have a job that failed tried at once, or cancel one."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)

    def carry_out(meta: CommandMeta) -> str:
        given = {"try-again": job_try_again, "cancel": job_cancel}[command]
        given(meta, room.pk, job_id=job_id)
        return COMMANDS[given.name].done

    error = done_once(request, carry_out)
    if isinstance(error, NotFound):
        raise Http404(error.message) from error
    if error is not None:
        return _show(request, permissions, error=error)
    return redirect("web:background", code=code)


def _show(request: HttpRequest, permissions: Permissions, *, error: FloorError | None = None) -> HttpResponse:
    background = background_of(permissions.room, timezone.now())
    context = {
        "room": permissions.room,
        "permissions": permissions,
        "background": background,
        "why_not": permissions.why_not(Right.TRY_AGAIN),
        "seconds": SOON if background.under_way else LATER,
        "error": error,
    }
    if request.htmx:  # type: ignore[attr-defined]  # django-htmx sets it
        return render(request, "web/reports/background_now.html", context)
    return render(
        request, "web/reports/background.html", context, status=200 if error is None else error.status
    )
