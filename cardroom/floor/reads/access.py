"""Queries for authorization: rows of the rooms in which a person holds a role. Page and API both ask here before they show.

A row of a room without a role answers NotFound, as if it were not there; a role without the right answers Forbidden.
"""

from __future__ import annotations

from typing import TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, QuerySet

from cardroom.people.models import Employment, Role, Staff
from cardroom.people.rights import Right, roles_of, why_not_with
from cardroom.rooms.models import Room

from ..errors import Forbidden, NotFound
from ..execution.locks import no_such
from ..models import Round, Shift, Table

M = TypeVar("M", bound=Model)


def rooms_with_roles(staff: Staff) -> list[tuple[Room, list[Role]]]:
    """Return the rooms in which `staff` holds a role, by name, each with the roles held there."""
    if not staff.is_active:
        return []
    roles: dict[Room, list[Role]] = {}
    employments = Employment.objects.filter(staff=staff).select_related("room").order_by("room__name", "role")
    for employment in employments:
        roles.setdefault(employment.room, []).append(Role(employment.role))
    return list(roles.items())


def get_room_for(staff: Staff, room_id: int, right: Right = Right.SEE_FLOOR) -> Room:
    """Return the room, if `staff` holds a role in it and `right` with it."""
    room = row_found(Room.objects.all(), room_id)
    check_reach(staff, right, room, room)
    return room


def room_by_code(staff: Staff, code: str, right: Right = Right.SEE_FLOOR) -> tuple[Room, frozenset[Role]]:
    """Return the room called `code` and the roles of `staff` there, under the same conditions; one query."""
    employments = list(Employment.objects.filter(staff=staff, room__code=code).select_related("room"))
    if not employments or not staff.is_active:
        raise NotFound("not_found", f"There is no room {code}.")
    room, roles = employments[0].room, frozenset(Role(employment.role) for employment in employments)
    if why := why_not_with(roles, staff, right, room):
        raise Forbidden("forbidden", why)
    return room, roles


def get_table_for(staff: Staff, table_id: int, right: Right = Right.SEE_FLOOR) -> Table:
    """Return the table, with its room, schedule and game, under the same conditions."""
    return table_with_roles(staff, table_id, right)[0]


def table_with_roles(
    staff: Staff, table_id: int, right: Right = Right.SEE_FLOOR
) -> tuple[Table, frozenset[Role]]:
    """Return the same and the roles of `staff` in its room."""
    table = row_found(Table.objects.select_related("room", "schedule", "game"), table_id)
    return table, check_reach(staff, right, table.room, table)


def get_round_for(staff: Staff, round_id: int, right: Right = Right.SEE_FLOOR) -> Round:
    """Return the round, with its table, room, people and shift, under the same conditions."""
    rounds = Round.objects.select_related(
        "room",
        "table",
        "shift",
        "dealer",
        "bank_player",
        "voided_by",
        "void_approved_by",
        "corrected_by",
        "correction_approved_by",
    )
    round_ = row_found(rounds, round_id)
    check_reach(staff, right, round_.room, round_)
    return round_


def get_shift_for(staff: Staff, shift_id: int, right: Right = Right.SEE_FLOOR) -> Shift:
    """Return the shift, with its room, under the same conditions."""
    shift = row_found(Shift.objects.select_related("room"), shift_id)
    check_reach(staff, right, shift.room, shift)
    return shift


def check_reach(staff: Staff, right: Right, room: Room, row: Model) -> frozenset[Role]:
    """Return the roles of `staff` in `room`, where `row` lies. Raise NotFound without one, Forbidden without `right` there."""
    roles = roles_of(staff, room)
    if not roles:
        raise no_such(type(row), row.pk)
    if why := why_not_with(roles, staff, right, room):
        raise Forbidden("forbidden", why)
    return roles


def row_found(rows: QuerySet[M], number: int) -> M:
    """Return the one of `rows` with this id, wherever it lies. Raises NotFound."""
    try:
        return rows.get(pk=number)  # `first` would order the one row too
    except ObjectDoesNotExist as error:
        raise no_such(rows.model, number) from error
