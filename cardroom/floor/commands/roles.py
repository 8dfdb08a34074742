"""Commands on who works in a room as what: roles given, changed and taken, and the room's record of work permits."""

from __future__ import annotations

import datetime
from typing import Annotated, Any, TypedDict

from cardroom.core.json_types import Id, Label, OneOf, Text, Whole
from cardroom.people.accounts import person_to_employ
from cardroom.people.approval import signed_for_duty
from cardroom.people.duties import Duty, why_not_give
from cardroom.people.journal import person_data
from cardroom.people.models import Employment, Provider, Role, Staff, WorkPermit
from cardroom.people.rights import Right
from games.phrases import Phrase

from ..errors import BadInput, Forbidden, NotFound, NotNow
from ..execution.carry_out import room_command
from ..execution.locks import lock_row
from ..execution.transactions import RoomTransaction
from .accounts import LICENCE_LENGTH, USER_NAME_LENGTH, StaffAnswer
from .providers import provider_named
from .second_person import signed_for

RoleName = Annotated[str, OneOf(Role), Label(Phrase("Role"))]
ProviderId = Annotated[
    Annotated[int, Whole(1)] | None,
    Label(Phrase("Provider")),
    "The provider whose lead they are; left out with every other role.",
]
_GiveSigned = Annotated[Staff, signed_for_duty(Duty.GIVE_ROLE)]
_TakeSigned = Annotated[Staff, signed_for_duty(Duty.TAKE_ROLE)]


class RoleAnswer(TypedDict):
    """Which role it was, and whose."""

    role_id: int
    staff: int


@room_command(
    "POST roles",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person and the role",
    title=Phrase("Give a role"),
    tag="People",
    example={"person": "kaguilar", "role": "dealer"},
    fresh=True,
)
def role_give(
    tx: RoomTransaction,
    *,
    person: Annotated[
        str,
        Text(USER_NAME_LENGTH),
        Label(Phrase("Whole user name or badge")),
        "Exactly as it is written; somebody who works elsewhere keeps their account as it is.",
    ],
    role: RoleName,
    provider_id: ProviderId = None,
    approver: _GiveSigned | None = None,
) -> RoleAnswer:
    """Give a role in the room to somebody who is named exactly; a second person signs, where the room has one."""
    found = person_to_employ(person)
    if found is None:
        raise BadInput(
            "unknown_person",
            Phrase(
                "Nobody can be employed under this user name or badge, or several have this badge. "
                "Give the whole user name exactly; a new person gets an account first."
            ),
            path="person",
        )
    staff = lock_row(Staff, found.pk)
    if Employment.objects.filter(staff=staff, room=tx.room, role=role).exists():
        raise NotNow(
            "role_held",
            Phrase("{person} holds this role in {room} already.", person=staff, room=tx.room),
        )
    given = Employment(staff=staff, room=tx.room, role=role, provider=_provider(tx, role, provider_id))
    _check_given(tx, given)
    signed = signed_for(tx, Duty.GIVE_ROLE, approver, staff)
    given.save(force_insert=True)
    tx.journal("role_give", {**role_data(given), "before": None, **signed})
    return _answer(given)


@room_command(
    "PUT roles/{employment_id}",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person and the role",
    title=Phrase("Change a role"),
    tag="People",
    example={"role": "floor"},
    fresh=True,
)
def role_set(
    tx: RoomTransaction,
    *,
    employment_id: Id,
    role: RoleName,
    provider_id: ProviderId = None,
    approver: _GiveSigned | None = None,
) -> RoleAnswer:
    """Change a role that somebody holds into another; a second person signs, where the room has one. Its person stays."""
    held = _role(tx, employment_id)
    if held.staff.employments.filter(room=tx.room, role=role).exclude(pk=held.pk).exists():
        raise NotNow(
            "role_held",
            Phrase("{person} holds this role in {room} already.", person=held.staff, room=tx.room),
        )
    before, held.role = held.role, role
    held.provider = _provider(tx, role, provider_id)
    _check_given(tx, held)
    signed = signed_for(tx, Duty.GIVE_ROLE, approver, held.staff)
    held.save(update_fields=["role", "provider"])
    tx.journal("role_give", {**role_data(held), "before": before, **signed})
    return _answer(held)


