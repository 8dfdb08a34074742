"""State of a table that a tablet needs to go on offline: written into the page, read by `reducer.js`.

Facts alone: seats, spots, limits, the fees of the schedule, the wagers that lie there, and in which order the bank will
be offered. How rotation is computed stays with the floor; the order comes ready from its own rules.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from cardroom.floor.checks.bank import why_not_bank
from cardroom.floor.checks.boxes import why_no_box
from cardroom.floor.checks.procedures import why_no_shown_card
from cardroom.floor.models import Table, Turn
from cardroom.floor.places import Place, place_of
from cardroom.floor.reads.bets import last_bets
from cardroom.floor.reads.offers import OffersAhead, offers_ahead
from cardroom.floor.reads.round_names import names_of
from cardroom.floor.reads.table_record import eligibility_at
from cardroom.floor.reads.table_state import TableState
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from fees.charges import Charge, Rate
from fees.document import band_label
from fees.rates import Schedule
from games.rulebook import COUNTER_CLOCKWISE

from ..parts.cards import typed_example
from ..parts.languages import stored, translated
from .forms.bets import OpenRoundForm
from .forms.hands import in_time
from .page import TablePage
from .seats import ROOMY_SPOTS
from .spots import late_tip_spot, tip_spots, wager_spots


def offline_state_of(page: TablePage) -> dict[str, Any]:
    """Return the table as plain data, money in cents, seats as numbers, places as "3" or "3b". It asks the database nothing more.

    Where the house banks there is no turn, and `house` is true. `stops` says why this tablet cannot go on offline beyond
    the round in play; empty when it can. `offersAfter` is by the seat of the bank whose turn runs out.
    """
    state, permissions, phase = page.state, page.permissions, page.phase
    game, terms = state.game, state.terms
    deal, spots = page.deal, wager_spots(terms)
    tips, late_tip = {spot.id for spot in tip_spots(terms)}, late_tip_spot(terms)
    folds = game.given_up(terms)
    return {
        "table": state.table.pk,
        "version": state.table.version,
        "phase": phase,
        "actor": actor_of(permissions.staff),
        "runs": permissions.why_not_at(Right.RUN_ROUNDS, state) is None,
        "house": state.house_banks,
        "namedStart": state.rulebook.named_start,
        "leastBank": state.rulebook.least_bank_cents,
        "dealer": None if state.down is None else actor_of(state.down.dealer),
        "places": [_place(state, place) for place in sorted(state.places)],
        "spots": [
            {
                "id": spot.id,
                "name": spot.name,
                "short": spot.brief if len(spots) > ROOMY_SPOTS else spot.short,
                "tip": spot.id in tips,
                "main": spot.main,
                # How often it counts toward total table action: with the wagers that are as high as it and laid with it.
                "action": sum(each.action and spot.id in (each.id, each.equals) for each in terms.spots),
                "needs": terms.needs[spot.id],
            }
            for spot in spots
        ],
        "crowded": len(spots) > ROOMY_SPOTS,
        "tips": bool(tips),
        # What the meter may pay: whether it was won is known once the round is settled.
        "meterSpots": [spot.id for spot in terms.spots if spot.meter],
        # The tip that comes with the decision, and the spot with the tip that it follows.
        "lateTip": None
        if late_tip is None
        else {"id": late_tip.id, "name": late_tip.name, "after": terms.needs[late_tip.id]},
        # What a hand may do in the order of time, and the usual decision.
        "decisions": [
            {"id": decision.id, "label": stored(decision.label), "givesUp": decision.gives_up}
            for decision in in_time(game.decisions(terms))
        ],
        "usual": next((decision.id for decision in game.decisions(terms)), ""),
        # How many cards each position has, 0 for none; the hands of the table beside, where the bank's is at no seat.
        "each": deal.each,
        "tableHands": [
            {
                "id": hand.id,
                "label": stored(hand.label),
                "name": hand.name or stored(hand.label),
                "liesApart": hand.lies_apart,
                "least": hand.least,
                "most": hand.most,
                "typed": typed_example(hand.least),
            }
            for hand in deal.hands
            if hand.lies_apart or state.house_banks or not deal.each
        ],
        # How many cards the bank's own hand has, where it lies at its seat.
        "bankCards": deal.each if deal.bank_hand is None else deal.bank_hand.least,
        # What their cards count, where the table's hands are compared by that.
        "count": None
        if deal.counted_by is None
        else {"byRank": dict(deal.counted_by.by_rank), "figure": deal.counted_by.figure},
        # What a line of typing may say: the cards of a position, and whatever may be entered while cards are out.
        "typedHand": page.typed_hand,
        "typedFirst": page.typed_hands or page.typed_hand,
        "typedCards": page.typed_cards,
        "handsVary": page.hands_vary,
        "decks": deal.decks,
        # Wagers that may be placed after the deal of a game that is not carded.
        "later": [
            {"id": wager, "name": terms.rulebook.wagers[wager].name, "of": rule.of}
            for wager, rule in terms.later.items()
        ],
        # The wagers of a place at one of which the bank may run out, as the layout has them.
        "laid": [{"id": spot.id, "name": spot.name, "equals": spot.equals or ""} for spot in terms.spots],
        "backwards": state.rulebook.seat_order == "counterclockwise_from_last",
        "counterClockwise": state.rulebook.direction == COUNTER_CLOCKWISE,
        # A hand that gives up with no other wagers than these shows no cards.
        "givenUp": [
            spot.id
            for spot in spots
            if any(
                game.shows_no_cards(terms, dict.fromkeys([*terms.main, spot.id], 1), each) for each in folds
            )
        ],
        "limits": state.table.wager_limits or {},
        "schedule": None if state.table.schedule is None else schedule_of(state.table.schedule.schedule),
        "rake": _rake(state),
        "turn": None if state.turn is None else {"seat": state.turn.seat, "rounds": state.turn.in_a_row},
        "bankWager": _last_wager(page),
        "byEye": state.table.recording == Table.Recording.FEES if state.live is None else state.live.by_eye,
        "live": _live(state),
        "showsCard": why_no_shown_card(state) is None,
        "last": _last_bets(state),
        "turnRounds": state.profile.offer_after_rounds,
        "declines": page.declining_is_usual,
        "offers": None if page.offers is None or _why_stops(state) else _asked(page.offers),
        "offersAfter": {}
        if _why_stops(state) or state.house_banks
        else {seat: _asked_after(state, seat) for seat in state.seatings},
        "stops": _why_stops(state),
        "noBox": "" if (why := why_no_box(state)) is None else translated(why.message),
    }


def actor_of(staff: Staff) -> dict[str, Any]:
    """Who gives the commands of a page, as the commands that wait on a tablet name them."""
    return {"id": staff.pk, "name": str(staff)}


def schedule_of(schedule: Schedule) -> dict[str, Any]:
    """The fees before the deal as `fees/quote.py` computes them: limits of an ante, and every charge, in cents."""
    return {
        "least": schedule.ante_min_cents,
        "most": schedule.ante_max_cents,
        "limit": schedule.limit_label,
        "players": [_charge(charge) for charge in schedule.players],
        "bank": [_charge(charge) for charge in schedule.bank],
        "jackpot": [{"payer": rate.payer, **_charge(rate)} for rate in schedule.jackpot],
    }


def _charge(charge: Charge) -> dict[str, Any]:
    if isinstance(charge, Rate):
        return {"per": charge.per, "wager": charge.wager, "fee": charge.fee_cents}
    bands = [
        {"lower": band.lower, "fee": band.fee_cents, "label": stored(charge.label(band))}
        for band in charge.bands
    ]
    banded = {"per": charge.per, "wager": charge.wager, "bands": bands}
    if charge.wager is None:
        return banded
    lower, upper = charge.bands[0].lower, charge.bands[-1].upper
    return {**banded, "most": upper, "limit": band_label(lower, upper)}


def _rake(state: TableState) -> dict[str, int] | None:
    """What each hand and the bank owe the house in cents while some hand is live; None where no rake is taken."""
    rake = state.table.rake
    return None if rake is None else {"hand": rake.hand_cents, "bank": rake.bank_cents(1)}


def _last_wager(page: TablePage) -> int | None:
    """What the holder of the turn wagered last, as it is offered again."""
    if isinstance(page.form, OpenRoundForm):
        cents: int | None = page.form.initial.get("bank_wager_cents")
        return cents
    turn, last = page.state.turn, page.state.last
    if turn is None or last is None or last.bank_player_id is None:
        return None
    return last.bank_wager_cents if turn.was_held_by(last.bank_player_id) else None


def _live(state: TableState) -> dict[str, Any] | None:
    live = state.live
    if live is None:
        return None
    return {
        "round": live.pk,
        "bank": live.bank_seat,
        "wager": live.bank_wager_cents,
        "number": live.number,
        "bets": _bets(names_of(live, state.players).in_place(live.bets)),
        "actionSeat": live.action_seat,
        "shown": live.shown_card,
        "waived": _waived(state),
    }


def _place(state: TableState, place: Place) -> dict[str, Any]:
    """A bettor's place, who is there, and why they may not bank; nobody banks from a back line."""
    player = state.places[place].player
    why = None if place.behind or state.house_banks else why_not_bank(state, player)
    eligibility = None if place.behind else eligibility_at(state, place.seat)
    return {
        "place": str(place),
        "seat": place.seat,
        "player": player.known_as,
        "id": player.pk,
        "mayNotBank": "" if why is None else translated(why.message),
        "eligibility": None
        if eligibility is None
        else {**eligibility, "reason": translated(eligibility["reason"])},
    }


