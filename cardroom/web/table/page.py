"""Template context of the table page: which phase the table is in, the one next step, and all else that may be done there."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

from django.forms import HiddenInput
from django.forms.boundfield import BoundField
from django.utils import timezone
from django.utils.translation import gettext as _

from cardroom.core import commands as declared
from cardroom.core.json_types import Signature
from cardroom.filings.models import FeeSchedule, GameFiling
from cardroom.filings.selectors import in_force
from cardroom.floor.checks import why_not
from cardroom.floor.checks.bank import why_not_bank
from cardroom.floor.checks.procedures import shown_card_due, why_no_shown_card
from cardroom.floor.checks.racks import why_nobody_takes_over, why_not_close_rack, why_not_open_rack
from cardroom.floor.checks.undo import TAKE_BACK
from cardroom.floor.commands.rounds import fees_go_back
from cardroom.floor.commands.wins import another_confirms, win_signers
from cardroom.floor.errors import WhyNot
from cardroom.floor.models import Round, Table
from cardroom.floor.places import Place
from cardroom.floor.reads.bets import bets_to_repeat, last_bank_wager
from cardroom.floor.reads.meters import MeterSeen, format_tables, meter_seen
from cardroom.floor.reads.offers import OffersAhead, offers_ahead
from cardroom.floor.reads.past_day import day_of_play
from cardroom.floor.reads.racks import rack_counted
from cardroom.floor.reads.rotation import rotation_window
from cardroom.floor.reads.round_names import names_of
from cardroom.floor.reads.table_record import decision_order, round_table
from cardroom.floor.reads.table_state import TableState, last_ended
from cardroom.floor.reads.waiting import Waiting, waiting_at
from cardroom.people.rights import Right
from games.game import Deal, TableHand
from games.phrases import Phrase
from games.points import Point, present_point
from games.rotation.eligibility import terms_asked
from games.rotation.offers import seat_after, way_round
from games.rotation.window import Window
from games.rulebook import CLOCKWISE

from ..parts.access import Permissions
from ..parts.cards import Face, faces_of, typed_example
from ..parts.forms.command import CommandForm
from ..parts.forms.declared import DeclaredForm
from ..parts.forms.signed import SupervisedForm
from ..parts.languages import translated
from ..procedures.reminders import Procedures, procedures_of
from .commands import COMMANDS, FailedCommand, PageCommand, menu_of
from .forms.bets import BetsForm, CloseForm, OpenRoundForm, first_to_act
from .forms.hands import HandsForm
from .forms.racks import RackCountForm
from .forms.seats import dealers_offered
from .forms.voids import VoidForm
from .phases import NEXT, TYPED, Phase, phase_of
from .round_totals import RoundTotals, totals_fixed, totals_typed
from .seats import Seat, seats_of
from .settlement_view import SettlementView, VoidView, settlement_view_of, void_view_of
from .spots import ran_out_at

#: What else may be done, in the order of the page; other commands of this menu come after.
OTHERS = (
    *(
        "seat",
        "back-line",
        "bank-wager",
        "override-expiry",
        "give-up",
        "ask-again",
        "waive",
        "time-some",
        "time-back",
    ),
    *("dealer", "dealer-off", "void", "settings", "close"),
)
#: What is done with a provider's rack, in the order of its seat's panel, each with what says whether it may be done there.
_RACKS = {
    "rack-hand-over": why_nobody_takes_over,
    "rack-opening": why_not_open_rack,
    "rack-closing": why_not_close_rack,
}
#: Why a command has no place there at all: the table's schedule or its game does not know it.
_NOT_HERE = frozenset({"no_waiver_rule", "no_time", "house_banks", "player_banked", "no_back_line"})


@dataclasses.dataclass(frozen=True)
class Other:
    """A command beside the next step: its form where it may be given, else why not. `open`: it was just refused."""

    command: PageCommand
    title: str
    form: CommandForm | None
    why_not: WhyNot | None
    open: bool


@dataclasses.dataclass(frozen=True)
class WaitingAnswer:
    """Something that waits at the table, with the command that answers it and its form for whoever may answer it.

    One that is answered on a page of its own has neither.
    """

    waiting: Waiting
    command: PageCommand | None = None
    form: CommandForm | None = None


@dataclasses.dataclass
class TablePage:
    """Everything the table page shows.

    `why_not` greys the next step; `offers` are the ones that lie ahead, while the bank is offered; `totals` are of the
    round in play; `settlement_view` is the settlement that is on show, `void_view` what a void round gives back, `ended` the round that was
    settled by eye and stays on show.
    """

    state: TableState
    permissions: Permissions
    phase: Phase
    seats: list[Seat]
    why_not: WhyNot | None
    form: CommandForm | None
    close_form: CloseForm | None
    offers: OffersAhead | None
    totals: RoundTotals | None
    can_repeat: bool
    others: list[Other]
    undo: Other
    procedures: Procedures
    failed: FailedCommand | None
    settlement_view: SettlementView | None
    ended: Round | None
    void_view: VoidView | None
    shown: Round | None
    may_seat: bool

    @property
    def table(self) -> Table:
        return self.state.table

    @functools.cached_property
    def answers(self) -> list[WaitingAnswer]:
        """What waits for a user at the table, with the form that answers it; one that was refused keeps what was typed."""
        return [
            _answer(each, self.state, self.permissions, self.failed)
            for each in waiting_at([self.table.pk])[self.table.pk]
        ]

    @functools.cached_property
    def racks(self) -> dict[str, list[Other]]:
        """What may be done with the rack of each provider's player, by the name of the seat; nothing for whoever seats nobody."""
        if not self.may_seat or self.phase == Phase.CARDS:
            return {}
        return {
            str(Place(seat)): _racks_of(seat, self.state, self.permissions, self.failed)
            for seat, sitting in self.state.seatings.items()
            if sitting.player.provider_id is not None
        }

    @property
    def rack_refused(self) -> str:
        """The name of the seat at whose rack a command was refused; its panel opens again."""
        return next((seat for seat, racks in self.racks.items() if any(rack.open for rack in racks)), "")

    @property
    def felt(self) -> Phase:
        """The phase that the felt shows: that of the settlement, or of what goes back, while one is on show."""
        return Phase.SETTLED if self.settlement_view or self.void_view else self.phase

    @property
    def void_ahead(self) -> VoidView | None:
        """What a void of the round in play would give back; None before anything lies there."""
        live = self.state.live
        if live is None or not live.bets:
            return None
        names_of(live, self.state.players)
        return void_view_of(live, fees_back=fees_go_back(live, self.table.room))

    @property
    def declining_is_usual(self) -> bool:
        """Whether all decline as a rule, and the same banker goes on: a provider's, or one who did so before."""
        turn = self.state.turn
        if turn is None or self.offers is None or self.offers.renews is None:
            return False
        return turn.renewed or turn.player.provider_id is not None

    @property
    def deals_by_card(self) -> bool:
        """Whether the first card that is entered records the deal."""
        return self.phase == Phase.DROPPED and self.why_not is None and not self.by_eye

    @property
    def shows_card(self) -> bool:
        """Whether the first card is the one that the bank shows."""
        return why_no_shown_card(self.state) is None

    @property
    def by_eye(self) -> bool:
        """Whether the round in play is settled without its cards."""
        return self.state.live is not None and self.state.live.by_eye

    @property
    def laid_cents(self) -> int:
        """All wagers of the round in play, those after the deal too."""
        live = self.state.live
        return 0 if live is None else sum(wager.cents for wager in live.laid_in_order)

    @property
    def asks_coverage(self) -> bool:
        """Whether the bank's wager is less than what lies on the table: then the end asks whether it covered all."""
        live = self.state.live
        return live is not None and (live.bank_wager_cents or 0) < self.laid_cents

    @property
    def later_bets(self) -> list[BoundField]:
        """The fields of wagers after the deal; none where the filing names none, or they may not be recorded now."""
        command = COMMANDS["later-bets"]
        if not command.form.fits(self.state) or command.why_not(self.state, self.permissions) is not None:
            return []
        failed = self.failed
        if failed is not None and failed.command is command and failed.form is not None:
            return list(failed.form)
        return list(command.form(self.state))

    @property
    def step_template(self) -> str:
        return f"web/table/steps/{self.phase}.html"

    @property
    def front_seats(self) -> list[Seat]:
        """The seats of the felt; who is on the back line of one is named there."""
        return [seat for seat in self.seats if not seat.place.behind]

    @property
    def may_name(self) -> bool:
        """Whether this person may say who a guest is, on the page of the player, where names that look alike are shown."""
        return self.permissions.may(Right.KEEP_PLAYERS)

    @property
    def hold_minutes(self) -> tuple[int, ...]:
        """The minutes for which a seat is held by one touch."""
        return self.state.table.room.hold_minutes

    @property
    def seats_by_sheet(self) -> bool:
        """Whether a touched free seat opens the seating sheet; while cards are entered, a touched seat is the next hand."""
        return self.may_seat and self.phase != Phase.CARDS

    @property
    def free_seats(self) -> list[int]:
        return [seat.place.seat for seat in self.seats if not seat.player]

    @property
    def turn_limit(self) -> int | None:
        """Rounds that a turn at the bank may last before it is offered; None where the profile counts none."""
        return self.state.profile.offer_after_rounds

    @property
    def ineligible_terms(self) -> dict[str, str]:
        """The reasons for which the seat that is asked may be recorded as ineligible, where the approval has some."""
        step, state = self.state.step, self.state
        if step.seat is None or why_not_bank(state, state.seatings[step.seat].player) is not None:
            return {}
        return terms_asked(state.profile)

    @property
    def offers_shown(self) -> list[tuple[int, str]]:
        """The run of offers seat by seat, each with its answer, where it goes the other way round or not to everybody."""
        state = self.state
        if self.offers is None or not (state.profile.has_eligibility or state.profile.direction != CLOCKWISE):
            return []
        seats = {seat.place.seat: seat for seat in self.front_seats}
        shown = []
        for number in state.round_of_offers:
            seat = seats[number]
            barred = seat.eligibility is not None and not seat.eligibility["eligible"]
            shown.append(
                (number, seat.answer or (_("now") if seat.is_asked else _("not asked") if barred else ""))
            )
        return shown

    @property
    def way(self) -> Phrase:
        """The way round the table of deal, settlement and offers, as it is filed."""
        return way_round(self.state.profile.direction)

    @property
    def window(self) -> Window | None:
        """What is left of the time that the rotation profile gives; None where it counts no time."""
        return rotation_window(self.state)

    @property
    def turn_round(self) -> int:
        """The bank's round in a row that is in play, or that comes next; the last one when the turn has run out."""
        turn, live = self.state.turn, self.state.live
        if turn is None:
            return 0
        goes_on = live is not None or self.phase == Phase.READY
        return turn.in_a_row + 1 if goes_on else turn.in_a_row

    @property
    def refused_at(self) -> str:
        """The label of the field at which the refusal is said, where the page draws its form; it is said once."""
        return "" if self.failed is None or self.typed_elsewhere else self.failed.field

    @property
    def typed_elsewhere(self) -> list[tuple[str, str]]:
        """What was typed into a form that the page no longer has."""
        if self.failed is None:
            return []
        here = [
            self.form,
            self.undo.form,
            *(other.form for other in self.others),
            *self.procedures.forms,
            *(answer.form for answer in self.answers),
            *(rack.form for racks in self.racks.values() for rack in racks),
        ]
        return [] if any(form is self.failed.form for form in here if form is not None) else self.failed.typed

    @property
    def asked(self) -> Seat | None:
        """The seat that is offered the bank."""
        return next((seat for seat in self.seats if seat.is_asked), None)

    @property
    def hand_order(self) -> str:
        """Seats in the order in which their cards are asked for, "4,5,1,3": as settling goes, a board first, the bank last.

        Of a game that deals none to positions, the keys of the table's hands.
        """
        live, deal = self.state.live, self.deal
        if live is None:
            return ""
        hands = [hand.id for hand in deal.hands]
        if not deal.each:
            return ",".join(hands)
        felt = [hand.id for hand in deal.hands if hand.lies_apart]
        if live.bank_seat is None:
            backwards = self.state.rulebook.seat_order == "counterclockwise_from_last"
            seats = sorted((bet["seat"] for bet in live.bets), reverse=backwards)
            return ",".join([*felt, *map(str, seats), *(hand for hand in hands if hand not in felt)])
        book = self.state.rulebook
        first = live.action_seat or seat_after(live.bank_seat, book.direction)
        seats = round_table((bet["seat"] for bet in live.bets), first, book)
        return ",".join(map(str, [*felt, *seats, live.bank_seat]))

    @functools.cached_property
    def meter(self) -> MeterSeen | None:
        """The progressive meter; None where the game has none."""
        return meter_seen(self.table)

    @property
    def meter_with(self) -> str:
        """The other tables that play for it: "Tables 2, 3"; empty where there is none."""
        return "" if self.meter is None else format_tables(self.meter.tables, but=self.table.number)

    @property
    def take_back_ms(self) -> int:
        """Milliseconds for which "no more bets" can be taken back by the person; 0 when it cannot."""
        live = self.state.live
        if live is None or live.bets_closed_at is None or self.settlement_view is not None:
            return 0
        if COMMANDS["reopen-bets"].why_not(self.state, self.permissions) is not None:
            return 0
        left = TAKE_BACK - (self.state.now - live.bets_closed_at)
        return min(int(left.total_seconds() * 1000), TAKE_BACK.seconds * 1000)

    @property
    def ran_out_at(self) -> str:
        """The place where the bank of the round that ended by eye ran out; empty where it covered all."""
        return ran_out_at(self.ended) if self.ended is not None else ""

    @property
    def goes_left(self) -> bool:
        """Whether hands are dealt clockwise, from the player-dealer's left on."""
        return self.state.rulebook.direction == CLOCKWISE

    @property
    def first_to_act(self) -> str:
        """Where the action starts unless a seat is named."""
        return first_to_act(self.state.rulebook)

    @property
    def decision_order(self) -> list[int]:
        """The seats in the order in which they decide: from the left of the bank, wherever settling starts."""
        live = self.state.live
        return (
            decision_order(live) if live is not None and self.state.game.decisions(self.state.terms) else []
        )

    @property
    def points(self) -> list[tuple[Point, bool]]:
        """The points at which positions decide one after the other, each with whether it is the present one; empty for one."""
        live, points = self.state.live, self.state.game.points(self.state.terms)
        if self.phase != Phase.CARDS or live is None or len(points) <= 1:
            return []
        now = present_point(points, len(live.board.split()))
        return [(point, number == now) for number, point in enumerate(points)]

    @property
    def passing(self) -> str:
        """The decision at the present point by which a seat decides at the next one; empty where there is none."""
        now = next((point for point, is_now in self.points if is_now), None)
        return "" if now is None else next((each.id for each in now.decisions if each.goes_on), "")

    @property
    def board_sizes(self) -> str:
        """The numbers of cards with which the board lies there, "0,3,5"."""
        return ",".join(str(point.board) for point, _is_now in self.points)

    @property
    def shown_faces(self) -> list[Face]:
        """The card that the bank shows, once it is recorded."""
        return [] if self.state.live is None else faces_of(self.state.live.shown_card)

    @property
    def may_show(self) -> bool:
        """Whether this person may record the shown card now, or another in its place."""
        return COMMANDS["card-up"].why_not(self.state, self.permissions) is None

    @property
    def deal(self) -> Deal:
        """How cards are dealt here."""
        return self.state.game.deal(self.state.terms)

    @property
    def _table_hand_fields(self) -> list[tuple[TableHand, BoundField]]:
        return self.form.table_hand_fields() if isinstance(self.form, HandsForm) else []

    @property
    def felt_hand_fields(self) -> list[tuple[TableHand, BoundField]]:
        """The hands that lie in the middle of the felt, while they are entered."""
        return [each for each in self._table_hand_fields if each[0].lies_apart]

    @property
    def bank_hand_fields(self) -> list[tuple[TableHand, BoundField]]:
        """The house's own hand, while it is entered: it lies at no seat."""
        return [each for each in self._table_hand_fields if not each[0].lies_apart]

    @property
    def hands_vary(self) -> bool:
        """Whether a hand may have more cards or fewer."""
        return any(hand.least != hand.most for hand in self.deal.hands)

    @property
    def typed_hands(self) -> str:
        """How the hands on the felt are typed: `player ah kd  or  banker ah kd`."""
        return _("  or  ").join(
            f"{hand.id.removesuffix('_hand')} {typed_example(hand.least)}"
            for hand in self.deal.hands
            if hand.lies_apart
        )

    @property
    def typed_hand(self) -> str:
        """How the cards of a position are typed: `ah kd 2c`."""
        return typed_example(self.deal.each)

    @property
    def typed_decision(self) -> str:
        """How a decision is typed that is not the usual one: `4 fold`; empty where there is none."""
        others = self.state.game.decisions(self.state.terms)[1:]
        return f"4 {others[0].id.rsplit(' ', 1)[-1]}" if others else ""

    @property
    def gives_up(self) -> bool:
        """Whether a hand may be given up."""
        return bool(self.state.game.given_up(self.state.terms))

    @property
    def typed_cards(self) -> str:
        """What a line of typing may say while cards are out."""
        if not self.deal.each:
            return self.typed_hands
        ways = [self.typed_hands, self.typed_hand, self.typed_decision]
        return _("  or  ").join(filter(None, ways))

    @property
    def asks_for_hands(self) -> str:
        """What the step asks for while cards are out."""
        if not self.deal.each:
            return _("Enter the hands as they are dealt")
        if not self.state.game.decisions(self.state.terms):
            return _("Enter each hand as it is shown")
        return _("Enter each hand as it is shown; the usual decision is set")

    @property
    def asks_for_shown(self) -> bool:
        """Whether the shown card is what the page asks for first."""
        return self.may_show and shown_card_due(self.state)

    @property
    def typed_line(self) -> str:
        """What a line of typing may say now."""
        if self.phase == Phase.CARDS and self.asks_for_shown:
            return _("kh  (the shown card)")
        if self.phase == Phase.READY and self.state.house_banks:
            return ""
        if self.phase == Phase.CARDS or (self.deals_by_card and not self.deal.each):
            return self.typed_cards
        if self.deals_by_card:
            return (
                _("kh  (the shown card: it records the deal)")
                if self.shows_card
                else _("%(cards)s  (records the deal)") % {"cards": self.typed_hands or self.typed_hand}
            )
        return translated(TYPED.get(self.phase, ""))


