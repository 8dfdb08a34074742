"""The table of rights: each right with the roles that hold it, those that do not, an outsider and another room."""

from __future__ import annotations

import pytest

from cardroom.people.models import Employment, Role, Staff
from cardroom.people.rights import RIGHTS, Right, may, rooms_of, why_not_may

from .site import Site


@pytest.mark.parametrize("right", list(Right), ids=lambda right: right.name)
def test_each_right_is_held_by_its_roles_and_by_nobody_else(site: Site, right: Right) -> None:
    roles = {role for role, staff in site.people.items() if may(staff, right, site.room)}
    assert roles == RIGHTS[right] - {Role.PROVIDER_LEAD}
    assert roles, "a right that nobody holds is no right"


@pytest.mark.parametrize("right", list(Right), ids=lambda right: right.name)
def test_no_right_reaches_into_another_room(site: Site, right: Right) -> None:
    other = Site("Other Room")
    assert not any(may(staff, right, site.room) for staff in other.people.values())


@pytest.mark.parametrize("right", list(Right), ids=lambda right: right.name)
def test_an_outsider_and_a_superuser_without_a_role_may_nothing(site: Site, right: Right) -> None:
    outsider = Staff.objects.create(username="outsider", display_name="Outsider")
    superuser = Staff.objects.create(username="root", display_name="Root", is_superuser=True, is_staff=True)
    for staff in (outsider, superuser):
        why = why_not_may(staff, right, site.room)
        assert why is not None and "no role" in why


def test_somebody_who_has_left_may_nothing(site: Site) -> None:
    site.manager.is_active = False
    assert not may(site.manager, Right.RUN_SHIFTS, site.room)
    assert rooms_of(site.manager) == []


def test_somebodys_rooms_are_those_where_they_hold_a_role_each_once_by_name(site: Site) -> None:
    of_two = Site("Aspen Flat").manager
    for role in (Role.FLOOR, Role.DEALER):
        Employment.objects.create(staff=of_two, room=site.room, role=role)
    assert [room.name for room in rooms_of(of_two)] == ["Alder Creek", "Aspen Flat"]
    assert rooms_of(site.dealer) == [site.room]


def test_a_refusal_says_which_roles_may(site: Site) -> None:
    assert why_not_may(site.dealer, Right.RUN_SHIFTS, site.room) == (
        "Not authorized to open and close shifts: that is for Shift manager. Dealer of Alder Creek is Dealer in Alder Creek."
    )
