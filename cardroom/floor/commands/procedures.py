"""Writes `Procedure` rows for the commands on procedures, and says who has to order them. The nouns have files of their own."""

from __future__ import annotations

from typing import Annotated, Any

from cardroom.core.json_types import Signature
from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may
from games.procedures.rules import Consequence

from ..errors import Forbidden
from ..execution.transactions import TableTransaction
from ..models import Procedure

#: A supervisor, who signs where the person who acts is none.
Supervisor = Annotated[Staff, Signature(Right.SUPERVISE)]

_JOURNALED = ("subject", "number", "round_fate", "card_fate", "void_reason", "text", "clause")


def procedure_note(tx: TableTransaction, kind: Procedure.Kind, **facts: Any) -> Procedure:
    """Write one procedure, and its entry in the table's journal under the same name.

    `facts` are columns of `Procedure`; those that are not ids are journaled too.
    """
    made = Procedure.objects.create(
        room=tx.room, table=tx.table, kind=kind, made_at=tx.now, recorded_by=tx.actor, **facts
    )
    data: dict[str, Any] = {"round": made.round_id, "deck": None if made.deck is None else made.deck.name}
    data |= {column: getattr(made, column) for column in _JOURNALED}
    data = {column: value for column, value in data.items() if value not in (None, "")}
    if made.ordered_by is not None:
        data["ordered_by"] = {"id": made.ordered_by.pk, "name": str(made.ordered_by)}
    tx.journal(f"procedure_{kind}", {"procedure": made.pk, **data}, reason=made.reason)
    return made


def follows(consequence: Consequence) -> dict[str, str]:
    """What follows from an event by the rules, as columns of `Procedure`."""
    return {
        "round_fate": consequence.round,
        "card_fate": consequence.cards,
        "void_reason": consequence.void_reason or "",
        "text": consequence.reason,
        "clause": consequence.clause,
    }


def supervisor_of(tx: TableTransaction, approver: Staff | None, right: Right) -> Staff:
    """Return the supervisor behind a command: the one who signed it, else the actor. Raises Forbidden for another."""
    person = approver or tx.actor
    if why := why_not_may(person, right, tx.room):
        raise Forbidden("supervisor_required", why, path="approver" if approver else "")
    return person