@dataclasses.dataclass(frozen=True)
class Preview:
    """What the parts of the page that say what a round costs read of it, while its wagers are typed at `places`."""

    state: TableState
    why_not: WhyNot | None
    places: list[Place]

    @property
    def table(self) -> Table:
        return self.state.table


def preview_of(state: TableState, permissions: Permissions, form: BetsForm) -> Preview:
    """Put together what a preview shows: of the table page as little as that takes."""
    phase = phase_of(state)
    why_not = _why_not_next(state, permissions, phase, COMMANDS[NEXT[phase]])
    return Preview(state, why_not, form.places if phase == Phase.BETTING else [])


def table_page_of(
    state: TableState,
    permissions: Permissions,
    failed: FailedCommand | None = None,
    shown: Round | None = None,
    settlement_view: SettlementView | None = None,
) -> TablePage:
    """Put the table page together. `shown` and its `settlement_view` are a settled round that is being looked at.

    Until the next one is open, the last round of the shift stays on show, and the page goes on with the table's own
    next step: what the seats are paid, or given back, is not over with the answer to an offer.
    """
    goes_on, void_view = settlement_view is None or (state.live is None and shown == state.last), None
    if shown is None and _stays_on_show(state) and (last := _last_ended(state)) is not None:
        names_of(last, state.players)
        settlement_view, shown = settlement_view_of(last), last
        void_view = (
            void_view_of(last, fees_back=bool(last.refunded_cents or last.jackpot_refunded_cents))
            if last.state == Round.State.VOID and last.bets
            else None
        )
    by_eye = shown is not None and shown.by_eye and settlement_view is None and void_view is None
    ended = shown if by_eye and state.live is None else None
    phase = phase_of(state) if goes_on else Phase.SETTLED
    command = COMMANDS[NEXT[phase]] if phase in NEXT else None
    form = _step_form(state, phase, permissions, failed)
    why_not = _why_not_next(state, permissions, phase, command)
    close_form = CloseForm(state) if isinstance(form, BetsForm) else None
    if close_form is not None and why_not is not None:
        close_form.fields["action_seat"].disabled = True
    totals = None
    if state.live is not None and settlement_view is None:
        totals = (
            totals_typed(state, _bets_shown(state, form)) if phase == Phase.BETTING else totals_fixed(state)
        )
        if failed is not None and totals.problem:
            totals = dataclasses.replace(totals, problem="")  # the refusal says it already
    offers = offers_ahead(state) if phase in (Phase.OFFER, Phase.RENEW) else None
    may_seat = COMMANDS["seat"].why_not(state, permissions) is None
    return TablePage(
        state=state,
        permissions=permissions,
        phase=phase,
        seats=seats_of(
            state, permissions, form, totals, settlement_view or void_view, offers=offers, ended=ended
        ),
        ended=ended,
        why_not=why_not,
        form=form,
        close_form=close_form,
        offers=offers,
        totals=totals,
        can_repeat=phase == Phase.BETTING
        and state.live is not None
        and bool(bets_to_repeat(state, state.live.bank_seat)),
        others=_others(state, permissions, phase, failed),
        undo=_other("undo", Phrase("Undo"), state, permissions, failed),
        procedures=procedures_of(state, permissions, failed, new_form, quiet=not goes_on),
        failed=failed,
        settlement_view=settlement_view,
        void_view=void_view,
        shown=shown,
        may_seat=may_seat,
    )


