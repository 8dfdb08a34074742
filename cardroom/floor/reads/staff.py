"""Queries on the people of a room: who they are, the roles that they held, their downs by shift, and what the journal says of them."""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Collection
from typing import Annotated, TypedDict

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db.models import Q, QuerySet

from cardroom.core.json_types import OneOf
from cardroom.people.journal import ADMINISTRATION, SIGN_INS
from cardroom.people.models import Employment, Role, Staff
from cardroom.rooms.models import Room

from ..journal import chain_name
from ..models import Down, JournalEntry, Shift

#: A person's page shows downs of so many days, and entries of so many.
DOWNS_DAYS, ENTRIES_DAYS = 14, 90


def people_of(room: Room) -> QuerySet[Staff]:
    """Return who works in a room, and whose account belongs to it, by name."""
    employed = Employment.objects.filter(room=room).exclude(role=Role.PROGRAM).values("staff")
    return (
        Staff.objects.filter(Q(pk__in=employed) | Q(home=room, is_superuser=False, program__isnull=True))
        .prefetch_related("employments")
        .order_by("display_name", "username")
    )


def people_without_password(room: Room) -> QuerySet[Staff]:
    """Return the people whose accounts belong to a room, and with which nobody can sign in yet, by name."""
    return people_of(room).filter(home=room, password__startswith=UNUSABLE_PASSWORD_PREFIX)


class StaffRole(TypedDict):
    """A role that a person holds in the room."""

    employment_id: int
    role: Annotated[str, OneOf(Role)]
    provider_id: Annotated[int | None, "The provider whose lead they are."]


class StaffRow(TypedDict):
    """One of a room's people."""

    staff: int
    name: str
    username: Annotated[
        str | None, "Null where the account belongs to another room, as are badge and active."
    ]
    badge: str | None
    active: Annotated[bool | None, "Whether the account is open."]
    roles: list[StaffRole]


def staff_row(room: Room, person: Staff) -> StaffRow:
    """Return one of a room's people with the roles held there; of an account of another room the roles alone."""
    own = person.home_id == room.pk
    return {
        "staff": person.pk,
        "name": str(person),
        "username": person.username if own else None,
        "badge": person.badge if own else None,
        "active": person.is_active if own else None,
        "roles": [
            {"employment_id": each.pk, "role": each.role, "provider_id": each.provider_id}
            for each in person.employments.all()
            if each.room_id == room.pk
        ],
    }


@dataclasses.dataclass(frozen=True)
class RoleHeld:
    """A role that a person holds in a room, or held: when it was given or taken, by whom, and who signed."""

    role: str
    at: datetime.datetime | None
    by: str = ""
    signed: str = ""
    #: The row of a role that is held now.
    employment: Employment | None = None


def roles_held(room: Room, person: Staff) -> list[RoleHeld]:
    """Return the roles that a person holds in a room, each with the latest entry that gave it; then those that were taken."""
    entries = _entries(room, person, ("role_give", "role_take")).order_by("-seq")
    given: dict[str, JournalEntry] = {}
    taken: list[JournalEntry] = []
    for entry in entries:
        if entry.command == "role_give":
            given.setdefault(entry.data["role"], entry)
        else:
            taken.append(entry)
    held = Employment.objects.filter(room=room, staff=person).select_related("provider").order_by("role")
    now = [
        RoleHeld(each.get_role_display(), gave.at, gave.actor_name, _signed(gave), each)
        if (gave := given.get(each.role)) is not None
        else RoleHeld(each.get_role_display(), None, employment=each)
        for each in held
    ]
    return now + [
        RoleHeld(str(Role(each.data["role"]).label), each.at, each.actor_name, _signed(each))
        for each in taken
    ]


@dataclasses.dataclass
class ShiftDowns:
    """What a dealer dealt in one shift."""

    shift: Shift
    tables: list[int] = dataclasses.field(default_factory=list)
    downs: int = 0
    time: datetime.timedelta = datetime.timedelta()

    @property
    def minutes(self) -> int:
        """The time at tables in whole minutes."""
        return int(self.time.total_seconds()) // 60


def downs_by_shift(room: Room, person: Staff, now: datetime.datetime) -> list[ShiftDowns]:
    """Return the shifts of the last days in which a person dealt, the latest first; a down belongs to the shift that it began in."""
    since = now - datetime.timedelta(days=DOWNS_DAYS)
    downs = Down.objects.filter(room=room, dealer=person, started_at__gte=since).select_related("table")
    shifts = Shift.objects.filter(room=room).filter(Q(closed_at=None) | Q(closed_at__gt=since))
    found = {shift.pk: ShiftDowns(shift) for shift in shifts.order_by("-opened_at")}
    for down in downs.order_by("started_at"):
        for each in found.values():
            if each.shift.opened_at <= down.started_at and (
                each.shift.closed_at is None or down.started_at < each.shift.closed_at
            ):
                each.downs += 1
                each.time += (down.ended_at or now) - down.started_at
                if down.table.number not in each.tables:
                    each.tables.append(down.table.number)
                break
    return [each for each in found.values() if each.downs]


def entries_about(room: Room, person: Staff, now: datetime.datetime) -> QuerySet[JournalEntry]:
    """Return what the room's journal says of a person in the last months: sign-ins and what was changed; the latest first."""
    since = now - datetime.timedelta(days=ENTRIES_DAYS)
    return _entries(room, person, (*SIGN_INS, *ADMINISTRATION)).filter(at__gte=since).order_by("-seq")


def _entries(room: Room, person: Staff, commands: Collection[str]) -> QuerySet[JournalEntry]:
    return JournalEntry.objects.filter(
        chain=chain_name(room), command__in=commands, data__person__id=person.pk
    )


def _signed(entry: JournalEntry) -> str:
    signed = entry.data.get("approved_by")
    return signed["name"] if isinstance(signed, dict) else ""
