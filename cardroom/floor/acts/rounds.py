"""Rounds: from the bank's wager to settlement or void. Steps and the whole sheet go through the same acts."""

from __future__ import annotations

from typing import Any

from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.models import Room

from ..checks import (
    why_not_bet,
    why_not_deal,
    why_not_finish,
    why_not_record,
    why_not_settle,
    why_not_void,
)
from ..entries import round_voided
from ..errors import BadInput, NotNow
from ..ledger import Ledger
from ..models import Round
from ..procedure_checks import why_not_show_card
from ..reads.bets import bets_to_repeat
from ..reads.views import TableView
from ..sheets import card_named, recorded_sheet, settled_sheet
from .commands import Answer, AtTable, table_command
from .incidents import show_card
from .round_acts import (
    Bet,
    check_play_tips,
    close_bets,
    deal,
    finish_round,
    live_round,
    named_bets,
    open_round,
    players_by_seat,
    ring_if_shift_is_over,
    round_answer,
    settle_round,
    whole_cents,
)
from .second_person import check_second_person, given_reason
from .stub import count_watch


@table_command(Right.RUN_ROUNDS)
def round_open(at: AtTable, *, bank_wager_cents: int, repeat_bets: bool = False) -> Answer:
    """Open betting on a round banked by the holder of the turn, who puts up `bank_wager_cents`.

    `repeat_bets` places the wagers of the last settled round again, for players who still sit where they sat.
    """
    view = at.view()
    round_ = open_round(at, view, bank_wager_cents, "bank_wager_cents", Round.Source.STEPS)
    if repeat_bets:
        round_.bets = bets_to_repeat(view, round_.bank_seat)
        round_.save(update_fields=["bets"])
        at.journal("bets_repeat", {"round": round_.pk, "before": [], "bets": round_.bets})
    return round_answer(round_)


@table_command(Right.RUN_ROUNDS)
def bank_wager_set(at: AtTable, *, bank_wager_cents: int) -> Answer:
    """Change the bank's wager while betting is open; at "no more bets" it is fixed (ruling 41)."""
    view = at.view()
    if why := why_not_bet(view):
        raise NotNow.because(why)
    round_ = live_round(view)
    before = round_.bank_wager_cents
    round_.bank_wager_cents = whole_cents(bank_wager_cents, "bank_wager_cents")
    round_.save(update_fields=["bank_wager_cents"])
    at.journal("bank_wager_set", {"round": round_.pk, "before": before, "after": bank_wager_cents})
    return round_answer(round_)


@table_command(Right.RUN_ROUNDS)
def bets_place(at: AtTable, *, bets: list[Bet]) -> Answer:
    """Set the wagers of the given seats; seats not named keep theirs, and no wagers at all means sitting out.

    A bet is `{"seat", "wagers": {…}, "tips": {…}}` in cents, as in the round sheet. One bad wager refuses them all.
    """
    view = at.view()
    if why := why_not_bet(view):
        raise NotNow.because(why)
    round_ = live_round(view)
    before = round_.bets
    placed = {bet["seat"]: bet for bet in before}
    placing = named_bets(at, view, round_, bets)
    placed |= {bet["seat"]: bet for bet in placing}
    round_.bets = [placed[seat] for seat in sorted(placed) if placed[seat]["wagers"]]
    round_.save(update_fields=["bets"])
    seats = {bet["seat"] for bet in placing}
    replaced = [bet for bet in before if bet["seat"] in seats]
    at.journal("bets_place", {"round": round_.pk, "before": replaced, "bets": placing})
    return round_answer(round_)


@table_command(Right.RUN_ROUNDS)
def bets_close(at: AtTable, *, action_seat: int | None = None) -> Answer:
    """Call "no more bets": wagers freeze, and the fees are quoted, fixed and dropped (ruling 42, `001` fees 5).

    `action_seat` is where settling starts; without it, the next occupied seat clockwise from the bank.
    """
    ledger = close_bets(at, at.view(), action_seat)
    round_ = ledger.round
    round_.save()
    ledger.write()
    return {**round_answer(round_), "fees": round_.fees}


@table_command(Right.RUN_ROUNDS)
def round_deal(at: AtTable) -> Answer:
    """Record that the first card has been dealt: from here on nothing is changed any more."""
    view = at.view()
    if why := why_not_deal(view):
        raise NotNow.because(why)
    round_ = live_round(view)
    deal(at, round_)
    round_.save(update_fields=["dealt_at"])
    return round_answer(round_)


@table_command(Right.RUN_ROUNDS)
def round_settle(
    at: AtTable, *, bank_hand: str, positions: list[dict[str, Any]], shown_card: str = ""
) -> Answer:
    """Settle the round: cards and decisions in, transfers out, the turn goes up by one.

    `positions` is one `{"seat", "hand", "decision", "tips"}` for each position in play; `tips` only for a tip on play.
    A hand that folded without a wager that its cards could decide needs no `hand`: it was not exposed.
    `shown_card` records the card that the bank showed, if that was not done before (ruling 49).
    """
    view = at.view()
    if why := why_not_settle(view):
        raise NotNow.because(why)
    round_ = live_round(view)
    assert round_.shift_id is not None  # a round that was dealt has one
    _record_shown(at, view, round_, shown_card)
    ledger = Ledger(round_, round_.shift_id, players_by_seat(view), at.now)
    sheet = settled_sheet(round_, bank_hand, positions)
    check_play_tips(at, positions)
    settle_round(at, view, ledger, sheet)
    return {**round_answer(round_), "settlement": round_.settlement}


