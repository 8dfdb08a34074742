"""Commands on rounds: from the bank's wager to settlement or void, step by step or as a whole sheet.

What a command leads to, file by file: docs/architecture.md, "The way of a wager".
"""

from __future__ import annotations

from typing import Annotated, Any

from cardroom.core.json_types import Cents, Label, Reason, Seat, Size, Text
from cardroom.core.row_digests import row_update, rows_create
from cardroom.people.approval import Approval
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from cardroom.rooms.models import Room
from games.phrases import Phrase
from games.registry import game_of

from ..checks.procedures import why_not_show_card
from ..checks.rounds import (
    why_not_bank_wager,
    why_not_bet,
    why_not_bet_later,
    why_not_close_bets,
    why_not_deal,
    why_not_finish,
    why_not_open_round,
    why_not_record,
    why_not_settle,
    why_not_void,
)
from ..errors import BadInput, NotNow
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..journal import entries_written_together
from ..models import Round
from ..places import place_of
from ..reads.bets import bets_to_repeat
from ..reads.round_names import names_of
from ..reads.table_state import TableState
from ..settling.by_eye import later_bets_read, ran_out_read
from ..settling.fixing import main_above_bank
from ..settling.ledger import Ledger
from ..settling.round_documents import SHEET, SHEET_EXAMPLE
from ..settling.sheets import card_named, check_meter, hands_given, recorded_sheet, sheet_with_cards
from .command_types import (
    MOST_POSITIONS,
    LaterBets,
    PositionBets,
    PositionResult,
    RanOutAt,
    ShownCard,
    TableHands,
)
from .incidents import show_card
from .meters import meter_lock_for
from .round_steps import (
    QuotedRound,
    RoundAnswer,
    SettledRound,
    check_least_bank,
    check_play_tips,
    checked_bets,
    deal,
    end_round,
    finish_round,
    freeze_wagers,
    live_round,
    open_round,
    round_answer,
    settle_round,
    settled_answer,
    settlement_again,
    whole_cents,
)
from .second_person import check_second_person, given_reason
from .stub import check_stub_count

BankWager = Annotated[Cents, Label(Phrase("Player-dealer wager"))]


@table_command(
    "POST rounds",
    Right.RUN_ROUNDS,
    check=why_not_open_round,
    title="Open a round",
    tag="Rounds",
    example={"bank_wager_cents": 20000},
    page="bank",
)
def round_open(
    tx: TableTransaction,
    *,
    bank_wager_cents: BankWager | None = None,
    repeat_bets: Annotated[bool, "Place the wagers of the last settled round again."] = False,
) -> RoundAnswer:
    """Open betting on a round banked by the holder of the turn, who puts up `bank_wager_cents`.

    Where the house banks there is no such wager, and it is left out.
    `repeat_bets` places the wagers of the last settled round again, for players who still sit where they sat.
    """
    state = tx.state()
    round_ = open_round(tx, state, bank_wager_cents, "bank_wager_cents", Round.Source.STEPS)
    if repeat_bets and (again := bets_to_repeat(state, round_.bank_seat)):
        round_.bets = again
        round_.save()
        tx.journal("bets_repeat", {"round": round_.pk, "before": [], "bets": round_.bets})
    if not state.bank_ran_out:  # this wager has cleared its alert
        tx.left = state.replace_round(round_)
    return round_answer(round_)


@table_command(
    "PUT rounds/current/bank-wager",
    Right.RUN_ROUNDS,
    check=why_not_bank_wager,
    title=Phrase("Change the player-dealer wager"),
    tag="Rounds",
    example={"bank_wager_cents": 30000},
    page="bank-wager",
    menu="more",
)
def bank_wager_set(tx: TableTransaction, *, bank_wager_cents: BankWager) -> RoundAnswer:
    """Change the player-dealer wager while betting is open; at "no more bets" it is fixed (ruling 41)."""
    state = tx.state()
    round_ = live_round(state)
    before = round_.bank_wager_cents
    round_.bank_wager_cents = whole_cents(bank_wager_cents, "bank_wager_cents")
    check_least_bank(state, bank_wager_cents, "bank_wager_cents")
    round_.save()
    tx.journal("bank_wager_set", {"round": round_.pk, "before": before, "after": bank_wager_cents})
    return round_answer(round_)


