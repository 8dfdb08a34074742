"""Separation of duties: what the administration does with a second person's signature, and roles that conflict.

The commands at tables, in counts and filings say in their own declarations who signs (`cardroom.core.json_types.Signature`); this
is the table for those about people and the room, whose second person may be left out while nobody could be one
(`signed_for` in `cardroom.floor.commands.second_person`), and for the admin, which makes a room's first people.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection
from enum import StrEnum
from itertools import combinations

from django.db.models import Count, Q, QuerySet

from cardroom.rooms.models import Room

from .models import Employment, Role, Staff
from .rights import RIGHTS, Right


class Duty(StrEnum):
    """What the administration does to accounts, roles and a room."""

    GIVE_ROLE = "give a role"
    TAKE_ROLE = "take a role away"
    SET_PASSWORD = "set a password"  # noqa: S105  # the name of a duty
    TAKE_FACTOR_OFF = "take a second factor off"
    CHANGE_ACCOUNT = "change who an account is, or open it again"
    CHANGE_ROOM = "change a room's settings"
    SET_CHIPS = "choose the chips on the keypads"
    RESET_TOGETHER = "set a password of several rooms"
    CLOSE_ACCOUNT = "close an account"
    MAKE_ACCOUNT = "make an account"
    KEEP_LICENCE = "enter a licence, a work permit or a badge's last day"
    KEEP_RECORDS = "keep players, providers and the list of tables"
    HAND_OVER = "hand an account over"
    LIFT_LOCKOUT = "lift a lock"
    END_SESSION = "end a session of somebody"
    MAKE_PROGRAM = "make a program, or a token or webhook of one"
    END_PROGRAM = "revoke a token, or end a program or webhook"


@dataclasses.dataclass(frozen=True)
class Takes:
    """How a command of the administration is signed: the right of the second person, None where one person does it; and why."""

    second: Right | None
    why: str


#: Which command takes whom. What weakens protection, or changes who somebody is or what they may do, takes two people.
DUTIES: dict[Duty, Takes] = {
    Duty.GIVE_ROLE: Takes(Right.APPROVE_ADMINISTRATION, "it lets somebody do more"),
    Duty.TAKE_ROLE: Takes(
        Right.APPROVE_ADMINISTRATION,
        "whoever watches or counts could be sent away by whom they watch; in an emergency the account is closed",
    ),
    Duty.SET_PASSWORD: Takes(Right.APPROVE_ADMINISTRATION, "whoever knows it signs in as the other"),
    Duty.TAKE_FACTOR_OFF: Takes(
        Right.APPROVE_ADMINISTRATION, "with the password alone the account is open until another is set up"
    ),
    Duty.CHANGE_ACCOUNT: Takes(
        Right.APPROVE_ADMINISTRATION,
        "name, user name and badge say in every report who has acted; an account that was closed opens again",
    ),
    Duty.CHANGE_ROOM: Takes(
        Right.APPROVE_ADMINISTRATION, "it changes what is charged, kept and counted to which day"
    ),
    Duty.SET_CHIPS: Takes(None, "they are what a keypad shows, and are charged and counted nowhere"),
    Duty.RESET_TOGETHER: Takes(
        Right.SET_PEOPLE,
        "a manager of each other room of the person confirms in the list, not on the same page",
    ),
    Duty.CLOSE_ACCOUNT: Takes(
        None,
        "it must be possible at once, with nobody else about; it opens nothing, and to open it again takes two",
    ),
    Duty.MAKE_ACCOUNT: Takes(None, "without a role it opens nothing, and the role takes two"),
    Duty.KEEP_LICENCE: Takes(
        None,
        "it is copied from the card that the state issues, for everybody again and again; before and after are in the journal",
    ),
    Duty.KEEP_RECORDS: Takes(
        None, "daily work that moves no money and gives nobody a right; before and after are in the journal"
    ),
    Duty.HAND_OVER: Takes(
        None, "a room gives up its say in the account of somebody who has left it, and gains none"
    ),
    Duty.LIFT_LOCKOUT: Takes(
        None, "it gives tries back, and nothing without the secret; nobody lifts their own"
    ),
    Duty.END_SESSION: Takes(
        None, "it must be possible at once; it opens nothing, and whoever may signs in again"
    ),
    Duty.MAKE_PROGRAM: Takes(
        Right.APPROVE_ADMINISTRATION,
        "whoever has the token reads and keys by the program's rights, from anywhere",
    ),
    Duty.END_PROGRAM: Takes(
        None, "it must be possible at once, with nobody else about; it opens nothing, and another takes two"
    ),
}

#: What an entry of a command says that takes two and that one person did, with the reason.
ALONE = "alone"
IN_SET_UP = "signed alone, no second holder: the room is being set up"
BY_THE_SITE = "signed alone, no second holder: an administrator of the site"
#: So many people have held the right to sign in a room when its set-up is over.
HOLDERS = 2


class NobodySigns(Exception):
    """A command takes two, nobody else in the room may sign, and who acts may not act alone."""


_PLAY = {Role.DEALER, Role.FLOOR, Role.SHIFT_MANAGER}


def _apart() -> frozenset[frozenset[Role]]:
    alone = {Role.INSPECTOR, Role.PROVIDER_LEAD, Role.SURVEILLANCE, Role.PROGRAM}
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
    if role == Role.PROGRAM:
        return "This is no role of a person: a program is made on the page Programs, with its rights."
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


def may_sign(staff: Staff, right: Right, room: Room, *, by: Staff, about: Staff | None) -> bool:
    """Tell whether `staff` may sign for what `by` does about somebody: a third person who holds the right."""
    if staff in (by, about) or not staff.is_active:
        return False
    return Employment.objects.filter(staff=staff, room=room, role__in=RIGHTS[right]).exists()


def why_alone(right: Right, room: Room | None, *, by: Staff, about: Staff | None) -> str | None:
    """Return why one person may do a command for two; None where a second person signs. Raises NobodySigns.

    While a room is set up there is nobody else yet. Later, where the only other holder has left or is the one whom it
    is about, an administrator of the site commands.
    """
    if room is not None:
        holders = Staff.objects.filter(
            is_active=True, employments__room=room, employments__role__in=RIGHTS[right]
        )
        if holders.exclude(pk__in=[each.pk for each in (by, about) if each is not None]).exists():
            return None
        if is_set_up(room, right):
            return IN_SET_UP
    if by.is_superuser:
        return BY_THE_SITE
    raise NobodySigns


def rooms_without_holders() -> QuerySet[Room]:
    """Return the rooms in which fewer than `HOLDERS` people may sign: whom an administrator of the site gives the role."""
    right = DUTIES[Duty.GIVE_ROLE].second
    assert right is not None
    active = Q(employments__role__in=RIGHTS[right], employments__staff__is_active=True)
    holders = Count("employments__staff", filter=active, distinct=True)
    return Room.objects.annotate(holders=holders).filter(holders__lt=HOLDERS).order_by("name")


def is_set_up(room: Room, right: Right) -> bool:
    """Tell whether a room is still being set up: fewer than `HOLDERS` people have ever held the right there.

    By the history of roles, so that a manager who sends the other holder away does not open the set-up again.
    """
    held = {"room": room, "role__in": RIGHTS[right]}
    ever = set(Employment.history.filter(**held).values_list("staff_id", flat=True))
    now = set(Employment.objects.filter(**held).values_list("staff_id", flat=True))
    return len(ever | now) < HOLDERS