def _bets(bets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Wagers as the floor keeps them, each with the name of its place."""
    return [{**bet, "place": str(place_of(bet))} for bet in bets]


def _last_bets(state: TableState) -> list[dict[str, Any]]:
    """The last round's wagers with the present name of who placed them, which the page compares; "" where they have left or are away."""
    named = [
        {**bet, "player": "" if stay is None or stay.held_until is not None else stay.player.known_as}
        for bet, stay in last_bets(state)
    ]
    return _bets(named)


def _waived(state: TableState) -> list[dict[str, Any]]:
    """Whose fees of the round in play are waived, and how many cents of each (null: all of it), in their order."""
    return [
        {
            "covers": waiver.covers,
            "place": None if waiver.place is None else str(waiver.place),
            "portion": waiver.portion_cents,
        }
        for waiver in state.waivers
    ]


def _why_stops(state: TableState) -> str:
    """Why this tablet cannot go on by itself: where a turn ends by its rounds alone, it knows the next step at the bank."""
    profile = state.profile
    if profile.house:
        return ""
    if profile.has_eligibility:
        return _("Who may bank depends on what was wagered here: the server decides once back online.")
    if profile.needs_play or profile.offer_after_rounds is None:
        return _(
            "Whether the same banker continues depends on the time here: the server decides once back online."
        )
    return ""


def _asked_after(state: TableState, seat: int) -> dict[str, Any]:
    """The offers for a turn of `seat` once its rounds are over."""
    rounds = state.profile.offer_after_rounds
    assert rounds is not None  # `_why_stops` has stopped every other profile
    turn = Turn(seat=seat, player=state.seatings[seat].player, rounds=rounds)
    return _asked(offers_ahead(state.with_turn(turn).replace_round(None)))


def _asked(ahead: OffersAhead) -> dict[str, Any]:
    """Who is still to be offered the bank, in order, and what comes when all decline (`OffersAhead`)."""
    counted = {"counted": ahead.counted} if ahead.counted else {}
    renews = {"renews": True} if ahead.renews is not None else {}
    return {"order": ahead.seats, "then": ahead.then, **renews, **counted}
