"""Template context of the seats: clockwise around the house dealer, and what each shows in the present phase."""

from __future__ import annotations

import dataclasses
import datetime
from typing import Any

from django.forms.boundfield import BoundField

from cardroom.floor.checks.seats import why_not_leave
from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Offer, Round
from cardroom.floor.places import Place, place_of
from cardroom.floor.reads.bets import bets_to_repeat
from cardroom.floor.reads.offers import OffersAhead
from cardroom.floor.reads.table_record import EligibilityState, eligibility_at
from cardroom.floor.reads.table_state import TableState
from games.phrases import Phrase

from ..parts.access import Permissions
from ..parts.forms.command import CommandForm
from ..parts.languages import translated
from .commands import COMMANDS
from .forms.bets import BetsForm
from .forms.hands import HandsForm
from .round_totals import RoundTotals
from .settlement_view import SeatSettlement, SettlementView, VoidView
from .spots import TIPS, WAGERS, Spot, laid_spots, spot_name

#: So many spots have room for their names beside each other.
ROOMY_SPOTS = 4


_ANSWERS = {
    Offer.Answer.ACCEPTED: Phrase("accepted"),
    Offer.Answer.DECLINED: Phrase("declined"),
    Offer.Answer.ABSENT: Phrase("absent"),
    Offer.Answer.INELIGIBLE: Phrase("ineligible"),
}
#: Whoever may no longer play here.
_OUT = Phrase("plays no more")


@dataclasses.dataclass
class Seat:
    """One seat, or one bettor on the back line of its spot. `wagers` are its spots with what lies there (cents, 0 for nothing), `tips_cents` the tips beside them.

    Between rounds, with `repeats`, they are those of the last round that betting opens with again, and with `ended` those of one that
    was settled by eye and stays on show. `later` are the wagers after the deal: their names and cents. `bets` or `hands` is
    the form whose fields are at this seat, where there is one to fill in. `worst_cents` is the most that the bank may
    have to pay here; `eligibility` is whether the bank may be offered here by what was wagered, and `place_in_order` which
    seat this is in the run of offers, from 1; `declined_before` are the seats that decline before this one may take the
    bank; `back_line` are the bettors behind it; `held_until` is until when the seat is held for its player; `guest` is the id of a
    player whom the room does not know by name yet; `settlement` and `net_cents` are of the settlement on show.
    """

    place: Place
    player: str
    is_bank: bool
    is_asked: bool
    answer: str
    wagers: list[tuple[Spot, int]]
    tips_cents: int
    repeats: bool = False
    ended: bool = False
    later: list[tuple[str, int]] = dataclasses.field(default_factory=list)
    bets: BetsForm | None = None
    hands: HandsForm | None = None
    worst_cents: int = 0
    settlement: SeatSettlement | None = None
    net_cents: int | None = None
    declined_before: list[int] = dataclasses.field(default_factory=list)
    back_line: list[Seat] = dataclasses.field(default_factory=list)
    why_not_leave: WhyNot | None = None
    why_not_seat: WhyNot | None = None
    eligibility: EligibilityState | None = None
    place_in_order: int | None = None
    held_until: datetime.datetime | None = None
    guest: int | None = None

    @property
    def number(self) -> str:
        """What it is called: "3", or "3b" for the first bettor behind seat 3."""
        return str(self.place)

    @property
    def has_bets(self) -> bool:
        """Whether wagers are placed at this seat, in the form."""
        return self.bets is not None and self.place in self.bets.places

    @property
    def wagered_cents(self) -> int:
        """All that lies there, tips aside."""
        return sum(cents for _, cents in self.wagers)

    @property
    def plays(self) -> bool:
        """Whether wagers lie at this seat."""
        return any(cents for _, cents in self.wagers)

    @property
    def is_crowded(self) -> bool:
        """Whether the spots of a seat need the briefest names."""
        return len(self.wagers) > ROOMY_SPOTS

    @property
    def has_hand(self) -> bool:
        """Whether this seat shows cards in the round in play: the bank's, or one with wagers."""
        return self.hands is not None and (self.is_bank or self.plays) and self.hand_field is not None

    @property
    def folds_unseen(self) -> bool:
        """Whether this seat needs to show no cards once it folds: no wager of it depends on them."""
        return (
            self.has_hand
            and not self.is_bank
            and self.hands is not None
            and self.hands.folds_unseen(self.place.seat)
        )

    @property
    def is_wrong(self) -> bool:
        """Whether something typed for this seat was refused."""
        form = self.bets or self.hands
        if form is None:
            return False
        names = [field.name for _, field in self.wager_fields + self.tip_fields] if self.has_bets else []
        names += [field.name for field in self.dealt_fields] if self.has_hand else []
        return any(name in form.errors for name in names)

    @property
    def wager_fields(self) -> list[tuple[str, BoundField]]:
        assert self.bets is not None
        return self.bets.wager_fields(self.place)

    @property
    def tip_fields(self) -> list[tuple[str, BoundField]]:
        assert self.bets is not None
        return self.bets.tip_fields(self.place)

    @property
    def tips_open(self) -> bool:
        assert self.bets is not None
        return self.bets.tips_open(self.place)

    @property
    def hand_field(self) -> BoundField | None:
        assert self.hands is not None
        return self.hands.hand_field(self.place.seat)

    @property
    def decision_field(self) -> BoundField | None:
        assert self.hands is not None
        return self.hands.decision_field(self.place.seat)

    @property
    def late_tip_field(self) -> BoundField | None:
        assert self.hands is not None
        return self.hands.tip_field(self.place.seat)

    @property
    def dealt_fields(self) -> list[BoundField]:
        """Every field of the seat's cards."""
        return [
            field
            for field in (self.hand_field, self.decision_field, self.late_tip_field)
            if field is not None
        ]


