"""The form of a round's cards and decisions: every hand in one form, laid out by seat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from cardroom.floor.places import place_as_json, place_of
from cardroom.floor.reads.table_state import TableState
from games.game import TableHand
from games.points import Decision, gone_on, present_point

from ...parts.forms.command import CommandForm
from ...parts.forms.fields import DollarsField, HandField
from ...parts.languages import stored
from ..spots import TIPS, WAGERS, late_tip_spot, takes_late_tip

_PATH = re.compile(r"positions\[(\d+)\](?:\.(hand|decision|tips))?")


def in_time(decisions: Sequence[Decision]) -> list[Decision]:
    """Decisions as their points come: one that is made earlier is a shorter path."""
    return sorted(decisions, key=lambda decision: decision.id.count(" "))


class HandsForm(CommandForm):
    """The bank's hand, and a hand and a decision for each seat with wagers; each plays unless they fold.

    Bettors behind a seat have its hand and its decision. A hand that folds needs no cards where no wager of its seat depends on them.
    """

    step = "step"

    @classmethod
    def fits(cls, state: TableState) -> bool:
        return state.live is not None

    def build(self) -> None:
        live = self.state.live
        assert live is not None  # the form exists while a round is in play
        self.bets = live.bets
        self.deal = self.state.game.deal(self.state.terms)
        for hand in self.deal.hands:
            self.fields[hand.id] = HandField(hand.least, hand.most, label=stored(hand.label))
        if self.deal.shown and self.deal.bank_hand is not None:
            self.fields[self.deal.bank_hand.id].initial = live.shown_card
        if self.deal.board is not None:
            self.fields[self.deal.board.id].initial = live.board
        self.decisions = self.state.game.decisions(self.state.terms)
        self.points = self.state.game.points(self.state.terms)
        self.now = present_point(self.points, len(live.board.split())) if self.points else 0
        self.late_tip = late_tip_spot(self.state.terms)
        self.given_up = self.state.game.given_up(self.state.terms)
        self.at_seat: dict[int, list[dict[str, Any]]] = {}
        for bet in self.bets if self.deal.each else ():
            self.at_seat.setdefault(bet["seat"], []).append(bet)
        for seat, (first, *_behind) in self.at_seat.items():
            self.fields[f"hand-{seat}"] = HandField(
                self.deal.each,
                self.deal.each,
                label=_("Cards of seat %(number)s") % {"number": seat},
                required=not self.folds_unseen(seat),
            )
            if self.decisions:
                self.fields[f"decision-{seat}"] = forms.ChoiceField(
                    choices=[
                        (decision.id, stored(decision.label)) for decision in in_time(self.open_to(seat))
                    ],
                    initial=live.decided.get(str(seat)) or self.open_to(seat)[0].id,
                    widget=forms.RadioSelect,
                    label=_("Decision of seat %(number)s") % {"number": seat},
                )
            if self.late_tip is not None and takes_late_tip(self.state.terms, first):
                self.fields[f"tip-{seat}"] = DollarsField(
                    required=False,
                    label=_("Seat %(place)s: %(name)s")
                    % {"place": seat, "name": _("%(name)s tip") % {"name": self.late_tip.name}},
                )

    def open_to(self, seat: int) -> list[Decision]:
        """The decisions that a seat still has, the usual one first: those that go on from what it decided at earlier points."""
        assert self.state.live is not None
        made = gone_on(self.points, self.now, self.state.live.decided.get(str(seat), "")).split()[: self.now]
        return [each for each in self.decisions if each.id.split()[: len(made)] == made]

    @property
    def later(self) -> list[str]:
        """The decisions of points that have not come yet."""
        return [each.id for each in self.decisions if each.id.count(" ") > self.now]

    def folds_unseen(self, seat: int) -> bool:
        """Whether a fold of `seat` asks for no cards: no wager that lies there depends on them."""
        game, terms = self.state.game, self.state.terms
        bets = self.at_seat.get(seat, [{WAGERS: {}}])
        return any(
            all(game.shows_no_cards(terms, bet[WAGERS], decision) for bet in bets)
            for decision in self.given_up
        )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for seat in self.at_seat:
            if cleaned.get(f"hand-{seat}") or self.has_error(f"hand-{seat}"):
                continue
            if cleaned.get(f"decision-{seat}") not in self.given_up:
                self.add_error(
                    f"hand-{seat}",
                    _("Cards of seat %(number)s: the cards of a hand that plays are required.")
                    % {"number": seat},
                )
        return cleaned

    def hand_field(self, seat: int) -> BoundField | None:
        """The cards of a seat; of the bank's seat where the bank has the one hand of the table."""
        if self.bank_seat is not None and seat == self.bank_seat:
            bank = self.deal.bank_hand if self.deal.each else None
            return None if bank is None else self[bank.id]
        return self._field(f"hand-{seat}")

    def table_hand_fields(self) -> list[tuple[TableHand, BoundField]]:
        """The hands that lie before no seat, for the page to ask for apart: not the bank's, where it lies at its seat."""
        at_a_seat = self.deal.bank_hand if self.deal.each and self.bank_seat is not None else None
        return [(hand, self[hand.id]) for hand in self.deal.hands if hand != at_a_seat]

    def decision_field(self, seat: int) -> BoundField | None:
        return self._field(f"decision-{seat}")

    def tip_field(self, seat: int) -> BoundField | None:
        """The tip that comes with the decision, where the seat may place one."""
        return self._field(f"tip-{seat}")

    @property
    def bank_seat(self) -> int | None:
        assert self.state.live is not None
        return self.state.live.bank_seat

    def arguments(self) -> dict[str, Any]:
        positions = []
        for bet in self.bets if self.deal.each else ():
            seat = bet["seat"]
            tip = self.cleaned_data.get(f"tip-{seat}") if bet is self.at_seat[seat][0] else None
            positions.append(
                {
                    **place_as_json(place_of(bet)),
                    "hand": self.cleaned_data[f"hand-{seat}"] or None,
                    **({"decision": self.cleaned_data[f"decision-{seat}"]} if self.decisions else {}),
                    "tips": {} if tip is None or self.late_tip is None else {self.late_tip.id: tip},
                }
            )
        return {
            "hands": {hand.id: self.cleaned_data[hand.id] for hand in self.deal.hands},
            "positions": positions,
        }

    def field_at(self, path: str) -> str | None:
        match = _PATH.match(path)
        if match is None:
            return super().field_at(path)
        index = int(match[1])
        if index >= len(self.bets):
            return None
        part = {TIPS: "tip", "decision": "decision"}.get(match[2], "hand")
        name = f"{part}-{self.bets[index]['seat']}"
        return name if name in self.fields else f"hand-{self.bets[index]['seat']}"

    def _field(self, name: str) -> BoundField | None:
        return self[name] if name in self.fields else None
