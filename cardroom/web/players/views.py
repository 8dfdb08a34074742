"""Views of a room's players: the list with its search, one player and what is done about them, and exclusions."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from cardroom.floor.commands.exclusions import exclusion_enter, exclusion_lift
from cardroom.floor.commands.player_erase import player_erase, whys_not_erase
from cardroom.floor.commands.player_photos import player_photo_remove, player_photo_set
from cardroom.floor.commands.players import (
    player_add,
    player_merge,
    player_provider_set,
    player_set,
    player_staff_set,
    player_unmerge,
)
from cardroom.floor.errors import FloorError, WhyNot
from cardroom.floor.execution.carry_out import CommandMeta, RoomCommand
from cardroom.floor.reads.players import exclusions_looked_at, last_seen, stays_of
from cardroom.floor.reads.seating import stays_now
from cardroom.floor.reads.typed_texts import MOST, texts_naming
from cardroom.people.models import Exclusion, Player, PlayerPhoto
from cardroom.people.names import named
from cardroom.people.players import others_alike, players_found
from cardroom.people.rights import Right

from ..parts.access import Permissions, room_for, table_for
from ..parts.command_headers import done_once
from ..parts.faces import face_of
from .forms import (
    EraseForm,
    ExcludeForm,
    LiftForm,
    MergeForm,
    NameForm,
    NewPlayerForm,
    PhotoForm,
    PlayerForm,
    ProviderForm,
    RemovePhotoForm,
    StaffForm,
    UnmergeForm,
)

ROWS = 50
STAYS = 12


class Act(NamedTuple):
    """Something that is done about a player: its form and command, its heading, and how many sign."""

    form: Any
    command: RoomCommand[...]
    title: str
    signs: int = 1


#: By the last part of their addresses.
ACTS = {
    "name": Act(NameForm, player_set, "Name and number"),
    "photo": Act(PhotoForm, player_photo_set, "Photograph"),
    "photo-remove": Act(RemovePhotoForm, player_photo_remove, "Take the photograph away"),
    "provider": Act(ProviderForm, player_provider_set, "Provider and badge"),
    "staff": Act(StaffForm, player_staff_set, "Works here"),
    "merge": Act(MergeForm, player_merge, "The same person as another entry", 2),
    "unmerge": Act(UnmergeForm, player_unmerge, "Two people after all", 2),
    "exclude": Act(ExcludeForm, exclusion_enter, "May not play here"),
    "erase": Act(EraseForm, player_erase, "Erase the names", 2),
}


@login_required
@require_http_methods(["GET", "POST"])
def players_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the players of a room, found by number or part of a name, and add one."""
    room, permissions = room_for(request, code)
    form, error = NewPlayerForm(), None
    if request.method == "POST":
        form = NewPlayerForm(request.POST)
        if form.is_valid():
            added: dict[str, Any] = {}

            def command(meta: CommandMeta) -> str:
                added.update(player_add(meta, room.pk, **form.arguments()))
                alike = " Is it one of those whose names look alike?" if added["alike"] else ""
                return f"Added as number {added['number']}.{alike}"

            if (error := done_once(request, command)) is None:
                return redirect("web:player", code=code, player_id=added["player"])
    search = request.GET.get("search", "")[:80]
    page = Paginator(players_found(room, search), ROWS).get_page(request.GET.get("page"))
    context = {
        "room": room,
        "permissions": permissions,
        "search": search,
        "page": page,
        "rows": [(player, face_of(player, code=code)) for player in page.object_list],
        "last": last_seen(page.object_list),
        "form": form,
        "error": error,
        "why_not": permissions.why_not(Right.KEEP_PLAYERS),
        "may_see_exclusions": permissions.may(Right.SEE_EXCLUSIONS),
        "may_see_providers": permissions.may(Right.SEE_REPORTS),
        "may_import": permissions.may(Right.SET_PEOPLE),
    }
    status = error.status if error else 422 if form.errors else 200
    return render(request, "web/players/players.html", context, status=status)


@login_required
@require_GET
def player_page(request: HttpRequest, code: str, player_id: int) -> HttpResponse:
    """Show a player: names, what is done about them, where they sat."""
    room, permissions = room_for(request, code)
    return _show(request, permissions, _player(room.pk, player_id))


@login_required
@require_GET
def texts_page(request: HttpRequest, code: str, player_id: int) -> HttpResponse:
    """Show the typed texts in which a player's names stand, which erasing the names leaves as they are."""
    room, permissions = room_for(request, code, Right.SET_PEOPLE)
    player = _player(room.pk, player_id)
    texts = [
        {**each, "time": each["at"] and parse_datetime(each["at"])} for each in named(texts_naming(player))
    ]
    context = {"room": room, "permissions": permissions, "player": player, "texts": texts, "most": MOST}
    return render(request, "web/players/texts.html", context)


@login_required
@require_GET
def photo_of_room(request: HttpRequest, code: str, player_id: int, photo_id: int) -> HttpResponse:
    """Give the photograph of a player to whoever may see the player's page."""
    room, _ = room_for(request, code)
    return _photo(room.pk, player_id, photo_id)