def seats_of(
    state: TableState,
    permissions: Permissions,
    form: CommandForm | None,
    totals: RoundTotals | None,
    view: SettlementView | VoidView | None,
    *,
    offers: OffersAhead | None,
    ended: Round | None = None,
) -> list[Seat]:
    """Return the seats in order, with the fields of `form` where it is laid out by seat.

    With a `view` they show the round that was settled or voided, not the table's present state; with `ended`, a round that was
    settled by eye, the wagers of it, as far as none repeat.
    """
    live = None if view else state.live
    repeating = [] if live or view else _repeating(state)
    over = None if repeating or live or view else ended
    lies = live.bets if live else over.bets if over else repeating
    placed = {place_of(bet): bet for bet in lies}
    later = _later(live or over)
    settlements = {seat.place: seat for seat in view.seats} if view else {}
    nets = view.net_by_place if view else {}
    worst = totals.worst_by_place if totals else {}
    spots = laid_spots(state.terms)
    answers = {offer.seat: translated(_ANSWERS[Offer.Answer(offer.answer)]) for offer in state.offers}
    bank_seat = (
        view.bank_seat if view else live.bank_seat if live else state.turn.seat if state.turn else None
    )
    may_not_leave = COMMANDS["leave"].why_not(state, permissions)
    may_not_seat = COMMANDS["seat"].why_not(state, permissions)
    order = [] if offers is None else offers.seats
    seats = []
    there = state.places
    at_seats = [Place(number) for number in range(1, state.rulebook.seats + 1)]
    for place in sorted({*at_seats, *state.behind}):
        sitting, bet = there.get(place), placed.get(place, {})
        if over is not None and (sitting is None or bet.get("player") != sitting.player.ref):
            bet = {}  # who wagered there has left
        at_seat = not place.behind
        seats.append(
            Seat(
                place=place,
                player=sitting.player.known_as if sitting else "",
                is_bank=at_seat and place.seat == bank_seat and sitting is not None,
                is_asked=at_seat and order[:1] == [place.seat],
                answer=translated(_OUT)
                if sitting is not None and not sitting.player.may_play(state.now)
                else answers.get(place.seat, "")
                if at_seat and live is None and (view is None or offers is not None)
                else "",
                wagers=[(spot, bet.get(WAGERS, {}).get(spot.id, 0)) for spot in spots],
                tips_cents=sum((bet.get(TIPS) or {}).values()),
                repeats=over is None and live is None and bool(bet),
                ended=over is not None and bool(bet),
                later=later.get(place, []) if bet else [],
                bets=form if isinstance(form, BetsForm) else None,
                hands=form if isinstance(form, HandsForm) else None,
                worst_cents=worst.get(place, 0),
                settlement=settlements.get(place),
                net_cents=nets.get(place),
                declined_before=order[: order.index(place.seat)] if at_seat and place.seat in order else [],
                why_not_leave=(may_not_leave or why_not_leave(state, place)) if sitting else None,
                why_not_seat=may_not_seat if sitting is None else None,
                eligibility=eligibility_at(state, place.seat)
                if at_seat and live is None and (view is None or offers is not None)
                else None,
                guest=sitting.player_id if sitting is not None and sitting.player.is_guest else None,
                held_until=None if sitting is None else sitting.held_until,
                place_in_order=order.index(place.seat) + 1 if at_seat and place.seat in order else None,
            )
        )
    at_seat_number = {seat.place.seat: seat for seat in seats if not seat.place.behind}
    for seat in seats:
        if seat.place.behind:
            at_seat_number[seat.place.seat].back_line.append(seat)
    return seats


def _later(round_: Round | None) -> dict[Place, list[tuple[str, int]]]:
    """The wagers after the deal of a round, by place: how each is called on the layout, and its cents."""
    if round_ is None:
        return {}
    return {
        place_of(bet): [(spot_name(round_.book, wager), cents) for wager, cents in bet[WAGERS].items()]
        for bet in round_.later_bets
    }


def _repeating(state: TableState) -> list[dict[str, Any]]:
    """The wagers filled in for the next round, once it is known who banks it."""
    return [] if state.turn is None or state.step.kind != "keep" else bets_to_repeat(state, state.turn.seat)