@room_command(
    "POST roles/{employment_id}/take",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the role",
    title=Phrase("Take a role away"),
    tag="People",
    fresh=True,
)
def role_take(
    tx: RoomTransaction,
    *,
    employment_id: Id,
    approver: _TakeSigned | None = None,
) -> StaffAnswer:
    """Take a role away; a second person signs, where the room has one. The history of roles keeps it."""
    held = _role(tx, employment_id)
    signed = signed_for(tx, Duty.TAKE_ROLE, approver, held.staff)
    data = role_data(held)
    held.delete()
    tx.journal("role_take", {**data, **signed})
    return {"staff": held.staff_id}


@room_command(
    "PUT staff/{staff_id}/permit",
    Right.SET_PEOPLE,
    bumps_version=False,
    no_check="it depends on the person, who works in the room",
    title=Phrase("Enter a work permit"),
    tag="People",
    example={"number": "WP-20418", "expires": "2027-06-30"},
    fresh=True,
)
def permit_set(
    tx: RoomTransaction,
    *,
    staff_id: Id,
    number: Annotated[str, Text(LICENCE_LENGTH), Label(Phrase("Number"))],
    expires: Annotated[
        datetime.date | None, Label(Phrase("Valid through")), "Last day; without one it never expires here."
    ] = None,
) -> StaffAnswer:
    """Enter a person's work permit in this room, which overrides the licence of their account."""
    if not Employment.objects.filter(staff=staff_id, room=tx.room).exists():
        raise NotFound(
            "unknown_person",
            Phrase("Nobody of this room's staff has the number {staff_id}.", staff_id=staff_id),
        )
    person = lock_row(Staff, staff_id)
    permit = WorkPermit.objects.filter(staff=person, room=tx.room).first()
    before = None if permit is None else [permit.number, str(permit.expires)]
    permit = permit or WorkPermit(staff=person, room=tx.room)
    permit.number, permit.expires = number, expires
    if before == [number, str(expires)]:
        return {"staff": person.pk}
    permit.save()
    data = {"person": person_data(person), "before": before, "number": number, "expires": str(expires)}
    tx.journal("permit_set", data)
    return {"staff": person.pk}


def _role(tx: RoomTransaction, employment_id: int) -> Employment:
    """Return a role of the room, whose person is locked; raises NotFound."""
    held = Employment.objects.exclude(role=Role.PROGRAM).filter(pk=employment_id, room=tx.room).first()
    if held is None:
        raise NotFound("unknown_role", Phrase("This room has no role {number}.", number=employment_id))
    held.staff = lock_row(Staff, held.staff_id)
    return held


def _check_given(tx: RoomTransaction, given: Employment) -> None:
    """Raise Forbidden for a role that one gives to oneself, or that does not meet another one in one person."""
    others = Employment.objects.filter(staff=given.staff, room=tx.room).exclude(pk=given.pk)
    held = {Role(each) for each in others.values_list("role", flat=True)}
    if why := why_not_give(tx.actor, given.staff, Role(given.role), held):
        raise Forbidden("roles_apart", why, path="role")


def _provider(tx: RoomTransaction, role: str, provider_id: int | None) -> Provider | None:
    if (role == Role.PROVIDER_LEAD) != (provider_id is not None):
        raise BadInput(
            "provider_of_role",
            Phrase("A provider lead needs a provider, and no other role has one."),
            path="provider_id",
        )
    return None if provider_id is None else provider_named(tx, provider_id)


def role_data(role: Employment) -> dict[str, Any]:
    """A role as the room's journal has it."""
    provider = None if role.provider is None else str(role.provider)
    return {"person": person_data(role.staff), "role": role.role, "provider": provider}


def _answer(role: Employment) -> RoleAnswer:
    return {"role_id": role.pk, "staff": role.staff_id}
