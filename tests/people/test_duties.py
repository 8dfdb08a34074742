"""Duties apart: what the admin does with two people alone, roles that do not meet, and what the journal says of it."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest
from django.test import Client

from cardroom.floor.models import JournalEntry
from cardroom.people.duties import APART, SIGNED_BY, Duty, why_not_give
from cardroom.people.models import Employment, Lockout, Role, Staff
from cardroom.people.rights import RIGHTS
from cardroom.rooms.models import Room
from tests.cast import PASSWORD, PIN, Cast, closed_cast

NEW = "nine high straight beats it"
APPROVERS = ("compliance", "room_manager_2")


@pytest.fixture
def cast(db: None) -> Cast:
    cast = closed_cast()
    cast.people["room_manager_2"] = cast.people["outsider"]
    Employment.objects.create(staff=cast.people["outsider"], room=cast.room, role=Role.ROOM_MANAGER)
    Staff.objects.filter(username="outsider").update(username="room_manager_2", is_staff=True)
    Staff.objects.filter(username="room_manager").update(is_staff=True)
    return cast


@pytest.fixture
def manager(cast: Cast) -> Client:
    browser = Client()
    browser.post("/accounts/login/", {"login": "room_manager", "password": PASSWORD})
    return browser


def do(browser: Client, cast: Cast, duty: Duty, **signed: str) -> Any:
    """Do what the duty says about the support staff of the room, and tell whether it was done."""
    person = cast.people["support"]
    if duty == Duty.GIVE_ROLE:
        given = {"person": "support", "room": cast.room.pk, "role": "dealer", "provider": ""}
        return browser.post("/admin/people/employment/add/", {**given, **signed})
    if duty == Duty.SET_PASSWORD:
        address = f"/admin/people/staff/{person.pk}/password/"
        return browser.post(address, {"password1": NEW, "password2": NEW, **signed})
    form = browser.get(f"/admin/rooms/room/{cast.room.pk}/change/").context["adminform"].form
    fields = {each.html_name: each.value() for each in form if str(each.value()) not in ("None", "False")}
    return browser.post(
        f"/admin/rooms/room/{cast.room.pk}/change/", {**fields, "licence_number": "GEGA-7", **signed}
    )


def was_done(cast: Cast, duty: Duty) -> bool:
    return {
        Duty.GIVE_ROLE: Employment.objects.filter(staff=cast.people["support"], role=Role.DEALER).exists(),
        Duty.SET_PASSWORD: Staff.objects.get(username="support").check_password(NEW),
        Duty.CHANGE_ROOM: Room.objects.get(pk=cast.room.pk).licence_number == "GEGA-7",
    }[duty]


@pytest.mark.parametrize("duty", list(Duty))
def test_the_table_of_duties_holds_for_everybody(cast: Cast, manager: Client, duty: Duty) -> None:
    """Every person of both rooms tries to sign; those alone can who hold the right, and are not the two concerned."""
    signers = set()
    for who in [name for name in cast.people if name != "outsider"]:
        person = Staff.objects.get(pk=cast.people[who].pk)
        reply = do(manager, cast, duty, approver=person.username, approver_pin=PIN)
        if reply.status_code == 302:
            signers.add(who)
            assert was_done(cast, duty)
            entry = JournalEntry.objects.filter(room=cast.room).latest("pk")
            assert entry.actor == cast.people["room_manager"]
            assert entry.data["approved_by"]["id"] == person.pk
            Employment.objects.filter(staff=cast.people["support"], role=Role.DEALER).delete()
            Staff.objects.filter(username="support").update(password="")
            Room.objects.filter(pk=cast.room.pk).update(licence_number="")
        else:
            assert not was_done(cast, duty), who
    assert signers == set(APPROVERS)
    assert RIGHTS[SIGNED_BY[duty]] == {Role.COMPLIANCE, Role.ROOM_MANAGER}


@pytest.mark.parametrize("duty", list(Duty))
def test_without_a_signature_or_with_a_wrong_pin_nothing_is_done(
    cast: Cast, manager: Client, duty: Duty
) -> None:
    for signed in ({}, {"approver": "compliance"}, {"approver": "compliance", "approver_pin": "999999"}):
        reply = do(manager, cast, duty, **signed)
        assert reply.status_code == 200 and not was_done(cast, duty)
        assert "999999" not in reply.content.decode()
    assert Lockout.objects.get().tries == 1
    assert not JournalEntry.objects.filter(act__in=("role_give", "password_set", "room_set")).exists()


def test_nobody_gives_a_role_to_themselves_whoever_signs(cast: Cast, manager: Client) -> None:
    given = {"person": "room_manager", "room": cast.room.pk, "role": "support", "provider": ""}
    reply = manager.post(
        "/admin/people/employment/add/", {**given, "approver": "compliance", "approver_pin": PIN}
    )
    assert reply.status_code == 200 and "to themselves" in reply.content.decode()
    assert Employment.objects.filter(staff=cast.people["room_manager"]).count() == 1


def test_roles_apart_are_refused_in_one_room_and_a_changed_role_too(cast: Cast, manager: Client) -> None:
    signed = {"approver": "compliance", "approver_pin": PIN}
    given = {"person": "dealer", "room": cast.room.pk, "role": "count", "provider": ""}
    reply = manager.post("/admin/people/employment/add/", {**given, **signed})
    assert reply.status_code == 200 and "do not meet in one person" in reply.content.decode()
    two = Employment.objects.create(staff=cast.people["dealer"], room=cast.room, role=Role.SUPPORT)
    manager.post(f"/admin/people/employment/{two.pk}/change/", {"role": "count", "provider": "", **signed})
    two.refresh_from_db()
    assert two.role == Role.SUPPORT
    manager.post(f"/admin/people/employment/{two.pk}/change/", {"role": "floor", "provider": "", **signed})
    two.refresh_from_db()
    assert two.role == Role.FLOOR
    entry = JournalEntry.objects.get(act="role_give")
    assert (entry.data["before"], entry.data["role"]) == ("support", "floor")
    manager.post(f"/admin/people/employment/{two.pk}/delete/", {"post": "yes"})
    assert JournalEntry.objects.get(act="role_take").data["role"] == "floor"


def test_the_table_of_roles_apart_is_this() -> None:
    together = {
        frozenset(pair)
        for pair in combinations((Role.DEALER, Role.FLOOR, Role.SHIFT_MANAGER, Role.SUPPORT), 2)
    } | {frozenset({Role.SUPPORT, watcher}) for watcher in (Role.COMPLIANCE, Role.COUNT, Role.ROOM_MANAGER)}
    assert {frozenset(pair) for pair in combinations(Role, 2)} - APART == together
    one, other = Staff(pk=1, username="one"), Staff(pk=2, username="other")
    for held, role in product(Role, Role):
        why = why_not_give(one, other, role, [held])
        assert (why is not None) == (frozenset({held, role}) in APART)


def test_in_a_new_room_there_is_nobody_to_sign_and_the_journal_says_so(cast: Cast) -> None:
    room = Room.objects.create(name="Bay Oaks", code="bay-oaks")
    Staff.objects.create_superuser("root", password=PASSWORD)
    root = Client()
    root.post("/accounts/login/", {"login": "root", "password": PASSWORD})
    first = {"staff": cast.people["dealer"].pk, "room": room.pk, "role": "room_manager", "provider": ""}
    assert root.post("/admin/people/employment/add/", first).status_code == 302
    assert JournalEntry.objects.get(room=room, act="role_give").data["approved_by"] is None
    second = {"staff": cast.people["floor"].pk, "room": room.pk, "role": "compliance", "provider": ""}
    assert root.post("/admin/people/employment/add/", second).status_code == 200
    signed = {"approver": "dealer", "approver_pin": PIN}
    assert root.post("/admin/people/employment/add/", {**second, **signed}).status_code == 302


def test_accounts_that_are_made_and_changed_stand_in_the_journal_without_a_password(
    cast: Cast, manager: Client
) -> None:
    made = {"username": "newcomer", "display_name": "New Comer", "badge": "N-1", "home": cast.room.pk}
    manager.post("/admin/people/staff/add/", {**made, "password1": NEW, "password2": NEW})
    new = Staff.objects.get(username="newcomer")
    manager.post(
        f"/admin/people/staff/{new.pk}/change/",
        {"username": "newcomer", "display_name": "New Comer", "badge": "N-2", "is_active": "on"},
    )
    first, second = JournalEntry.objects.filter(room=cast.room, act__startswith="account_").order_by("pk")
    assert (first.act, first.data["person"]["name"]) == ("account_make", "New Comer")
    assert second.data["changed"] == {"badge": ["N-1", "N-2"]}
