"""Command that lifts the lockout of a person's password, PIN or second factor, which follows too many wrong ones."""

from __future__ import annotations

from typing import TypedDict

from cardroom.core.json_types import Id
from cardroom.people.journal import person_data
from cardroom.people.lockouts import Kind, tries_forgotten
from cardroom.people.models import Staff
from cardroom.people.rights import Right, roles_of

from ..errors import Forbidden, NotFound, NotNow
from ..execution.carry_out import room_command
from ..execution.transactions import RoomTransaction


class LockoutLifted(TypedDict):
    """A lock was lifted."""

    staff: int


@room_command(
    "POST lockouts/{staff_id}/lift",
    Right.LIFT_LOCKOUTS,
    bumps_version=False,
    no_check="it depends on the person, who has to be locked out",
    title="Lift the lock on a person's sign-in",
    tag="People",
)
def lockout_lift(tx: RoomTransaction, *, staff_id: Id) -> LockoutLifted:
    """Let a person of the room, who gave too many wrong passwords, PINs or codes, try again at once. Nobody lifts their own."""
    person = Staff.objects.filter(pk=staff_id).first()
    if person is None or not roles_of(person, tx.room):
        raise NotFound("not_found", f"Nobody of this room's staff has the number {staff_id}.")
    if person == tx.actor:
        raise Forbidden("second_person_required", "Nobody lifts their own lock: ask somebody else.")
    rows = [row for kind in Kind if (row := tries_forgotten(kind, person)) is not None]
    lifted = [row.kind for row in rows]
    if not lifted:
        raise NotNow("not_locked", f"{person} is not locked out.")
    refused = sum(row.refused for row in rows)
    tx.journal("lockout_lift", {"person": person_data(person), "kinds": lifted, "refused": refused})
    return {"staff": person.pk}
