"""The form of a correction: a settled round as it is on record, to be changed to how it was played."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms.boundfield import BoundField

from cardroom.floor.commands.corrections import round_correct
from cardroom.floor.models import Round, Seating
from cardroom.floor.places import Place, place_as_json, place_in, place_of, places_of
from cardroom.floor.reads.round_names import names_of
from cardroom.floor.reads.table_state import TableState
from cardroom.floor.settling.correction_preview import Drop
from games.ran_out import read_ran_out
from games.registry import game_of

from ..parts.forms.fields import DollarsField, HandField
from ..parts.forms.signed import SignedForm, right_to_sign
from ..table.forms.bets import field_name, first_to_act
from ..table.forms.by_eye import AMOUNTS, RanOutForm
from ..table.spots import TIPS, WAGERS, late_tip_spot, tip_spots, wager_spots

_PATH = re.compile(r"positions\[(\d+)\](?:\.(wagers|tips|hand|decision|seat)(?:\.(\w+))?)?")


class CorrectionForm(RanOutForm, SignedForm):
    """Wagers, tips, cards and decisions of every player who sat there, the bank's wager, what was dropped, and why.

    Of a round that is not carded, where its bank ran out is in place of the cards.

    A seat without wagers sat out. The signature is asked for when the correction is made, not while it is looked at.
    """

    right = right_to_sign(round_correct)
    bank_wager_cents = DollarsField(label="Player-dealer wager")
    action_seat = forms.TypedChoiceField(
        required=False, coerce=int, empty_value=None, label="Action started at"
    )
    drop = forms.ChoiceField(
        label="The drop box holds",
        widget=forms.RadioSelect,
        choices=[
            (str(Drop.AS_RECORDED), "the fees as recorded"),
            (str(Drop.AS_DUE), "the fees that the corrected wagers cost"),
        ],
    )
    reason = forms.CharField(
        max_length=200, label="Reason", required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(
        self, state: TableState, data: Any = None, *, round_: Round, there: Mapping[Place, Seating]
    ) -> None:
        self.round = round_
        self.names = {place: stay.player.known_as for place, stay in there.items()}
        names = names_of(round_, [stay.player for stay in there.values()])
        self.names |= {place_of(bet): names.in_place(bet["player"]) for bet in round_.bets}
        self.places = sorted(place for place in self.names if place.seat != round_.bank_seat)
        super().__init__(state, data)

    def build(self) -> None:
        round_, terms = self.round, self.round.terms
        if round_.house_banks:
            del self.fields["bank_wager_cents"]
        else:
            self.fields["bank_wager_cents"].initial = round_.bank_wager_cents
        seats = [(seat, f"seat {seat}") for seat in range(1, terms.rulebook.seats + 1)]
        self.fields["action_seat"].choices = [("", first_to_act(terms.rulebook)), *seats]  # type: ignore[attr-defined]
        self.fields["action_seat"].initial = str(round_.action_seat or "")
        self.fields["drop"].initial = str(Drop.AS_RECORDED)
        game = game_of(round_.rulebook)
        self.wagers, self.tips = wager_spots(terms), tip_spots(terms)
        self.late_tip = None if round_.by_eye else late_tip_spot(terms)
        self.decisions, self.deal = game.decisions(terms), game.deal(terms)
        sheet: dict[str, Any] = round_.sheet or {}
        # A sheet has no places: on one spot it tells the bettors by the names that the bets have.
        places = places_of(round_.bets)
        recorded = {place_in(places, position): position for position in sheet.get("positions", round_.bets)}
        for place in self.places:
            self._add_place(place, recorded.get(place, {}))
        if not round_.by_eye:
            for hand in self.deal.hands:
                self.fields[hand.id] = HandField(
                    hand.least, hand.most, label=hand.label, required=False, initial=sheet.get(hand.id, "")
                )
            if self.deal.shown:
                self.fields["shown_card"] = HandField(
                    1, 1, label="The card that the bank showed", required=False, initial=round_.shown_card
                )
        self._add_ran_out()
        super().build()
        for name in SignedForm.base_fields:
            self.fields[name].required = False
        self.of_record = set(self.fields) - {"drop", "reason", *SignedForm.base_fields}

    def _add_ran_out(self) -> None:
        """Where the bank ran out, as it is on record; a round with cards, and the house's, has no such fields."""
        round_ = self.round
        if not round_.by_eye or round_.house_banks:
            for name in RanOutForm.base_fields:
                self.fields.pop(name, None)
            return
        laid = [spot.id for spot in round_.terms.spots]
        self.offer_places(dict.fromkeys(self.places, laid), round_.terms)
        said = None if round_.ran_out is None else read_ran_out(round_.ran_out)
        at = "" if said is None else f"{Place(said.seat, said.behind)} {said.spot}".strip()
        self.fields["ran_out_at"].initial = at
        for name in AMOUNTS:
            self.fields[name].initial = getattr(said, name, 0) or None

    @property
    def ran_out_fields(self) -> list[BoundField]:
        """The fields of where the bank ran out; none where nobody asks."""
        return [self[name] for name in RanOutForm.base_fields if name in self.fields]

    def _add_place(self, place: Place, recorded: dict[str, Any]) -> None:
        """The fields of one place, with what is on record."""
        for kind, spots in ((WAGERS, self.wagers), (TIPS, self.tips)):
            for spot in spots:
                what = f"{spot.name} tip" if kind == TIPS else spot.name
                self.fields[field_name(kind, place, spot.id)] = DollarsField(
                    required=False,
                    label=f"Seat {place}: {what}",
                    initial=(recorded.get(kind) or {}).get(spot.id),
                )
        if self.without_cards:
            return
        if self.late_tip is not None:
            self.fields[field_name(TIPS, place, self.late_tip.id)] = DollarsField(
                required=False,
                label=f"Seat {place}: tip on {self.late_tip.name.lower()}",
                initial=(recorded.get(TIPS) or {}).get(self.late_tip.id),
            )
        self.fields[f"hand-{place}"] = HandField(
            self.deal.each,
            self.deal.each,
            required=False,
            label=f"Seat {place}: cards",
            initial=recorded.get("hand") or "",
        )
        if self.decisions:
            self.fields[f"decision-{place}"] = forms.ChoiceField(
                required=False,
                choices=[(decision.id, decision.label) for decision in self.decisions],
                label=f"Seat {place}: decision",
                initial=recorded.get("decision") or self.decisions[0].id,
            )

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A row of fields for each place: wagers, tips, cards, decision."""
        return [
            {
                "seat": place,
                "player": self.names[place],
                "wagers": [self[field_name(WAGERS, place, spot.id)] for spot in self.wagers],
                "tips": self._tip_fields(place),
                "tips_open": any(bound.value() or bound.errors for _, bound in self._tip_fields(place)),
                "hand": None if self.without_cards else self[f"hand-{place}"],
                "decision": self[f"decision-{place}"] if self.decisions and not self.without_cards else None,
            }
            for place in self.places
        ]

    def _tip_fields(self, place: Place) -> list[tuple[str, BoundField]]:
        named = [(spot.name, field_name(TIPS, place, spot.id)) for spot in self.tips]
        if self.late_tip is not None:
            named.append((self.late_tip.name, field_name(TIPS, place, self.late_tip.id)))
        return [(name, self[field]) for name, field in named]

    @property
    def without_cards(self) -> bool:
        """Whether no cards are on record seat by seat: settled by eye, or a game that deals none to positions."""
        return self.round.by_eye or not self.deal.each

    @property
    def table_hand_fields(self) -> list[BoundField]:
        """The fields of the table's hands."""
        return [] if self.round.by_eye else [self[hand.id] for hand in self.deal.hands]

    @functools.cached_property
    def edited(self) -> dict[str, str]:
        """What the record has in each field that was edited, in words by the field's name."""
        changed = self.of_record & set(self.changed_data) if self.is_bound else ()
        return {name: self._recorded(self.fields[name]) for name in changed}

    @staticmethod
    def _recorded(field: forms.Field) -> str:
        if isinstance(field, forms.ChoiceField):
            return str(dict(field.choices)[field.initial])  # type: ignore[arg-type]  # plain choices, in no groups
        return str(field.prepare_value(field.initial) or "nothing")

    def record(self) -> dict[str, Any]:
        """The round as it is typed: the arguments of a correction without reason and signature."""
        return {
            "bank_wager_cents": self.cleaned_data.get("bank_wager_cents"),
            "action_seat": self.cleaned_data["action_seat"],
            "hands": {hand.id: self.cleaned_data.get(hand.id, "") for hand in self.deal.hands},
            "positions": [self._position(place) for place in self._played()],
            "drop": self.cleaned_data["drop"],
            "shown_card": self.cleaned_data.get("shown_card"),
            **self._said_ran_out(),
        }

    def _said_ran_out(self) -> dict[str, Any]:
        if "ran_out_at" not in self.fields:
            return {}
        said = self.ran_out()
        return {"ran_out": said, "covered_all": said is None}

    def arguments(self) -> dict[str, Any]:
        return {
            **self.record(),
            "round_id": self.round.pk,
            "reason": self.cleaned_data["reason"],
            "approver": self.signature(),
        }

    def field_at(self, path: str) -> str | None:
        match = _PATH.match(path)
        if match is None:
            return super().field_at(path)
        played = self._played()
        if int(match[1]) >= len(played):
            return None
        place, part, spot = played[int(match[1])], match[2] or "hand", match[3]
        first = self.wagers[0].id
        name = field_name(part, place, spot or first) if part in (WAGERS, TIPS) else f"{part}-{place}"
        return name if name in self.fields else field_name(WAGERS, place, first)

    def _played(self) -> list[Place]:
        """Places at which something lay."""
        return [
            place
            for place in self.places
            if any(self.cleaned_data.get(field_name(WAGERS, place, spot.id)) for spot in self.wagers)
            or any(self.cleaned_data.get(bound.name) for _, bound in self._tip_fields(place))
        ]

    def _position(self, place: Place) -> dict[str, Any]:
        tips = [*(spot.id for spot in self.tips), *([self.late_tip.id] if self.late_tip is not None else [])]
        position: dict[str, Any] = {
            **place_as_json(place),
            WAGERS: self._placed(WAGERS, place, [spot.id for spot in self.wagers]),
            TIPS: self._placed(TIPS, place, tips),
        }
        if not self.without_cards:
            position["hand"] = self.cleaned_data[f"hand-{place}"] or None
            # Bonus wagers alone need no decision, and a seat that placed no main wager has none on record.
            if self.decisions and any(spot.main and spot.id in position[WAGERS] for spot in self.wagers):
                position["decision"] = self.cleaned_data[f"decision-{place}"] or self.decisions[0].id
        return position

    def _placed(self, kind: str, place: Place, spots: list[str]) -> dict[str, int]:
        amounts = {spot: self.cleaned_data.get(field_name(kind, place, spot)) for spot in spots}
        return {spot: cents for spot, cents in amounts.items() if cents}