@login_required
@require_GET
def photo_at_table(request: HttpRequest, table_id: int, player_id: int, photo_id: int) -> HttpResponse:
    """Give it at a table of the room, to a session that a PIN opened there too."""
    table, _ = table_for(request, table_id)
    return _photo(table.room_id, player_id, photo_id)


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def player_command(request: HttpRequest, code: str, player_id: int, slug: str) -> HttpResponse:
    """Carry out what was asked about a player."""
    room, permissions = room_for(request, code)
    player = _player(room.pk, player_id)
    if (act := ACTS.get(slug)) is None:
        raise Http404
    form: PlayerForm = act.form.of(player, request.POST)
    form.files = request.FILES
    if not form.is_valid():
        return _show(request, permissions, player, slug, form, status=422)

    def command(meta: CommandMeta) -> str:
        act.command(meta, room.pk, player_id=player.pk, **form.arguments())
        return form.done

    if error := done_once(request, command):
        return _show(request, permissions, player, slug, form, error=error)
    return redirect("web:player", code=code, player_id=player.pk)


@login_required
@require_GET
def exclusions_page(request: HttpRequest, code: str) -> HttpResponse:
    """Show who may not play in a room and why; that it was looked at is an entry of the journal."""
    _room, permissions = room_for(request, code, Right.SEE_EXCLUSIONS)
    return _show_exclusions(request, permissions)


@sensitive_post_parameters("approver_pin")
@login_required
@require_POST
def exclusion_lifted(request: HttpRequest, code: str, exclusion_id: int) -> HttpResponse:
    """Lift an exclusion, signed by a second person."""
    room, permissions = room_for(request, code, Right.SEE_EXCLUSIONS)
    form = LiftForm(request.POST)
    if not form.is_valid():
        return _show_exclusions(request, permissions, exclusion_id, form, status=422)

    def command(meta: CommandMeta) -> str:
        exclusion_lift(meta, room.pk, exclusion_id=exclusion_id, **form.arguments())
        return "Lifted. They may play again."

    if error := done_once(request, command):
        return _show_exclusions(request, permissions, exclusion_id, form, error=error)
    return redirect("web:exclusions", code=code)


def _player(room_id: int, player_id: int) -> Player:
    players = Player.objects.select_related("room", "provider", "staff", "merged_into")
    return get_object_or_404(players, pk=player_id, room=room_id)


def _photo(room_id: int, player_id: int, photo_id: int) -> HttpResponse:
    photos = PlayerPhoto.objects.filter(player=player_id, player__room=room_id)
    photo = get_object_or_404(photos.only("content"), pk=photo_id)
    return HttpResponse(bytes(photo.content), content_type="image/jpeg")


def _acts_of(player: Player) -> list[str]:
    if player.erased_at is not None:
        return []
    if player.merged_into is not None:
        return ["unmerge"]
    left_out = {"unmerge", *(() if player.photo_id else ("photo-remove",))}
    return [slug for slug in ACTS if slug not in left_out]


def _whys_not(permissions: Permissions, player: Player, slug: str) -> list[WhyNot]:
    """Why something is not done about a player: the person lacks the right, or else what keeps names from being erased."""
    if (why := permissions.why_not(ACTS[slug].command.right)) is not None:
        return [why]
    return list(whys_not_erase(player, timezone.now())) if slug == "erase" else []


def _show(
    request: HttpRequest,
    permissions: Permissions,
    player: Player,
    given: str = "",
    form: PlayerForm | None = None,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    player = _player(player.room_id, player.pk)
    acts = [
        (
            slug,
            ACTS[slug],
            form if slug == given else ACTS[slug].form.of(player, auto_id=f"{slug}-%s"),
            _whys_not(permissions, player, slug),
        )
        for slug in _acts_of(player)
    ]
    now = timezone.now()
    context = {
        "room": permissions.room,
        "permissions": permissions,
        "player": player,
        "face": face_of(player, code=permissions.room.code),
        "may_play": player.may_play(now),
        "alike": [] if player.merged_into else list(others_alike(player)[:5]),
        "merged": player.merged.order_by("number"),
        "names": player.names.select_related("ended_by").order_by("-pk"),
        "acts": acts,
        "given": given,
        "stays": stays_of(player)[:STAYS],
        "sits": stays_now([player]).get(player.person_id),
        "error": error,
        "may_see_exclusions": permissions.may(Right.SEE_EXCLUSIONS),
    }
    return render(request, "web/players/player.html", context, status=error.status if error else status)


def _show_exclusions(
    request: HttpRequest,
    permissions: Permissions,
    given: int | None = None,
    form: LiftForm | None = None,
    *,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    now = timezone.now()
    rows: list[Exclusion] = exclusions_looked_at(permissions.room, permissions.staff)
    holding, over = ([each for each in rows if each.holds_at(now) is held] for held in (True, False))
    context = {
        "room": permissions.room,
        "permissions": permissions,
        "holding": [
            (each, form if each.pk == given and form is not None else LiftForm(auto_id=f"lift-{each.pk}-%s"))
            for each in holding
        ],
        "over": over,
        "given": given,
        "error": error,
        "why_not": permissions.why_not(Right.KEEP_EXCLUSIONS),
    }
    return render(request, "web/players/exclusions.html", context, status=error.status if error else status)
