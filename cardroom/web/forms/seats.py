"""Forms of who sits and who deals."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.people.models import Player

from .command import CommandForm


class _PlayerForm(CommandForm):
    """A player by name at one of the seats offered: the room's list may be long, and names in it are unique."""

    seat = forms.TypedChoiceField(coerce=int, label=_("Seat"))
    player = forms.CharField(
        max_length=80,
        label=_("Player"),
        widget=forms.TextInput(attrs={"list": "players", "autocomplete": "off", "placeholder": _("name")}),
    )

    def clean_player(self) -> Player:
        name = self.cleaned_data["player"].strip()
        player = Player.objects.filter(room=self.reading.table.room_id, name__iexact=name).first()
        if player is None:
            raise forms.ValidationError(
                _("This room knows no player called “%(name)s”. Pick a name from the list.") % {"name": name}
            )
        return player

    def arguments(self) -> dict[str, Any]:
        return {"seat": self.cleaned_data["seat"], "player_id": self.cleaned_data["player"].pk}

    def field_at(self, path: str) -> str | None:
        return "player" if path == "player_id" else super().field_at(path)


class SeatForm(_PlayerForm):
    """Seat a player at a free seat."""

    def build(self) -> None:
        free = [
            seat for seat in range(1, self.reading.rulebook.seats + 1) if seat not in self.reading.seatings
        ]
        self.fields["seat"].choices = [(seat, _("Seat %(number)s") % {"number": seat}) for seat in free]  # type: ignore[attr-defined]
        self.fields["seat"].error_messages["invalid_choice"] = _(
            "That seat is taken, or there is none of that number."
        )


class BackLineForm(_PlayerForm):
    """Let a player wager on the spot of somebody who sits there."""

    def build(self) -> None:
        self.fields["seat"].label = _("Behind")
        self.fields["seat"].choices = [  # type: ignore[attr-defined]
            (seat, _("seat %(number)s · %(player)s") % {"number": seat, "player": sitting.player})
            for seat, sitting in self.reading.seatings.items()
        ]
        self.fields["seat"].error_messages["invalid_choice"] = _("Nobody sits at that seat.")


class DealerForm(CommandForm):
    """The dealer whose down begins."""

    dealer_id = forms.IntegerField(min_value=1, max_value=2**31, label=_("Dealer"), widget=forms.Select)

    def __init__(self, *args: Any, dealers: list[tuple[int, str]] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dealer_id"].widget.choices = [("", _("choose")), *(dealers or [])]
