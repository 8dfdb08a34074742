"""Commands on the decks of a table: placing, inspecting, dealing in turn and retiring them (ruling 45)."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Id, Label, Note, OneOf, Pick, Size, Text
from cardroom.core.row_digests import rows_create
from cardroom.people.models import Staff
from cardroom.people.rights import Right
from games.phrases import Phrase
from games.procedures.dealing import Setup, why_not_change, why_not_dealing
from games.procedures.decks import Deck as RegisteredDeck
from games.procedures.decks import why_not_deck, why_not_decks
from games.procedures.rules import IN_PLAY, ROUND_STANDS, Objection

from ..checks.procedures import (
    objected,
    procedures_at_deal,
    why_not_choose_deck,
    why_not_inspect,
    why_not_place_deck,
    why_not_retire_deck,
    why_not_set_dealing,
)
from ..errors import BadInput, Forbidden, NotNow
from ..execution.carry_out import table_command
from ..execution.transactions import TableTransaction
from ..models import Deck, Procedure, Round, Table
from ..reads.table_procedures import TableProcedures
from ..reads.table_state import TableState
from .procedures import Supervisor, procedure_note, supervisor_of
from .second_person import check_second_person, given_reason

COLOUR_LENGTH = 20


class DeckAnswer(TypedDict):
    """Which deck it is."""

    deck: int


class PlacedAnswer(DeckAnswer):
    """A deck was put on the table, under a name."""

    name: str


class InspectedAnswer(DeckAnswer):
    """Who has looked a deck over."""

    by: Annotated[str, OneOf(Procedure.Inspector)]


def deck_choices(state: TableState) -> list[tuple[Any, str]]:
    """The decks of the table, as a form offers them; nothing is chosen where there are several."""
    decks: list[tuple[Any, str]] = [(deck.pk, str(deck)) for deck in state.procedures.decks]
    return decks if len(decks) == 1 else [("", "choose"), *decks]


@table_command(
    "POST decks",
    Right.SUPERVISE,
    check=why_not_place_deck,
    title=Phrase("Put a deck on the table"),
    tag="Procedures",
    example={"colour": "red"},
    page="deck-place",
    menu="procedures",
)
def deck_place(
    tx: TableTransaction,
    *,
    colour: Annotated[str, Text(COLOUR_LENGTH), Label(Phrase("Colour of its backs")), "Of the backs."],
) -> PlacedAnswer:
    """Put a deck with backs of `colour` on the table, between rounds. The rules say how many, and of which colours."""
    state = tx.state()
    colour = " ".join(colour.split()).lower()
    if not colour or len(colour) > COLOUR_LENGTH:
        raise BadInput(
            "bad_colour",
            Phrase(
                "The colour of the backs takes 1 to {colour_length} characters.", colour_length=COLOUR_LENGTH
            ),
            path="colour",
        )
    procedures = state.procedures
    name = _name(colour, {deck.name for deck in procedures.decks})
    decks = [*procedures.registered, RegisteredDeck(name, colour)]
    if objection := _objection(procedures, decks, shuffler=procedures.setup.shuffler):
        raise NotNow.because(objected("deck_not_allowed", objection))
    deck = Deck.objects.create(
        room=tx.room, table=tx.table, name=name, colour=colour, placed_at=tx.now, placed_by=tx.actor
    )
    tx.journal("deck_place", {"deck": deck.pk, "name": name, "colour": colour})
    return {"deck": deck.pk, "name": name}


@table_command(
    "POST decks/{deck_id}/retire",
    Right.SUPERVISE,
    check=why_not_retire_deck,
    title=Phrase("Retire a deck"),
    tag="Procedures",
    example={"reason": "worn"},
    page="deck-retire",
    menu="procedures",
    done=Phrase("The deck is retired."),
)
def deck_retire(
    tx: TableTransaction,
    *,
    deck_id: Annotated[Id, Label(Phrase("Deck")), Pick(deck_choices)],
    reason: Annotated[Note, Label(Phrase("Why"))] = "",
) -> DeckAnswer:
    """Take a deck off the table for good, between rounds; another is put in its place."""
    state = tx.state()
    deck = _deck(state.procedures, deck_id)
    retire(tx, deck, given_reason(reason, Phrase("Retiring a deck")))
    return {"deck": deck.pk}


@table_command(
    "POST decks/{deck_id}/inspect",
    Right.RUN_ROUNDS,
    check=why_not_inspect,
    title=Phrase("Deck inspected"),
    tag="Procedures",
    example={"by": "dealer"},
    page="inspect",
    menu="procedures",
)
def deck_inspect(
    tx: TableTransaction,
    *,
    deck_id: Id,
    by: Annotated[str, OneOf(Procedure.Inspector)],
    approver: Supervisor | None = None,
) -> InspectedAnswer:
    """Record that a deck was looked over; `by` is `dealer`, `floor`, `first_player` or `pre_shuffled`.

    The floor's own look is recorded by the floor, or signed by them as `approver`.
    """
    state = tx.state()
    procedures = state.procedures
    deck = _deck(procedures, deck_id)
    wanted = [*procedures.rules.inspection.by]
    if procedures.rules.inspection.pre_shuffled_clause is not None:
        wanted.append(Procedure.Inspector.PRE_SHUFFLED)
    if by not in wanted:
        raise BadInput(
            "bad_inspector",
            Phrase("A deck is inspected by one of {wanted}.", wanted=", ".join(wanted)),
            path="by",
        )
    supervisor = None
    if by == Procedure.Inspector.FLOOR:
        supervisor = supervisor_of(tx, approver, Right.SUPERVISE)
    rule = procedures.rules.inspection
    clause = rule.pre_shuffled_clause if by == Procedure.Inspector.PRE_SHUFFLED else rule.clause
    procedure_note(
        tx,
        Procedure.Kind.INSPECTED,
        deck=deck,
        subject=by,
        round=state.live,
        clause=clause or "",
        ordered_by=supervisor,
    )
    tx.left = state.with_procedures_anew()
    return {"deck": deck.pk, "by": by}


@table_command(
    "PUT rounds/current/deck",
    Right.RUN_ROUNDS,
    check=why_not_choose_deck,
    title=Phrase("Deal from another deck"),
    tag="Procedures",
    example={"deck_id": 2, "reason": "the other one sticks"},
    page="deck",
    menu="procedures",
)
def deck_choose(
    tx: TableTransaction,
    *,
    deck_id: Annotated[Id, Label(Phrase("Deck")), Pick(deck_choices)],
    reason: Annotated[
        Note, Label(Phrase("Why, if it is out of turn")), "Required for a deck out of turn."
    ] = "",
    approver: Supervisor | None = None,
) -> DeckAnswer:
    """Deal the round in play from another deck than the one that is due, for a reason; the due one needs none.

    The second round in a row from one deck takes a supervisor, who signs as `approver` where the actor is none, and
    is listed in the report of irregularities; also where one deck alone is left (ruling 45).
    """
    state = tx.state()
    procedures = state.procedures
    deck = _deck(procedures, deck_id)
    if objection := why_not_deck(
        procedures.rules,
        procedures.registered,
        deck.name,
        last=procedures.last_deck,
        reason=reason,
        supervisor=True,
    ):
        raise NotNow.because(objected("deck_out_of_turn", objection))
    facts: dict[str, Any] = {"clause": "" if procedures.deck_due is None else procedures.deck_due.clause}
    if procedures.repeats(deck.name):
        facts = {
            "clause": procedures.rules.decks.clauses["alternate"],
            "ordered_by": supervisor_of(tx, approver, Right.SUPERVISE),
            "round_fate": ROUND_STANDS,
            "card_fate": IN_PLAY,
            "text": Phrase("one deck is dealt twice in a row"),
        }
    procedure_note(
        tx,
        Procedure.Kind.DECK_CHOSEN,
        deck=deck,
        round=state.live,
        reason=reason.strip()[:200],
        **facts,
    )
    return {"deck": deck.pk}


@table_command(
    "PUT dealing",
    Right.SET_TABLES,
    check=why_not_set_dealing,
    title=Phrase("Shuffling and dealing"),
    tag="Procedures",
    example={"shuffler": "shuffles"},
    page="dealing",
    menu="procedures",
    done=Phrase("The table is set."),
)
def dealing_set(
    tx: TableTransaction,
    *,
    shuffler: Annotated[str, OneOf(Table.Shuffler)],
    dealing: Annotated[str, Text(20, blank=True), "Id of a way of dealing, where the rules name some."] = "",
    removed: Annotated[
        list[Annotated[str, Text(20)]],
        Size(0, 10),
        "Machines that have left the table: `shuffler`, or the way of dealing whose machine it was.",
    ]
    | None = None,
    reason: Annotated[
        Note, Label(Phrase("Why there is none")), "Required for no shuffler where the rules ask for one."
    ] = "",
    approver: Annotated[
        Supervisor | None, "A second person, who signs for no shuffler where the rules ask for one."
    ] = None,
) -> None:
    """Set how the table shuffles and deals, between rounds.

    `dealing` is the id of one of the rules' ways of dealing, empty where they leave it to the room. `removed` names
    the machines that have left the table: `shuffler`, or the way of dealing whose machine it was.

    No shuffler where the rules ask for one takes a reason and a second person, and is an exception in the report of
    irregularities while it lasts (ruling 45).
    """
    state = tx.state()
    if shuffler not in Table.Shuffler.values:
        raise BadInput(
            "bad_shuffler",
            Phrase("A shuffler is one of {values}.", values=", ".join(Table.Shuffler.values)),
            path="shuffler",
        )
    procedures = state.procedures
    if dealing and dealing not in procedures.rules.methods:
        known = ", ".join(procedures.rules.methods) or "none by name"
        raise BadInput(
            "bad_dealing",
            Phrase("These rules know the ways of dealing: {known}.", known=known),
            path="dealing",
        )
    after = Setup(shuffler != Table.Shuffler.NONE, dealing or next(iter(procedures.rules.methods), ""))
    objection = (
        why_not_dealing(procedures.rules, after)
        or _objection(procedures, procedures.registered, shuffler=after.shuffler)
        or why_not_change(procedures.rules, procedures.setup, after, removed=removed or [])
    )
    if objection:
        raise NotNow.because(objected("dealing_not_allowed", objection))
    _note_shuffler(tx, procedures, after, reason, approver)
    before = {"shuffler": tx.table.shuffler, "dealing": tx.table.dealing}
    tx.table.shuffler, tx.table.dealing = shuffler, dealing
    tx.table._history_user = tx.actor  # type: ignore[attr-defined]  # read by simple_history
    tx.table.save(update_fields=["shuffler", "dealing"])
    tx.journal(
        "dealing_set",
        {"before": before, "after": {"shuffler": shuffler, "dealing": dealing}, "removed": removed or []},
    )


def _note_shuffler(
    tx: TableTransaction, procedures: TableProcedures, after: Setup, reason: str, approver: Staff | None
) -> None:
    """Write down that a table plays without the shuffler that its rules ask for, and that it no longer does."""
    clause = procedures.rules.shuffler_clause
    if clause is not None and not after.shuffler:
        reason = given_reason(reason, Phrase("A table without the automatic shuffler"))
        if approver is None:
            raise Forbidden(
                "second_person_required",
                Phrase("A second person signs for a table without the automatic shuffler."),
                path="approver",
            )
        check_second_person(tx, approver, Right.SUPERVISE, Phrase("takes the automatic shuffler away"))
        procedure_note(
            tx,
            Procedure.Kind.NO_SHUFFLER,
            reason=reason,
            ordered_by=approver,
            clause=clause,
            text=Phrase("the table plays without the automatic shuffler"),
        )
    else:
        shuffler_back(tx)


def shuffler_back(tx: TableTransaction) -> None:
    """Write down that the shuffler is no longer missing, where it was."""
    kinds = (Procedure.Kind.NO_SHUFFLER, Procedure.Kind.SHUFFLER_BACK)
    last = Procedure.objects.filter(table=tx.table, kind__in=kinds).order_by("-id").first()
    if last is not None and last.kind == Procedure.Kind.NO_SHUFFLER:
        procedure_note(tx, Procedure.Kind.SHUFFLER_BACK)


def deal_note(tx: TableTransaction, state: TableState, round_: Round) -> dict[str, Any]:
    """Keep from which deck a round was dealt, and that its fees had been dropped; returns what the journal says of it.

    The dealer has dropped the fees before: the button of the deal says so.
    """
    procedures = procedures_at_deal(state, round_)
    deck, kinds = procedures.in_play, [Procedure.Kind.DEALT]
    if round_.fees:
        kinds.append(Procedure.Kind.FEES_DROPPED)
    # A deal that was recorded by mistake and undone leaves its facts: they are kept once a round.
    kinds = [kind for kind in kinds if not procedures.of_round(kind)]
    clauses = {
        Procedure.Kind.DEALT: "" if procedures.deck_due is None else procedures.deck_due.clause,
        Procedure.Kind.FEES_DROPPED: procedures.rules.calls.get("fee_drop", ""),
    }
    made = [
        Procedure(
            room=tx.room,
            table=tx.table,
            round=round_,
            deck=deck if kind == Procedure.Kind.DEALT else None,
            kind=kind,
            clause=clauses[kind],
            made_at=tx.now,
            recorded_by=tx.actor,
        )
        for kind in kinds
    ]
    rows_create(made)
    state.facts += made
    for fact in made:
        if fact.deck_id is not None:
            state.last_deal = fact
    data = {} if deck is None else {"deck": deck.name}
    return {**data, "fees_dropped": bool(round_.fees)}


def retire(tx: TableTransaction, deck: Deck, why: str, *, by: Staff | None = None) -> None:
    """Retire a deck: it serves no table again."""
    deck.retired_at, deck.retired_by, deck.retired_why = tx.now, by or tx.actor, why[:200]
    deck.save(update_fields=["retired_at", "retired_by", "retired_why"])
    tx.journal("deck_retire", {"deck": deck.pk, "name": deck.name}, reason=deck.retired_why)


def _objection(
    procedures: TableProcedures, decks: Sequence[RegisteredDeck], *, shuffler: bool
) -> Objection | None:
    """What the rules object to in these decks, but that they are too few: they come one by one."""
    if len(decks) < procedures.rules.decks.least:
        return None
    return why_not_decks(procedures.rules, decks, shuffler=shuffler)


def _deck(procedures: TableProcedures, deck_id: int) -> Deck:
    deck = next((deck for deck in procedures.decks if deck.pk == deck_id), None)
    if deck is None:
        names = ", ".join(f"{deck.name} ({deck.pk})" for deck in procedures.decks) or "none"
        raise BadInput(
            "unknown_deck",
            Phrase(
                "No deck {deck_id} is in play at {table}; its decks: {names}.",
                deck_id=deck_id,
                table=procedures.table,
                names=names,
            ),
            path="deck_id",
        )
    return deck


def _name(colour: str, taken: Collection[str]) -> str:
    """The colour, with a number from 2 on where a deck of that colour serves already."""
    return next(
        name
        for number in itertools.count(1)
        if (name := colour if number == 1 else f"{colour} {number}") not in taken
    )
