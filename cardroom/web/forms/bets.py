"""The form of a round's wagers: every seat in one form, laid out by seat."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from cardroom.floor.reads.bets import bets_to_repeat
from cardroom.floor.reads.table_reading import TableReading

from ..spots import TIPS, WAGERS, tip_spots, wager_spots
from .command import CommandForm
from .fields import DollarsField

_PATH = re.compile(r"positions\[(\d+)\](?:\.(wagers|tips)(?:\.(\w+))?)?")


class BetsForm(CommandForm):
    """Wagers and tips by seat. Empty is not placed; a seat without any sits out."""

    step = "step"

    @classmethod
    def fits(cls, reading: TableReading) -> bool:
        return reading.live is not None

    def build(self) -> None:
        live = self.reading.live
        assert live is not None  # the form exists while a round is open
        placed = {bet["seat"]: bet for bet in live.bets}
        self.seats = [seat for seat in sorted(self.reading.seatings) if seat != live.bank_seat]
        self.wagers = wager_spots(self.reading.terms)
        self.tips = tip_spots(self.reading.terms)
        for seat in self.seats:
            bet = placed.get(seat, {})
            for kind, spots in ((WAGERS, self.wagers), (TIPS, self.tips)):
                for spot in spots:
                    name = f"{spot.name} tip" if kind == TIPS else spot.name
                    field = DollarsField(
                        required=False, label=f"Seat {seat}: {name}", initial=bet.get(kind, {}).get(spot.id)
                    )
                    field.widget.attrs["placeholder"] = "–"
                    self.fields[field_name(kind, seat, spot.id)] = field

    def wager_fields(self, seat: int) -> list[tuple[str, BoundField]]:
        """The fields of a seat's wagers, each under the short name of its spot."""
        return [(spot.name, self[field_name(WAGERS, seat, spot.id)]) for spot in self.wagers]

    def tip_fields(self, seat: int) -> list[tuple[str, BoundField]]:
        """The fields of a seat's tips, the same way."""
        return [(spot.name, self[field_name(TIPS, seat, spot.id)]) for spot in self.tips]

    def tips_open(self, seat: int) -> bool:
        """Whether the seat's tips are unfolded: something is in them, or wrong with them."""
        return any(bound.value() or bound.errors for _, bound in self.tip_fields(seat))

    def bets(self) -> list[dict[str, Any]]:
        """What was typed, a bet a seat as the services take it, from valid input; empty ones too."""
        return [
            {
                "seat": seat,
                **{
                    kind: {
                        spot.id: cents
                        for spot in spots
                        if (cents := self.cleaned_data.get(field_name(kind, seat, spot.id))) is not None
                    }
                    for kind, spots in ((WAGERS, self.wagers), (TIPS, self.tips))
                },
            }
            for seat in self.seats
        ]

    def changed_bets(self) -> list[dict[str, Any]]:
        """Those of the bets that differ from what lies on the table."""
        live = self.reading.live
        assert live is not None
        placed = {bet["seat"]: (bet["wagers"], bet.get("tips") or {}) for bet in live.bets}
        return [
            bet for bet in self.bets() if (bet["wagers"], bet["tips"]) != placed.get(bet["seat"], ({}, {}))
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
        name = field_name(match[2] or WAGERS, sent[index]["seat"], match[3] or self.wagers[0].id)
        return name if name in self.fields else None


class RepeatForm(CommandForm):
    """Last round's wagers again, for each player who still sits there; tips that lie there already stay."""

    @classmethod
    def fits(cls, reading: TableReading) -> bool:
        return reading.live is not None

    def arguments(self) -> dict[str, Any]:
        live = self.reading.live
        assert live is not None
        placed = {bet["seat"]: bet.get(TIPS) or {} for bet in live.bets}
        return {
            "positions": [
                {
                    "seat": bet["seat"],
                    WAGERS: bet[WAGERS],
                    TIPS: {
                        spot: cents
                        for spot, cents in placed.get(bet["seat"], {}).items()
                        if spot in bet[WAGERS]
                    },
                }
                for bet in bets_to_repeat(self.reading, live.bank_seat)
            ]
        }


class CloseForm(CommandForm):
    """The call of "no more bets": where settling starts, and the drop that the button showed when pressed."""

    step = "step"

    action_seat = forms.TypedChoiceField(
        required=False, coerce=int, empty_value=None, label="Action starts at"
    )
    quoted_cents = forms.IntegerField(required=False, min_value=0, max_value=10**15, widget=forms.HiddenInput)

    @classmethod
    def fits(cls, reading: TableReading) -> bool:
        return reading.live is not None

    def build(self) -> None:
        seats = [(seat, f"seat {seat}") for seat in range(1, self.reading.rulebook.seats + 1)]
        self.fields["action_seat"].choices = [("", "left of the bank"), *seats]  # type: ignore[attr-defined]

    def arguments(self) -> dict[str, Any]:
        return {"action_seat": self.cleaned_data["action_seat"]}


def field_name(kind: str, seat: int, spot: str) -> str:
    """The name of a field: "wagers-4-ante", "tips-4-pair_plus"."""
    return f"{kind}-{seat}-{spot}"