@table_command(
    "PUT rounds/current/bets",
    Right.RUN_ROUNDS,
    check=why_not_bet,
    title="Place, change or withdraw wagers",
    tag="Rounds",
    example={"positions": [{"seat": 4, "wagers": {"ante": 1000, "pair_plus": 500}, "tips": {"ante": 100}}]},
    page="bets",
)
def bets_place(
    tx: TableTransaction, *, positions: Annotated[list[PositionBets], Size(1, MOST_POSITIONS)]
) -> RoundAnswer:
    """Set the wagers of the given seats until "no more bets"; one bad wager refuses them all.

    Seats that are not named keep their wagers; a seat without wagers sits out. `behind` names a bettor on the back line
    of a seat's spot; within a spot wagers are settled in the order of these places, the player of the seat first.
    """
    state = tx.state()
    round_ = live_round(state)
    before = round_.bets
    placed = {place_of(bet): bet for bet in before}
    placing = checked_bets(tx, state, round_, positions)
    places = {place_of(bet) for bet in placing}
    placed |= {place_of(bet): bet for bet in placing}
    row_update(round_, bets=[placed[place] for place in sorted(placed) if placed[place]["wagers"]])
    replaced = [bet for bet in before if place_of(bet) in places]
    tx.journal("bets_place", {"round": round_.pk, "before": replaced, "bets": placing})
    return round_answer(round_)


@table_command(
    "POST rounds/current/close-bets",
    Right.RUN_ROUNDS,
    check=why_not_close_bets,
    title='Call "no more bets"',
    tag="Rounds",
    example={"action_seat": 4},
    page="no-more-bets",
)
def bets_close(
    tx: TableTransaction, *, action_seat: Annotated[Seat, "Where settling starts."] | None = None
) -> QuotedRound:
    """Call "no more bets": wagers freeze, and the fees are quoted, fixed and dropped (ruling 42, `001` fees 5).

    `action_seat` is where settling starts; without it, the next occupied seat clockwise from the bank.
    """
    state = tx.state()
    ledger = freeze_wagers(tx, state, action_seat)
    round_ = ledger.round
    round_.save()
    rows_create(ledger.rows)
    tx.journal("bets_close", _bets_closed_data(round_))
    return {**round_answer(round_), "fees": names_of(round_, state.players).in_place(round_.fees)}


@table_command(
    "POST rounds/current/deal",
    Right.RUN_ROUNDS,
    check=why_not_deal,
    title="Record the deal",
    tag="Rounds",
    page="deal",
)
def round_deal(tx: TableTransaction) -> RoundAnswer:
    """Record that the first card has been dealt: from here on nothing is changed any more."""
    state = tx.state()
    round_ = live_round(state)
    deal(tx, state, round_)
    return round_answer(round_)


@table_command(
    "POST rounds/current/settle",
    Right.RUN_ROUNDS,
    check=why_not_settle,
    title="Settle the round",
    tag="Rounds",
    example={
        "bank_hand": "Qs 7d 4c",
        "positions": [{"seat": 4, "hand": "9h 9c 2d", "decision": "play", "tips": {"play": 100}}],
    },
    page="settle",
    read_again={"settlement": settlement_again},
)
def round_settle(
    tx: TableTransaction,
    *,
    bank_hand: Annotated[
        str, Text(80, blank=True), "The bank's cards, of a game in which it has a hand."
    ] = "",
    hands: TableHands | None = None,
    positions: Annotated[list[PositionResult], Size(0, MOST_POSITIONS)],
    shown_card: ShownCard = "",
) -> SettledRound:
    """Settle the round: cards and decisions in, transfers out, the turn goes up by one.

    `positions` is one `{"seat", "hand", "decision", "tips"}` for each position in play; `tips` only for a tip on play.
    A hand that folded without a wager that its cards could decide needs no `hand`: it was not exposed.
    `shown_card` records the card that the bank showed, if that was not done before (ruling 49).
    """
    state = tx.state()
    round_ = live_round(state)
    assert round_.shift_id is not None  # a round that was dealt has one
    _record_shown(tx, state, round_, shown_card)
    ledger = Ledger(round_, round_.shift_id, state.places, tx.now, state.boxes)
    meter_lock_for(tx, round_.bets)
    sheet = sheet_with_cards(round_, hands_given(round_, bank_hand, hands), [{**each} for each in positions])
    check_play_tips(state, positions)
    settle_round(tx, state, ledger, sheet)
    return settled_answer(round_, state)


