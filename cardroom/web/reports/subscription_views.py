"""Views of e-mail subscriptions: who gets what of a room, subscribing a person, and ending that."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from cardroom.floor.errors import FloorError, NotFound
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.people.rights import Right
from cardroom.reports.commands.subscriptions import subscription_end, subscription_make
from cardroom.reports.emails.subscriptions import (
    readers_of,
    subscriptions_ended,
    subscriptions_of,
    why_not_sent,
)

from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once
from .subscription_form import SubscribeForm


@login_required
@require_http_methods(["GET", "POST"])
def subscriptions_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the subscriptions, and add one."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    if request.method != "POST":
        return _show(request, permissions, SubscribeForm(readers_of(room)))
    form = SubscribeForm(readers_of(room), request.POST)
    if not form.is_valid():
        return _show(request, permissions, form, status=422)

    def command(meta: CommandMeta) -> str:
        subscription_make(meta, room.pk, **form.cleaned_data)
        return "It is sent from the next one on."

    if error := done_once(request, command):
        return _show(request, permissions, form, error=error)
    return redirect("web:subscriptions", code=code)


@login_required
@require_POST
def subscription_ended(request: HttpRequest, code: str, subscription_id: int) -> HttpResponse:
    """End a subscription."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)

    def command(meta: CommandMeta) -> str:
        subscription_end(meta, room.pk, subscription_id=subscription_id)
        return "It is sent no longer."

    error = done_once(request, command)
    if isinstance(error, NotFound):
        raise Http404(error.message) from error
    if error is not None:
        return _show(request, permissions, SubscribeForm(readers_of(room)), error=error)
    return redirect("web:subscriptions", code=code)


def _show(
    request: HttpRequest,
    permissions: Permissions,
    form: SubscribeForm,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    room = permissions.room
    context = {
        "room": room,
        "permissions": permissions,
        "form": form,
        "held": [(each, why_not_sent(each)) for each in subscriptions_of(room)],
        "ended": subscriptions_ended(room),
        "why_not": permissions.why_not(Right.SUBSCRIBE),
        "to_the_log": settings.EMAIL_BACKEND == "cardroom.config.mail.LoggedMail",
        "error": error,
    }
    status = error.status if error else status
    return render(request, "web/reports/subscriptions.html", context, status=status)
