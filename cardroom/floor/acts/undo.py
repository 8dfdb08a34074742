"""One step back within a round or a run of offers, as an act of its own: nothing that was recorded goes away.

What may be taken back, and what it takes (`docs/round.md`): wagers and the bank's wager until "no more bets"; "no more
bets" itself, the deal and an irregularity that voids the round with a reason and a second person's signature
(ruling 42); an answer to an offer until the round opens. For ten seconds, and while no card is out, "no more bets"
goes back without them (`bets_reopen`).
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.acts import Note
from cardroom.jobs.notify_worker import wake_worker
from cardroom.people.approval import Approval
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..checks.undo import why_not_reopen_bets, why_not_undo
from ..commands import AtTable, table_act
from ..correction_preview import current_transfers
from ..errors import BadInput
from ..ledger import Ledger
from ..models import Offer, Procedure, Round, Turn, Waiver, Withdrawal
from ..places import place_of
from ..reads.table_reading import TableReading
from ..reads.undoing import IRREGULARITY, UNDO, StepBack, bets_before
from ..settlement import FIXED_AT_CLOSE
from .bank import end_turn
from .round_steps import live_round
from .second_person import check_second_person, given_reason
from .waivers import withdraw


class UndoAnswer(TypedDict):
    """What was taken back."""

    act: Annotated[str, "The step that was undone."]
    undone: Annotated[str, "The same in words."]


@table_act(
    "POST undo",
    Right.RUN_ROUNDS,
    check=why_not_undo,
    title="Undo",
    tag="Corrections",
    page="undo",
)
def undo(
    at: AtTable,
    *,
    reason: Annotated[Note, 'Required to undo "no more bets" and the deal.'] = "",
    approver: Approval | None = None,
) -> UndoAnswer:
    """Take the last step back, and answer which it was: `act`, and in words `undone`.

    "No more bets", the deal and an irregularity that voids the round need a `reason` and an `approver`, who is
    another person and may approve corrections.
    """
    reading = at.reading()
    step = reading.step_back
    assert step is not None  # why_not_undo has seen to it
    signed: dict[str, Any] = {}
    if step.signed:
        reason = given_reason(reason, Phrase("To undo {says}", says=step.says))
        if approver is None:
            raise BadInput(
                "approver_required",
                Phrase("To undo {says} takes a second person's signature.", says=step.says),
                path="approver",
            )
        check_second_person(at, approver, Right.APPROVE_CORRECTION, Phrase("undoes a step"))
        signed = {"approved_by": {"id": approver.pk, "name": str(approver)}}
    if step.act == IRREGULARITY:
        changed = _irregularity(at, reading, step, reason, approver)
    else:
        changed = _UNDO[step.act](at, reading, step)
    at.journal(UNDO, {"undoes": step.entry.seq, "act": step.act, **changed, **signed}, reason=reason.strip())
    return {"act": step.act, "undone": step.says}


@table_act(
    "POST rounds/current/reopen-bets",
    Right.RUN_ROUNDS,
    check=why_not_reopen_bets,
    title="Reopen bets",
    tag="Corrections",
    page="reopen-bets",
)
def bets_reopen(at: AtTable) -> UndoAnswer:
    """Take "no more bets" back, unsigned: the fees go back by reversing transfers, and wagers may change again.

    Only within ten seconds of it, by the instants of the server, and while no card is out.
    """
    reading = at.reading()
    step, round_ = reading.step_back, live_round(reading)
    assert step is not None  # why_not_reopen_bets has seen to both
    assert round_.bets_closed_at is not None
    seconds = max(int((at.now - round_.bets_closed_at).total_seconds()), 0)
    changed = _close(at, reading, step)
    at.journal(UNDO, {"undoes": step.entry.seq, "act": step.act, **changed, "after_seconds": seconds})
    return {"act": step.act, "undone": step.says}


def _bets(at: AtTable, reading: TableReading, step: StepBack) -> dict[str, Any]:
    round_ = live_round(reading)
    before = round_.bets
    placed = {place_of(bet): bet for bet in before}
    for bet in step.entry.data["bets"]:
        placed.pop(place_of(bet), None)
    placed |= {place_of(bet): bet for bet in bets_before(step.entry)}
    round_.bets = [placed[place] for place in sorted(placed)]
    at.save(round_)
    return {"round": round_.pk, "before": before, "after": round_.bets}


def _bank_wager(at: AtTable, reading: TableReading, step: StepBack) -> dict[str, Any]:
    round_ = live_round(reading)
    before, round_.bank_wager_cents = round_.bank_wager_cents, step.entry.data["before"]
    at.save(round_)
    return {"round": round_.pk, "before": before, "after": round_.bank_wager_cents}


def _waiver(at: AtTable, reading: TableReading, step: StepBack) -> dict[str, Any]:
    waiver = Waiver.objects.get(pk=step.entry.data["waiver"], round=live_round(reading))
    withdraw(at, waiver)
    return {"round": waiver.round_id, "waiver": waiver.pk}


def _close(at: AtTable, reading: TableReading, step: StepBack) -> dict[str, Any]:
    """Open the bets again: the fees that were dropped go back to whom they came from."""
    round_ = live_round(reading)
    shift_id, fees = round_.shift_id, round_.fees
    assert shift_id is not None  # bets that were closed have a shift
    ledger = Ledger(round_, shift_id, {}, at.now, reading.boxes)
    at.written()  # the transfers of the round are read
    ledger.reverse(current_transfers(round_))
    at.add(ledger.rows)
    untouched = Round()
    for column in FIXED_AT_CLOSE:
        setattr(round_, column, getattr(untouched, column))
    at.save(round_)
    if reading.shift is None or reading.shift.pk != shift_id:
        wake_worker()  # the report of a closed shift waited for this round
    return {"round": round_.pk, "number": round_.number, "refunded": fees, "shift": shift_id}


def _deal(at: AtTable, reading: TableReading, step: StepBack) -> dict[str, Any]:
    round_ = live_round(reading)
    before = round_.dealt_at
    assert before is not None  # why_not_undo has seen to it
    round_.dealt_at = None
    at.save(round_)
    return {"round": round_.pk, "before": before.isoformat(), "after": None}


def _irregularity(
    at: AtTable, reading: TableReading, step: StepBack, reason: str, approver: Staff | None
) -> dict[str, Any]:
    """Withdraw an irregularity that was entered by mistake: the entry stays, and the round goes on."""
    entered = Procedure.objects.get(pk=step.entry.data["procedure"], round=live_round(reading))
    made = Procedure.objects.create(
        room=at.room,
        table=at.table,
        round_id=entered.round_id,
        deck_id=entered.deck_id,
        kind=Procedure.Kind.WITHDRAWN,
        subject=entered.subject,
        withdraws=entered,
        reason=reason,
        clause=entered.clause,
        made_at=at.now,
        recorded_by=at.actor,
        ordered_by=approver,
    )
    return {"round": entered.round_id, "procedure": made.pk, "withdraws": entered.pk}


def _answer(at: AtTable, reading: TableReading, step: StepBack) -> dict[str, Any]:
    """Withdraw an answer: the seat is asked again. A turn that it began was none, and the run of offers goes on."""
    data = step.entry.data
    at.written()  # the offer is read
    given = Offer.objects.filter(table=at.table, withdrawal__isnull=True)
    offer = given.filter(seat=data["seat"], player=data["player"], answer=data["answer"]).latest("id")
    Withdrawal.objects.create(
        room=at.room, table=at.table, offer=offer, withdrawn_at=at.now, withdrawn_by=at.actor
    )
    if offer.answer == Offer.Answer.ACCEPTED:
        assert reading.turn is not None  # the turn that the answer began
        start_after = at.table.offers_start_after
        end_turn(at, reading, Turn.Ended.MISTAKE)
        at.write(offer_cycle=offer.cycle, offers_start_after=start_after)
    return {"offer": offer.pk, "seat": offer.seat, "player": offer.player_id, "answer": offer.answer}


_UNDO = {
    "bets_place": _bets,
    "bets_repeat": _bets,
    "bank_wager_set": _bank_wager,
    "fee_waive": _waiver,
    "bets_close": _close,
    "round_deal": _deal,
    "offer_answer": _answer,
}