def _stays_on_show(state: TableState) -> bool:
    return state.live is None and state.table.state == Table.State.OPEN


def _last_ended(state: TableState) -> Round | None:
    return None if state.shift is None else last_ended(state.table, state.shift)


def _bets_shown(state: TableState, form: CommandForm | None) -> list[dict[str, Any]]:
    """The wagers that the fields of the page show: those that lie there, or those of a form that was refused."""
    assert state.live is not None
    if not isinstance(form, BetsForm) or not form.is_bound:
        lies: list[dict[str, Any]] = state.live.bets
        return lies
    return [bet for bet in form.bets() if bet["wagers"]]


def new_form(
    command: PageCommand, state: TableState, permissions: Permissions, data: Any = None, **options: Any
) -> CommandForm:
    """A form of `command`, with the choices that it offers at this table; bound when `data` is given."""
    if command.slug == "dealer":
        options["dealers"] = dealers_offered(state.table)
    if command.slug == "settings":
        day = day_of_play(state.shift, state.table.room, timezone.now())
        filed = in_force(FeeSchedule, state.table.room, day)
        options["games"] = list(in_force(GameFiling, state.table.room, day))
        options["schedules"] = [(s.pk, _filed_as(s, state.table.rulebook)) for s in filed]
    if command.slug == "bank" and data is None:
        options["initial"] = {"bank_wager_cents": last_bank_wager(state), "repeat_bets": True}
    if command.slug == "bank-wager" and data is None and state.live is not None:
        options["initial"] = {"bank_wager_cents": state.live.bank_wager_cents}
    if command.slug == "answer" and data is None:
        options["initial"] = {"seat": state.step.seat}
    if command.slug == "must-move" and data is None:
        options["initial"] = {"to_table": state.table.must_move_to_id}
    if (right := signed_unless(command)) is not None:
        # A win that its supervisor may not confirm is signed by another, on the same tablet.
        anothers = command.slug == "win-confirm" and another_confirms(state, permissions.staff)
        options["must_sign"] = anothers or not permissions.may(right)
    form = command.form(state, data, **options)
    if command.slug == "win-confirm" and isinstance(form, DeclaredForm) and form.must_sign:
        form.also, form.wrote = win_signers(state)
    return form


