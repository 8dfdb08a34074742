"""Who is on duty in a room, and who of them may sign for a command: the faces that a page shows to be touched.

On duty is whoever deals, has dealt in the open shift or opened it, is signed in, or has given a command lately. No roster says
so: these are facts that the floor has anyway. Whoever else may sign comes after them, by name.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection, Iterable
from enum import StrEnum

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db.models import Exists, Max, OuterRef, Q

from cardroom.people.lockouts import Kind, resting
from cardroom.people.models import Employment, Lockout, Pin, Role, Staff
from cardroom.people.rights import RIGHTS, Right
from cardroom.people.sessions import LONGEST
from cardroom.rooms.models import Room

from ..models import Down, Shift, StoredAnswer

#: A command that was given so long ago shows that somebody is about.
LATELY = datetime.timedelta(hours=2)


class WhyNotSign(StrEnum):
    """Why somebody who is on duty may not sign."""

    ACTOR = "actor"
    ROLE = "role"
    NO_PIN = "no_pin"
    WROTE = "wrote"
    ABOUT = "about"


@dataclasses.dataclass(frozen=True)
class Signer:
    """A person of the room: their roles, when they were active last (None: not on duty), and the lock on their PIN."""

    person: Staff
    roles: frozenset[Role]
    seen_at: datetime.datetime | None
    lock: Lockout | None
    why_not: WhyNotSign | None

    @property
    def on_duty(self) -> bool:
        return self.seen_at is not None


@dataclasses.dataclass(frozen=True)
class Signers:
    """Who may sign, on duty first and of these who was active last; and who else is on duty, the one who asks first."""

    may: list[Signer]
    may_not: list[Signer]


def signers_of(
    room: Room,
    right: Right,
    now: datetime.datetime,
    *,
    actor: Staff | None = None,
    also: Right | None = None,
    wrote: Collection[int] = (),
    about: Collection[int] = (),
) -> Signers:
    """Return who may sign in `room` for what takes `right`.

    `actor`, who asks for it, never signs; None where anybody signs for themselves. `also` is a second right that it takes in
    this case. `wrote` and `about` are the
    ids of people who wrote what is signed, and whom it is about: they do not sign it. Whoever holds no role that signs anything (`Right.SEE_WHO_SIGNS`) is not told of.
    """
    roles: dict[Staff, set[Role]] = {}
    rows = Employment.objects.filter(room=room, staff__is_active=True).select_related("staff")
    for row in rows.order_by("staff__display_name", "staff__username"):
        roles.setdefault(row.staff, set()).add(Role(row.role))
    people = {person: frozenset(held) for person, held in roles.items() if held & RIGHTS[Right.SEE_WHO_SIGNS]}
    seen = _last_seen(room, [person.pk for person in people], now)
    locks = resting(Kind.PIN, room, now)
    with_pin = set(Pin.objects.filter(staff__in=people).values_list("staff", flat=True))

    def why_not(person: Staff, held: frozenset[Role]) -> WhyNotSign | None:
        if actor is not None and person.pk == actor.pk:
            return WhyNotSign.ACTOR
        if not held & RIGHTS[right] or (also is not None and not held & RIGHTS[also]):
            return WhyNotSign.ROLE
        if person.pk in wrote:
            return WhyNotSign.WROTE
        if person.pk in about:
            return WhyNotSign.ABOUT
        return None if person.pk in with_pin else WhyNotSign.NO_PIN

    found = [
        Signer(person, held, seen.get(person.pk), locks.get(person.pk), why_not(person, held))
        for person, held in people.items()
    ]
    # Sorting keeps those who are not on duty by name.
    found.sort(key=lambda each: 0.0 if each.seen_at is None else -each.seen_at.timestamp())
    may_not = [each for each in found if each.why_not is not None and (each.on_duty or _is_actor(each))]
    may_not.sort(key=lambda each: not _is_actor(each))
    return Signers([each for each in found if each.why_not is None], may_not)


def _is_actor(signer: Signer) -> bool:
    return signer.why_not == WhyNotSign.ACTOR


def _last_seen(room: Room, people: Collection[int], now: datetime.datetime) -> dict[int, datetime.datetime]:
    """Return when each of `people` who is on duty was active last."""
    seen: dict[int, datetime.datetime] = {}

    def note(rows: Iterable[tuple[int, datetime.datetime | None]]) -> None:
        for pk, at in rows:
            if at is not None:
                seen[pk] = max(at, seen.get(pk, at))

    shift = Shift.objects.filter(room=room, closed_at__isnull=True).first()
    dealt = Q(ended_at__isnull=True)
    if shift is not None:
        dealt |= Q(ended_at__gte=shift.opened_at)
        note([(shift.opened_by_id, shift.opened_at)])
    downs = Down.objects.filter(dealt, table__room=room).values_list("dealer", "started_at", "ended_at")
    for dealer, started_at, ended_at in downs:
        note([(dealer, ended_at or started_at)])
    is_open = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=now)
    sessions = UserSession.objects.filter(Exists(is_open), user__in=people, created_at__gt=now - LONGEST)
    note(sessions.values_list("user").annotate(Max("created_at")).order_by())
    lately = StoredAnswer.objects.filter(room=room, made_at__gt=now - LATELY)
    note(lately.values_list("actor").annotate(Max("made_at")).order_by())
    return seen
