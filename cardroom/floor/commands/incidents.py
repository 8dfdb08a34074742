"""Commands that record incidents in a round: irregularities, a recut, the card that the bank shows (rulings 44, 49)."""

from __future__ import annotations

from typing import Annotated, TypedDict

from cardroom.core.json_types import Label, Note, Text, Whole
from cardroom.people.rights import Right
from games.phrases import Phrase
from games.procedures.irregularities import irregularity_ids, what_follows

from ..checks.procedures import why_not_recut_now, why_not_report, why_not_show_card
from ..errors import BadInput, NotNow
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Procedure, Round
from ..reads.table_state import TableState
from ..settling.sheets import card_named
from .procedures import Supervisor, follows, procedure_note, supervisor_of
from .second_person import given_reason
from .stub import FollowsAnswer, what_answer

#: More of one kind in one round is a typing error.
MOST_TIMES = 20


class IrregularityAnswer(FollowsAnswer):
    """What follows from an irregularity."""

    times: Annotated[int, "How often it has happened in the round by now."]


class CardAnswer(TypedDict):
    """The card that the bank shows."""

    card: str
    before: Annotated[str | None, "The card that was recorded before it."]


@table_command(
    "POST rounds/current/irregularities",
    Right.RUN_ROUNDS,
    check=why_not_report,
    title="Irregularity",
    tag="Procedures",
    example={"irregularity": "card_face_up"},
    page="irregularity",
)
def irregularity_report(
    tx: TableTransaction,
    *,
    irregularity: Annotated[str, Text(40), "An id of the rulebook's."],
    times: Annotated[int, Whole(1, MOST_TIMES)] = 1,
    note: Note = "",
) -> IrregularityAnswer:
    """Write an irregularity of the round in play down, and answer what follows by the rules.

    `irregularity` is an id of the rulebook's, `times` how often it has happened now; what was reported before in the
    round counts with it. In a round that the rules void nothing else is done before it is voided, with an approver as
    always; an entry by mistake is taken back by an undo.
    """
    state = tx.state()
    procedures = state.procedures
    known = irregularity_ids(procedures.rules)
    if irregularity not in known:
        raise BadInput(
            "unknown_irregularity",
            Phrase("These rules know {known}.", known=", ".join(known)),
            path="irregularity",
        )
    if not 1 <= times <= MOST_TIMES:
        raise BadInput(
            "bad_times",
            Phrase("It has happened from 1 to {most_times} times.", most_times=MOST_TIMES),
            path="times",
        )
    before = [fact for fact in procedures.irregularities if fact.subject == irregularity]
    count = times + (before[-1].number or 0 if before else 0)
    consequence = what_follows(procedures.rules, irregularity, count)
    procedure_note(
        tx,
        Procedure.Kind.IRREGULARITY,
        round=state.live,
        deck=procedures.in_play,
        subject=irregularity,
        number=count,
        reason=note.strip()[:200],
        **follows(consequence),
    )
    return {"times": count, **what_answer(consequence)}


@table_command(
    "POST rounds/current/recut",
    Right.RUN_ROUNDS,
    check=why_not_recut_now,
    title=Phrase("Order a recut"),
    tag="Procedures",
    example={"reason": "a card showed in the cut"},
    page="recut",
    menu="procedures",
    done=Phrase("The recut is recorded."),
)
def recut_order(
    tx: TableTransaction,
    *,
    reason: Annotated[Note, Label(Phrase("Why it is cut again"))] = "",
    approver: Supervisor | None = None,
) -> None:
    """Have the deck cut again before the first card: a supervisor orders it, for a reason."""
    state = tx.state()
    supervisor = supervisor_of(tx, approver, Right.SUPERVISE)
    procedures = state.procedures
    procedure_note(
        tx,
        Procedure.Kind.RECUT,
        round=state.live,
        deck=procedures.in_play,
        reason=given_reason(reason, Phrase("A recut")),
        ordered_by=supervisor,
        clause=procedures.rules.recut_clause,
    )


@table_command(
    "PUT rounds/current/bank-card",
    Right.RUN_ROUNDS,
    check=why_not_show_card,
    title=Phrase("Record the shown card"),
    tag="Procedures",
    example={"card": "Kh"},
    page="card-up",
    menu="procedures",
)
def bank_card_show(tx: TableTransaction, *, card: Annotated[str, Text(5), "As in `Kh`."]) -> CardAnswer:
    """Record the bank's card that lies face up before the players decide, as in `Kh` (ruling 49).

    Until the settlement another card may be recorded in its place; both entries stay. The settlement is refused unless
    it is one of the bank's three.
    """
    state = tx.state()
    round_ = state.live
    assert round_ is not None  # why_not_show_card has seen to it
    named = card_named(card)
    if round_.shown_card == named:
        raise NotNow(
            "card_is_up",
            Phrase("The {named} is recorded as the shown card of this round already.", named=named),
        )
    before = round_.shown_card
    show_card(tx, state, round_, named)
    return {"card": named, "before": before or None}


def show_card(tx: TableTransaction, state: TableState, round_: Round, card: str) -> None:
    """Note `card` as the shown one."""
    round_.shown_card = card
    round_.save()
    clause = state.procedure_rules.calls["bank_card"]
    procedure_note(tx, Procedure.Kind.BANK_CARD, round=round_, subject=card, clause=clause)