def signed_unless(command: PageCommand) -> Right | None:
    """The right whose holders give a command without a signature; None for one that is signed by all or by none."""
    if issubclass(command.form, SupervisedForm):
        return command.form.right
    if issubclass(command.form, DeclaredForm) and (signed := command.form.command.signature) is not None:
        assert isinstance(signed.kind, Signature)
        right: Right | None = signed.kind.unless
        return right
    return None


def void_by_the_rules(state: TableState) -> VoidForm:
    """The form of the void that the rules ask for, its reason chosen already."""
    fact = state.procedures.voiding
    named = (each.name for each in state.rulebook.void_reasons if fact and each.id == fact.void_reason)
    return VoidForm(state, initial={"named_reason": next(named, "")})


def _filed_as(schedule: FeeSchedule, rulebook: str) -> str:
    """A schedule as it may be chosen, with its game where that is another than the table's."""
    filed = {"number": schedule.number, "title": schedule.title, "version": schedule.version}
    if schedule.rulebook == rulebook:
        return _("%(number)s: %(title)s (version %(version)s)") % filed
    game = schedule.rulebook.replace("_", " ")
    return _("%(number)s: %(title)s (version %(version)s, for %(game)s)") % {**filed, "game": game}


def _step_form(
    state: TableState, phase: Phase, permissions: Permissions, failed: FailedCommand | None
) -> CommandForm | None:
    """The form of the next step. Betting's is the form of the wagers: "no more bets" is a button of it."""
    if phase not in NEXT:
        return None
    command = COMMANDS["bets" if phase == Phase.BETTING else NEXT[phase]]
    form: CommandForm
    if failed is not None and failed.form is not None and failed.command.slug == command.slug:
        form = failed.form
    elif phase == Phase.VOID:
        form = void_by_the_rules(state)
    else:
        form = new_form(command, state, permissions)
    if (
        isinstance(form, OpenRoundForm)
        and state.turn is not None
        and not bets_to_repeat(state, state.turn.seat)
    ):
        del form.fields["repeat_bets"]
    if (
        isinstance(form, BetsForm | HandsForm | OpenRoundForm)
        and command.why_not(state, permissions) is not None
    ):
        for field in form.fields.values():
            field.disabled = True
    return form


