"""Command that corrects a settled round: the record is reversed and made anew, with a reason and a second person (ruling 42)."""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from cardroom.core.json_types import Cents, Document, Id, OneOf, Reason, Seat, Signature, Size, Text
from cardroom.core.row_digests import rows_create
from cardroom.people.models import Staff
from cardroom.people.rights import Right

from ..checks.corrections import why_not_correct
from ..errors import BadInput, NotFound, NotNow
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Round, Transfer
from ..report_jobs import Cause, report_ask
from ..settling.correction_preview import Correction, Drop, correction_computed
from ..settling.ledger import Ledger
from ..settling.sheets import hands_given
from .command_types import MOST_POSITIONS, CorrectedPosition, RanOutAt, TableHands
from .round_steps import RoundAnswer, bank_wager, round_answer
from .second_person import check_second_person, given_reason

_Approval = Annotated[Staff, Signature(right=Right.APPROVE_CORRECTION)]


class Moved(TypedDict):
    """What a correction moves for one account: above 0 it gets more than before, below 0 it gives back."""

    account: Annotated[str, OneOf(Transfer.Account)]
    seat: int | None
    behind: NotRequired[Annotated[int, "Of a back-line bettor: the place behind the seat, from 1."]]
    player: str
    cents: int


class CorrectedRound(RoundAnswer):
    """The correction, and what it moves."""

    corrects: int
    revision: int
    moved: list[Annotated[dict[str, Any], Document(Moved)]]


@table_command(
    "POST rounds/{round_id}/correct",
    Right.RUN_ROUNDS,
    bumps_version=False,
    no_check="it depends on the round: why_not_correct",
    title="Correct a settled round",
    fresh=True,
    tag="Corrections",
    example={
        "bank_wager_cents": 20000,
        "bank_hand": "Qs 7d 4c",
        "positions": [{"seat": 4, "wagers": {"ante": 1000}, "hand": "9h 9c 2d", "decision": "play"}],
        "reason": "seat 4 held a pair",
    },
)
def round_correct(
    tx: TableTransaction,
    *,
    round_id: Id,
    bank_wager_cents: Annotated[Cents, "Left out where the house banks."] | None = None,
    positions: Annotated[list[CorrectedPosition], Size(1, MOST_POSITIONS)],
    reason: Reason,
    approver: _Approval,
    bank_hand: Annotated[str, Text(80, blank=True), "Left out where no cards are recorded."] = "",
    hands: TableHands | None = None,
    action_seat: Annotated[Seat, "Where settling starts."] | None = None,
    drop: Annotated[
        str,
        OneOf([str(each) for each in Drop]),
        "What the drop box holds: what the record shows, or what the corrected wagers cost.",
    ] = str(Drop.AS_RECORDED),
    shown_card: Annotated[
        str,
        Text(3, blank=True),
        "The card that the bank showed; left out as it is on record, empty where none was recorded.",
    ]
    | None = None,
    ran_out: Annotated[
        RanOutAt | None,
        "Where the bank ran out, of a round that is not carded; left out, as it is on record.",
    ] = None,
    covered_all: Annotated[bool, "The bank of a round that is not carded ran out nowhere."] = False,
) -> CorrectedRound:
    """Correct a settled round: what was recorded is reversed, and recorded anew as it was played.

    `positions` is one `{"seat", "behind", "wagers", "tips", "hand", "decision"}` for each position that was in play, all of them,
    in cents as in the round sheet; a round settled by eye has neither hands nor decisions. `drop` says what lay in the
    drop box: what the record shows (`as_recorded`), or what the corrected wagers cost (`as_due`). `shown_card` is the
    card that the bank showed; left out it is as recorded.

    The correction is a round of its own under the same number, one revision higher, and belongs to the shift that is open
    now: a report made before stays as it was made, and is restated beside. Rounds of turns at the bank stay as they were
    counted. It may be made while another round is in play, and does not move the table on.
    """
    old = Round.objects.filter(pk=round_id, table=tx.table).select_related("schedule", "shift").first()
    if old is None:
        raise NotFound("not_found", f"There is no round {round_id} at {tx.table}.")
    state = tx.state()
    if why := why_not_correct(state, old):
        raise NotNow.because(why)
    reason = given_reason(reason, "A correction")
    if drop not in set(Drop):
        raise BadInput("bad_drop", f"The drop is one of {', '.join(Drop)}.", path="drop")
    made = correction_computed(
        old,
        bank_wager_cents=bank_wager(old.house_banks, bank_wager_cents, "bank_wager_cents"),
        action_seat=action_seat,
        hands=hands_given(old, bank_hand, hands),
        positions=[{**each} for each in positions],
        drop=drop,
        shown_card=shown_card,
        ran_out=ran_out,
        covered_all=covered_all,
    )
    check_second_person(tx, approver, Right.APPROVE_CORRECTION, "corrects a round")
    assert state.shift is not None  # why_not_correct has seen to it
    new = made.round
    new.shift, new.corrected_at = state.shift, tx.now
    new.correction_reason, new.corrected_by, new.correction_approved_by = reason, tx.actor, approver
    new.save(force_insert=True)
    ledger = Ledger(new, state.shift.pk, {}, tx.now, made.boxes)
    ledger.reverse(made.undone)
    ledger.take_over(made.rows)
    rows_create(ledger.rows)
    tx.journal("round_correct", _entry(old, made, drop, approver), reason=reason)
    recorded_in = _first_record(old).shift
    if recorded_in is not None and recorded_in != new.shift:
        report_ask(recorded_in, Cause.ROUND_CORRECTED, tx.now)
    moved = [each.to_json() for each in made.moved]
    return {**round_answer(new), "corrects": old.pk, "revision": new.revision, "moved": moved}


def _first_record(old: Round) -> Round:
    """The round as it was recorded first: the report of its shift is the one that lists every correction."""
    if not old.revision:
        return old
    named = Round.objects.filter(table=old.table_id, gaming_day=old.gaming_day, number=old.number, revision=0)
    return named.select_related("shift").get()


def _entry(old: Round, made: Correction, drop: str, approver: Staff) -> dict[str, Any]:
    new = made.round
    return {
        "round": new.pk,
        "corrects": old.pk,
        "gaming_day": new.gaming_day.isoformat(),
        "number": new.number,
        "revision": new.revision,
        "shift": new.shift_id,
        "shift_before": old.shift_id,
        "before": _recorded(old),
        "after": _recorded(new),
        "moved": [each.to_json() for each in made.moved],
        "drop": str(drop),
        "fees_due_cents": made.fees_due_cents,
        "approved_by": {"id": approver.pk, "name": str(approver)},
    }


def _recorded(round_: Round) -> dict[str, Any]:
    """The sums of a round that a correction may change."""
    return {
        "bank_wager": round_.bank_wager_cents,
        "action_seat": round_.action_seat,
        **({"shown_card": round_.shown_card} if round_.shown_card else {}),
        "total_table_action": round_.total_table_action_cents,
        "drop": round_.drop_cents,
        "bank": None if round_.settlement is None else round_.settlement["bank"],
        **(
            {} if round_.ran_out is None else {"ran_out": round_.ran_out, "uncovered": round_.uncovered_cents}
        ),
    }
