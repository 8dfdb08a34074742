"""Views of a room's programs: the list, what makes and ends them, and what is shown once as it is made."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from cardroom.floor.commands.programs import (
    program_end,
    program_make,
    program_token_make,
    program_token_revoke,
)
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta, RoomCommand
from cardroom.people.duties import DUTIES, Duty, NobodySigns, why_alone
from cardroom.people.models import Program, ProgramToken
from cardroom.people.programs import programs_of
from cardroom.people.rights import PROGRAM_RIGHTS, Right, scope_of
from cardroom.people.sessions import is_fresh
from cardroom.webhooks.commands.webhooks import webhook_end, webhook_make, webhook_secret_make
from cardroom.webhooks.delivery import deliveries_failing
from cardroom.webhooks.models import Webhook
from cardroom.webhooks.reads import webhooks_of

from ..account.fresh_sign_in import why_not_fresh
from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once
from ..people.forms import PersonForm
from .forms import ProgramForm, SecretForm, TokenForm, WebhookForm

#: Tries of a webhook that the page shows.
TRIES = 5
_IN_WORDS = {scope_of(right): right.value for right in PROGRAM_RIGHTS}


@dataclasses.dataclass(frozen=True)
class ShownOnce:
    """What a command made that is not kept as it is: it stands on the page that answers it, and on no other.

    `text` is None where the command was repeated: it was shown before.
    """

    what: str
    of: str
    text: str | None


@sensitive_post_parameters("approver_pin")
@login_required
@require_http_methods(["GET", "POST"])
def programs_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the programs of a room, and make one."""
    if request.method == "GET":
        _room, permissions = room_for(request, code, Right.SET_PEOPLE)
        return _show(request, permissions)
    return _made(request, code, "make", ProgramForm, command=program_make, inputs={}, shown=_token)


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def token_made(request: HttpRequest, code: str, program_id: int) -> HttpResponse:
    """Make a further token of a program."""
    inputs = {"program_id": program_id}
    return _made(
        request,
        code,
        f"token-{program_id}",
        TokenForm,
        command=program_token_make,
        inputs=inputs,
        shown=_token,
    )


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def webhook_made(request: HttpRequest, code: str, program_id: int) -> HttpResponse:
    """Make a webhook of a program."""
    inputs = {"program_id": program_id}
    return _made(
        request,
        code,
        f"webhook-{program_id}",
        WebhookForm,
        command=webhook_make,
        inputs=inputs,
        shown=_secret,
    )


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def secret_made(request: HttpRequest, code: str, webhook_id: int) -> HttpResponse:
    """Give a webhook another secret."""
    inputs = {"webhook_id": webhook_id}
    return _made(
        request,
        code,
        f"secret-{webhook_id}",
        SecretForm,
        command=webhook_secret_make,
        inputs=inputs,
        shown=_secret,
    )


@login_required
@require_POST
def token_revoked(request: HttpRequest, code: str, program_id: int, token_id: int) -> HttpResponse:
    """Revoke a token at once."""
    inputs = {"program_id": program_id, "token_id": token_id}
    return _ended(request, code, program_token_revoke, inputs, "The token opens nothing any more.")


@login_required
@require_POST
def program_ended(request: HttpRequest, code: str, program_id: int) -> HttpResponse:
    """End a program at once."""
    return _ended(
        request, code, program_end, {"program_id": program_id}, "The program is ended, with its tokens."
    )


@login_required
@require_POST
def webhook_ended(request: HttpRequest, code: str, webhook_id: int) -> HttpResponse:
    """End a webhook at once."""
    return _ended(request, code, webhook_end, {"webhook_id": webhook_id}, "Nothing is sent there any more.")


