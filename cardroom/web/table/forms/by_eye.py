"""Forms of a round that is settled by eye: its wagers after the deal, and where its bank ran out."""

from __future__ import annotations

from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from cardroom.floor.places import Place, place_as_json, place_named, place_of
from cardroom.floor.reads.table_state import TableState

from ...parts.forms.command import CommandForm
from ...parts.forms.fields import DollarsField
from .bets import field_name

LATER = "later"


class LaterBetsForm(CommandForm):
    """Wagers after the deal by place; empty is not placed."""

    @classmethod
    def fits(cls, state: TableState) -> bool:
        return state.live is not None and bool(state.terms.later)

    def build(self) -> None:
        live, book = self.state.live, self.state.terms.rulebook
        assert live is not None
        placed = {place_of(bet): bet["wagers"] for bet in live.later_bets}
        self.asked: list[tuple[Place, str]] = []
        for bet in live.bets:
            place = place_of(bet)
            for wager, later in self.state.terms.later.items():
                if not bet["wagers"].get(later.of):
                    continue
                self.asked.append((place, wager))
                self.fields[field_name(LATER, place, wager)] = DollarsField(
                    required=False,
                    label=_("Seat %(place)s: %(name)s") % {"place": place, "name": book.wagers[wager].name},
                    initial=placed.get(place, {}).get(wager),
                )

    def wager_fields(self) -> list[BoundField]:
        return [self[name] for name in self.fields]

    def arguments(self) -> dict[str, Any]:
        laid: dict[Place, dict[str, int]] = {}
        for place, wager in self.asked:
            cents = self.cleaned_data.get(field_name(LATER, place, wager))
            laid.setdefault(place, {}).update({} if cents is None else {wager: cents})
        return {"positions": [{**place_as_json(place), "wagers": wagers} for place, wagers in laid.items()]}

    def field_at(self, path: str) -> str | None:
        of_place, _dot, wager = path.rpartition(".wagers.")
        places = list(dict.fromkeys(place for place, _wager in self.asked))
        index = of_place.removeprefix("positions[").removesuffix("]")
        if not index.isdecimal() or int(index) >= len(places):
            return super().field_at(path)
        return super().field_at(field_name(LATER, places[int(index)], wager))


class FinishForm(CommandForm):
    """The end of a round: the bank covered all, or ran out at a place, with what was paid, taken and returned there."""

    ran_out_at = forms.ChoiceField(required=False, label=_("The bank ran out at"))
    paid = DollarsField(required=False, label=_("Paid there"))
    taken = DollarsField(required=False, label=_("Taken there"))
    returned = DollarsField(required=False, label=_("Returned there"))

    @classmethod
    def fits(cls, state: TableState) -> bool:
        return state.live is not None

    def build(self) -> None:
        live, book = self.state.live, self.state.terms.rulebook
        assert live is not None
        laid: dict[Place, list[str]] = {}
        for wager in live.laid_in_order:
            laid.setdefault(Place(wager.seat, wager.behind), []).append(wager.spot)
        choices: list[tuple[str, Any]] = [("", _("nowhere: it covered all"))]
        for place, spots in laid.items():
            choices.append((str(place), _("seat %(number)s") % {"number": place}))
            if len(spots) > 1:
                choices += [
                    (f"{place} {spot}", f"{place}: {book.wagers[spot].name}")
                    for spot in spots
                    if spot in book.wagers
                ]
        self.fields["ran_out_at"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not cleaned.get("ran_out_at") and any(cleaned.get(name) for name in ("paid", "taken", "returned")):
            self.add_error("ran_out_at", _("Say at which seat the bank ran out."))
        return cleaned

    def arguments(self) -> dict[str, Any]:
        at, _blank, spot = self.cleaned_data["ran_out_at"].partition(" ")
        place = place_named(at)
        if place is None:
            return {"ran_out": None}
        cents = {f"{name}_cents": self.cleaned_data[name] or 0 for name in ("paid", "taken", "returned")}
        return {"ran_out": {**place_as_json(place), **({"spot": spot} if spot else {}), **cents}}

    def field_at(self, path: str) -> str | None:
        name = path.removeprefix("ran_out.").removesuffix("_cents")
        return name if name in self.fields else "ran_out_at"