@table_command(
    "POST rounds/current/finish",
    Right.RUN_ROUNDS,
    check=why_not_finish,
    title="Finish a round that was not carded",
    tag="Rounds",
    page="finish",
)
def round_finish(tx: TableTransaction, *, ran_out: RanOutAt | None = None) -> RoundAnswer:
    """End a round that the dealer has settled by eye, at a table that records wagers and fees alone.

    Left out, `ran_out` says that the bank covered all. Else it names the place, in the order of settlement, at which the
    bank ran out (ruling 55): what stands behind it went back, and is counted as uncovered.
    """
    state = tx.state()
    round_ = live_round(state)
    finish_round(tx, state, round_, None if ran_out is None else ran_out_read(round_, ran_out))
    return round_answer(round_)


@table_command(
    "PUT rounds/current/later-bets",
    Right.RUN_ROUNDS,
    check=why_not_bet_later,
    title=Phrase("Record wagers after the deal"),
    tag="Rounds",
    example={"positions": [{"seat": 4, "wagers": {"double": 1000}}]},
    page="later-bets",
)
def later_bets_place(
    tx: TableTransaction, *, positions: Annotated[list[LaterBets], Size(1, MOST_POSITIONS)]
) -> RoundAnswer:
    """Set the wagers that the given places laid after the deal, as the filing names them: a raise, a double, a split.

    Each is at most so many times the wager that it follows. They count toward no fee and no table action (ruling 55).
    Places that are not named keep theirs; one without wagers has none.
    """
    round_ = live_round(tx.state())
    before = round_.later_bets
    placing = later_bets_read(round_, positions)
    places = {place_of(bet) for bet in placing}
    placed = {place_of(bet): bet for bet in (*before, *placing)}
    row_update(round_, later_bets=[placed[place] for place in sorted(placed) if placed[place]["wagers"]])
    replaced = [bet for bet in before if place_of(bet) in places]
    tx.journal("later_bets_place", {"round": round_.pk, "before": replaced, "bets": placing})
    return round_answer(round_)


@table_command(
    "POST rounds/record",
    Right.RUN_ROUNDS,
    check=why_not_record,
    title="Record a whole round from its sheet",
    read_again={"settlement": settlement_again},
    tag="Rounds",
    example=SHEET_EXAMPLE,
)
@entries_written_together()
def round_record(
    tx: TableTransaction, *, sheet: Annotated[dict[str, Any], SHEET], shown_card: ShownCard = ""
) -> SettledRound:
    """Record a whole round at once from its sheet, through the same commands as step by step: all of it or nothing.

    The card that the bank showed is no part of the sheet: it comes as `?shown_card=Kh` (ruling 49).

    The sheet must fit the table: its bank holds the turn, its players sit where it says, its options are the table's.
    """
    state = tx.state()
    # The table is read once: under its lock no one else moves it.
    document, places = recorded_sheet(tx.table, state.places, sheet)
    meter_lock_for(tx, document["positions"])
    check_meter(tx.table, document)
    bank = document.get("bank") or {}  # the engine has asked for it where a player banks
    if state.turn is not None and bank["seat"] != state.turn.seat:
        raise NotNow(
            "bank_not_offered",
            Phrase(
                "Seat {seat} has not accepted the bank; {player} holds it at seat {turn_seat}. Record the offer and its answer first.",
                seat=bank["seat"],
                player=state.turn.player,
                turn_seat=state.turn.seat,
            ),
        )
    round_ = open_round(tx, state, bank.get("wager"), "bank.wager", Round.Source.RECORD)
    state = state.replace_round(round_)
    late = round_.terms.late_tips
    bets: list[PositionBets] = [
        {
            "seat": place.seat,
            "behind": place.behind,
            "wagers": position["wagers"],
            "tips": {spot: cents for spot, cents in position.get("tips", {}).items() if spot not in late},
        }
        for place, position in zip(places, document["positions"], strict=True)
    ]
    # In the order of the sheet, so that a refusal's path names the sheet's own positions.
    round_.bets = checked_bets(tx, state, round_, bets)
    tx.journal("bets_place", {"round": round_.pk, "before": [], "bets": round_.bets})
    ledger = freeze_wagers(tx, state, document.get("action_seat"))
    tx.journal("bets_close", _bets_closed_data(round_))
    deal(tx, state, round_)
    _record_shown(tx, state, round_, shown_card)
    results = [
        {
            "seat": place.seat,
            "behind": place.behind,
            "hand": position.get("hand"),
            "decision": position.get("decision"),
            "tips": {spot: cents for spot, cents in position.get("tips", {}).items() if spot in late},
        }
        for place, position in zip(places, document["positions"], strict=True)
    ]
    of_game = game_of(round_.rulebook).deal(round_.terms).hands
    hands = {hand.id: document[hand.id] for hand in of_game}
    whole = sheet_with_cards(round_, hands, results)
    check_play_tips(state, results)
    settle_round(tx, state, ledger, whole)
    return settled_answer(round_, state)


