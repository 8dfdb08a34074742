"""The felt: seats as they lie clockwise around the house dealer, and what each shows in the present phase."""

from __future__ import annotations

import dataclasses

from django.forms.boundfield import BoundField

from cardroom.floor.checks import why_not_leave
from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Offer
from cardroom.floor.selectors.views import TableView

from .access import Powers
from .acts import ACTS
from .forms.bets import BetsForm
from .forms.command import CommandForm
from .forms.hands import HandsForm
from .spots import TIPS, WAGERS, spot_name


@dataclasses.dataclass
class Seat:
    """One seat. `wagers` are what lies there (name, cents), `tips_cents` what is bet for the dealer beside them.

    `bets` or `hands` is the form whose fields stand at this seat, where there is one to fill in.
    """

    number: int
    player: str
    is_bank: bool
    is_asked: bool
    answer: str
    wagers: list[tuple[str, int]]
    tips_cents: int
    bets: BetsForm | None = None
    hands: HandsForm | None = None
    why_not_leave: WhyNot | None = None
    why_not_seat: WhyNot | None = None

    @property
    def has_bets(self) -> bool:
        """Whether wagers are placed at this seat, in the form."""
        return self.bets is not None and self.number in self.bets.seats

    @property
    def has_hand(self) -> bool:
        """Whether this seat shows cards in the round in play: the bank's, or one with wagers."""
        return self.hands is not None and (self.is_bank or bool(self.wagers))

    @property
    def wager_fields(self) -> list[tuple[str, BoundField]]:
        assert self.bets is not None
        return self.bets.wager_fields(self.number)

    @property
    def tip_fields(self) -> list[tuple[str, BoundField]]:
        assert self.bets is not None
        return self.bets.tip_fields(self.number)

    @property
    def tips_open(self) -> bool:
        assert self.bets is not None
        return self.bets.tips_open(self.number)

    @property
    def hand_field(self) -> BoundField:
        assert self.hands is not None
        return self.hands.hand_field(self.number)

    @property
    def decision_field(self) -> BoundField | None:
        assert self.hands is not None
        return self.hands.decision_field(self.number)

    @property
    def play_tip_field(self) -> BoundField | None:
        assert self.hands is not None
        return self.hands.tip_field(self.number)

    @property
    def dealt_fields(self) -> list[BoundField]:
        """Every field of the seat's cards."""
        return [
            field
            for field in (self.hand_field, self.decision_field, self.play_tip_field)
            if field is not None
        ]


def seats_of(view: TableView, powers: Powers, form: CommandForm | None) -> list[Seat]:
    """Return the seats in order, with the fields of `form` where it is laid out on the felt."""
    live, step = view.live, view.step
    placed = {bet["seat"]: bet for bet in live.bets} if live else {}
    answers = {offer.seat: Offer.Answer(offer.answer).label for offer in view.offers}
    bank_seat = live.bank_seat if live else view.turn.seat if view.turn else None
    may_not_leave = ACTS["leave"].why_not(view, powers)
    may_not_seat = ACTS["seat"].why_not(view, powers)
    seats = []
    for number in range(1, view.rulebook.seats + 1):
        sitting, bet = view.seatings.get(number), placed.get(number, {})
        seats.append(
            Seat(
                number=number,
                player=sitting.player.name if sitting else "",
                is_bank=number == bank_seat and sitting is not None,
                is_asked=live is None and step.kind == "offer" and step.seat == number,
                answer=answers.get(number, "") if live is None else "",
                wagers=[
                    (spot_name(view.table.rulebook, w), cents) for w, cents in bet.get(WAGERS, {}).items()
                ],
                tips_cents=sum((bet.get(TIPS) or {}).values()),
                bets=form if isinstance(form, BetsForm) else None,
                hands=form if isinstance(form, HandsForm) else None,
                why_not_leave=(may_not_leave or why_not_leave(view, number)) if sitting else None,
                why_not_seat=may_not_seat if sitting is None else None,
            )
        )
    return seats