def _made(
    request: HttpRequest,
    code: str,
    slug: str,
    kind: type[PersonForm],
    *,
    command: RoomCommand[...],
    inputs: dict[str, int],
    shown: Callable[[Any], ShownOnce],
) -> HttpResponse:
    """Carry a command out that makes a secret, and answer with a page that shows it: no address leads there again."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    if late := why_not_fresh(request):
        return late
    form = kind(request.POST, must_sign=_must_sign(permissions), auto_id=f"{slug}-%s")
    if not form.is_valid():
        return _show(request, permissions, given={slug: form}, status=422)
    made: dict[str, Any] = {}

    def carry_out(meta: CommandMeta) -> str:
        made.update(command(meta, room.pk, **inputs, **form.arguments()))
        return form.done

    if error := done_once(request, carry_out):
        return _show(request, permissions, given={slug: form}, error=error)
    return _show(request, permissions, once=shown(made))


def _ended(
    request: HttpRequest, code: str, command: RoomCommand[...], inputs: dict[str, int], done: str
) -> HttpResponse:
    room, permissions = room_for(request, code, Right.SET_PEOPLE)

    def carry_out(meta: CommandMeta) -> str:
        command(meta, room.pk, **inputs)
        return done

    if error := done_once(request, carry_out):
        return _show(request, permissions, error=error)
    return redirect("web:programs", code=code)


def _token(made: Any) -> ShownOnce:
    program = Program.objects.select_related("staff").get(pk=made["program"])
    return ShownOnce("Token", str(program), made["token"])


def _secret(made: Any) -> ShownOnce:
    webhook = Webhook.objects.get(pk=made["webhook"])
    return ShownOnce("Secret", webhook.url, made["secret"])


def _must_sign(permissions: Permissions) -> bool:
    """Whether somebody else signs; where nobody could, the command says so."""
    right = DUTIES[Duty.MAKE_PROGRAM].second
    assert right is not None
    try:
        return why_alone(right, permissions.room, by=permissions.staff, about=None) is None
    except NobodySigns:
        return True


def _show(
    request: HttpRequest,
    permissions: Permissions,
    *,
    given: dict[str, PersonForm] | None = None,
    once: ShownOnce | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    room, given, now = permissions.room, given or {}, timezone.now()
    must_sign, webhooks = _must_sign(permissions), webhooks_of(room)
    failing = deliveries_failing(webhooks)

    def form(slug: str, kind: type[PersonForm]) -> PersonForm:
        return given.get(slug) or kind(must_sign=must_sign, auto_id=f"{slug}-%s")

    def told(webhook: Webhook) -> dict[str, Any]:
        return {
            "webhook": webhook,
            "failing": failing.get(webhook.pk),
            "tries": webhook.tries.all()[:TRIES],
            "form": form(f"secret-{webhook.pk}", SecretForm),
        }

    def program(each: Program) -> dict[str, Any]:
        return {
            "program": each,
            "rights": [_IN_WORDS[right] for right in each.rights if right in _IN_WORDS],
            "tokens": [{"token": token, "state": _state(token, now)} for token in each.tokens.all()],
            "webhooks": [
                told(webhook)
                for webhook in webhooks
                if webhook.program_id == each.pk and not webhook.ended_at
            ],
            "token_form": form(f"token-{each.pk}", TokenForm),
            "webhook_form": form(f"webhook-{each.pk}", WebhookForm)
            if scope_of(Right.SEE_REPORTS) in each.rights
            else None,
        }

    programs = list(programs_of(room))
    context = {
        "room": room,
        "permissions": permissions,
        "programs": [program(each) for each in programs if each.ended_at is None],
        "ended": [each for each in programs if each.ended_at is not None],
        "make": form("make", ProgramForm),
        "once": once,
        "fresh": is_fresh(request),
        "error": error,
    }
    return render(request, "web/programs/programs.html", context, status=error.status if error else status)


def _state(token: ProgramToken, now: Any) -> str:
    """What a token is now: `open`, `ending` (within two weeks), `expired` or `revoked`."""
    if token.revoked_at is not None:
        return "revoked"
    left = (token.expires_at - now).days
    return "expired" if token.expires_at <= now else "ending" if left < 14 else "open"
