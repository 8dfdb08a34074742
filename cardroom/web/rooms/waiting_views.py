"""Views of a room's waiting list: who waits for which game, is called, and leaves the list; must-move tables beside it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from cardroom.filings.models import GameFiling
from cardroom.filings.selectors import in_force
from cardroom.floor.commands.players import NAME_LENGTH
from cardroom.floor.commands.waiting import waiting_add, waiting_call, waiting_no_show, waiting_remove
from cardroom.floor.errors import FloorError, WhyNot
from cardroom.floor.execution.carry_out import CommandMeta, RoomCommand
from cardroom.floor.models import Table
from cardroom.floor.reads.waiting_list import must_moves_to
from cardroom.people.players import players_meant
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once
from ..table.sheet import waiting_lines

#: By the last part of their addresses: what is done about somebody who waits, and what the page says then.
ACTS: dict[str, tuple[RoomCommand[...], str]] = {
    "call": (waiting_call, "Called."),
    "no-show": (waiting_no_show, "Noted as a no-show."),
    "remove": (waiting_remove, "Taken off the list."),
}


class WaitingForm(forms.Form):
    """Somebody for a game's list: a player by number or name, or else a guest by what they are called."""

    game = forms.TypedChoiceField(coerce=int, label="Game")
    who = forms.CharField(
        max_length=NAME_LENGTH,
        label="Number, name, or what a guest is called by",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, room: Room, games: list[tuple[int, str]], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.room = room
        self.fields["game"].choices = games  # type: ignore[attr-defined]

    def arguments(self) -> dict[str, Any]:
        """What the command is given: one player who is meant, or a guest of that name."""
        game, who = self.cleaned_data["game"], self.cleaned_data["who"]
        meant = players_meant(self.room, who)
        return {"game": game, "player_id": meant[0].pk} if len(meant) == 1 else {"game": game, "name": who}

    def clean_who(self) -> str:
        who: str = self.cleaned_data["who"]
        if len(meant := players_meant(self.room, who)) > 1:
            named = ", ".join(player.label for player in meant)
            raise forms.ValidationError(f"“{who}” may mean several players: {named}. Type the number.")
        return who


@login_required
@require_http_methods(["GET", "POST"])
def waiting_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show who waits for which game, and put somebody on the list."""
    room, permissions = room_for(request, code, Right.SEE_FLOOR)
    form = WaitingForm(room, _games(room))
    if request.method == "POST":
        form = WaitingForm(room, _games(room), request.POST)
        if not form.is_valid():
            return _show(request, permissions, form, status=422)

        def command(meta: CommandMeta) -> str:
            waiting_add(meta, room.pk, **form.arguments())
            return "On the list."

        if error := done_once(request, command):
            return _show(request, permissions, form, error=error)
        return redirect("web:waiting", code=code)
    return _show(request, permissions, form)


@login_required
@require_POST
def waiting_command(request: HttpRequest, code: str, entry_id: int, slug: str) -> HttpResponse:
    """Call somebody who waits, note a no-show, or take them off the list."""
    room, permissions = room_for(request, code, Right.SEE_FLOOR)
    if slug not in ACTS:
        raise Http404
    act, done = ACTS[slug]

    def command(meta: CommandMeta) -> str:
        act(meta, room.pk, entry_id=entry_id)
        return done

    if error := done_once(request, command):
        return _show(request, permissions, WaitingForm(room, _games(room)), error=error)
    return redirect("web:waiting", code=code)


def _games(room: Room) -> list[tuple[int, str]]:
    """The filed games that are set at a table, by number, in words."""
    played = set(Table.objects.filter(room=room, game__isnull=False).values_list("game__number", flat=True))
    filed = in_force(GameFiling, room, gaming_day(room, timezone.now()))
    return [(game.number, f"{game.title} · game {game.number}") for game in filed if game.number in played]


def _show(
    request: HttpRequest,
    permissions: Permissions,
    form: WaitingForm,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    room, now = permissions.room, timezone.now()
    tables = Table.objects.filter(room=room, state=Table.State.OPEN).select_related("game").order_by("number")
    lists = [(name, waiting_lines(room, number, now)) for number, name in _games(room)]
    context = {
        "room": room,
        "permissions": permissions,
        "lists": lists,
        "nobody_for": [name for name, lines in lists if not lines],
        "not_called": WhyNot("not_called", "Not called yet: call them first."),
        "pairs": [(table, pair) for table in tables for pair in must_moves_to(table)],
        "form": form,
        "error": error,
        "may_call": permissions.may(Right.CALL_WAITING),
        "why_not": permissions.why_not(Right.KEEP_PLAYERS),
    }
    return render(request, "web/rooms/waiting.html", context, status=error.status if error else status)
