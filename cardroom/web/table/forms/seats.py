"""Forms of who sits and who deals, and the override of an expired badge or permit."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from cardroom.core.dates import day_text
from cardroom.floor.commands.expiry import expired_people, expiry_override
from cardroom.floor.commands.second_person import REASON_LENGTH
from cardroom.floor.models import Down, Table
from cardroom.floor.reads.records import dealers_of, players_to_seat
from cardroom.people.models import Player
from cardroom.people.players import players_meant

from ...parts.forms.command import CommandForm
from ...parts.forms.signed import SupervisedForm, right_to_sign
from ...parts.languages import translated

#: So many players at most are offered at once: who looks for another types more of the name.
MOST_OFFERED = 30


class _PlayerForm(CommandForm):
    """A player by name or number at one of the seats offered.

    What is typed means one player. Else the form comes back with those whom it may mean, to choose from.
    """

    seat = forms.TypedChoiceField(coerce=int, label=_("Seat"))
    player = forms.CharField(
        max_length=100,
        label=_("Player"),
        widget=forms.TextInput(
            attrs={"list": "players", "autocomplete": "off", "placeholder": _("name or number")}
        ),
    )

    def clean_player(self) -> Player:
        given, table = self.cleaned_data["player"], self.state.table
        meant = players_meant(table.room, given)
        if len(meant) == 1:
            return meant[0]
        meant = meant or list(players_to_seat(self.state, given)[:MOST_OFFERED])
        if not meant:
            raise forms.ValidationError(
                _("This room knows no player called “%(name)s”. Type part of a name, or a number.")
                % {"name": given}
            )
        self.fields["player"].widget = forms.Select(
            attrs=self._of_the_step,
            choices=[("", _("choose")), *((each.label, each.label) for each in meant)],
        )
        raise forms.ValidationError(
            _("“%(name)s” may mean several players. Choose the one who sits down.") % {"name": given}
            if len(meant) > 1
            else _("“%(name)s” is part of one name. Choose it if that is who sits down.") % {"name": given}
        )

    @property
    def _of_the_step(self) -> dict[str, str]:
        return {} if self.step is None else {"form": self.step}

    def arguments(self) -> dict[str, Any]:
        return {"seat": self.cleaned_data["seat"], "player_id": self.cleaned_data["player"].pk}

    def field_at(self, path: str) -> str | None:
        return "player" if path == "player_id" else super().field_at(path)


class SeatForm(_PlayerForm):
    """Seat a player at a free seat."""

    def build(self) -> None:
        free = [seat for seat in range(1, self.state.rulebook.seats + 1) if seat not in self.state.seatings]
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
            for seat, sitting in self.state.seatings.items()
        ]
        self.fields["seat"].error_messages["invalid_choice"] = _("Nobody sits at that seat.")


class DealerForm(CommandForm):
    """The dealer whose down begins: an id, and after a colon the table that they leave for it, as the choice says."""

    dealer_id = forms.RegexField(r"^[1-9][0-9]{0,8}(:[0-9]{1,18})?$", label=_("Dealer"), widget=forms.Select)

    def __init__(self, *args: Any, dealers: list[tuple[str, str]] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dealer_id"].widget.choices = [("", _("choose")), *(dealers or [])]

    def arguments(self) -> dict[str, Any]:
        dealer, _colon, left = self.cleaned_data["dealer_id"].partition(":")
        return {"dealer_id": int(dealer), "from_elsewhere": bool(left)}


def dealers_offered(table: Table) -> list[tuple[str, str]]:
    """Return the choices of `DealerForm` at a table: everybody who may deal there but who deals now; two queries."""
    downs = {
        down.dealer_id: down
        for down in Down.objects.filter(room=table.room, ended_at__isnull=True).select_related("table")
    }
    offered = []
    for dealer in dealers_of(table.room):
        if (down := downs.get(dealer.pk)) is None:
            offered.append((str(dealer.pk), str(dealer)))
        elif down.table_id != table.pk:
            leaves = _("%(dealer)s, leaves table %(number)s") % {
                "dealer": dealer,
                "number": down.table.number,
            }
            offered.append((f"{dealer.pk}:{down.table_id}", leaves))
    return offered


class ExpiryOverrideForm(SupervisedForm):
    """Choose whose badge or permit is overridden for this gaming day, and why."""

    right = right_to_sign(expiry_override)

    person = forms.ChoiceField(label=_("Expired"))
    reason = forms.CharField(
        max_length=REASON_LENGTH, label=_("Why"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def build(self) -> None:
        self.fields["person"].choices = [  # type: ignore[attr-defined]
            (
                expiry.subject,
                _("%(person)s: %(what)s %(number)s, valid through %(day)s")
                % {
                    "person": expiry.person,
                    "what": translated(expiry.what),
                    "number": expiry.number,
                    "day": day_text(expiry.expires),
                },
            )
            for expiry in expired_people(self.state.table.room, self.state.now)
        ]
        super().build()

    def arguments(self) -> dict[str, Any]:
        values = super().arguments()
        kind, _, pk = values.pop("person").partition(":")
        return {**values, "player_id" if kind == "player" else "dealer_id": int(pk)}

    def field_at(self, path: str) -> str | None:
        return "person" if path in ("player_id", "dealer_id") else super().field_at(path)
