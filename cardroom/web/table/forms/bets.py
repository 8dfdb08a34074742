"""Forms of the bank and of wagers: an answer to an offer, the bank's wager, and all wagers of a round by seat."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from cardroom.floor.checks.seats import why_not_bet_here
from cardroom.floor.models import Offer
from cardroom.floor.places import Place, place_as_json, place_of
from cardroom.floor.reads.bets import bets_to_repeat
from cardroom.floor.reads.table_state import TableState
from games.rulebook import COUNTER_CLOCKWISE, Rulebook

from ...parts.forms.command import CommandForm
from ...parts.forms.fields import DollarsField
from ..spots import TIPS, WAGERS, tip_spots, wager_spots

_PATH = re.compile(r"positions\[(\d+)\](?:\.(wagers|tips)(?:\.(\w+))?)?")


class BetsForm(CommandForm):
    """Wagers and tips by seat. Empty is not placed; a seat without any sits out."""

    step = "step"

    @classmethod
    def fits(cls, state: TableState) -> bool:
        return state.live is not None

    def build(self) -> None:
        live = self.state.live
        assert live is not None  # the form exists while a round is open
        placed = {place_of(bet): bet for bet in live.bets}
        self.places = [
            place
            for place in self.state.places
            if place.seat != live.bank_seat and why_not_bet_here(self.state, place) is None
        ]
        self.wagers = wager_spots(self.state.terms)
        self.tips = tip_spots(self.state.terms)
        for place in self.places:
            bet = placed.get(place, {})
            for kind, spots in ((WAGERS, self.wagers), (TIPS, self.tips)):
                for spot in spots:
                    name = _("%(name)s tip") % {"name": spot.name} if kind == TIPS else spot.name
                    field = DollarsField(
                        required=False,
                        label=_("Seat %(place)s: %(name)s") % {"place": place, "name": name},
                        initial=bet.get(kind, {}).get(spot.id),
                    )
                    field.widget.attrs["placeholder"] = "–"
                    self.fields[field_name(kind, place, spot.id)] = field

    def wager_fields(self, place: Place) -> list[tuple[str, BoundField]]:
        """The fields of a place's wagers, each under the short name of its spot."""
        return [(spot.name, self[field_name(WAGERS, place, spot.id)]) for spot in self.wagers]

    def tip_fields(self, place: Place) -> list[tuple[str, BoundField]]:
        """The fields of a place's tips, the same way."""
        return [(spot.name, self[field_name(TIPS, place, spot.id)]) for spot in self.tips]

    def tips_open(self, place: Place) -> bool:
        """Whether the place's tips are unfolded: something is in them, or wrong with them."""
        return any(bound.value() or bound.errors for _, bound in self.tip_fields(place))

    def bets(self) -> list[dict[str, Any]]:
        """What was typed, a bet a place as the services take it, from valid input; empty ones too."""
        return [
            {
                **place_as_json(place),
                **{
                    kind: {
                        spot.id: cents
                        for spot in spots
                        if (cents := self.cleaned_data.get(field_name(kind, place, spot.id))) is not None
                    }
                    for kind, spots in ((WAGERS, self.wagers), (TIPS, self.tips))
                },
            }
            for place in self.places
        ]

    def changed_bets(self) -> list[dict[str, Any]]:
        """Those of the bets that differ from what lies on the table."""
        live = self.state.live
        assert live is not None
        placed = {place_of(bet): (bet["wagers"], bet.get("tips") or {}) for bet in live.bets}
        return [
            bet for bet in self.bets() if (bet["wagers"], bet["tips"]) != placed.get(place_of(bet), ({}, {}))
        ]

    def arguments(self) -> dict[str, Any]:
        return {"positions": self.changed_bets()}

    def field_at(self, path: str) -> str | None:
        match = _PATH.match(path)
        if match is None:
            return super().field_at(path)
        sent = self.changed_bets()
        index = int(match[1])
        if index >= len(sent):
            return None
        name = field_name(match[2] or WAGERS, place_of(sent[index]), match[3] or self.wagers[0].id)
        return name if name in self.fields else None


class RepeatForm(CommandForm):
    """Last round's wagers again, for each player who still sits there; tips that lie there already stay."""

    @classmethod
    def fits(cls, state: TableState) -> bool:
        return state.live is not None

    def arguments(self) -> dict[str, Any]:
        live = self.state.live
        assert live is not None
        placed = {place_of(bet): bet.get(TIPS) or {} for bet in live.bets}
        return {
            "positions": [
                {
                    **place_as_json(place_of(bet)),
                    WAGERS: bet[WAGERS],
                    TIPS: {
                        spot: cents
                        for spot, cents in placed.get(place_of(bet), {}).items()
                        if spot in bet[WAGERS]
                    },
                }
                for bet in bets_to_repeat(self.state, live.bank_seat)
            ]
        }


class CloseForm(CommandForm):
    """The call of "no more bets": where settling starts, and the drop that the button showed when pressed."""

    step = "step"

    action_seat = forms.TypedChoiceField(
        required=False, coerce=int, empty_value=None, label=_("Action starts at")
    )
    quoted_cents = forms.IntegerField(required=False, min_value=0, max_value=10**15, widget=forms.HiddenInput)

    @classmethod
    def fits(cls, state: TableState) -> bool:
        return state.live is not None

    def build(self) -> None:
        seats = [
            (seat, _("seat %(number)s") % {"number": seat})
            for seat in range(1, self.state.rulebook.seats + 1)
        ]
        next_to_bank = first_to_act(self.state.rulebook)
        self.fields["action_seat"].choices = [("", next_to_bank), *seats]  # type: ignore[attr-defined]

    def arguments(self) -> dict[str, Any]:
        return {"action_seat": self.cleaned_data["action_seat"]}


def first_to_act(rulebook: Rulebook) -> str:
    """Where the action starts unless a seat is named, by the direction in which hands are dealt; one must be where dice do it."""
    if rulebook.named_start:
        return gettext("choose the seat")
    if rulebook.direction == COUNTER_CLOCKWISE:
        return gettext("right of the bank")
    return gettext("left of the bank")


def field_name(kind: str, place: Place, spot: str) -> str:
    """The name of a field: "wagers-4-ante", "tips-4-pair_plus", "wagers-3b-player" of the first behind seat 3."""
    return f"{kind}-{place}-{spot}"


class AnswerForm(CommandForm):
    """The answer of the seat that is offered the bank; the buttons carry it."""

    seat = forms.IntegerField(min_value=1, max_value=99, widget=forms.HiddenInput)
    answer = forms.ChoiceField(choices=Offer.Answer.choices, widget=forms.HiddenInput)
    reason = forms.CharField(
        required=False,
        max_length=200,
        label=_("Why this seat is ineligible"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": _("why, if ineligible")}),
    )


class OpenRoundForm(CommandForm):
    """The bank's wager, with which betting opens; where the house banks there is none."""

    bank_wager_cents = DollarsField(label=_("Player-dealer wager"))
    repeat_bets = forms.BooleanField(required=False, label=_("Place the last round's wagers again"))

    def build(self) -> None:
        if self.state.house_banks:
            del self.fields["bank_wager_cents"]
        super().build()

    def clean_bank_wager_cents(self) -> int:
        return _wagered(self.cleaned_data["bank_wager_cents"])


def _wagered(cents: Any) -> int:
    if cents is None:
        raise forms.ValidationError(_("The bank wagers more than nothing. Write its amount in dollars."))
    return int(cents)
