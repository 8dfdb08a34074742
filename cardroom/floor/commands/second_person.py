"""Checks of commands that take a reason and a second person: the actor never approves them."""

from __future__ import annotations

from typing import Any

from cardroom.people.duties import ALONE, DUTIES, Duty, NobodySigns, may_sign, why_alone
from cardroom.people.journal import person_data
from cardroom.people.models import Staff
from cardroom.people.rights import RIGHTS, Right, role_names, why_not_may
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


def signed_for(
    tx: RoomTransaction, duty: Duty, approver: Staff | None, about: Staff | None = None
) -> dict[str, Any]:
    """Return what the entry of a duty for two says of who signed; `alone` says why nobody else could. Raises Forbidden.

    While the room is set up there is nobody to sign, and none is asked for (`why_alone`).
    """
    right, does = DUTIES[duty].second, Phrase(duty.value)
    assert right is not None, f"to {duty.value} takes one person"
    try:
        alone = why_alone(right, tx.room, by=tx.actor, about=about)
    except NobodySigns:
        raise Forbidden(
            "nobody_signs",
            Phrase(
                "To {does} takes two, and nobody else in {room} may sign for this: an administrator of the site gives somebody "
                "the role first.",
                does=does,
                room=tx.room,
            ),
        ) from None
    if alone is not None:
        return {"approved_by": None, ALONE: alone}
    roles = role_names(RIGHTS[right])
    if approver is None:
        raise Forbidden(
            "approver_required",
            Phrase(
                "To {does} takes two: somebody else who is {roles} in {room} signs with their PIN.",
                does=does,
                roles=roles,
                room=tx.room,
            ),
            path="approver",
        )
    if not may_sign(approver, right, tx.room, by=tx.actor, about=about):
        raise Forbidden(
            "approver_may_not",
            Phrase(
                "{person} may not sign for this: somebody else does who is {roles} in {room}.",
                person=approver,
                roles=roles,
                room=tx.room,
            ),
            path="approver",
        )
    return {"approved_by": person_data(approver)}
