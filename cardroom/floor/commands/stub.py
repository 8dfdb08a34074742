"""Commands on the stub: counting it, what a wrong count leads to, and letting a round go without one (ruling 45)."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Document, Label, Note, Whole
from cardroom.people.rights import Right
from games.cards import DECK
from games.phrases import Phrase
from games.procedures.rules import RETIRE_DECK, Consequence
from games.procedures.stub_count import cards_missing, device_follows, what_follows
from games.registry import procedure_rules_of
from games.terms import MOST_DECKS

from ..alerts import alert_clear, alert_raise
from ..checks.procedures import why_not_count_stub, why_not_report_device, why_not_waive_count
from ..errors import BadInput
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Alert, Procedure
from ..reads.procedures import Follows
from ..reads.table_procedures import TableProcedures
from ..reads.table_state import TableState
from .decks import retire
from .procedures import Supervisor, follows, procedure_note, supervisor_of
from .second_person import given_reason

#: The most that a count may say, whatever is in use at the table: twice the cards of so many decks.
MOST_CARDS = 2 * MOST_DECKS * len(DECK)


class FollowsAnswer(TypedDict):
    """What follows by the rules."""

    follows: Annotated[dict[str, Any], Document(Follows)]


@table_command(
    "POST stub-counts",
    Right.RUN_ROUNDS,
    check=why_not_count_stub,
    title=Phrase("Count the stub"),
    tag="Procedures",
    example={"stub": 34},
    page="stub",
    menu="procedures",
)
def stub_count(
    tx: TableTransaction,
    *,
    stub: Annotated[int, Whole(0, MOST_CARDS), "Cards left."],
    dealt: Annotated[
        int, Whole(0, MOST_CARDS), "Cards out of the stub; left out, those of the round in play, of one deck."
    ]
    | None = None,
    misdealt: Annotated[bool, "Some hand has more or fewer cards than it should."] = False,
) -> FollowsAnswer:
    """Record how many cards are left in the stub, and answer what follows by the rules.

    Both together are compared with the cards of all decks in use. `dealt` are the cards that lie on the table and in the
    discard rack; of one deck they may be left out: as many as the game gives to the positions and the bank of a round that
    is dealt, and none between rounds. `misdealt` says that some hand has more or fewer than it should. A deck that is not
    whole is retired at once; the round that it voids is voided with an approver as always.
    """
    state = tx.state()
    procedures = state.procedures
    deal = state.game.deal(state.terms)
    out = cards_out(state) if dealt is None else dealt
    if out is None:
        what = (
            Phrase("Hands of this game vary in size: count the cards on the table too.")
            if deal.decks == 1
            else Phrase("Several decks are in use: count the cards on the table and in the discard rack too.")
        )
        raise BadInput("cards_required", what, path="dealt")
    most = 2 * deal.cards
    for cards, path in ((stub, "stub"), (out, "dealt")):
        if not 0 <= cards <= most:
            what = Phrase(
                "A count of cards is from 0 to {x} here: {cards} are in use.", x=most, cards=deal.cards
            )
            raise BadInput("bad_count", what, path=path)
    missing = cards_missing(cards=deal.cards, dealt=out, stub=stub)
    consequence = what_follows(procedures.rules, missing=missing, misdealt=misdealt)
    deck = procedures.in_play
    procedure_note(
        tx, Procedure.Kind.STUB_COUNT, round=state.live, deck=deck, number=stub, **follows(consequence)
    )
    alert_clear(tx, Alert.Kind.STUB_COUNT_DUE)
    _retire_if_wrong(tx, procedures, consequence)
    return what_answer(consequence)


@table_command(
    "POST stub-counts/waive",
    Right.RUN_ROUNDS,
    check=why_not_waive_count,
    title=Phrase("Let a round go without a count"),
    tag="Procedures",
    example={"reason": "shift change"},
    page="no-count",
    menu="procedures",
    done=Phrase("The next round may go without a count."),
)
def count_waive(
    tx: TableTransaction,
    *,
    reason: Annotated[Note, Label(Phrase("Why it goes without a count"))] = "",
    approver: Supervisor | None = None,
) -> None:
    """Let one more round go without the count that is due, at a supervisor's word and for a reason."""
    state = tx.state()
    supervisor = supervisor_of(tx, approver, Right.SUPERVISE)
    procedure_note(
        tx,
        Procedure.Kind.COUNT_WAIVED,
        reason=given_reason(reason, Phrase("A round without a count")),
        ordered_by=supervisor,
        clause=state.procedures.count_due.clause or "",
        number=state.procedures.rounds_since_count,
    )


@table_command(
    "POST shuffler-reports",
    Right.RUN_ROUNDS,
    check=why_not_report_device,
    title=Phrase("The shuffler reports a wrong deck"),
    tag="Procedures",
    page="device",
    menu="procedures",
)
def device_report(tx: TableTransaction) -> FollowsAnswer:
    """Record that the shuffler reports a wrong number of cards: the deck in it, which is not in play, is retired.

    With one deck at the table it is that one.
    """
    state = tx.state()
    procedures, consequence = state.procedures, device_follows(state.procedures.rules)
    in_play = procedures.in_play
    in_machine = next((deck for deck in procedures.decks if deck != in_play), in_play)
    procedure_note(tx, Procedure.Kind.DEVICE_COUNT, round=state.live, deck=in_machine, **follows(consequence))
    if in_machine is not None:
        retire(tx, in_machine, consequence.reason)
    return what_answer(consequence)


def check_stub_count(tx: TableTransaction) -> None:
    """Tell the floor when a count falls due before the next round; where the rules ask for none, nothing is read."""
    if procedure_rules_of(tx.table.book).stub.every_rounds is None:
        return
    due = tx.state().procedures.count_due
    if due.due:
        alert_raise(tx, Alert.Kind.STUB_COUNT_DUE, "", f"{due.reason[:1].upper()}{due.reason[1:]}.")


def cards_out(state: TableState) -> int | None:
    """The cards that are out of the stub in a round as it should be dealt; None where somebody has to count them."""
    deal, round_ = state.game.deal(state.terms), state.live
    if round_ is None or round_.dealt_at is None:
        return 0 if deal.decks == 1 else None
    return deal.on_table(round_.positions)


def what_answer(consequence: Consequence) -> FollowsAnswer:
    """What follows, as the answer of a command."""
    return {
        "follows": {
            "round": consequence.round,
            "cards": consequence.cards,
            "void_reason": consequence.void_reason,
            "text": consequence.reason,
            "clause": consequence.clause,
        }
    }


def _retire_if_wrong(tx: TableTransaction, procedures: TableProcedures, consequence: Consequence) -> None:
    if consequence.cards == RETIRE_DECK and procedures.in_play is not None:
        retire(tx, procedures.in_play, consequence.reason)
