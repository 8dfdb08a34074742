"""Rounds: from the bank's wager to settlement or void. Steps and the whole sheet go through the same acts."""

from __future__ import annotations

from typing import Any

from django.db.models import Max

from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may
from cardroom.rooms.models import Room
from fees.quote import Ante, quote
from games.settle import settle
from games.sheet import Sheet

from ..checks import (
    why_not_bet,
    why_not_close_bets,
    why_not_deal,
    why_not_open_round,
    why_not_settle,
    why_not_void,
)
from ..doorbell import ring_for_reports
from ..errors import BadInput, Forbidden, NotNow
from ..ledger import Ledger
from ..models import Round, Shift
from ..selectors.bets import bets_to_repeat
from ..selectors.views import TableView
from ..sheets import bets_read, recorded_sheet, settled_sheet, wager_limit_breach
from .commands import Answer, AtTable, table_command

Bet = dict[str, Any]
REASON_LENGTH = 200
#: The rules set no ceiling on the bank's wager (`001` winners 4); a column of the database does.
MOST_CENTS = 10**12


@table_command(Right.RUN_ROUNDS)
def round_open(at: AtTable, *, bank_wager_cents: int, repeat_bets: bool = False) -> Answer:
    """Open betting on a round banked by the holder of the turn, who puts up `bank_wager_cents`.

    `repeat_bets` places the wagers of the last settled round again, for players who still sit where they sat.
    """
    round_ = _open(at, bank_wager_cents, "bank_wager_cents", Round.Source.STEPS)
    if repeat_bets:
        round_.bets = bets_to_repeat(at.view(), round_.bank_seat)
        round_.save(update_fields=["bets"])
        at.journal("bets_repeat", {"round": round_.pk, "bets": round_.bets})
    return _answer(round_)


@table_command(Right.RUN_ROUNDS)
def bank_wager_set(at: AtTable, *, bank_wager_cents: int) -> Answer:
    """Change the bank's wager while betting is open; at "no more bets" it is fixed (ruling 41)."""
    view = at.view()
    if why := why_not_bet(view):
        raise NotNow.because(why)
    round_ = _live(view)
    before = round_.bank_wager_cents
    round_.bank_wager_cents = _cents(bank_wager_cents, "bank_wager_cents")
    round_.save(update_fields=["bank_wager_cents"])
    at.journal("bank_wager_set", {"round": round_.pk, "before": before, "after": bank_wager_cents})
    return _answer(round_)


@table_command(Right.RUN_ROUNDS)
def bets_place(at: AtTable, *, bets: list[Bet]) -> Answer:
    """Set the wagers of the given seats; seats not named keep theirs, and no wagers at all means sitting out.

    A bet is `{"seat", "wagers": {…}, "tips": {…}}` in cents, as in the round sheet. One bad wager refuses them all.
    """
    view = at.view()
    if why := why_not_bet(view):
        raise NotNow.because(why)
    round_ = _live(view)
    before = round_.bets
    placed = {bet["seat"]: bet for bet in before}
    placing = _placing(at, view, round_, bets)
    placed |= {bet["seat"]: bet for bet in placing}
    round_.bets = [placed[seat] for seat in sorted(placed) if placed[seat]["wagers"]]
    round_.save(update_fields=["bets"])
    at.journal("bets_place", {"round": round_.pk, "bets": placing})
    return _answer(round_)


@table_command(Right.RUN_ROUNDS)
def bets_close(at: AtTable, *, action_seat: int | None = None) -> Answer:
    """Call "no more bets": wagers freeze, and the fees are quoted, fixed and dropped (ruling 42, `001` fees 5).

    `action_seat` is where settling starts; without it, the next occupied seat clockwise from the bank.
    """
    round_ = _close(at, action_seat)
    return {**_answer(round_), "fees": round_.fees}


@table_command(Right.RUN_ROUNDS)
def round_deal(at: AtTable) -> Answer:
    """Record that the first card has been dealt: from here on nothing is changed any more."""
    view = at.view()
    if why := why_not_deal(view):
        raise NotNow.because(why)
    round_ = _live(view)
    _deal(at, round_)
    return _answer(round_)