def _why_not_next(
    state: TableState, permissions: Permissions, phase: Phase, command: PageCommand | None
) -> WhyNot | None:
    if phase == Phase.NO_SHIFT:
        return permissions.why_not(Right.RUN_SHIFTS)
    if command is None:
        return None
    why = command.why_not(state, permissions)
    # The wagers in the form are placed with the same press: that none lies there yet is no reason to grey it.
    return None if phase == Phase.BETTING and why is not None and why.code == "no_wager" else why


def _answer(
    waiting: Waiting, state: TableState, permissions: Permissions, failed: FailedCommand | None
) -> WaitingAnswer:
    if waiting.kind.page:
        return WaitingAnswer(waiting)
    command = COMMANDS[declared.COMMANDS[waiting.kind.command].page]
    if failed is not None and failed.form is not None and failed.command is command:
        typed = failed.form.data
        if all(typed.get(name) == str(value) for name, value in waiting.given.items()):
            return WaitingAnswer(waiting, command, failed.form)
    if not permissions.may(command.service.right):
        return WaitingAnswer(waiting, command, None)
    auto_id = f"{command.slug}-{waiting.row}-%s"
    form = new_form(command, state, permissions, initial=waiting.given, auto_id=auto_id)
    for name in waiting.given:
        form.fields[name].widget = HiddenInput()
    return WaitingAnswer(waiting, command, form)


