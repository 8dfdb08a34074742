"""A player's claim about a round, taken down from the page of its record."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from cardroom.floor.execution.carry_out import CommandMeta
from cardroom.inbox.commands.disputes import dispute_open
from cardroom.inbox.commands.items import NOTE_LENGTH
from cardroom.people.rights import Right

from ..parts.access import round_for
from ..parts.command_headers import done_once
from ..parts.forms.fields import words_field
from .record import Record, record_of


class ClaimForm(forms.Form):
    """Who claims what: a seat of the round, or a guest by name, and the claim in words."""

    seat = forms.TypedChoiceField(coerce=int, empty_value=None, required=False, label="Seat")
    guest = words_field(80, "Guest, who is no player on file", required=False)
    claim = words_field(NOTE_LENGTH, "What is claimed")

    def __init__(self, record: Record, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "claim-%s")
        super().__init__(*args, **kwargs)
        seats = {each.place.seat: f"{each.place.seat} · {each.player}" for each in record.positions}
        if record.round.bank_seat is not None and record.round.bank_player is not None:
            seats.setdefault(
                record.round.bank_seat,
                f"{record.round.bank_seat} · {record.round.bank_player.known_as}, bank",
            )
        self.fields["seat"].choices = [("", "no seat"), *sorted(seats.items())]  # type: ignore[attr-defined]


@login_required
@require_POST
def claim_taken(request: HttpRequest, round_id: int) -> HttpResponse:
    """Take a claim down; it is opened then for whoever sees exceptions."""
    round_, permissions = round_for(request, round_id)
    form = ClaimForm(record_of(round_), request.POST)
    address = reverse("web:round", args=[round_.pk])
    if not form.is_valid():
        messages.error(
            request, "The claim is not taken down: write what is claimed, and choose a seat of the round."
        )
        return redirect(address)
    made: dict[str, Any] = {}

    def command(meta: CommandMeta) -> str:
        made.update(dispute_open(meta, round_.table_id, round_id=round_.pk, **form.cleaned_data))
        return "The claim is taken down: it is an item under Exceptions."

    if error := done_once(request, command):
        messages.error(request, error.message)
        return redirect(address)
    if permissions.may(Right.SEE_ITEMS):
        address = f"{reverse('web:inbox', args=[round_.room.code])}?item={made['item']}"
    return redirect(address)