@table_command(Right.RUN_ROUNDS)
def round_settle(at: AtTable, *, bank_hand: str, positions: list[dict[str, Any]]) -> Answer:
    """Settle the round: cards and decisions in, transfers out, the turn goes up by one.

    `positions` is one `{"seat", "hand", "decision", "tips"}` for each position in play; `tips` only for a tip on play.
    """
    view = at.view()
    if why := why_not_settle(view):
        raise NotNow.because(why)
    round_ = _live(view)
    _settle(at, view, round_, settled_sheet(round_, bank_hand, positions))
    return {**_answer(round_), "settlement": round_.settlement}


@table_command(Right.RUN_ROUNDS)
def round_record(at: AtTable, *, sheet: dict[str, Any]) -> Answer:
    """Record a whole round at once from its sheet, through the same acts as step by step: all of it or nothing.

    The sheet must fit the table: its bank holds the turn, its players sit where it says, its options are the table's.
    """
    view = at.view()
    if why := why_not_open_round(view):
        raise NotNow.because(why)
    document = recorded_sheet(at.table, view.seatings, sheet)
    bank = document["bank"]
    assert view.turn is not None  # why_not_open_round has seen to it
    if bank["seat"] != view.turn.seat:
        raise NotNow(
            "bank_not_offered",
            f"Seat {bank['seat']} has not accepted the bank; {view.turn.player} holds it at seat {view.turn.seat}. "
            "Record the offer and its answer first.",
        )
    round_ = _open(at, bank["wager"], "bank.wager", Round.Source.RECORD)
    bets = [
        {
            "seat": position["seat"],
            "wagers": position["wagers"],
            "tips": {spot: cents for spot, cents in position.get("tips", {}).items() if spot != "play"},
        }
        for position in document["positions"]
    ]
    # In the order of the sheet, so that a refusal's path speaks of the sheet's own positions.
    round_.bets = _placing(at, view, round_, bets)
    round_.save(update_fields=["bets"])
    at.journal("bets_place", {"round": round_.pk, "bets": round_.bets})
    round_ = _close(at, document.get("action_seat"))
    _deal(at, round_)
    results = [
        {
            "seat": position["seat"],
            "hand": position["hand"],
            "decision": position.get("decision"),
            "tips": {spot: cents for spot, cents in position.get("tips", {}).items() if spot == "play"},
        }
        for position in document["positions"]
    ]
    _settle(at, at.view(), round_, settled_sheet(round_, document["bank_hand"], results))
    return {**_answer(round_), "settlement": round_.settlement}


@table_command(Right.RUN_ROUNDS)
def round_void(at: AtTable, *, reason: str, approver: Staff) -> Answer:
    """Void the live round: every stake goes back, with a reason and a second person's approval (rulings 13, 44).

    Before the first card the floor approves and the fees go back; after it a shift manager does, and the room's
    setting says whether the fees go back. Whoever calls for the void never approves it.
    """
    view = at.view()
    if why := why_not_void(view):
        raise NotNow.because(why)
    round_, shift = _live(view), view.shift
    assert shift is not None
    reason = reason.strip()
    if not reason or len(reason) > REASON_LENGTH:
        raise BadInput(
            "reason_required", f"A void needs a reason of 1 to {REASON_LENGTH} characters.", path="reason"
        )
    after_deal = round_.dealt_at is not None
    right = Right.APPROVE_VOID_AFTER_DEAL if after_deal else Right.APPROVE_VOID_BEFORE_DEAL
    if approver == at.actor:
        raise Forbidden(
            "second_person_required", "Whoever voids a round may not approve it: ask a second person."
        )
    if why_approver := why_not_may(approver, right, at.room):
        raise Forbidden("approver_may_not", why_approver)
    refund = not after_deal or at.room.fees_on_void == Room.FeesOnVoid.REFUND
    if refund and round_.fees:
        ledger = Ledger(round_, round_.shift_id or shift.pk, _players(view), at.now)
        ledger.refunds(round_.fees)
        ledger.write()
        round_.refunded_cents = sum(fee["cents"] for fee in round_.fees)
    round_.state = Round.State.VOID
    round_.ended_at = at.now
    round_.shift_id = round_.shift_id or shift.pk
    round_.void_reason, round_.voided_by, round_.void_approved_by = reason, at.actor, approver
    round_.save()
    at.journal(
        "round_void",
        {
            "round": round_.pk,
            "number": round_.number,
            "after_deal": after_deal,
            "refunded_cents": round_.refunded_cents,
            "approved_by": {"id": approver.pk, "name": str(approver)},
        },
        reason=reason,
    )
    _ring_if_shift_is_over(view, round_)
    return _answer(round_)


