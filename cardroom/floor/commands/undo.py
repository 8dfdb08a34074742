"""Commands that undo the last step of a round or of a run of offers, or reopen bets: nothing that was recorded goes away.

What may be taken back, and what it takes (`docs/round.md`): wagers and the bank's wager until "no more bets"; "no more
bets" itself, the deal and an irregularity that voids the round with a reason and a second person's signature
(ruling 42); an answer to an offer until the round opens; a touch on a seat until a round opens or ends (`undo_seats.py`). For ten seconds, and while no card is out, "no more bets"
goes back without them (`bets_reopen`).
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Note, Signature
from cardroom.core.row_digests import rows_create
from cardroom.jobs.notify_worker import wake_worker
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..checks.undo import why_not_reopen_bets, why_not_undo
from ..errors import BadInput
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Offer, Procedure, Round, Turn, Waiver, Withdrawal
from ..places import place_of
from ..reads.table_state import TableState
from ..reads.undoing import IRREGULARITY, SEATING, UNDO, StepBack, bets_before
from ..settling.correction_preview import current_transfers
from ..settling.fixing import FIXED_AT_CLOSE
from ..settling.ledger import Ledger
from .bank import end_turn
from .round_steps import live_round
from .second_person import check_second_person, given_reason
from .undo_seats import seating_undone
from .waivers import withdraw

_Approval = Annotated[Staff, Signature(right=Right.APPROVE_CORRECTION)]


class UndoAnswer(TypedDict):
    """What was taken back."""

    command: Annotated[str, "The step that was undone."]
    undone: Annotated[str, "The same in words."]


@table_command(
    "POST undo",
    Right.RUN_ROUNDS,
    check=why_not_undo,
    title="Undo",
    tag="Corrections",
    page="undo",
)
def undo(
    tx: TableTransaction,
    *,
    reason: Annotated[Note, 'Required to undo "no more bets" and the deal.'] = "",
    approver: _Approval | None = None,
) -> UndoAnswer:
    """Take the last step back, and answer which it was: `command`, and in words `undone`.

    "No more bets", the deal and an irregularity that voids the round need a `reason` and an `approver`, who is
    another person and may approve corrections.
    """
    state = tx.state()
    step = state.step_back
    assert step is not None  # why_not_undo has seen to it
    signed: dict[str, Any] = {}
    if step.signed:
        reason = given_reason(reason, Phrase("To undo {text}", text=step.text))
        if approver is None:
            raise BadInput(
                "approver_required",
                Phrase("To undo {text} takes a second person's signature.", text=step.text),
                path="approver",
            )
        check_second_person(tx, approver, Right.APPROVE_CORRECTION, Phrase("undoes a step"))
        signed = {"approved_by": {"id": approver.pk, "name": str(approver)}}
    if step.command in SEATING:
        changed = seating_undone(tx, step)
    elif step.command == IRREGULARITY:
        changed = _irregularity(tx, state, step, reason, approver)
    else:
        changed = _UNDO[step.command](tx, state, step)
    tx.journal(
        UNDO, {"undoes": step.entry.seq, "command": step.command, **changed, **signed}, reason=reason.strip()
    )
    return {"command": step.command, "undone": step.text}


@table_command(
    "POST rounds/current/reopen-bets",
    Right.RUN_ROUNDS,
    check=why_not_reopen_bets,
    title="Reopen bets",
    tag="Corrections",
    page="reopen-bets",
)
def bets_reopen(tx: TableTransaction) -> UndoAnswer:
    """Take "no more bets" back, unsigned: the fees go back by reversing transfers, and wagers may change again.

    Only within ten seconds of it, by the instants of the server, and while no card is out.
    """
    state = tx.state()
    step, round_ = state.step_back, live_round(state)
    assert step is not None  # why_not_reopen_bets has seen to both
    assert round_.bets_closed_at is not None
    seconds = max(int((tx.now - round_.bets_closed_at).total_seconds()), 0)
    changed = _close(tx, state, step)
    tx.journal(UNDO, {"undoes": step.entry.seq, "command": step.command, **changed, "after_seconds": seconds})
    return {"command": step.command, "undone": step.text}


def _bets(tx: TableTransaction, state: TableState, step: StepBack) -> dict[str, Any]:
    round_ = live_round(state)
    before = round_.bets
    placed = {place_of(bet): bet for bet in before}
    for bet in step.entry.data["bets"]:
        placed.pop(place_of(bet), None)
    placed |= {place_of(bet): bet for bet in bets_before(step.entry)}
    round_.bets = [placed[place] for place in sorted(placed)]
    round_.save()
    return {"round": round_.pk, "before": before, "after": round_.bets}


def _later_bets(tx: TableTransaction, state: TableState, step: StepBack) -> dict[str, Any]:
    round_ = live_round(state)
    before = round_.later_bets
    placed = {place_of(bet): bet for bet in before}
    for bet in step.entry.data["bets"]:
        placed.pop(place_of(bet), None)
    placed |= {place_of(bet): bet for bet in bets_before(step.entry)}
    round_.later_bets = [placed[place] for place in sorted(placed)]
    round_.save()
    return {"round": round_.pk, "before": before, "after": round_.later_bets}


def _bank_wager(tx: TableTransaction, state: TableState, step: StepBack) -> dict[str, Any]:
    round_ = live_round(state)
    before, round_.bank_wager_cents = round_.bank_wager_cents, step.entry.data["before"]
    round_.save()
    return {"round": round_.pk, "before": before, "after": round_.bank_wager_cents}


def _waiver(tx: TableTransaction, state: TableState, step: StepBack) -> dict[str, Any]:
    waiver = Waiver.objects.get(pk=step.entry.data["waiver"], round=live_round(state))
    returned_cents = withdraw(tx, state, waiver)
    return {
        "round": waiver.round_id,
        "waiver": waiver.pk,
        **({"returned": returned_cents} if returned_cents else {}),
    }


def _close(tx: TableTransaction, state: TableState, step: StepBack) -> dict[str, Any]:
    """Open the bets again: the fees that were dropped go back to whom they came from."""
    round_ = live_round(state)
    shift_id, fees = round_.shift_id, round_.fees
    assert shift_id is not None  # bets that were closed have a shift
    ledger = Ledger(round_, shift_id, {}, tx.now, state.boxes)
    ledger.reverse(current_transfers(round_))
    rows_create(ledger.rows)
    untouched = Round()
    for column in FIXED_AT_CLOSE:
        setattr(round_, column, getattr(untouched, column))
    round_.save()
    if state.shift is None or state.shift.pk != shift_id:
        wake_worker()  # the report of a closed shift waited for this round
    return {"round": round_.pk, "number": round_.number, "refunded": fees, "shift": shift_id}


def _deal(tx: TableTransaction, state: TableState, step: StepBack) -> dict[str, Any]:
    round_ = live_round(state)
    before = round_.dealt_at
    assert before is not None  # why_not_undo has seen to it
    round_.dealt_at = None
    round_.board, round_.decided = "", {}
    round_.save()
    return {"round": round_.pk, "before": before.isoformat(), "after": None}


def _irregularity(
    tx: TableTransaction, state: TableState, step: StepBack, reason: str, approver: Staff | None
) -> dict[str, Any]:
    """Withdraw an irregularity that was entered by mistake: the entry stays, and the round goes on."""
    entered = Procedure.objects.get(pk=step.entry.data["procedure"], round=live_round(state))
    made = Procedure.objects.create(
        room=tx.room,
        table=tx.table,
        round_id=entered.round_id,
        deck_id=entered.deck_id,
        kind=Procedure.Kind.WITHDRAWN,
        subject=entered.subject,
        withdraws=entered,
        reason=reason,
        clause=entered.clause,
        made_at=tx.now,
        recorded_by=tx.actor,
        ordered_by=approver,
    )
    return {"round": entered.round_id, "procedure": made.pk, "withdraws": entered.pk}


def _answer(tx: TableTransaction, state: TableState, step: StepBack) -> dict[str, Any]:
    """Withdraw an answer: the seat is asked again. A turn that it began was none, and the run of offers goes on."""
    data = step.entry.data
    given = Offer.objects.filter(table=tx.table, withdrawal__isnull=True)
    offer = given.filter(seat=data["seat"], player=data["player"], answer=data["answer"]).latest("id")
    Withdrawal.objects.create(
        room=tx.room, table=tx.table, offer=offer, withdrawn_at=tx.now, withdrawn_by=tx.actor
    )
    if offer.answer == Offer.Answer.ACCEPTED:
        assert state.turn is not None  # the turn that the answer began
        start_after = tx.table.offers_start_after
        end_turn(tx, state, Turn.Ended.MISTAKE)
        tx.write(offer_cycle=offer.cycle, offers_start_after=start_after)
    return {"offer": offer.pk, "seat": offer.seat, "player": offer.player_id, "answer": offer.answer}


_UNDO = {
    "bets_place": _bets,
    "bets_repeat": _bets,
    "later_bets_place": _later_bets,
    "bank_wager_set": _bank_wager,
    "fee_waive": _waiver,
    "bets_close": _close,
    "round_deal": _deal,
    "offer_answer": _answer,
}
