"""Views of the providers of a room: their contracts, and their authorized players with their badges."""

from __future__ import annotations

import datetime
from typing import Any

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from cardroom.filings.models import Filing, GameFiling
from cardroom.floor.commands.providers import (
    contract_end,
    contract_enter,
    provider_add,
    provider_set,
)
from cardroom.floor.commands.second_person import REASON_LENGTH
from cardroom.floor.errors import FloorError
from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.floor.models import Table
from cardroom.people.models import Player, Provider, ProviderContract
from cardroom.people.permits import local_day
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..parts.access import Permissions, room_for
from ..parts.command_headers import done_once
from ..parts.forms.fields import day_field, words_field


class NameForm(forms.Form):
    """What a provider is called."""

    name = words_field(120, "Name")


class ContractForm(forms.Form):
    """What a contract allows."""

    number = words_field(40, "Contract")
    begins_on = day_field("First day", required=True)
    ends_on = day_field("Last day (empty: until it is ended)")
    opens_at = forms.TimeField(
        label="From (empty: all hours)", required=False, widget=forms.TimeInput(attrs={"type": "time"})
    )
    closes_at = forms.TimeField(label="Until", required=False, widget=forms.TimeInput(attrs={"type": "time"}))
    games = forms.TypedMultipleChoiceField(
        label="Games (none chosen: all)", coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )
    tables = forms.TypedMultipleChoiceField(
        label="Tables (none chosen: all)", coerce=int, required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, room: Room, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        filed = GameFiling.objects.filter(room=room, status=Filing.Status.FILED).order_by("number")
        titles = {game.number: f"{game.number} · {game.title}" for game in filed}
        tables = Table.objects.filter(room=room).order_by("number")
        self.fields["games"].choices = list(titles.items())  # type: ignore[attr-defined]
        self.fields["tables"].choices = [(each.number, str(each)) for each in tables]  # type: ignore[attr-defined]

    def arguments(self) -> dict[str, Any]:
        """The keyword arguments of the command, from valid input."""
        given = dict(self.cleaned_data)
        for name in ("opens_at", "closes_at"):
            time: datetime.time | None = given[name]
            given[name] = None if time is None else time.isoformat("minutes")
        return given


class EndForm(forms.Form):
    """Why a contract is ended."""

    reason = words_field(REASON_LENGTH, "Why")


@login_required
@require_http_methods(["GET", "POST"])
def providers_page(request: HttpRequest, code: str) -> HttpResponse:
    """List the providers of a room with their contracts and players, and add one."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    if request.method != "POST":
        return _show(request, permissions)
    form = NameForm(request.POST)
    if not form.is_valid():
        return _show(request, permissions, adding=form, status=422)

    def command(meta: CommandMeta) -> str:
        provider_add(meta, room.pk, **form.cleaned_data)
        return "Added. Enter the contract next."

    if error := done_once(request, command):
        return _show(request, permissions, adding=form, error=error)
    return redirect("web:providers", code=code)


@login_required
@require_POST
def provider_command(request: HttpRequest, code: str, provider_id: int, slug: str) -> HttpResponse:
    """Enter a contract of a provider, or say whether the room works with them."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    provider = get_object_or_404(Provider, pk=provider_id, room=room)
    form = ContractForm(room, request.POST, auto_id=f"contract-{provider.pk}-%s")
    if slug == "contract" and not form.is_valid():
        return _show(request, permissions, contract=(provider.pk, form), status=422)

    def command(meta: CommandMeta) -> str:
        if slug == "contract":
            contract_enter(meta, room.pk, provider_id=provider.pk, **form.arguments())
            return "The contract is entered."
        active = slug == "active"
        provider_set(
            meta,
            room.pk,
            provider_id=provider.pk,
            name=provider.name,
            contract_number=provider.contract_number,
            active=active,
        )
        return "Saved."

    if error := done_once(request, command):
        return _show(request, permissions, contract=(provider.pk, form), error=error)
    return redirect("web:providers", code=code)


@login_required
@require_POST
def contract_ended(request: HttpRequest, code: str, contract_id: int) -> HttpResponse:
    """End a contract with today as its last day."""
    room, permissions = room_for(request, code, Right.SEE_REPORTS)
    form = EndForm(request.POST)
    if not form.is_valid():
        return _show(request, permissions, status=422)

    def command(meta: CommandMeta) -> str:
        contract_end(meta, room.pk, contract_id=contract_id, **form.cleaned_data)
        return "The contract ends with today."

    if error := done_once(request, command):
        return _show(request, permissions, error=error)
    return redirect("web:providers", code=code)


def _show(
    request: HttpRequest,
    permissions: Permissions,
    *,
    adding: NameForm | None = None,
    contract: tuple[int, ContractForm] | None = None,
    error: FloorError | None = None,
    status: int = 200,
) -> HttpResponse:
    room = permissions.room
    today = local_day(room, timezone.now())
    contracts: dict[int, list[tuple[ProviderContract, bool]]] = {}
    for each in ProviderContract.objects.filter(room=room).select_related("entered_by", "ended_by"):
        contracts.setdefault(each.provider_id, []).append((each, each.holds_on(today)))
    players: dict[int, list[tuple[Player, bool]]] = {}
    for player in Player.objects.filter(room=room, provider__isnull=False).order_by("name"):
        expired = player.badge_expires is not None and player.badge_expires < today
        players.setdefault(player.provider_id or 0, []).append((player, expired))
    rows = [
        (
            provider,
            contracts.get(provider.pk, []),
            players.get(provider.pk, []),
            contract[1]
            if contract is not None and contract[0] == provider.pk
            else ContractForm(room, auto_id=f"contract-{provider.pk}-%s"),
        )
        for provider in Provider.objects.filter(room=room)
    ]
    context = {
        "room": room,
        "permissions": permissions,
        "rows": rows,
        "given": None if contract is None else contract[0],
        "adding": adding or NameForm(),
        "end": EndForm(),
        "today": today,
        "error": error,
        "why_not": permissions.why_not(Right.SET_PEOPLE),
    }
    return render(request, "web/players/providers.html", context, status=error.status if error else status)