def _open(at: AtTable, bank_wager_cents: int, path: str, source: str) -> Round:
    """Open a round; `path` is where the caller's input names the bank's wager."""
    view = at.view()
    if why := why_not_open_round(view):
        raise NotNow.because(why)
    turn, shift, down = view.turn, view.shift, view.down
    assert turn is not None  # why_not_open_round has seen to all three
    assert shift is not None
    assert down is not None
    round_ = Round.objects.create(
        room=at.room,
        table=at.table,
        gaming_day=shift.gaming_day,
        number=_next_number(at, shift),
        source=source,
        dealer=down.dealer,
        turn=turn,
        bank_seat=turn.seat,
        bank_player=turn.player,
        bank_wager_cents=_cents(bank_wager_cents, path),
        rulebook=at.table.rulebook,
        options=at.table.options,
        opened_at=at.now,
    )
    at.journal(
        "round_open",
        {
            "round": round_.pk,
            "gaming_day": round_.gaming_day.isoformat(),
            "number": round_.number,
            "bank": {"seat": turn.seat, "player": turn.player_id, "wager": bank_wager_cents},
        },
    )
    return round_


def _placing(at: AtTable, view: TableView, round_: Round, bets: list[Bet]) -> list[Bet]:
    """Check the given bets, each by itself, and return them with their players' names."""
    placing: list[Bet] = []
    for index, bet in enumerate(bets):
        sitting = view.seatings.get(bet["seat"])
        if sitting is None:
            raise BadInput(
                "seat_empty", f"Nobody sits at seat {bet['seat']}.", path=f"positions[{index}].seat"
            )
        placing.append(
            {
                "seat": bet["seat"],
                "player": sitting.player.name,
                "wagers": dict(bet.get("wagers") or {}),
                "tips": dict(bet.get("tips") or {}),
            }
        )
    _check_bets(at, round_, placing)
    return placing


def _check_bets(at: AtTable, round_: Round, bets: list[Bet]) -> None:
    """Refuse wagers that the rules, the schedule's table limit or the table's own limits do not allow.

    A seat without wagers or tips sits out and has nothing to check. Paths name the place in `bets`.
    """
    for index, bet in enumerate(bets):
        if not bet["wagers"] and not bet["tips"]:
            continue
        here = f"positions[{index}]"
        for kind in ("wagers", "tips"):
            for spot, cents in bet[kind].items():
                if isinstance(cents, int) and cents > MOST_CENTS:
                    raise BadInput("bad_amount", "No wager is that large.", path=f"{here}.{kind}.{spot}")
        bets_read(round_, [bet], here)
        if breach := wager_limit_breach(at.table, bet):
            wager, sentence = breach
            raise BadInput("outside_table_limits", sentence, path=f"{here}.wagers.{wager}")
        schedule = at.table.schedule
        if schedule is not None and (why := schedule.schedule.why_not_ante(bet["wagers"]["ante"])):
            raise BadInput("outside_table_limits", f"Seat {bet['seat']}: {why}", path=f"{here}.wagers.ante")


