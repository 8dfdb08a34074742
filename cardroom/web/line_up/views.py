"""Views of the line-up: who deals where and who comes next, the push, meals, and the plan."""

from __future__ import annotations

from collections.abc import Callable, Sized
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom.core.json_types import MOST_ID
from cardroom.floor.commands.line_up import line_up_set, meal_end, meal_start
from cardroom.floor.commands.pushes import (
    PushedTable,
    push_reverse,
    push_start,
    reliefs_cancel,
    reliefs_confirm,
)
from cardroom.floor.errors import BadInput, FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import Shift
from cardroom.floor.reads.line_up import line_up_of
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once
from .forms import PlanForm
from .page import Chosen, LineUpPage

#: The field of the address's query with which a form was drawn.
SHOWN = "shown"


@login_required
@require_GET
def line_up_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the line-up of a room, all of it or one string."""
    room, permissions = room_for(request, code, Right.CHANGE_DEALER)
    return _show(request, room, permissions, request.GET)


@login_required
@require_GET
def line_up_strip(request: HttpRequest, code: str) -> HttpResponse:
    """Show the strip of the board, which it fetches once it is there and whenever a dealer has changed."""
    room, _ = room_for(request, code, Right.CHANGE_DEALER)
    context = {"room": room, "line_up": line_up_of(room, timezone.now())}
    return render(request, "web/line_up/strip.html", context)


@login_required
@require_POST
def line_up_command(request: HttpRequest, code: str, slug: str) -> HttpResponse:
    """Carry out a command of the page; what is refused comes back with the page as it is now."""
    if slug not in COMMANDS:
        raise Http404(f"There is no action {slug} of a line-up.")
    room, permissions = room_for(request, code, Right.CHANGE_DEALER)
    shown = QueryDict(request.POST.get(SHOWN, ""))

    def command(meta: CommandMeta) -> str:
        return COMMANDS[slug](meta, room, request.POST)

    if error := done_once(request, command):
        return _show(request, room, permissions, shown, error)
    string = shown.get("string")  # what was chosen for this push is done with
    query = "" if string is None else "?" + Chosen(string, frozenset(), {}).query()
    return redirect(reverse("web:line_up", kwargs={"code": code}) + query)


@login_required
@require_http_methods(["GET", "POST"])
def plan_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the plan of the line-up, and set it."""
    room, permissions = room_for(request, code, Right.CHANGE_DEALER)
    line_up = line_up_of(room, timezone.now())
    form = PlanForm(line_up, request.POST if request.method == "POST" else None)
    error: FloorError | None = None
    if form.is_bound and form.is_valid():

        def command(meta: CommandMeta) -> str:
            line_up_set(meta, room.pk, **form.arguments())
            return "The line-up is set."

        error = done_once(request, command)
        if error is None:
            return redirect("web:line_up", code=code)
    status = error.status if error else 422 if form.is_bound else 200
    context = {"room": room, "permissions": permissions, "form": form, "line_up": line_up, "error": error}
    return render(request, "web/line_up/plan.html", context, status=status)


def _show(
    request: HttpRequest,
    room: Room,
    permissions: Permissions,
    shown: QueryDict,
    error: FloorError | None = None,
) -> HttpResponse:
    now = timezone.now()
    shift = Shift.objects.filter(room=room, closed_at__isnull=True).first()
    chosen = Chosen.of(shown)
    context = {
        "room": room,
        "permissions": permissions,
        "page": LineUpPage(line_up_of(room, now), shift, chosen),
        "shown": chosen.query(),
        "error": error,
        "now": now,
    }
    return render(request, "web/line_up/line_up.html", context, status=200 if error is None else error.status)


def _push(meta: CommandMeta, room: Room, posted: QueryDict) -> str:
    """Push the tables as they were shown: `row` is table, who was seen to deal (0: nobody), who comes in, and a meal (1)."""
    reliefs: list[PushedTable] = []
    for typed in posted.getlist("row"):
        parts = typed.split(":")
        if len(parts) != 4 or not all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts):
            raise BadInput("bad_form", "This page has lost its rows. Reload it.", path="row", status=400)
        table, out, dealer, meal = (int(part) for part in parts)
        reliefs.append({"table": table, "dealer": dealer, "relieves": out or None, "meal": meal == 1})
    answer = push_start(meta, room.pk, reliefs=reliefs)
    if answer["relieved"]:
        return f"{_tables(answer['relieved'])} relieved."
    return f"{_tables(reliefs)} pushed."


def _confirm(meta: CommandMeta, room: Room, posted: QueryDict) -> str:
    answer = reliefs_confirm(meta, room.pk, tables=_ids(posted, "table"))
    return f"{_tables(answer['tables'])} relieved."


def _cancel(meta: CommandMeta, room: Room, posted: QueryDict) -> str:
    answer = reliefs_cancel(meta, room.pk, tables=_ids(posted, "table"))
    return f"{_tables(answer['tables'])} canceled: who deals there goes on."


def _reverse(meta: CommandMeta, room: Room, posted: QueryDict) -> str:
    push_reverse(meta, room.pk, push_id=_id(posted, "push"))
    return "Everybody is back where they dealt."


def _meal(meta: CommandMeta, room: Room, posted: QueryDict) -> str:
    meal_start(meta, room.pk, dealer_id=_id(posted, "dealer"))
    return "The meal has begun."


def _meal_end(meta: CommandMeta, room: Room, posted: QueryDict) -> str:
    meal_end(meta, room.pk, meal_id=_id(posted, "meal"))
    return "The meal has ended."


def _tables(tables: Sized) -> str:
    return f"{len(tables)} table{'' if len(tables) == 1 else 's'}"


def _ids(posted: QueryDict, name: str) -> list[int]:
    return [_number(each, name) for each in posted.getlist(name)]


def _id(posted: QueryDict, name: str) -> int:
    return _number(posted.get(name, ""), name)


def _number(text: Any, name: str) -> int:
    if isinstance(text, str) and text.isascii() and text.isdigit() and 0 < int(text[:20]) <= MOST_ID:
        return int(text)
    raise BadInput("bad_form", "This page has lost what was touched. Reload it.", path=name, status=400)


#: What may be posted from the page, by the last part of its address.
COMMANDS: dict[str, Callable[[CommandMeta, Room, QueryDict], str]] = {
    "push": _push,
    "confirm": _confirm,
    "cancel": _cancel,
    "reverse": _reverse,
    "meal": _meal,
    "meal-end": _meal_end,
}
