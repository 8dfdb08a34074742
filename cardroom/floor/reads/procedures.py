"""Procedures as plain data: what serves a table and what it is reminded of, and everything that was done there."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from cardroom.core.dates import utc_text

from ..models import Deck, Procedure, Table
from .meters import meter_record
from .prompts import prompts_of
from .table_state import TableState

#: So many retired decks are shown; the journal has them all.
RETIRED = 10


def procedures_record(state: TableState) -> dict[str, Any]:
    """Return decks, counts, wins and reminders of a table as they stand; cents, UTC."""
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
        "prompts": [{**prompt._asdict(), "given": dict(prompt.given)} for prompt in prompts_of(state)],
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


def procedure_row(made: Procedure) -> dict[str, Any]:
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