def _close(at: AtTable, action_seat: int | None) -> Round:
    view = at.view()
    if why := why_not_close_bets(view):
        raise NotNow.because(why)
    round_, shift, schedule = _live(view), view.shift, at.table.schedule
    assert shift is not None
    round_.action_seat = action_seat
    bets_read(round_, round_.bets)
    _check_bets(at, round_, round_.bets)
    if round_.gaming_day != shift.gaming_day:
        # The shift changed between the bank's wager and "no more bets": the round belongs to the new one, and as the
        # last of its old day it leaves no gap there.
        round_.gaming_day, round_.number = shift.gaming_day, _next_number(at, shift)
    round_.shift = shift
    round_.state = Round.State.DEALT
    round_.bets_closed_at = at.now
    round_.positions = len(round_.bets)
    round_.total_table_action_cents = sum(bet["wagers"].get("ante", 0) for bet in round_.bets)
    if schedule is not None:
        antes = [Ante(seat=b["seat"], player=b["player"], cents=b["wagers"]["ante"]) for b in round_.bets]
        assert round_.bank_seat is not None
        quoted = quote(schedule.schedule, antes, bank_seat=round_.bank_seat)
        round_.schedule, round_.schedule_version = schedule, schedule.version
        round_.fees = [{"payer": fee.payer, "seat": fee.seat, "cents": fee.cents} for fee in quoted.fees]
        round_.bank_fee_cents = sum(fee["cents"] for fee in round_.fees if fee["seat"] == round_.bank_seat)
        round_.player_fees_cents = quoted.drop_cents - round_.bank_fee_cents
        round_.bank_fee_band = quoted.band.label
    round_.save()
    ledger = Ledger(round_, shift.pk, _players(view), at.now)
    ledger.fees(round_.fees)
    ledger.write()
    at.journal(
        "bets_close",
        {
            "round": round_.pk,
            "gaming_day": round_.gaming_day.isoformat(),
            "number": round_.number,
            "shift": shift.pk,
            "bank_wager": round_.bank_wager_cents,
            "bets": round_.bets,
            "total_table_action": round_.total_table_action_cents,
            "schedule": round_.schedule_id,
            "schedule_version": round_.schedule_version,
            "fees": round_.fees,
            "action_seat": action_seat,
        },
    )
    return round_


def _deal(at: AtTable, round_: Round) -> None:
    round_.dealt_at = at.now
    round_.save(update_fields=["dealt_at"])
    at.journal("round_deal", {"round": round_.pk})


def _settle(at: AtTable, view: TableView, round_: Round, sheet: Sheet) -> None:
    settlement = settle(sheet).to_json()
    # The engine knows the document's own schedules; what is charged at a table is the room's filed one, as quoted.
    settlement["fees"] = round_.fees
    settlement["drop"] = sum(fee["cents"] for fee in round_.fees)
    turn = round_.turn
    assert turn is not None  # a round that was dealt has both
    assert round_.shift_id is not None
    turn.rounds += 1
    turn.save(update_fields=["rounds"])
    round_.turn_round = turn.rounds
    round_.state = Round.State.SETTLED
    round_.ended_at = at.now
    round_.sheet, round_.settlement = sheet.to_json(), settlement
    round_.taken_cents = settlement["bank"]["won"]
    round_.paid_cents = settlement["bank"]["lost"]
    round_.uncovered_cents = sum(line["uncovered"] for line in settlement["lines"])
    round_.tokes_cents = settlement["tokes"]
    round_.exhausted = settlement["bank"]["exhausted"]
    ledger = Ledger(round_, round_.shift_id, _players(view), at.now)
    for line in settlement["lines"]:
        ledger.line(line)
    ledger.write()
    round_.save()
    at.journal(
        "round_settle",
        {
            "round": round_.pk,
            "number": round_.number,
            "turn": turn.pk,
            "turn_round": turn.rounds,
            "sheet": round_.sheet,
            "bank": settlement["bank"],
            "drop": settlement["drop"],
            "tokes": settlement["tokes"],
            "uncovered": round_.uncovered_cents,
        },
    )
    _ring_if_shift_is_over(view, round_)


def _ring_if_shift_is_over(view: TableView, round_: Round) -> None:
    """The report of a closed shift waits for its last round: this may have been it."""
    if view.shift is None or view.shift.pk != round_.shift_id:
        ring_for_reports()


def _next_number(at: AtTable, shift: Shift) -> int:
    """The next number of the table in the shift's gaming day; the table's lock keeps two rounds from sharing one."""
    highest = Round.objects.filter(table=at.table, gaming_day=shift.gaming_day).aggregate(n=Max("number"))[
        "n"
    ]
    return (highest or 0) + 1


def _live(view: TableView) -> Round:
    assert view.live is not None  # the check before it has seen to it
    return view.live


def _players(view: TableView) -> dict[int, int]:
    return {seat: sitting.player_id for seat, sitting in view.seatings.items()}


def _cents(cents: Any, path: str) -> int:
    if isinstance(cents, bool) or not isinstance(cents, int) or not 0 < cents <= MOST_CENTS:
        raise BadInput(
            "bad_amount", "An amount is a whole number of cents above 0 (and below $10 billion).", path=path
        )
    return cents


def _answer(round_: Round) -> Answer:
    return {"round": round_.pk, "number": round_.number, "state": round_.state}
