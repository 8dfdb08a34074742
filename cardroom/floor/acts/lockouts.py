"""Lifting the lock on a person's password or PIN, which follows too many wrong ones."""

from __future__ import annotations

from typing import TypedDict

from cardroom.core.acts import Id
from cardroom.people.lockouts import Kind, tries_forgotten
from cardroom.people.models import Staff
from cardroom.people.rights import Right, roles_of

from ..errors import Forbidden, NotFound, NotNow
from .commands import AtRoom, room_act


class LockoutLifted(TypedDict):
    """A lock was lifted."""

    staff: int


@room_act(
    "POST lockouts/{staff_id}/lift",
    Right.LIFT_LOCKOUTS,
    bumps_version=False,
    no_check="it depends on the person, who has to be locked out",
    title="Lift the lock on a person's sign-in",
    tag="People",
)
def lockout_lift(at: AtRoom, *, staff_id: Id) -> LockoutLifted:
    """Let a person of the room, who gave too many wrong passwords or PINs, try again at once. Nobody lifts their own."""
    person = Staff.objects.filter(pk=staff_id).first()
    if person is None or not roles_of(person, at.room):
        raise NotFound("not_found", f"Nobody of this room's staff has the number {staff_id}.")
    if person == at.actor:
        raise Forbidden("second_person_required", "Nobody lifts their own lock: ask somebody else.")
    lifted = [kind.value for kind in Kind if tries_forgotten(kind, person)]
    if not lifted:
        raise NotNow("not_locked", f"{person} is not locked out.")
    at.journal("lockout_lift", {"person": {"id": person.pk, "name": str(person)}, "kinds": lifted})
    return {"staff": person.pk}