@table_command(Right.RUN_ROUNDS)
def round_finish(at: AtTable) -> Answer:
    """End a round that the dealer has settled by eye, at a table that records wagers and fees alone."""
    view = at.view()
    if why := why_not_finish(view):
        raise NotNow.because(why)
    round_ = live_round(view)
    finish_round(at, view, round_)
    return round_answer(round_)


@table_command(Right.RUN_ROUNDS)
def round_record(at: AtTable, *, sheet: dict[str, Any], shown_card: str = "") -> Answer:
    """Record a whole round at once from its sheet, through the same acts as step by step: all of it or nothing.

    `shown_card` is the card that the bank showed, a fact of the round beside its sheet (ruling 49).

    The table is read once: under its lock no one else moves it.
    The sheet must fit the table: its bank holds the turn, its players sit where it says, its options are the table's.
    """
    view = at.view()
    if why := why_not_record(view):
        raise NotNow.because(why)
    document = recorded_sheet(at.table, view.seatings, sheet)
    bank = document["bank"]
    assert view.turn is not None  # why_not_record has seen to it
    if bank["seat"] != view.turn.seat:
        raise NotNow(
            "bank_not_offered",
            f"Seat {bank['seat']} has not accepted the bank; {view.turn.player} holds it at seat {view.turn.seat}. "
            "Record the offer and its answer first.",
        )
    round_ = open_round(at, view, bank["wager"], "bank.wager", Round.Source.RECORD)
    view = view.with_live(round_)
    bets = [
        {
            "seat": position["seat"],
            "wagers": position["wagers"],
            "tips": {spot: cents for spot, cents in position.get("tips", {}).items() if spot != "play"},
        }
        for position in document["positions"]
    ]
    # In the order of the sheet, so that a refusal's path speaks of the sheet's own positions.
    round_.bets = named_bets(at, view, round_, bets)
    at.journal("bets_place", {"round": round_.pk, "before": [], "bets": round_.bets})
    ledger = close_bets(at, view, document.get("action_seat"))
    deal(at, round_)
    _record_shown(at, view, round_, shown_card)
    results = [
        {
            "seat": position["seat"],
            "hand": position["hand"],
            "decision": position.get("decision"),
            "tips": {spot: cents for spot, cents in position.get("tips", {}).items() if spot == "play"},
        }
        for position in document["positions"]
    ]
    whole = settled_sheet(round_, document["bank_hand"], results)
    check_play_tips(at, results)
    settle_round(at, view, ledger, whole)
    return {**round_answer(round_), "settlement": round_.settlement}


def _record_shown(at: AtTable, view: TableView, round_: Round, card: str) -> None:
    """Record the shown card that comes with the settlement, unless it is recorded already; the round is yet to be saved."""
    if not card:
        return
    if why := why_not_show_card(view.with_live(round_)):
        raise BadInput(why.code, why.message, path="shown_card")
    named = card_named(card, "shown_card")
    if named != round_.shown_card:
        show_card(at, view, round_, named)


@table_command(Right.RUN_ROUNDS)
def round_void(at: AtTable, *, reason: str, approver: Staff) -> Answer:
    """Void the live round: every stake goes back, with a reason and a second person's approval (rulings 13, 44).

    Before the first card the floor approves and the fees go back; after it a shift manager does, and the room's
    setting says whether the fees go back. Whoever calls for the void never approves it.
    """
    view = at.view()
    if why := why_not_void(view):
        raise NotNow.because(why)
    round_, shift = live_round(view), view.shift
    assert shift is not None
    reason = given_reason(reason, "A void")
    after_deal = round_.dealt_at is not None
    right = Right.APPROVE_VOID_AFTER_DEAL if after_deal else Right.APPROVE_VOID_BEFORE_DEAL
    check_second_person(at, approver, right, "voids a round")
    refund = not after_deal or at.room.fees_on_void == Room.FeesOnVoid.REFUND
    if refund and round_.fees:
        ledger = Ledger(round_, round_.shift_id or shift.pk, players_by_seat(view), at.now)
        ledger.refunds(round_.fees)
        ledger.write()
        round_.refunded_cents = sum(fee["cents"] for fee in round_.fees)
        round_.jackpot_refunded_cents = round_.jackpot_cents
    round_.state = Round.State.VOID
    round_.ended_at = at.now
    round_.shift_id = round_.shift_id or shift.pk
    round_.void_reason, round_.voided_by, round_.void_approved_by = reason, at.actor, approver
    round_.save()
    at.journal("round_void", round_voided(round_, approver), reason=reason)
    count_watch(at)
    ring_if_shift_is_over(view, round_)
    return round_answer(round_)
