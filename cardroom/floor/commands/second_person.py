"""Checks of commands that take a reason and a second person: the actor never approves them."""

from __future__ import annotations

from cardroom.people.models import Staff
from cardroom.people.rights import Right, why_not_may
from games.phrases import Phrase

from ..errors import BadInput, Forbidden
from ..execution.transactions import RoomTransaction, TableTransaction

REASON_LENGTH = 200


def given_reason(reason: str, what: str) -> str:
    """Return the reason without blanks around it; raises BadInput where there is none. `what` begins the sentence."""
    reason = reason.strip()
    if not reason or len(reason) > REASON_LENGTH:
        raise BadInput(
            "reason_required",
            Phrase(
                "{what} needs a reason of 1 to {reason_length} characters.",
                what=what,
                reason_length=REASON_LENGTH,
            ),
            path="reason",
        )
    return reason


def check_second_person(
    tx: TableTransaction | RoomTransaction, approver: Staff, right: Right, does: str
) -> None:
    """Raise Forbidden unless `approver` is another person than the actor, and holds `right` in the room."""
    if approver == tx.actor:
        raise Forbidden(
            "second_person_required",
            Phrase("Whoever {does} may not approve it: ask a second person.", does=does),
        )
    if why := why_not_may(approver, right, tx.room):
        raise Forbidden("approver_may_not", why)
