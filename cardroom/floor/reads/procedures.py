"""Queries on procedures, as plain data: what serves a table and what it is reminded of, and everything that was done there."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from django.db.models import QuerySet

from cardroom.core.dates import utc_text
from cardroom.core.json_types import Instant, OneOf
from games.procedures.rules import CARD_FATES, ROUND_FATES

from ..models import Deck, Procedure, ProgressiveWin, Table
from .meters import MeterRecord, meter_record
from .prompts import Prompt, prompts_of
from .table_state import TableState

#: So many retired decks are shown; the journal has them all.
RETIRED = 10


class NamedDeck(TypedDict):
    """A deck by name."""

    id: int
    name: str


class DeckState(NamedDeck):
    """A deck that serves a table."""

    colour: str
    looked_over_by: list[Annotated[str, OneOf(Procedure.Inspector)]]
    why_not_in_use: str | None


class CountState(TypedDict):
    """Whether a stub count is due."""

    due: bool
    reason: str
    clause: str | None


class WinState(TypedDict):
    """A progressive win."""

    id: int
    seat: int
    state: Annotated[str, OneOf(ProgressiveWin.State)]


class PromptState(TypedDict):
    """A reminder."""

    kind: str
    text: str
    clause: str
    command: Annotated[str, "The command that answers it, where one does."]
    blocks: Annotated[bool, "Whether a command is refused until it is answered."]
    given: Annotated[dict[str, Any], "Arguments of that command that are known already."]
    does: str


class ProceduresRecord(TypedDict):
    """The current decks, counts, wins and reminders of a table."""

    table: int
    version: int
    shuffler: Annotated[str, OneOf(Table.Shuffler)]
    dealing: str
    decks: list[DeckState]
    deck_due: Annotated[str | None, "Name of the deck that is dealt next."]
    count: CountState
    meter: MeterRecord | None
    wins: Annotated[list[WinState], "Of the last settled round, withdrawn ones left out."]
    prompts: list[PromptState]


def procedures_record(state: TableState) -> ProceduresRecord:
    """Return the current decks, counts, wins and reminders of a table; cents, UTC."""
    procedures = state.procedures
    due = procedures.count_due
    return {
        "table": state.table.pk,
        "version": state.table.version,
        "shuffler": state.table.shuffler,
        "dealing": procedures.setup.method,
        "decks": [
            {
                "id": deck.pk,
                "name": deck.name,
                "colour": deck.colour,
                "looked_over_by": sorted(procedures.looks_at(deck)[0]),
                "why_not_in_use": None
                if (why := procedures.inspection_objection(deck)) is None
                else why.reason,
            }
            for deck in procedures.decks
        ],
        "deck_due": None if procedures.deck_due is None else procedures.deck_due.deck,
        "count": {"due": due.due, "reason": due.reason, "clause": due.clause},
        "meter": meter_record(state.table),
        "wins": [{"id": win.pk, "seat": win.seat, "state": win.state} for win in procedures.wins],
        "prompts": [_prompt(each) for each in prompts_of(state)],
    }


def _prompt(prompt: Prompt) -> PromptState:
    return {
        "kind": prompt.kind,
        "text": prompt.text,
        "clause": prompt.clause,
        "command": prompt.command,
        "blocks": prompt.blocks,
        "given": dict(prompt.given),
        "does": prompt.does,
    }


def decks_at(table: Table) -> list[Deck]:
    """Return the decks of a table: those that serve, then the `RETIRED` retired last."""
    decks = Deck.objects.filter(table=table).select_related("placed_by", "retired_by")
    serving = decks.filter(retired_at__isnull=True).order_by("id")
    return [*serving, *decks.filter(retired_at__isnull=False).order_by("-id")[:RETIRED]]


def procedures_at(table: Table) -> QuerySet[Procedure]:
    """Return everything that was done at a table, the latest first."""
    rows = Procedure.objects.filter(table=table).order_by("-id")
    return rows.select_related("deck", "round", "recorded_by", "ordered_by")


class Follows(TypedDict):
    """What follows by the rules."""

    round: Annotated[str, OneOf(ROUND_FATES)]
    cards: Annotated[str, OneOf(CARD_FATES)]
    void_reason: Annotated[str | None, "The rulebook's id of the reason."]
    text: str
    clause: str


class ProcedureRow(TypedDict):
    """One thing that was done at a table beside the money."""

    id: int
    table: int
    kind: Annotated[str, OneOf(Procedure.Kind)]
    round: int | None
    deck: NamedDeck | None
    subject: Annotated[str, "Who looked a deck over, the irregularity's id, or the card."]
    number: Annotated[int | None, "Cards in the stub, or how often it happened."]
    follows: Follows | None
    clause: str
    reason: str
    made_at: Instant
    recorded_by: str
    ordered_by: str | None


def procedure_row(made: Procedure) -> ProcedureRow:
    """Return one procedure as plain data, with what followed from it by the rules."""
    return {
        "id": made.pk,
        "table": made.table_id,
        "kind": made.kind,
        "round": made.round_id,
        "deck": None if made.deck is None else {"id": made.deck.pk, "name": made.deck.name},
        "subject": made.subject,
        "number": made.number,
        "follows": {
            "round": made.round_fate,
            "cards": made.card_fate,
            "void_reason": made.void_reason or None,
            "text": made.text,
            "clause": made.clause,
        }
        if made.round_fate
        else None,
        "clause": made.clause,
        "reason": made.reason,
        "made_at": utc_text(made.made_at),
        "recorded_by": str(made.recorded_by),
        "ordered_by": None if made.ordered_by is None else str(made.ordered_by),
    }
