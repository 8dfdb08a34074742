"""The games that a room files, and one version: its options, its paytables with exact odds, and where it is played."""

from __future__ import annotations

import dataclasses
from itertools import groupby
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom.filings.models import GameFiling
from cardroom.filings.selectors import versions
from cardroom.floor.acts import filings
from cardroom.floor.acts.commands import Envelope
from cardroom.floor.errors import FloorError
from cardroom.people.rights import Right
from cardroom.rooms.gaming_day import gaming_day
from cardroom.rooms.models import Room
from games.rotation import load_profile

from ..access import Powers, room_for
from ..command_headers import done_once
from ..forms.game import GameForm, typed_game
from ..forms.schedule import FileForm, NewForm, WithdrawForm
from ..options import options_in_words
from ..placard import rules_placard
from ..posted import shown_wagers
from .filing import FilingPages

_DRAFT = GameFiling.Status.DRAFT


@login_required
@require_GET
def games_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show every game of a room with its versions, and which of them is in force today."""
    room, powers = room_for(request, code)
    return _show_series(request, room, powers)


@login_required
@require_GET
def game_page(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Show one version of a game."""
    _, powers = room_for(request, code)
    return _show(request, powers, _PAGES.version(powers, number, version))


@login_required
@require_http_methods(["GET", "POST"])
def game_edit(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Write on a draft; a filed version has no such page."""
    room, powers = room_for(request, code, Right.FILE_SCHEDULES)
    draft = _PAGES.version(powers, number, version)
    if draft.status != _DRAFT:
        return redirect("web:game", code, number, version)
    if request.method == "GET":
        return _show_draft(request, powers, draft, GameForm(draft.book, typed_game(draft)))
    form = GameForm(draft.book, request.POST.dict())
    if not form.is_valid():
        return _show_draft(request, powers, draft, form, status=422)

    def act(envelope: Envelope) -> str:
        filings.game_edit(envelope, room.pk, game_id=draft.pk, **form.arguments())
        return "The draft is saved."

    if error := done_once(request, act):
        return _show_draft(request, powers, draft, form, error=error, status=error.status)
    return redirect("web:game", code, number, version)


@login_required
@require_POST
def game_new(request: HttpRequest, code: str) -> HttpResponse:
    """Draft the first version of a new game, with every option at its default."""
    room, powers = room_for(request, code, Right.FILE_SCHEDULES)
    form = NewForm(request.POST, room=room, banked=False)
    if not form.is_valid():
        return _show_series(request, room, powers, new=form, status=422)

    def act(envelope: Envelope) -> str:
        filings.game_draft(envelope, room.pk, options={}, **form.cleaned_data)
        return f"Game {form.cleaned_data['number']} has a draft."

    if error := done_once(request, act):
        return _show_series(request, room, powers, new=form, error=error, status=error.status)
    return _PAGES.to_draft(room, form.cleaned_data["number"])


@login_required
@require_POST
def game_next(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Draft the next version of a game, which begins by saying what this one says."""
    room, powers = room_for(request, code, Right.FILE_SCHEDULES)
    model = _PAGES.version(powers, number, version)

    def act(envelope: Envelope) -> str:
        filings.game_draft(
            envelope,
            room.pk,
            number=number,
            rulebook=model.rulebook,
            options=model.options,
            rotation=model.rotation,
            title=model.title,
        )
        return f"The draft says what version {version} says."

    if error := done_once(request, act):
        return _show(request, powers, model, error=error, status=error.status)
    return _PAGES.to_draft(room, number)


@login_required
@require_POST
def game_discard(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Delete a draft."""
    return _PAGES.drop(request, code, number, version)


@login_required
@require_POST
def game_lodge(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """File a draft."""
    return _PAGES.lodge(request, code, number, version)


@login_required
@require_POST
def game_withdraw(request: HttpRequest, code: str, number: int, version: int) -> HttpResponse:
    """Close a filed version without another in its place."""
    return _PAGES.close(request, code, number, version)


def _show_series(
    request: HttpRequest,
    room: Room,
    powers: Powers,
    *,
    new: NewForm | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    may_file = powers.may(Right.FILE_SCHEDULES)
    today = gaming_day(room, timezone.now())
    shown = [
        (version, version.in_force(today))
        for version in versions(GameFiling, room).prefetch_related("tables")
        if may_file or version.status != _DRAFT
    ]
    series = [(number, list(group)) for number, group in groupby(shown, key=lambda each: each[0].number)]
    context = {
        "room": room,
        "powers": powers,
        "series": series,
        "may_file": may_file,
        "new": new
        or NewForm(
            initial={"number": max((number for number, _ in series), default=0) + 1}, room=room, banked=False
        ),
        "error": error,
    }
    return render(request, "web/games.html", context, status=status)


def _show(
    request: HttpRequest,
    powers: Powers,
    filed: GameFiling,
    *,
    file: FileForm | None = None,
    withdraw: WithdrawForm | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    placard = rules_placard(filed.terms)
    context: dict[str, Any] = {
        **_PAGES.context(powers, filed, file, withdraw),
        "version": filed,
        "choices": [
            *options_in_words(filed.book, _options_of(filed)),
            *([("The bank rotates", load_profile(filed.profile_id).name)] if filed.profile_id else []),
        ],
        "placard": placard,
        "rulebook": filed.book,
        # Limits are a table's, and not filed with its game.
        "wagers": [dataclasses.replace(shown, limit=None) for shown in shown_wagers(placard)],
        "prefix": f"{filed.rulebook}:",
        "tables": filed.tables.order_by("number"),
        "error": error,
    }
    return render(request, "web/game.html", context, status=status)


def _show_draft(
    request: HttpRequest,
    powers: Powers,
    draft: GameFiling,
    form: GameForm,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {"room": powers.room, "powers": powers, "version": draft, "form": form, "error": error}
    return render(request, "web/game_edit.html", context, status=status)


def _options_of(filed: GameFiling) -> dict[str, Any]:
    """Every option of a game, without the fee schedule: that is filed by itself."""
    return {name: value for name, value in filed.terms.options.items() if name not in GameForm.leaves_out}


_PAGES = FilingPages(
    "game", GameFiling, filings.game_discard, filings.game_file, filings.game_withdraw, _show
)
