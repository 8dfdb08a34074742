"""Duties apart: what the administration does with a second person's signature, and roles that never meet in one person.

The acts at tables, in counts and filings say in their own declarations who signs (`cardroom.core.acts.Signature`); this
is the table for the admin. What it does is written into the room's journal (`cardroom.people.journal`).
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from itertools import combinations

from cardroom.rooms.models import Room

from .models import Employment, Role, Staff
from .rights import RIGHTS, Right


class Duty(StrEnum):
    """What a room manager does in the admin that lets somebody do more than before."""

    GIVE_ROLE = "give a role"
    SET_PASSWORD = "set a password"  # noqa: S105  # the name of a duty
    CHANGE_ROOM = "change a room's settings"


#: Which right the second person holds, in the room that it concerns.
SIGNED_BY: dict[Duty, Right] = {
    Duty.GIVE_ROLE: Right.APPROVE_ADMINISTRATION,
    Duty.SET_PASSWORD: Right.APPROVE_ADMINISTRATION,
    Duty.CHANGE_ROOM: Right.APPROVE_ADMINISTRATION,
}

#: What an entry of an act says that takes two and that one person did, with the reason.
ALONE = "alone"

_PLAY = {Role.DEALER, Role.FLOOR, Role.SHIFT_MANAGER}


def _apart() -> frozenset[frozenset[Role]]:
    alone = {Role.INSPECTOR, Role.PROVIDER_LEAD}
    pairs = {frozenset(pair) for pair in combinations(Role, 2) if alone & set(pair)}
    # Who watches, who counts and who keeps accounts does none of the play, nor each other's work.
    watchers = (Role.COMPLIANCE, Role.COUNT, Role.ROOM_MANAGER)
    pairs |= {frozenset(pair) for pair in combinations(watchers, 2)}
    pairs |= {frozenset({watcher, role}) for watcher in watchers for role in _PLAY}
    return frozenset(pairs)


#: Pairs of roles that one person does not hold in one room.
APART = _apart()


def why_not_give(by: Staff, to: Staff, role: Role, held: Collection[Role]) -> str | None:
    """Return why `by` may not give a role to a person who holds `held` in that room; None if they may."""
    if by == to:
        return (
            "Nobody gives a role to themselves: another room manager does, or an administrator of the site."
        )
    against = sorted(other.label for other in held if frozenset({other, role}) in APART)
    if against:
        return (
            f"{role.label} and {' and '.join(against)} do not meet in one person: {to} holds the other here."
        )
    return None


def may_sign(staff: Staff, duty: Duty, room: Room, *, by: Staff, about: Staff | None) -> bool:
    """Tell whether `staff` may sign for what `by` does about somebody: a third person who holds the right."""
    if staff in (by, about) or not staff.is_active:
        return False
    return Employment.objects.filter(staff=staff, room=room, role__in=RIGHTS[SIGNED_BY[duty]]).exists()


def takes_signature(duty: Duty, room: Room, *, by: Staff, about: Staff | None) -> bool:
    """Tell whether a second person has to sign: whenever the room has one. In a new room there is nobody yet."""
    holders = Staff.objects.filter(
        is_active=True, employments__room=room, employments__role__in=RIGHTS[SIGNED_BY[duty]]
    )
    return holders.exclude(pk__in=[each.pk for each in (by, about) if each is not None]).exists()
