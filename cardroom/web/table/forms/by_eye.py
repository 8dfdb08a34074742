"""Forms of a round that is settled by eye: its wagers after the deal, and where its bank ran out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from cardroom.floor.places import Place, place_as_json, place_named, place_of
from cardroom.floor.reads.table_state import TableState
from games.terms import Terms

from ...parts.forms.command import CommandForm
from ...parts.forms.fields import DollarsField
from .bets import field_name

LATER = "later"
#: What is said of the place at which a bank ran out, in the order of the fields.
AMOUNTS = ("paid", "taken", "returned")


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


class RanOutForm(CommandForm):
    """Where a bank ran out, or nowhere: the place, or one wager there, with what was paid, taken and returned."""

    ran_out_at = forms.ChoiceField(required=False, label=_("The bank ran out at"))
    paid = DollarsField(required=False, label=_("Paid there"))
    taken = DollarsField(required=False, label=_("Taken there"))
    returned = DollarsField(required=False, label=_("Returned there"))

    def offer_places(self, laid: Mapping[Place, Sequence[str]], terms: Terms) -> None:
        """Let the bank have run out at one of these places, on one of the wagers there, by id."""
        wagers = terms.rulebook.wagers
        choices: list[tuple[str, Any]] = [("", _("nowhere: it covered all"))]
        for place, spots in laid.items():
            choices.append((str(place), _("seat %(number)s") % {"number": place}))
            if len(spots) > 1 or terms.later:
                choices += [
                    (f"{place} {spot}", f"{place}: {wagers[spot].name}") for spot in spots if spot in wagers
                ]
        self.fields["ran_out_at"].choices = choices  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not cleaned.get("ran_out_at") and any(cleaned.get(name) for name in AMOUNTS):
            self.add_error("ran_out_at", _("Say at which seat the bank ran out."))
        return cleaned

    def ran_out(self) -> dict[str, Any] | None:
        """Where the bank ran out, as commands take it; None where it covered all."""
        at, _blank, spot = self.cleaned_data["ran_out_at"].partition(" ")
        place = place_named(at)
        if place is None:
            return None
        cents = {f"{name}_cents": self.cleaned_data[name] or 0 for name in AMOUNTS}
        return {**place_as_json(place), **({"spot": spot} if spot else {}), **cents}

    def field_at(self, path: str) -> str | None:
        if not path.startswith("ran_out"):
            return super().field_at(path)
        name = path.removeprefix("ran_out.").removesuffix("_cents")
        return name if name in self.fields else "ran_out_at"


class FinishForm(RanOutForm):
    """The end of a round: the bank covered all, or ran out at a place."""

    @classmethod
    def fits(cls, state: TableState) -> bool:
        return state.live is not None

    def build(self) -> None:
        assert self.state.live is not None
        laid: dict[Place, list[str]] = {}
        for wager in self.state.live.laid_in_order:
            laid.setdefault(Place(wager.seat, wager.behind), []).append(wager.spot)
        self.offer_places(laid, self.state.terms)

    def arguments(self) -> dict[str, Any]:
        return {"ran_out": self.ran_out()}