def _others(
    state: TableState, permissions: Permissions, phase: Phase, failed: FailedCommand | None
) -> list[Other]:
    others = [
        _other(slug, COMMANDS[slug].title, state, permissions, failed)
        for slug in menu_of("more", OTHERS)
        if NEXT.get(phase) != slug and (slug != "override-expiry" or state.anything_expired)
    ]
    # What the table does not know is left out for all users, whether or not they have the right to it.
    return [
        other
        for other in others
        if (why := why_not(state, other.command.service.name)) is None or why.code not in _NOT_HERE
    ]


def _racks_of(
    seat: int, state: TableState, permissions: Permissions, failed: FailedCommand | None
) -> list[Other]:
    """The commands on the rack at a seat; the one that was refused keeps what was typed."""
    racks = []
    # An opening count is asked for until the rack was counted, and then what it closes with.
    counted = rack_counted(state.seatings[seat])
    for slug, why_not_at in _RACKS.items():
        if slug == ("rack-opening" if counted else "rack-closing"):
            continue
        command, why = COMMANDS[slug], why_not_at(state, seat)
        form: CommandForm | None = None
        typed = None if failed is None or failed.command is not command else failed.form
        if isinstance(typed, RackCountForm) and typed.at == seat:
            form = typed
        elif why is None:
            form = new_form(command, state, permissions, initial={"seat": seat}, auto_id=f"{slug}-{seat}-%s")
        racks.append(Other(command, command.title, form, why, typed is not None and form is typed))
    return racks


def _other(
    slug: str, title: str, state: TableState, permissions: Permissions, failed: FailedCommand | None
) -> Other:
    command = COMMANDS[slug]
    why = command.why_not(state, permissions)
    has_failed = failed is not None and failed.command.slug == slug
    form = None
    if has_failed and failed is not None and failed.form is not None:
        form = failed.form
    elif why is None:
        form = new_form(command, state, permissions)
    return Other(command, title, form, why, has_failed)
