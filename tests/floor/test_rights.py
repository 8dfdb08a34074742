"""The table of rights: each right with the roles that hold it, those that do not, an outsider and another room."""

from __future__ import annotations

import pytest

from cardroom.people.models import Employment, Role, Staff
from cardroom.people.rights import RIGHTS, Right, may, rooms_of, why_not_may
from tests.cast import Cast


@pytest.mark.parametrize("right", list(Right), ids=lambda right: right.name)
def test_each_right_is_held_by_its_roles_and_by_nobody_else(cast: Cast, right: Right) -> None:
    roles = {role for role in Role if may(cast.people[role], right, cast.room)}
    assert roles == RIGHTS[right]
    assert roles, "a right that nobody holds is no right"


@pytest.mark.parametrize("right", list(Right), ids=lambda right: right.name)
def test_no_right_reaches_into_another_room(cast: Cast, right: Right) -> None:
    other = cast.at_rival()
    assert not any(may(staff, right, cast.room) for staff in other.people.values())


@pytest.mark.parametrize("right", list(Right), ids=lambda right: right.name)
def test_an_outsider_and_a_superuser_without_a_role_may_nothing(cast: Cast, right: Right) -> None:
    superuser = Staff.objects.create(username="root", display_name="Root", is_superuser=True, is_staff=True)
    for staff in (cast.people["outsider"], superuser):
        why = why_not_may(staff, right, cast.room)
        assert why is not None and "no role" in why


def test_somebody_who_has_left_may_nothing(cast: Cast) -> None:
    cast.people["shift_manager"].is_active = False
    assert not may(cast.people["shift_manager"], Right.RUN_SHIFTS, cast.room)
    assert rooms_of(cast.people["shift_manager"]) == []


def test_somebodys_rooms_are_those_where_they_hold_a_role_each_once_by_name(cast: Cast) -> None:
    of_two = cast.people["rival_shift_manager"]
    for role in (Role.FLOOR, Role.DEALER):
        Employment.objects.create(staff=of_two, room=cast.room, role=role)
    assert [room.name for room in rooms_of(of_two)] == ["Cache Slough", "Gold Bar"]
    assert rooms_of(cast.people["dealer"]) == [cast.room]


def test_a_refusal_says_which_roles_may(cast: Cast) -> None:
    assert why_not_may(cast.people["dealer"], Right.RUN_SHIFTS, cast.room) == (
        "Not authorized to open and close shifts: that is for Shift manager. Dealer is Dealer in Cache Slough."
    )