def _record_shown(tx: TableTransaction, state: TableState, round_: Round, card: str) -> None:
    """Record the shown card that comes with the settlement, unless it is recorded already."""
    if not card:
        return
    if why := why_not_show_card(state.replace_round(round_)):
        raise BadInput.because(why, "shown_card")
    named = card_named(card, "shown_card")
    if named != round_.shown_card:
        show_card(tx, state, round_, named)


@table_command(
    "POST rounds/current/void",
    Right.RUN_ROUNDS,
    check=why_not_void,
    title=Phrase("Void the round"),
    tag="Rounds",
    example={"reason": "device failure"},
    page="void",
    menu="more",
    done=Phrase("The round is void; every stake goes back."),
)
def round_void(tx: TableTransaction, *, reason: Reason, approver: Approval) -> RoundAnswer:
    """Void the live round: every stake goes back, with a reason and a second person's approval (rulings 13, 44).

    Before the first card the floor approves and the fees go back; after it a shift manager does, and the room's
    setting says whether the fees go back. The person who calls for the void never approves it.
    """
    state = tx.state()
    round_, shift = live_round(state), state.shift
    assert shift is not None
    reason = given_reason(reason, Phrase("A void"))
    check_second_person(tx, approver, right_to_void(round_), Phrase("voids a round"))
    if fees_go_back(round_, tx.room) and round_.fees:
        shift_id = round_.shift_id or shift.pk
        ledger = Ledger(round_, shift_id, state.places, tx.now, state.boxes)
        ledger.refunds(round_.fees)
        rows_create(ledger.rows)
        round_.refunded_cents = sum(fee["cents"] for fee in round_.fees)
        round_.jackpot_refunded_cents = round_.jackpot_cents
    round_.state = Round.State.VOID
    round_.ended_at = tx.now
    round_.shift_id = round_.shift_id or shift.pk
    round_.void_reason, round_.voided_by, round_.void_approved_by = reason, tx.actor, approver
    round_.save()
    tx.journal("round_void", _round_voided_data(round_, approver), reason=reason)
    check_stub_count(tx)
    end_round(tx, state, round_)
    return round_answer(round_)


def right_to_void(round_: Round) -> Right:
    """The right that the second person of a void must hold: the floor's before the first card, a shift manager's after it."""
    return Right.APPROVE_VOID_BEFORE_DEAL if round_.dealt_at is None else Right.APPROVE_VOID_AFTER_DEAL


def fees_go_back(round_: Round, room: Room) -> bool:
    """Tell whether a void gives the fees of a live round back: before the first card always, after it by the room's setting."""
    return round_.dealt_at is None or room.fees_on_void == Room.FeesOnVoid.REFUND


def _bets_closed_data(round_: Round) -> dict[str, Any]:
    """Bets closed ("no more bets"): what they came to, and what they cost; each wager is in the entry that placed it."""
    return {
        "round": round_.pk,
        "gaming_day": round_.gaming_day.isoformat(),
        "number": round_.number,
        "shift": round_.shift_id,
        "bank_wager": round_.bank_wager_cents,
        "total_table_action": round_.total_table_action_cents,
        "schedule": round_.schedule_id,
        "schedule_version": round_.schedule_version,
        "player_fees": round_.player_fees_cents,
        "bank_fee": round_.bank_fee_cents,
        "jackpot": round_.jackpot_cents,
        **({} if round_.rake is None else {"rake": round_.rake._asdict()}),
        "action_seat": round_.action_seat,
        **_small_bank(round_),
    }


def _small_bank(round_: Round) -> dict[str, Any]:
    """The largest main wager, where the bank's own is below it: the page has asked about that (ruling 54)."""
    largest = main_above_bank(round_)
    return {} if largest is None else {"bank_below_main_wager": largest}


def _round_voided_data(round_: Round, approver: Staff) -> dict[str, Any]:
    """A round was voided; the entry's reason says why."""
    return {
        "round": round_.pk,
        "number": round_.number,
        "after_deal": round_.dealt_at is not None,
        "refunded_cents": round_.refunded_cents,
        "approved_by": {"id": approver.pk, "name": str(approver)},
    }
